"""The signals that end a server."""

from __future__ import annotations

import signal


def ending_signals() -> tuple[signal.Signals, ...]:
    """SIGINT, SIGTERM, and SIGHUP unless whoever started this process had it ignored, as ``nohup`` does."""
    ending = (signal.SIGINT, signal.SIGTERM)
    hangup: signal.Signals | None = getattr(signal, "SIGHUP", None)
    if hangup is None or signal.getsignal(hangup) is signal.SIG_IGN:
        return ending
    return (*ending, hangup)
