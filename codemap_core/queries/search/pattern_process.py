"""The process that runs a regular expression: started, listened to, and ended in time whatever the expression does.

The child (``codemap_core.storage.reading.text_scan``) limits itself too, so that nothing runs on when this process is killed: its
standard input stays open as long as its parent lives, and it ends when that closes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from codemap_core.storage.reading import text_scan

POLL: Final = 0.05
"""Seconds between two looks at whether the search was cancelled."""
_SCRIPT: Final = Path(text_scan.__file__)


def run_pattern(request: str, seconds: float, check: Callable[[], None]) -> tuple[list[str], bool]:
    """The complete lines that the child wrote about ``request``, a line of JSON, and whether it had to be stopped
    after ``seconds``. ``check`` raises to stop it before; what it raises passes through."""
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-X", "utf8", str(_SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert child.stdin is not None
    lifeline = child.stdin
    child.stdin = None  # ``communicate`` would close it
    with child, lifeline:
        try:
            with suppress(BrokenPipeError):
                lifeline.write(request.encode("ascii") + b"\n")
                lifeline.flush()
            output, timed_out = _listen(child, seconds, check)
        except BaseException:
            child.kill()
            raise
    return [line.decode("ascii") for line in output.splitlines(keepends=True) if line.endswith(b"\n")], timed_out


def _listen(child: subprocess.Popen[bytes], seconds: float, check: Callable[[], None]) -> tuple[bytes, bool]:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        check()
        with suppress(subprocess.TimeoutExpired):
            return child.communicate(timeout=min(POLL, left))[0], False
    child.kill()
    return child.communicate()[0], True
