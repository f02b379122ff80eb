"""The program as a user starts it: a process, a data directory of its own, a repository."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clone import GIT_ENVIRONMENT, Clone
from tests.preforked import Preforked

_TIMEOUT: Final = 120.0
PROGRAM = (sys.executable, "-c", "from codemap_server.cli import main; main()")


def _take_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@cache
def _preforked() -> Preforked | None:
    if not hasattr(os, "fork"):
        return None
    made = Preforked()
    atexit.register(made.close)
    return made


def run_program(
    arguments: list[str], cwd: Path | None, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """One run of ``codemap`` to its end."""
    preforked = _preforked()
    if preforked is not None and preforked.is_like(environment):
        return preforked.run(arguments, cwd, environment, _TIMEOUT)
    return subprocess.run(
        [*PROGRAM, *arguments],
        cwd=cwd,
        env=dict(environment),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=_TIMEOUT,
    )


class Shell:
    """Runs ``codemap`` with a data directory of the test's."""

    def __init__(self, home: Path, user: Path) -> None:
        self.home = home
        self.environment: dict[str, str] = {
            **{name: value for name, value in os.environ.items() if not name.startswith("CODEMAP_")},
            **GIT_ENVIRONMENT,
            "CODEMAP_HOME": str(home),
            "HOME": str(user),
        }

    def __call__(
        self, *arguments: str | Path, cwd: Path | None = None, fails: int | None = 0, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """``fails``: the exit code to expect; null for any."""
        done = run_program([*map(str, arguments)], cwd, {**self.environment, **environment})
        assert fails is None or done.returncode == fails, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def start(self, *arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Whoever runs the tests in the background ignores Ctrl-C, and so would what they start.
            preexec_fn=_take_interrupts,
        )

    def index(self, *arguments: str | Path, **options: Any) -> Mapping[str, Any]:
        """The result of ``codemap index --json``."""
        result: Mapping[str, Any] = json.loads(self("index", *arguments, "--json", **options).stdout)
        return result

    def dump(self, kind: str, *arguments: str | Path, **options: Any) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self("dump", kind, *arguments, **options).stdout.splitlines()]

    def ids(self, *arguments: str | Path, **options: Any) -> list[str]:
        return [row["symbol_id"] for row in self.dump("symbols", *arguments, **options)]

    def statuses(self, *arguments: str | Path) -> dict[str, int]:
        return dict(self.index(*arguments)["statuses"])


@pytest.fixture
def codemap(tmp_path: Path) -> Shell:
    user = tmp_path / "user"
    user.mkdir()
    return Shell(tmp_path / "data", user)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """An empty repository."""
    return Clone(tmp_path / "repository")
