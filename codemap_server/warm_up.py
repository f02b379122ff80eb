"""Gets ready for the first question while the client is still busy with the list of tools: modules are imported, the index of the
repository that the server stands in is opened, and the operating system is asked to read it ahead.

Runs once, in a thread of its own, which ends with the process. It changes no answer: what fails here fails again, and is explained, when
it is asked for.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from codemap_core.errors import CodeMapError
from codemap_server.composition import Composition

MAX_READ_AHEAD: Final = 1 << 30
"""Bytes of an index up to which it is read ahead."""
DELAY: Final = 0.05
"""Seconds after the list of tools was asked for: it is sent first."""

_log = logging.getLogger(__name__)


class WarmUp:
    """Call it as often as is convenient: the first call starts the thread."""

    def __init__(self, composition: Composition, loaded: Callable[[], None] = lambda: None) -> None:
        """``loaded``: called when all that answers need has been loaded."""
        self._composition: Final = composition
        self._loaded: Final = loaded
        self._begun = False

    def __call__(self) -> None:
        if self._begun:
            return
        self._begun = True
        timer = threading.Timer(DELAY, self._run)
        timer.name = "warm-up"
        timer.daemon = True
        timer.start()

    def _run(self) -> None:
        try:
            _read_ahead(self._composition.prepare())
        except CodeMapError as error:
            _log.debug("nothing to warm up: %s", error.message)
        except Exception:
            _log.debug("the warm-up failed", exc_info=True)
        self._loaded()


def _read_ahead(path: Path) -> None:
    """Returns at once; the pages arrive while questions are asked."""
    if not hasattr(os, "posix_fadvise"):
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        if size <= MAX_READ_AHEAD:
            os.posix_fadvise(descriptor, 0, size, os.POSIX_FADV_WILLNEED)
    finally:
        os.close(descriptor)
