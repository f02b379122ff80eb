"""Output that nobody reads or that cannot be written, and memory that is short: no traceback, an exit code that says it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, Shell
from tests.clone import Clone

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes and devices")

COMMANDS = [["dump", "symbols"], ["call", "symbols.search", "query=C*", "limit=100"], ["search", "C1*"], ["plugins"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("output")


@pytest.fixture(scope="module")
def codemap(folder: Path) -> Shell:
    (folder / "user").mkdir()
    return Shell(folder / "data", folder / "user")


@pytest.fixture(scope="module")
def indexed(codemap: Shell, folder: Path) -> Path:
    """A repository of 2,000 types, and its index, which no test here changes."""
    clone = Clone(folder / "repository")
    clone.commit({f"C{n}.cs": f"class C{n} {{ void M() {{ }} }}" for n in range(2000)})
    codemap("index", clone.root)
    return clone.root


def start(codemap: Shell, arguments: list[str], folder: Path, output: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*PROGRAM, *arguments], cwd=folder, env=codemap.environment, stdout=output, stderr=subprocess.PIPE
    )


def test_a_reader_that_has_enough_is_no_error(codemap: Shell, indexed: Path) -> None:
    for arguments in COMMANDS:
        for wanted in (0, 1):
            process = start(codemap, arguments, indexed, subprocess.PIPE)
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(wanted)
            process.stdout.close()
            with process.stderr:
                said = process.stderr.read().decode()
            assert process.wait() == 0, (arguments, wanted)
            assert not {"Traceback", "BrokenPipe", "error"} & set(said.replace(":", " ").split()), said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_device_is_said_in_one_line(codemap: Shell, indexed: Path) -> None:
    for arguments in COMMANDS:
        with Path("/dev/full").open("wb") as full:
            process = start(codemap, arguments, indexed, full.fileno())
            _, said = process.communicate()
        assert said.decode() == "error: The output could not be written: No space left on device.\n", arguments
        assert process.returncode == 2


def test_short_memory_is_an_error_that_leaves_what_was_there(codemap: Shell, indexed: Path) -> None:
    program = """
import sys
from codemap_core.pipeline import extract
from codemap_server.cli import main
def lack(*_): raise MemoryError
extract._extract_batch = lack
main()
"""
    before = codemap("dump", "symbols", indexed).stdout
    done = subprocess.run(
        [sys.executable, "-c", program, "index", str(indexed), "--rebuild"],
        env=codemap.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "error: There is not enough memory." in done.stderr
    assert "Traceback" not in done.stderr
    assert codemap("dump", "symbols", indexed).stdout == before
