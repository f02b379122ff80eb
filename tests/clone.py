"""A real git repository made by a test, untouched by the configuration of whoever runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

GIT_ENVIRONMENT: Final = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class Clone:
    """A work tree to write and commit. Made empty, on branch ``main``."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True)
        self.root: Final = root.resolve()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env={**os.environ, **GIT_ENVIRONMENT}, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for path, content in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    def remove(self, *paths: str) -> None:
        for path in paths:
            target = self.root / path
            if target.is_dir():
                shutil.rmtree(target)
            else:
                target.unlink()

    def commit(self, files: Mapping[str, str | bytes] | None = None) -> str:
        """Commits everything in the work tree; answers the commit's id."""
        self.write(files or {})
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        return self.git("rev-parse", "HEAD")
