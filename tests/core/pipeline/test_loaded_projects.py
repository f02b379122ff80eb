"""Projects that a loader gave are taken over where it would give the same, and it is asked again wherever it may not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from codemap_core.hooks.contracts import FileSet, JudgesContents, ProjectLoader
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import ProjectGraph
from codemap_core.pipeline.loaded_projects import load
from codemap_core.repository import CommitFiles, Repository
from codemap_core.storage.sharing.unit_cache import UnitCache
from tests.clone import Clone

PROJECT = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>'
FILES = {"App/App.csproj": PROJECT, "App/A.cs": "class A { }", "Tools/Loose.cs": "class Loose { }"}
REFERENCE = "#:project ../App\n"


class Counted:
    """A loader of which it is known how often it was asked, in whatever process."""

    def __init__(self, loader: ProjectLoader, log: Path) -> None:
        self.name = loader.name
        self.fingerprint = "first"
        self._log = log
        self._loader = loader

    @property
    def asked(self) -> int:
        return self._log.stat().st_size if self._log.exists() else 0

    def load(self, files: FileSet, solution: str | None) -> ProjectGraph:
        with self._log.open("ab") as log:
            log.write(b".")
        return self._loader.load(files, solution)

    def may_matter(self, path: str, content: bytes) -> bool:
        assert isinstance(self._loader, JudgesContents)
        return self._loader.may_matter(path, content)


Asking = Callable[[Mapping[str, str]], int]
"""Takes edits, and tells how often the loader has been asked once what it gives for them was compared with what it gives when asked."""


@pytest.fixture
def asking(clone: Clone, host: PluginHost, tmp_path: Path) -> Asking:
    loader = next(each for each in host.project_loaders if each.name == "dotnet")
    owner = host.owner_of(loader)
    counted = Counted(loader, tmp_path / "asked")

    def ask(edits: Mapping[str, str]) -> int:
        commit = clone.commit(edits)
        cache = UnitCache.open(tmp_path / "cache")
        assert cache is not None
        with CommitFiles(Repository.open(clone.root), commit) as files:
            given, _ = load(counted, owner, files, "", cache)
            fresh, _ = load(loader, owner, files, "", None)
        cache.close()
        assert given is not None
        assert fresh is not None
        assert given.graph == fresh.graph
        return counted.asked

    ask(FILES)
    assert counted.asked == 1
    return ask


@pytest.mark.parametrize(
    ("edits", "asked"),
    [
        ({"App/A.cs": "class A { int changed; }"}, 1),
        ({"Tools/Loose.cs": "class Loose { int changed; }"}, 1),
        ({"Tools/Loose.cs": REFERENCE + "class Loose { }"}, 2),
        ({"App/App.csproj": PROJECT.replace("net10.0", "net9.0")}, 2),
        ({"App/B.cs": "class B { }"}, 2),
        ({"Directory.Build.props": "<Project />"}, 2),
    ],
    ids=[
        "a source",
        "a source without a project",
        "a source that becomes one",
        "a project",
        "a new file",
        "new settings",
    ],
)
def test_what_has_a_loader_asked_again(asking: Asking, edits: Mapping[str, str], asked: int) -> None:
    assert asking(edits) == asked
    assert asking({"App/A.cs": "class A { int last; }"}) == asked


def test_a_source_ceases_to_be_a_project(asking: Asking) -> None:
    for asked, text in enumerate(
        (REFERENCE + "class Loose { }", REFERENCE + "\nclass Loose { }", "class Loose { }"), 2
    ):
        assert asking({"Tools/Loose.cs": text}) == asked


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param([(True, "first", 1), (True, "first", 1), (False, "first", 2), (False, "first", 3)], id="others"),
        pytest.param([(True, "first", 1), (True, "second", 2), (True, "first", 2)], id="other code"),
    ],
)
def test_whose_projects_are_kept(
    clone: Clone, host: PluginHost, tmp_path: Path, asked: list[tuple[bool, str, int]]
) -> None:
    """Those of loaders that are built in, as long as their code is the same. By turn: whether it is, the fingerprint, times asked."""
    loader = next(each for each in host.project_loaders if each.name == "dotnet")
    counted = Counted(loader, tmp_path / "asked")
    cache = UnitCache.open(tmp_path / "cache")
    assert cache is not None
    with CommitFiles(Repository.open(clone.root), clone.commit(FILES)) as files:
        for built_in, fingerprint, times in asked:
            counted.fingerprint = fingerprint
            owner = replace(host.owner_of(loader), built_in=built_in)
            assert load(counted, owner, files, "", cache)[0] is not None
            assert counted.asked == times
    cache.close()
