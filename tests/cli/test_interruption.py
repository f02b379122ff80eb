"""An index is complete or invisible, whatever happens to the process that builds it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone
from tests.core.pipeline.corpus import sources
from tests.process_tree import descendants, running

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")


STAGES = ("analyse", "declare", "bind")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """Enough for two workers, and files of the language that waits."""
    made = Clone(tmp_path_factory.mktemp("corpus") / "repository")
    made.commit({**sources(), **{f"wait/{i:02}.wait": str(i) for i in range(60)}})
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plug-in as a package manager leaves it: a module and its dist-info."""
    site = tmp_path_factory.mktemp("site")
    shutil.copy(Path(__file__).with_name("waiting_plugin.py"), site / "codemap_waiting.py")
    info = site / "codemap_waiting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: codemap-waiting\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[codemap]\nwaiting = codemap_waiting\n", encoding="utf-8")
    return site


@pytest.fixture
def codemap(site: Path, tmp_path: Path) -> Shell:
    return waiting_shell(site, tmp_path)


def waiting_shell(site: Path, folder: Path) -> Shell:
    shell = Shell(folder / "data", folder)
    path = shell.environment.get("PYTHONPATH")
    shell.environment["PYTHONPATH"] = os.pathsep.join([str(site), *([path] if path else [])])
    return shell


@pytest.fixture(scope="module")
def expected(corpus: Clone, site: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    shell = waiting_shell(site, tmp_path_factory.mktemp("expected"))
    shell("index", corpus.root)
    return shell("dump", "symbols", corpus.root).stdout


@contextmanager
def waiting(codemap: Shell, corpus: Clone, stage: str) -> Iterator[tuple[subprocess.Popen[str], set[int]]]:
    """A build that stands still in a stage, and the process ids below it."""
    mark = codemap.home.parent / f"mark-{stage}"
    mark.unlink(missing_ok=True)
    process = codemap.start("index", corpus.root, "--jobs", "2", CODEMAP_TEST_WAIT=stage, CODEMAP_TEST_MARK=str(mark))
    try:
        while not mark.exists():
            assert process.poll() is None, "it ended before it could be interrupted"
            time.sleep(0.01)
        yield process, descendants(process.pid)
    finally:
        process.kill()
        process.communicate()


def assert_ends(pids: set[int]) -> None:
    for _ in range(100):
        if not running(pids):
            return
        time.sleep(0.1)
    raise AssertionError(f"workers outlive their parent: {running(pids)}")


def test_killed_in_any_stage_then_correct(codemap: Shell, corpus: Clone, expected: str) -> None:
    for stage in STAGES:
        with waiting(codemap, corpus, stage) as (process, below):
            if stage != "analyse":  # the database is begun once the first files are analysed
                assert list(codemap.home.glob("baselines/*/*.building*")), "nothing to leave behind"
            process.kill()
            process.communicate(timeout=30)
            assert_ends(below)
        codemap("dump", "symbols", corpus.root, fails=2)
    codemap("index", corpus.root)
    assert codemap("dump", "symbols", corpus.root).stdout == expected
    left = {path.name for path in codemap.home.glob("baselines/*/*")} - {"repository.json"}
    assert [Path(name).suffix for name in left] == [".db"]


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_ends_it_with_nothing_left(codemap: Shell, corpus: Clone, stage: str) -> None:
    with waiting(codemap, corpus, stage) as (process, below):
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert_ends(below)
    assert "error: Interrupted" in err
    assert "Traceback" not in err
    assert list(codemap.home.glob("baselines/*/*")) == []


_INTERRUPTING_SITE = """
import os, signal, sys

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == os.environ["CODEMAP_TEST_IMPORT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder)
"""


@pytest.mark.parametrize(
    "module",
    [
        "codemap_server.cli.application",
        "codemap_core.pipeline",
        "codemap_core.repository.git_process",
        "codemap_core.storage.writing.writer",
    ],
)
def test_ctrl_c_while_a_module_is_imported(codemap: Shell, corpus: Clone, tmp_path: Path, module: str) -> None:
    """What was being imported cannot be imported again in that process, so the message must not need it."""
    (tmp_path / "sitecustomize.py").write_text(_INTERRUPTING_SITE, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(tmp_path), codemap.environment.get("PYTHONPATH", "")]))
    process = codemap.start("index", corpus.root, CODEMAP_TEST_IMPORT=module, PYTHONPATH=path)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Traceback" not in err


def test_a_request_to_end_leaves_no_worker(codemap: Shell, corpus: Clone) -> None:
    with waiting(codemap, corpus, "bind") as (process, below):
        process.terminate()
        process.communicate(timeout=30)
        assert process.returncode != 0
        assert_ends(below)
    codemap("dump", "symbols", corpus.root, fails=2)


def test_two_at_once_make_one(codemap: Shell, corpus: Clone, expected: str) -> None:
    both = [codemap.start("index", corpus.root, "--json") for _ in range(2)]
    answers = [process.communicate(timeout=100) for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    assert sorted('"already_existed":true' in out for out, _ in answers) == [False, True]
    assert codemap("dump", "symbols", corpus.root).stdout == expected


def test_readers_go_on_while_it_is_built_again(codemap: Shell, corpus: Clone, expected: str) -> None:
    codemap("index", corpus.root)
    process = codemap.start("index", corpus.root, "--rebuild")
    for _ in range(3):
        assert codemap("dump", "symbols", corpus.root).stdout == expected
    process.communicate(timeout=100)
    assert codemap("dump", "symbols", corpus.root).stdout == expected


def test_a_next_commit_that_is_killed_leaves_the_index_before(codemap: Shell, tmp_path: Path) -> None:
    """It holds its copy of the earlier index when it is killed."""
    clone = Clone(tmp_path / "repository")
    first = clone.commit({f"{name}.cs": f"class {name} {{ }}" for name in "ABCDEFGH"} | {"wait/0.wait": "0"})
    codemap("index", clone.root)
    clone.commit({"wait/0.wait": "1", "A.cs": "class A { int More; }"})
    with waiting(codemap, clone, "bind") as (process, below):
        process.kill()
        process.communicate(timeout=30)
        assert_ends(below)
    codemap("dump", "symbols", clone.root, fails=2)
    assert "T:A" in codemap("dump", "symbols", clone.root, "--commit", first).stdout
    codemap("index", clone.root)
    assert "F:A.More" in codemap("dump", "symbols", clone.root).stdout
    assert {path.suffix for path in codemap.home.glob("baselines/*/*")} == {".db", ".json"}
