"""A plug-in host for the tests of one plug-in: it and the built-in languages, loaders and tools, whatever else is installed. The built-in
extractors are left out, so that the rows a test sees are those of its own plug-in."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from codemap_core.hooks.manager import BUILT_IN_DISTRIBUTION, EXTRACTING, PluginHost, load_plugins
from codemap_core.hooks.markers import ENTRY_POINT_GROUP


def load_plugin(plugin: object, name: str = "under_test") -> PluginHost:
    """``plugin``: the module or object with hook implementations. Raises: AssertionError when something is wrong with it."""
    left_out = set(built_in_extractors())
    built_in = [each for each in _built_in() if each.name not in left_out]
    host = load_plugins(blocked=(), installed=built_in, extra={name: plugin})
    assert not host.problems, "\n".join(problem.message for problem in host.problems)
    return host


def built_in_extractors() -> tuple[str, ...]:
    """Names of the built-in plug-ins that extract."""
    host = load_plugins(blocked=(), installed=_built_in())
    return tuple(each.name for each in host.plugins if set(each.provides).intersection(EXTRACTING))


def _built_in() -> list[EntryPoint]:
    return [
        each
        for each in entry_points(group=ENTRY_POINT_GROUP)
        if each.dist is not None and each.dist.name.lower() == BUILT_IN_DISTRIBUTION
    ]
