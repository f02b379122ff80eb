"""A repository that borrows another one's objects, with a commit in which a share of the C# files has changed. The other is not touched."""

from __future__ import annotations

import subprocess
from pathlib import Path


def borrow(source: Path, destination: Path) -> None:
    """A bare clone that copies no objects."""
    subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", str(source), str(destination)], check=True)


def commit_edits(repository: Path, every: int) -> tuple[str, int]:
    """Changes every ``every``-th C# file of HEAD of a bare repository: a method is added at the end of the file. Gives the commit's id and
    the number of changed files."""
    paths = [
        path
        for path in _git(repository, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
        if path.endswith(".cs")
    ]
    chosen = paths[::every]
    _git(repository, "read-tree", "HEAD")
    entries = []
    for number, path in enumerate(chosen):
        content = _git_bytes(repository, b"", "show", f"HEAD:{path}")
        edit = f"\ninternal static class Edited{number} {{ internal static int Answer() => {number}; }}\n"
        blob = _git_bytes(repository, content + edit.encode(), "hash-object", "-w", "--stdin").decode().strip()
        entries.append(f"100644 {blob}\t{path}\n")
    _git_bytes(repository, "".join(entries).encode(), "update-index", "--index-info")
    tree = _git(repository, "write-tree").strip()
    identity = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")
    commit = _git(repository, *identity, "commit-tree", tree, "-p", "HEAD", "-m", "Edit some files").strip()
    return commit, len(chosen)


def _git(repository: Path, *arguments: str) -> str:
    return _git_bytes(repository, b"", *arguments).decode("utf-8", "surrogateescape")


def _git_bytes(repository: Path, given: bytes, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], check=True, input=given, stdout=subprocess.PIPE
    ).stdout
