"""Which commit, which folder, which projects: the arguments of ``codemap index``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

PROJECT = "<Project Sdk='Microsoft.NET.Sdk'><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"
SLNX = "<Solution><Project Path='a/A.csproj' /></Solution>"


@pytest.fixture
def two(clone: Clone) -> Clone:
    """Two projects, one of them in a solution."""
    clone.commit(
        {
            "a/A.csproj": PROJECT,
            "a/A.cs": "class A { }",
            "a/deep/D.cs": "class D { }",
            "b/B.csproj": PROJECT,
            "b/B.cs": "class B { }",
            "loose.cs": "class Loose { }",
            "A.slnx": SLNX,
        }
    )
    return clone


def test_a_folder_is_indexed_alone_with_paths_from_the_root(codemap: Shell, two: Clone) -> None:
    codemap("index", two.root / "a")
    rows = codemap.dump("symbols", two.root / "a")
    assert [(row["symbol_id"], row["file_path"]) for row in rows] == [("T:A", "a/A.cs"), ("T:D", "a/deep/D.cs")]
    codemap("dump", "symbols", two.root, fails=2)
    codemap("index", two.root)
    assert codemap.ids(two.root) == ["T:A", "T:B", "T:D", "T:Loose"]
    assert codemap.ids(two.root / "a") == ["T:A", "T:D"]
    assert [row["file_path"] for row in codemap.dump("files", two.root / "a")] == [
        "a/A.cs",
        "a/A.csproj",
        "a/deep/D.cs",
    ]


def test_the_current_folder_is_the_default(codemap: Shell, two: Clone) -> None:
    codemap("index", cwd=two.root / "b")
    assert codemap.ids(cwd=two.root / "b") == ["T:B"]


@pytest.mark.parametrize(("written", "cwd"), [("A.slnx", "."), ("../A.slnx", "b")])
def test_a_solution_names_the_projects(codemap: Shell, two: Clone, written: str, cwd: str) -> None:
    codemap("index", two.root, "--solution", written, cwd=two.root / cwd)
    assert codemap.ids(two.root, "--solution", "A.slnx") == ["T:A", "T:D"]
    assert [row["name"] for row in codemap.dump("projects", two.root, "--solution", "A.slnx")] == ["A"]


def test_an_unknown_solution_is_told_with_those_there_are(codemap: Shell, two: Clone) -> None:
    assert "A.slnx" in codemap("index", two.root, "--solution", "B.sln", fails=2).stderr


def test_any_name_of_a_commit_will_do(codemap: Shell, clone: Clone) -> None:
    first = clone.commit({"A.cs": "class Old { }"})
    clone.git("tag", "v1")
    clone.git("tag", "-a", "v1-annotated", "-m", "x")
    clone.git("branch", "side")
    clone.commit({"A.cs": "class New { }"})
    for name in (first[:8], "v1-annotated", "side", "HEAD~1"):
        assert codemap.index(clone.root, "--commit", name)["commit_sha"] == first
    assert codemap.ids(clone.root, "--commit", "v1") == ["T:Old"]
    codemap("index", clone.root)
    assert codemap.ids(clone.root) == ["T:New"]


def test_the_working_tree_is_not_looked_at(codemap: Shell, clone: Clone) -> None:
    clone.commit({"A.cs": "class Committed { }"})
    clone.write({"A.cs": "class Edited { }", "B.cs": "class Untracked { }"})
    codemap("index", clone.root)
    assert codemap.ids(clone.root) == ["T:Committed"]


def test_a_bare_repository(codemap: Shell, two: Clone, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    two.git("clone", "-q", "--bare", str(two.root), str(bare))
    codemap("index", bare)
    codemap("index", two.root)
    assert codemap("dump", "symbols", bare).stdout == codemap("dump", "symbols", two.root).stdout


def test_a_linked_worktree_is_on_its_own_commit(codemap: Shell, two: Clone, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    two.git("worktree", "add", "-q", "-b", "other", str(linked))
    (linked / "b" / "B.cs").write_text("class Linked { }")
    two.git("-C", str(linked), "commit", "-q", "-a", "-m", "x")
    main, other = codemap.index(two.root), codemap.index(linked)
    assert Path(main["index"]).parent == Path(other["index"]).parent, "they are one repository"
    assert "T:Linked" in codemap.ids(linked)
    assert "T:Linked" not in codemap.ids(two.root)


def test_a_second_run_says_so_without_a_parser(codemap: Shell, two: Clone) -> None:
    import subprocess
    import sys

    first = codemap("index", two.root)
    assert "Already" not in first.stdout
    assert codemap("index", two.root).stdout.startswith("Already indexed: commit ")
    assert codemap.index(two.root)["already_existed"] is True
    program = (
        "import sys\nfrom codemap_server.cli import main\n"
        f"sys.argv = ['codemap', 'index', {str(two.root)!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'tree_sitter', 'sqlalchemy', 'alembic', 'mcp', 'rich.table', 'codemap_plugins.csharp.analysis'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=codemap.environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_rebuild_builds_again(codemap: Shell, two: Clone) -> None:
    codemap("index", two.root)
    before = codemap("dump", "symbols", two.root).stdout
    assert codemap.index(two.root, "--rebuild")["already_existed"] is False
    assert codemap("dump", "symbols", two.root).stdout == before
