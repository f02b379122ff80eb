"""The exact difference of two indexes: applied to the rows of one it gives the rows of the other, and it says nothing needless."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from codemap_core.pipeline import BaselineResult
from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.reading.dump_difference import RowChange, applied, row_differences
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.row_difference import document_differences
from tests.clone import Clone
from tests.core.pipeline.corpus import sources

Index = Callable[..., BaselineResult]


def assert_law(old: Path, new: Path) -> None:
    with IndexReader.open(old) as before, IndexReader.open(new) as after:
        for left, right in ((before, after), (after, before)):
            for kind, rows in DUMPS.items():
                made = sorted(applied(rows(left), row_differences(left, right, kind)))
                assert made == sorted(map(msgspec.json.encode, rows(right))), kind


def edited(files: dict[str, str], choose: random.Random, step: int) -> dict[str, str]:
    """``files`` after a few edits: lines added, names replaced, files moved, copied and removed, a project changed."""
    files = dict(files)
    paths = sorted(path for path in files if path.endswith(".cs"))
    shifted, renamed, moved, copied, removed, emptied = choose.sample(paths, 6)
    files[shifted] = f"// {step}\n{files[shifted]}"
    files[renamed] = files[renamed].replace("public", "internal", 1).replace("int ", "long ", 2)
    files[f"{copied.rpartition('/')[0]}/Copied{step}.cs"] = files[copied]
    files[f"{moved.rpartition('/')[0]}/Moved{step}.cs"] = files.pop(moved)
    files[emptied] = ""
    files.pop(removed, None)
    project = choose.choice(sorted(path for path in files if path.endswith(".csproj")))
    files[project] = files[project].replace(
        "</PropertyGroup>", f"<DefineConstants>S{step}</DefineConstants></PropertyGroup>", 1
    )
    return files


@pytest.mark.parametrize("seed", range(3))
def test_applied_to_the_older_rows_it_gives_the_newer_ones(clone: Clone, index: Index, seed: int) -> None:
    choose = random.Random(seed)
    folders = ("/partial/", "/usings/", "/conditions/", "/ids/")
    files = {path: text for path, text in sources().items() if any(each in path for each in folders)}
    clone.commit(files)
    indexes = [index(clone.root).path]
    for step in range(2):
        changed = edited(files, choose, step)
        clone.remove(*(files.keys() - changed.keys()))
        clone.commit(changed)
        files = changed
        indexes.append(index(clone.root).path)
    assert_law(indexes[0], indexes[1])
    assert_law(indexes[1], indexes[2])
    assert_law(indexes[0], indexes[2])


def test_an_index_does_not_differ_from_itself(corpus: Clone, index: Index) -> None:
    path = index(corpus.root).path
    with IndexReader.open(path) as left, IndexReader.open(path) as right:
        assert not list(document_differences(left, right))
        assert not [row for kind in DUMPS for row in row_differences(left, right, kind)]


def test_only_rows_that_differ_are_said(clone: Clone, index: Index) -> None:
    """A type that comes to exist changes what another file's name means: a row of a file that was not edited."""
    project = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>'
    user = "class User { Late M() => null; }"
    clone.commit({"a.csproj": project, "User.cs": user})
    old = index(clone.root).path
    clone.commit({"Late.cs": "class Late { }"})
    new = index(clone.root).path
    with IndexReader.open(old) as left, IndexReader.open(new) as right:
        refs = list(row_differences(left, right, "refs"))
        assert [(each.change, each.row["file_path"], each.row["to_symbol"]) for each in refs] == [
            (RowChange.REMOVED, "User.cs", None),
            (RowChange.ADDED, "User.cs", "T:Late"),
        ]
        symbols = {each.row["symbol_id"] for each in row_differences(left, right, "symbols")}
        assert symbols == {"T:Late", "T:User", "M:User.M"}  # a sibling of the same shape, and a type that is known now
        assert [each.row["file_path"] for each in row_differences(left, right, "files")] == ["Late.cs"]
        assert [each.file_path for each in document_differences(left, right)] == ["Late.cs", "User.cs"]


def test_a_project_that_becomes_one_of_tests(clone: Clone, index: Index) -> None:
    """What is said of its facts differs, in files that were not edited."""
    project = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework>{}</PropertyGroup></Project>'
    code = "class User { void M() { try { } catch (System.Exception) { } } }"
    clone.commit({"a.csproj": project.format(""), "User.cs": code})
    old = index(clone.root).path
    clone.commit({"a.csproj": project.format("<IsTestProject>true</IsTestProject>")})
    new = index(clone.root).path
    assert_law(old, new)
    with IndexReader.open(old) as left, IndexReader.open(new) as right:
        facts = [(each.change, each.row["test"]) for each in row_differences(left, right, "facts")]
        assert facts == [(RowChange.REMOVED, False), (RowChange.ADDED, True)]


def test_a_difference_of_other_indexes_is_refused(clone: Clone, index: Index) -> None:
    clone.commit({"A.cs": "class A { }"})
    old = index(clone.root).path
    clone.remove("A.cs")
    clone.commit({"B.cs": "class B { }"})
    new = index(clone.root).path
    with IndexReader.open(old) as left, IndexReader.open(new) as right:
        differences = list(row_differences(left, right, "symbols"))
        with pytest.raises(ValueError, match="does not have"):
            list(applied(DUMPS["symbols"](right), differences))
