"""Work that a thread does beside the one that began it: what gives up the interpreter's lock, as SQLite and the disk do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final


class Meanwhile:
    """``wait`` is due before what the work uses is used otherwise."""

    def __init__(self, name: str, work: Callable[[], None]) -> None:
        """``name``: of the thread."""
        self._work: Final = work
        self._is_done = False
        self._error: Exception | None = None
        self._thread: Final = threading.Thread(target=self._run, name=name, daemon=True)
        with suppress(RuntimeError):  # no thread can be had: it is done when it is waited for
            self._thread.start()

    def wait(self) -> None:
        """Raises: what the work raised, every time."""
        if self._thread.ident is not None:
            self._thread.join()
        elif not self._is_done:
            self._run()
        if self._error is not None:
            raise self._error

    def ends_within(self, seconds: float) -> bool:
        """Whether no thread is at work any more after that time."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:  # whatever it is, it is raised where the work is waited for
            self._error = error
        self._is_done = True
