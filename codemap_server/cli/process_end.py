"""The end of the process of a command, which nothing may put off that plug-ins leave behind."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Final

GRACE: Final = 3.0
"""Seconds that may pass between the end of a command and that of its process."""
_IDLE: Final = 0.02
"""Seconds of processor time in these, up to which a process waits and does not end."""


def end_in_time(code: object) -> None:
    """Ends the process with this code (as ``SystemExit`` has it), should threads that go on, or what is registered with ``atexit``, keep
    it from ending. To be called last."""

    def end() -> None:
        kept = ""
        while not kept:
            used = time.process_time()
            time.sleep(GRACE)
            kept = _what_keeps(time.process_time() - used)
        sys.stderr.write(f"warning: A plug-in kept this command from ending: {kept}.\n")
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))

    threading.Thread(target=end, name="codemap-end", daemon=True).start()


def _what_keeps(used: float) -> str:
    """What a plug-in has left that goes on; empty while the command itself still ends, which takes long on a busy machine.
    ``used``: seconds of processor time since the last look."""
    main = threading.main_thread()
    left = sorted(each.name for each in threading.enumerate() if not each.daemon and each is not main)
    if left:
        return f"the {'thread' if len(left) == 1 else 'threads'} {', '.join(left)}"
    return "" if used > _IDLE else "a function for its end"
