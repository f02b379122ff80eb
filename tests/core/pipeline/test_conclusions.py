"""What extractors concluded is taken over with their notes: an index that is continued asks only those that may conclude otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import ANY, Interests
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactRow
from codemap_core.pipeline import BaselineResult
from tests.clone import Clone
from tests.core.pipeline.conftest import dump

FILES: Final = {name: f"class {name[0]}\n{{\n}}\n" for name in ("A.cs", "B.cs", "C.cs", "D.cs")}
Index = Callable[..., BaselineResult]


class Neighbours:
    """Notes the classes of a file, and concludes for each file how many other files have classes. ``calls``: a file that has a line for
    each time it concludes; as long as ``broken`` is there, it fails."""

    name = "neighbours"
    language = "csharp"
    interests = Interests(declarations=ANY)
    kinds = ("neighbours",)

    def __init__(self, folder: Path) -> None:
        self.calls: Final = folder / "calls"
        self.broken: Final = folder / "broken"

    def extract(self, seen: Seen) -> Iterator[Note]:
        for each in seen.declarations:
            yield Note("class", seen.file_path, 1, {"name": each.symbol_id})

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        with self.calls.open("a", encoding="utf-8") as calls:
            calls.write("once\n")
        if self.broken.exists():
            raise ValueError("it is broken")
        paths = sorted({note.file_path for note in notes})
        for path in paths:
            yield FactRow(kind="neighbours", value=str(len(paths) - 1), file_path=path, line_start=1, line_end=1)

    @property
    def concluded(self) -> int:
        return len(self.calls.read_text(encoding="utf-8").splitlines())


class Plugin:
    def __init__(self, extractor: Neighbours) -> None:
        self._extractor: Final = extractor

    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[Any]) -> None:
        registry.add(self._extractor)


@pytest.fixture
def neighbours(tmp_path: Path) -> Neighbours:
    return Neighbours(tmp_path)


@pytest.fixture
def plugins(neighbours: Neighbours) -> PluginHost:
    return load_plugins(extra={"neighbours": Plugin(neighbours)})


@pytest.fixture
def take_up(clone: Clone, index: Index, plugins: PluginHost) -> Callable[[dict[str, str]], BaselineResult]:
    """Commits files, continues the index, and compares it with one from scratch."""

    def run(files: dict[str, str]) -> BaselineResult:
        clone.commit(files)
        continued = index(clone.root, plugins=plugins)
        assert dump(continued) == dump(index(clone.root, home="cold", plugins=plugins, rebuild=True))
        return continued

    return run


def test_who_left_the_same_notes_does_not_conclude_again(
    take_up: Callable[[dict[str, str]], BaselineResult], neighbours: Neighbours
) -> None:
    """Its rows of a document that is replaced are those of the earlier index; the other line of each pair is the index from scratch."""
    assert not take_up(FILES).failures
    assert neighbours.concluded == 2
    assert take_up({"A.cs": FILES["A.cs"] + "// more\n"}).bound_files == 1
    assert neighbours.concluded == 3
    assert take_up({"A.cs": FILES["A.cs"] + "// yet more\n"}).bound_files == 1
    assert neighbours.concluded == 4


def test_a_document_with_other_conclusions_is_replaced(
    take_up: Callable[[dict[str, str]], BaselineResult], neighbours: Neighbours
) -> None:
    take_up(FILES)
    added = take_up({"E.cs": "class E { }\n"})
    assert (added.bound_files, neighbours.concluded) == (len(FILES) + 1, 4)


def test_who_failed_concludes_again_whatever_was_edited(
    take_up: Callable[[dict[str, str]], BaselineResult], neighbours: Neighbours
) -> None:
    neighbours.broken.touch()
    said = [[str(each) for each in take_up(FILES).failures]]
    said.append([str(each) for each in take_up({"A.cs": FILES["A.cs"] + "// more\n"}).failures])
    assert len(said[0]) == 1
    assert "it is broken" in said[0][0]
    assert said[1] == said[0]
    neighbours.broken.unlink()
    repaired = take_up({"A.cs": FILES["A.cs"] + "// yet more\n"})
    assert not repaired.failures
    assert len([row for row in dump(repaired)["facts"] if b'"neighbours"' in row]) == len(FILES)


def test_a_deleted_document_leaves_nothing(
    take_up: Callable[[dict[str, str]], BaselineResult], clone: Clone, neighbours: Neighbours
) -> None:
    take_up(FILES)
    clone.remove("D.cs")
    take_up({})
    take_up({"A.cs": FILES["A.cs"] + "// more\n"})
    take_up({"D.cs": FILES["D.cs"]})
