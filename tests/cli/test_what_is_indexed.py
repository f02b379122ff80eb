"""Which commit, which folder, which projects: the arguments of ``codemap index``."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def waiting_plugin(codemap: Shell, site: Path) -> None:
    """Installs a plug-in with a language of its own, as a package manager leaves it."""
    info = site / "codemap_waiting-1.0.dist-info"
    info.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("waiting_plugin.py"), site / "codemap_waiting.py")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: codemap-waiting\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[codemap]\nwaiting = codemap_waiting\n", encoding="utf-8")
    codemap.environment["PYTHONPATH"] = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])


def test_a_folder_is_indexed_alone_with_paths_from_the_root(codemap: Shell, two: Clone) -> None:
    codemap("index", two.root / "a")
    rows = codemap.dump("symbols", two.root / "a")
    assert [(row["symbol_id"], row["file_path"]) for row in rows] == [("T:A", "a/A.cs"), ("T:D", "a/deep/D.cs")]
    assert [row["file_path"] for row in codemap.dump("files", two.root / "a")] == [
        "a/A.cs",
        "a/A.csproj",
        "a/deep/D.cs",
    ]


def test_the_index_of_the_whole_answers_wherever_one_stands(codemap: Shell, two: Clone) -> None:
    everything = ["T:A", "T:B", "T:D", "T:Loose"]
    codemap("index", two.root / "a")
    codemap("index", two.root, "--solution", "A.slnx")
    codemap("index", two.root)
    for folder in (two.root, two.root / "a", two.root / "a" / "deep", two.root / "b"):
        assert codemap.ids(folder) == everything
        assert "only" not in codemap("dump", "symbols", folder).stderr
        hits = json.loads(codemap("search", "-k", "class", "--json", cwd=folder).stdout)["data"]["hits"]
        assert sorted(hit["symbol_id"] for hit in hits) == everything
    assert codemap.ids(two.root, "--solution", "A.slnx") == ["T:A", "T:D"], "unless another one is asked for"


def test_the_index_of_a_folder_answers_for_what_holds_it_and_not_for_its_neighbour(codemap: Shell, two: Clone) -> None:
    codemap("index", two.root / "a")
    for folder in (two.root, two.root / "a", two.root / "a" / "deep"):
        done = codemap("dump", "symbols", folder)
        assert done.stderr == "Index of a only.\n"
        assert done.stdout.count("\n") == 2
    assert "is not indexed. Of it only a is." in codemap("search", "A", cwd=two.root / "b", fails=2).stderr
    codemap("dump", "symbols", two.root / "b", fails=2)
    codemap("index", two.root / "a" / "deep")
    assert codemap.ids(two.root / "a" / "deep") == ["T:A", "T:D"], "the larger one knows more"


def test_status_tells_the_whole_from_its_parts(codemap: Shell, two: Clone) -> None:
    def status(*arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(codemap("status", *arguments, "--json", cwd=two.root).stdout)
        return found.get("data", found)  # type: ignore[no-any-return]

    assert (status()["baseline_index_exists"], status().get("indexes", [])) == (False, [])
    codemap("index", two.root / "a")
    codemap("index", two.root, "--solution", "A.slnx")
    found = status()
    assert found["baseline_index_exists"] is False
    assert [(each["is_whole"], each.get("subtree"), each.get("solution")) for each in found["indexes"]] in (
        [(False, "a", None), (False, None, "A.slnx")],
        [(False, None, "A.slnx"), (False, "a", None)],
    )
    assert found["index"]["scope"] == "A.slnx"
    assert "index of" not in codemap("status", cwd=two.root).stdout
    assert "a, A.slnx only" in codemap("status", cwd=two.root).stdout.replace("A.slnx, a only", "a, A.slnx only")
    told = codemap("call", "repo.status", "--format", "text", cwd=two.root).stdout
    assert [line for line in told.splitlines() if line.startswith("also")] == ["also indexed: a"]
    codemap("index", two.root)
    found = status()
    assert (found["baseline_index_exists"], found["indexes"][0]["is_whole"]) == (True, True)


def test_what_of_projects_cannot_be_read_is_named(codemap: Shell, two: Clone) -> None:
    """A reference that is lost leaves names unresolved, so whoever indexes hears of it."""
    lost = "<ItemGroup><ProjectReference Include='../gone/Gone.csproj' /></ItemGroup></Project>"
    two.commit({"b/B.csproj": PROJECT.replace("</Project>", lost)})
    assert "Something in 1 project could not be read as it is meant" in codemap("index", cwd=two.root).stderr
    told = codemap("status", cwd=two.root).stdout
    assert re.search(
        r"^project problems +in 1 project\n +b/B\.csproj: the project gone/Gone\.csproj, .* does not exist$", told, re.M
    )
    quality = json.loads(codemap("status", "--json", cwd=two.root).stdout)["index"]["quality"]
    assert quality["problem_project_count"] == 1
    assert [each["file_path"] for each in quality["project_problems"]] == ["b/B.csproj"]
    two.commit({"gone/Gone.csproj": PROJECT})
    assert "could not be read" not in codemap("index", cwd=two.root).stderr
    assert "project problems" not in codemap("status", cwd=two.root).stdout


def test_status_says_why_an_index_is_not_current(codemap: Shell, two: Clone, tmp_path: Path) -> None:
    codemap("index", two.root)
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    said = codemap("status", "--repo", two.root, CODEMAP_REFERENCES=str(libraries)).stdout
    assert "the library assemblies to bind against changed. Run: codemap index" in " ".join(said.split())
    waiting_plugin(codemap, tmp_path / "site")
    said = codemap("status", "--repo", two.root).stdout
    assert "plug-in waiting was added. Run: codemap index" in " ".join(said.split())


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


def _loaded_by_index(codemap: Shell, root: Path, *heavy: str) -> str:
    """Which of these modules ``codemap index`` has loaded when it ends."""
    program = (
        "import sys\nfrom codemap_server.cli import main\n"
        f"sys.argv = ['codemap', 'index', {str(root)!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=codemap.environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


def test_a_second_run_says_so_without_a_parser(codemap: Shell, two: Clone) -> None:
    first = codemap("index", two.root)
    assert "Already" not in first.stdout
    assert codemap("index", two.root).stdout.startswith("Already indexed: commit ")
    assert codemap.index(two.root)["already_existed"] is True
    heavy = ("tree_sitter", "sqlalchemy", "alembic", "mcp", "pydantic", "rich.table", "codemap_plugins.csharp.analysis")
    assert _loaded_by_index(codemap, two.root, *heavy) == "[]"


def test_a_first_run_loads_no_database_library(codemap: Shell, two: Clone) -> None:
    """That takes a quarter of a second."""
    assert _loaded_by_index(codemap, two.root, "sqlalchemy", "alembic", "mcp", "pydantic") == "[]"


def test_rebuild_builds_again(codemap: Shell, two: Clone) -> None:
    codemap("index", two.root)
    before = codemap("dump", "symbols", two.root).stdout
    assert codemap.index(two.root, "--rebuild")["already_existed"] is False
    assert codemap("dump", "symbols", two.root).stdout == before


@pytest.mark.parametrize(("named", "said"), [("No.sln", "No.sln is not"), ("a/No.slnx", "a/No.slnx is not")])
def test_a_solution_as_path_that_is_not_there_is_told_from_those_that_are(
    codemap: Shell, two: Clone, named: str, said: str
) -> None:
    error = codemap("index", named, cwd=two.root, fails=2).stderr
    assert said in error
    assert "Solutions here: A.slnx" in error
    assert "The folder nowhere does not exist" in codemap(
        "index", "nowhere/No.sln", cwd=two.root, fails=2
    ).stderr.replace(f"{two.root}/", "")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("a/A.csproj", "a/A.csproj is not a solution. Solutions here: A.slnx, Broken.sln, Empty.slnx."),
        ("loose.cs", "loose.cs is not a solution."),
        ("Broken.sln", "Broken.sln cannot be used as a solution: cannot read the solution"),
        ("Empty.slnx", "Empty.slnx names no project that could be read."),
        ("No.sln", "No.sln is not in commit"),
    ],
)
def test_what_is_not_a_solution_is_an_error_and_leaves_nothing(
    codemap: Shell, two: Clone, written: str, said: str
) -> None:
    two.commit({"Broken.sln": "nothing of the kind", "Empty.slnx": "<Solution />"})
    for _ in range(2):
        error = codemap("index", two.root, "--solution", written, fails=2).stderr
        assert said in error
        assert ".." not in error
    codemap("index", two.root)
    assert said in codemap("index", two.root, "--solution", written, fails=2).stderr
    assert len(list(codemap.home.glob("baselines/*/*.db"))) == 1


def test_a_solution_keeps_files_that_no_project_compiles(codemap: Shell, two: Clone) -> None:
    two.commit({"b/notes.txt": "text", "b/app.json": "{}"})
    codemap("index", two.root, "--solution", "A.slnx")
    paths = [row["file_path"] for row in codemap.dump("files", two.root, "--solution", "A.slnx")]
    assert {"b/notes.txt", "b/app.json", "a/A.cs"} <= set(paths)
    assert not {"b/B.cs", "loose.cs"} & set(paths)


def test_a_solution_keeps_the_files_of_plugged_in_languages(codemap: Shell, two: Clone, tmp_path: Path) -> None:
    two.commit({"b/schedule.wait": "anything"})
    waiting_plugin(codemap, tmp_path / "site")
    codemap("index", two.root, "--solution", "A.slnx")
    rows = codemap.dump("files", two.root, "--solution", "A.slnx")
    assert [row["language"] for row in rows if row["file_path"] == "b/schedule.wait"] == ["waiting"]


def test_a_solution_as_path_means_itself(codemap: Shell, two: Clone) -> None:
    codemap("index", two.root / "A.slnx")
    assert codemap.ids(two.root, "--solution", "A.slnx") == ["T:A", "T:D"]
    assert "--solution FILE" in codemap("index", two.root / "a" / "A.csproj", fails=2).stderr


@pytest.mark.parametrize("address", ["https://example.org/x/y", "git@example.org:x/y.git", "ssh://example.org/x"])
def test_an_address_needs_a_clone(codemap: Shell, two: Clone, address: str) -> None:
    said = codemap("index", address, fails=2, cwd=two.root).stderr
    assert "git clone" in said
    assert f"{address} is the address" in said


def test_an_index_without_csharp_does_not_claim_full_semantics(codemap: Shell, clone: Clone) -> None:
    clone.commit({"README.md": "words"})
    codemap("index", clone.root)
    status = codemap("status", "--repo", clone.root, "--json").stdout
    assert '"semantic_level":"syntax_only"' in status


LIBRARY = {
    "lib/Lib.csproj": PROJECT,
    "lib/Thing.cs": "namespace Lib; public partial class Thing { public Thing Next(int steps) => this; }",
    "lib/deep/Other.cs": "namespace Lib; public class Other { public Thing Make() => new Thing().Next(2); }",
    "app/App.csproj": PROJECT.replace(
        "</Project>", "<ItemGroup><ProjectReference Include='../lib/Lib.csproj' /></ItemGroup></Project>"
    ),
    "app/Program.cs": "class Run { Lib.Thing Go(Lib.Thing thing) => thing.Next(1); }",
    "elsewhere/E.csproj": PROJECT,
    "elsewhere/E.cs": "class E { }",
}


@pytest.mark.parametrize("folder", ["app", "lib/deep"])
def test_a_folder_means_what_the_whole_means(codemap: Shell, clone: Clone, folder: str) -> None:
    """Ids and references in a folder are those of the whole, whatever lies outside of it."""
    clone.commit(LIBRARY)
    codemap("index", clone.root / folder)
    part = {kind: codemap.dump(kind, clone.root / folder) for kind in ("symbols", "refs", "files", "projects")}
    codemap("index", clone.root)
    whole = {kind: codemap.dump(kind, clone.root) for kind in ("symbols", "refs", "files", "projects")}
    for kind in ("symbols", "refs", "files"):
        assert part[kind] == [row for row in whole[kind] if row["file_path"].startswith(f"{folder}/")]
        assert part[kind]
    assert all(row["resolution_state"] == "resolved" for row in part["refs"])
    assert [row["name"] for row in part["projects"]] == ["App" if folder == "app" else "Lib"]
    assert all(path.startswith(folder) for row in part["projects"] for path in row["files"])


def test_a_question_at_the_shell_can_index_first(codemap: Shell, two: Clone) -> None:
    codemap("search", "A", fails=2, cwd=two.root)
    codemap("search", "A", fails=2, cwd=two.root, CODEMAP_AUTO_INDEX="0")
    asked = codemap("search", "D", cwd=two.root / "b", CODEMAP_AUTO_INDEX="1")
    assert "a/deep/D.cs:1" in asked.stdout
    assert "was indexed for this question" in asked.stderr
    assert "indexed for" not in codemap("search", "D", cwd=two.root, CODEMAP_AUTO_INDEX="1").stderr
    assert "CODEMAP_AUTO_INDEX" in codemap("search", "D", fails=2, cwd=two.root, CODEMAP_AUTO_INDEX="maybe").stderr


def test_a_shown_symbol_comes_with_what_its_answer_does_not_cover(codemap: Shell, two: Clone) -> None:
    codemap("index", two.root / "a")
    two.write({"a/A.cs": "class A { int edited; }"})
    for asked in (("show", "A"), ("grep", "class A")):
        said = codemap(*asked, cwd=two.root).stderr
        assert "Index of a only" in said
        assert "Differs on disk from what was indexed: a/A.cs." in said


def test_status_says_whose_libraries_are_newer_than_the_framework(codemap: Shell, clone: Clone) -> None:
    project = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>{}</TargetFramework></PropertyGroup></Project>'
    clone.commit({"a/A.csproj": project.format("net8.0"), "a/A.cs": "class A { string s; }"})
    clone.commit({"b/B.csproj": project.format("net10.0"), "b/B.cs": "class B { string s; }"})
    codemap("index", clone.root)
    assert re.search(
        r"^libraries +of net10\.0, for 1 project of net8\.0$", codemap("status", cwd=clone.root).stdout, re.M
    )
    told = codemap("call", "repo.status", "--format", "text", cwd=clone.root).stdout
    assert "1 project of net8.0 is bound against the libraries of net10.0, which may have more members" in told
