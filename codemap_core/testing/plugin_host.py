"""A plug-in host for the tests of one plug-in: it and the built-in ones, whatever else is installed."""

from __future__ import annotations

from importlib.metadata import entry_points

from codemap_core.hooks.manager import BUILT_IN_DISTRIBUTION, PluginHost, load_plugins
from codemap_core.hooks.markers import ENTRY_POINT_GROUP


def load_plugin(plugin: object, name: str = "under_test") -> PluginHost:
    """``plugin``: the module or object with hook implementations. Raises: AssertionError when something is wrong with it."""
    built_in = [
        each
        for each in entry_points(group=ENTRY_POINT_GROUP)
        if each.dist is not None and each.dist.name.lower() == BUILT_IN_DISTRIBUTION
    ]
    host = load_plugins(blocked=(), installed=built_in, extra={name: plugin})
    assert not host.problems, "\n".join(problem.message for problem in host.problems)
    return host
