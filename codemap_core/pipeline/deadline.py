"""When a worker process ends that a call keeps from hearing an alarm: a thread of the interpreter, which needs no lock of it, sees to that.

To start and stop that thread takes longer than most calls do, so one deadline serves many calls: it is set somewhat later than a call
needs, and put off only when less than that is left.
"""

from __future__ import annotations

import faulthandler
import os
import time
from pathlib import Path
from typing import Final

_SPARE: Final = 30.0
"""Seconds that a deadline is later than a call needs, but at most as many as the call may take."""
_at = _needed = 0.0
"""When this process ends, by the monotonic clock, 0 for never; and how many seconds the last call was to have."""
_nowhere: int | None = None
"""Where a traceback goes that nobody is to see."""


def leave_at_least(seconds: float) -> None:
    """This process goes on for so long, and ends not much later unless it is called off or put off."""
    global _at, _needed, _nowhere
    now = time.monotonic()
    if _at - now >= seconds >= _needed:
        return
    if _nowhere is None:
        _nowhere = os.open(Path(os.devnull), os.O_WRONLY)
    most = seconds + min(seconds, _SPARE)
    faulthandler.dump_traceback_later(most, exit=True, file=_nowhere)
    _at, _needed = now + most, seconds


def call_off_if_near() -> None:
    """After a call: what is built in goes on for at least as long as the call might have, or without end."""
    if _at - time.monotonic() < _needed:
        call_off()


def call_off() -> None:
    """Before the process waits for something else to do."""
    global _at
    if _at:
        faulthandler.cancel_dump_traceback_later()
        _at = 0.0
