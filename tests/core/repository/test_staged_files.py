"""What git's index file says of files, in each of its formats."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from codemap_core.repository.staged_files import StagedFile, file_stat, read_staged_files
from tests.core.repository.conftest import Clone

FILES: dict[str, str | bytes] = {
    "README.md": "text\n",
    "src/A.cs": "class A { }\n",
    "src/Deep/Er/A.cs": "class B { }\n",
    "src/Größe.cs": "class C { }\n",
    "long/" * 50 + "A.txt": "deep\n",
}


@pytest.fixture
def staged(clone: Clone) -> Clone:
    clone.write(FILES)
    age(clone)
    clone.git("add", "-A")
    clone.git("commit", "-q", "-m", "first")
    return clone


def age(clone: Clone) -> None:
    """Lets every file look older than the index that is about to be written."""
    for path in clone.root.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            os.utime(path, (1_700_000_000, 1_700_000_000.25))


def index(clone: Clone) -> Path:
    return clone.root / ".git" / "index"


def expected(clone: Clone) -> dict[str, StagedFile]:
    found = {}
    for path in FILES:
        status = (clone.root / path).stat()
        stat = file_stat(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
        found[path] = StagedFile(clone.git("rev-parse", f":{path}"), stat)
    return found


@pytest.mark.parametrize("version", [2, 3, 4])
def test_every_file_has_its_blob_and_stat(staged: Clone, version: int) -> None:
    if version == 3:  # git writes it where an entry has a flag that version 2 cannot hold
        staged.write({"later.txt": "not yet\n"})
        staged.git("add", "--intent-to-add", "later.txt")
    else:
        staged.git("update-index", "--index-version", str(version))
    assert int.from_bytes(index(staged).read_bytes()[4:8]) == version
    found = read_staged_files(index(staged))
    assert {path: found[path] for path in FILES} == expected(staged)


def test_a_file_as_young_as_the_index_proves_nothing(staged: Clone) -> None:
    written = index(staged).stat().st_mtime_ns
    for path in FILES:
        os.utime(staged.root / path, ns=(written, written))
    staged.git("add", "-A")
    os.utime(index(staged), ns=(written, written))
    assert read_staged_files(index(staged)) == {}


def test_the_sides_of_a_conflict_prove_nothing(staged: Clone) -> None:
    staged.git("checkout", "-q", "-b", "other")
    staged.commit({"src/A.cs": "class A { int x; }\n"})
    staged.git("checkout", "-q", "main")
    staged.commit({"src/A.cs": "class A { int y; }\n"})
    with pytest.raises(subprocess.CalledProcessError):
        staged.git("merge", "other")
    assert staged.git("ls-files", "--unmerged")
    assert "src/A.cs" not in read_staged_files(index(staged))


def test_a_split_index_proves_nothing(staged: Clone) -> None:
    staged.git("update-index", "--split-index")
    assert list((staged.root / ".git").glob("sharedindex.*"))
    assert read_staged_files(index(staged)) == {}


@pytest.mark.parametrize(
    "content",
    [b"", b"DIRC", b"something else entirely", b"DIRC\0\0\0\x02\0\0\0\x09" + b"\0" * 40, b"DIRC\0\0\0\x09\0\0\0\0"],
)
def test_what_is_not_an_index_proves_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index").write_bytes(content)
    assert read_staged_files(tmp_path / "index") == {}
    assert read_staged_files(tmp_path / "missing") == {}


def test_object_ids_of_sha256(clone: Clone) -> None:
    shutil.rmtree(clone.root / ".git")
    clone.git("init", "-q", "--object-format=sha256")
    clone.write(FILES)
    age(clone)
    clone.git("add", "-A")
    assert read_staged_files(index(clone), hash_size=32) == expected(clone)
