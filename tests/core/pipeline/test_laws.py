"""The same input gives the same index, whatever the way there."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline import BaselineResult
from tests.clone import Clone
from tests.core.pipeline.conftest import dump
from tests.core.pipeline.corpus import sources

Index = Callable[..., BaselineResult]
Rows = dict[str, list[bytes]]


def test_the_corpus_is_worth_indexing(reference: Rows) -> None:
    assert len(reference["symbols"]) > 700
    assert len(reference["projects"]) > 100
    assert sum(len(text) for path, text in sources().items() if path.endswith(".cs")) > 1_000_000


def test_workers_do_not_show(corpus: Clone, index: Index, reference: Rows) -> None:
    assert dump(index(corpus.root, jobs=2)) == reference


def test_a_warm_cache_does_not_show(corpus: Clone, index: Index, reference: Rows) -> None:
    cold = index(corpus.root)
    warm = index(corpus.root, rebuild=True)
    assert cold.analysed_files > 100
    assert (warm.analysed_files, warm.cached_files) == (0, cold.analysed_files + cold.cached_files)
    assert dump(warm) == reference


def test_the_directory_does_not_show(corpus: Clone, index: Index, reference: Rows, tmp_path: Path) -> None:
    elsewhere = tmp_path / "else where" / "Größe"
    shutil.copytree(corpus.root, elsewhere)
    assert dump(index(elsewhere)) == reference


def test_a_commit_after_another_equals_its_cold_index(clone: Clone, index: Index) -> None:
    """Whatever happened between: files edited, added, moved and removed, projects changed."""
    files = {path: text for path, text in sources().items() if "/partial/" in path or "/usings/" in path}
    clone.commit(files)
    index(clone.root)
    choose = random.Random(7)
    for step in range(6):
        paths = sorted(path for path in files if path.endswith(".cs"))
        edited, moved, removed = choose.sample(paths, 3)
        files[edited] = f"namespace Step{step};\n{files[edited]}" if step % 2 else f"// {step}\n{files[edited]}"
        files[f"{moved.rpartition('/')[0]}/Moved{step}.cs"] = files.pop(moved)
        if step in (2, 4):
            del files[removed]
            clone.remove(removed)
        project = choose.choice(sorted(path for path in files if path.endswith(".csproj")))
        files[project] = files[project].replace("net10.0", "net8.0")
        clone.remove(moved)
        clone.commit(files)
        assert dump(index(clone.root)) == dump(index(clone.root, home=f"cold{step}", jobs=1)), f"step {step}"


def test_a_new_commit_analyses_changed_files_only(clone: Clone, index: Index) -> None:
    clone.commit(
        {f"src/C{i}.cs": f"class C{i} {{ }}" for i in range(20)}
        | {"src/P.csproj": "<Project Sdk='Microsoft.NET.Sdk'/>"}
    )
    assert index(clone.root).analysed_files == 20
    clone.commit({"src/C3.cs": "class C3 { int changed; }", "src/New.cs": "class New { }"})
    assert index(clone.root).analysed_files == 2
    clone.git("mv", "src/C4.cs", "src/Moved.cs")
    clone.commit()
    assert index(clone.root).analysed_files == 0
    clone.commit(
        {
            "src/P.csproj": "<Project Sdk='Microsoft.NET.Sdk'><PropertyGroup><DefineConstants>X</DefineConstants></PropertyGroup></Project>"
        }
    )
    assert index(clone.root).analysed_files == 0, "no file has a directive that a symbol could matter to"
    clone.commit({"src/C5.cs": "#if X\nclass C5 { }\n#endif"})
    assert index(clone.root).analysed_files == 1
    clone.commit({"src/P.csproj": "<Project Sdk='Microsoft.NET.Sdk'/>"})
    assert index(clone.root).analysed_files == 1, "the one file with a directive"


def test_equal_files_are_analysed_once(clone: Clone, index: Index) -> None:
    clone.commit({f"p{i}/Same.cs": "class Same { }" for i in range(10)})
    found = index(clone.root)
    assert found.analysed_files == 1
    assert len(dump(found)["files"]) == 10


def test_another_branch_and_worktree_share_the_cache(clone: Clone, index: Index, tmp_path: Path) -> None:
    clone.commit({"A.cs": "class A { }", "B.cs": "class B { }"})
    index(clone.root)
    clone.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    clone_root = tmp_path / "linked"
    (clone_root / "B.cs").write_text("class B2 { }")
    clone.git("-C", str(clone_root), "commit", "-q", "-a", "-m", "other")
    found = index(clone_root)
    assert (found.analysed_files, found.cached_files) == (1, 1)
    assert found.info.repo_id == index(clone.root).info.repo_id


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_files_does_not_show(host: PluginHost, seed: int) -> None:
    """The declare stage, given units in any order."""
    from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
    from codemap_core.model import ProjectGraph

    language = next(each for each in host.languages if each.name == "csharp")
    paths = [path for path in sources() if path.endswith(".cs")]
    units = {UnitKey("", path): language.analyse(sources()[path].encode(), AnalysisSettings()).unit for path in paths}

    def rows(keys: list[UnitKey]) -> dict[UnitKey, object]:
        table = language.declare(Universe(ProjectGraph(), {key: units[key] for key in keys}))
        return {key: list(language.symbols(table, key)) for key in keys}

    shuffled = list(units)
    random.Random(seed).shuffle(shuffled)
    assert rows(shuffled) == rows(list(units))
