"""Collects the specifications in folders called ``mdtest``: one test for each of their sections (``specs`` has the
format).

    pytest -p codemap_core.testing.pytest_plugin testdata/mdtest
    pytest -p codemap_core.testing.pytest_plugin testdata/mdtest --update-specs     # rewrite the expectations

The plug-ins that the specifications exercise are those installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codemap_core.recursion import allow_deep_recursion

if TYPE_CHECKING:
    from codemap_core.hooks.manager import PluginHost
    from codemap_core.testing.specs import Spec


def pytest_configure() -> None:
    allow_deep_recursion()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-specs", action="store_true", help="rewrite the expectations of specifications to what holds now"
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".md" and "mdtest" in file_path.parts and file_path.name != "README.md":
        suite: Suite = Suite.from_parent(parent, path=file_path)
        return suite
    return None


@cache
def _host() -> PluginHost:
    from codemap_core.hooks.manager import load_plugins

    return load_plugins()


class Suite(pytest.File):
    """One Markdown file."""

    def collect(self) -> Iterator[pytest.Item]:
        from codemap_core.testing.specs import read_specs, update

        if self.config.getoption("--update-specs"):
            update(self.path, _host())
        for spec in read_specs(self.path.read_text(encoding="utf-8")):
            yield SpecItem.from_parent(self, name=spec.name, spec=spec)


class SpecItem(pytest.Item):
    """One section of it."""

    def __init__(self, *, spec: Spec, **arguments: object) -> None:
        super().__init__(**arguments)  # type: ignore[arg-type]  # pytest passes what its own constructor takes
        self._spec = spec

    def runtest(self) -> None:
        from codemap_core.testing.specs import check

        differences = check(self._spec, _host())
        if differences:
            pytest.fail(f"{self.path}:{self._spec.line}\n{differences}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self._spec.line - 1, self._spec.name
