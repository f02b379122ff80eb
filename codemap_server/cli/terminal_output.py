"""What a terminal is sent. Text of a repository may hold control characters, which would move its cursor, set its title or hide text, and
characters that reorder a line; each becomes U+FFFD. Colours and links to files pass: rich sends them the same way.

Only terminals are treated so. Files and programs get the text as it is, as from any other search tool, and in UTF-8: what the machine's
language or the console of Windows can write is not what a repository holds.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO, cast

_COLOUR: Final = r"\[[0-9;]*m"
_LINK: Final = r"\]8;(?:id=[0-9]+)?;(?:file://[^\x00-\x1f]*)?\x1b\\"
_END_OF_LINK: Final = r"\\"
_UNFIT: Final = re.compile(
    f"\x1b(?!{_COLOUR}|{_LINK}|{_END_OF_LINK})|\r(?=[^\n])|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


class _Terminal:
    """A text stream that lets through what is fit, and is otherwise that stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: Final = stream

    def write(self, text: str) -> int:
        self._stream.write(_UNFIT.sub("\ufffd", text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard_output() -> None:
    """Has standard output treated so from now on. A character that a terminal's encoding, or the one that ``PYTHONIOENCODING`` names,
    does not have is written as an escape: an answer never ends in the middle for it."""
    is_terminal = sys.stdout.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        is_chosen = is_terminal or bool(os.environ.get("PYTHONIOENCODING"))
        sys.stdout.reconfigure(encoding=None if is_chosen else "utf-8", errors="backslashreplace")
    if is_terminal:
        sys.stdout = cast(TextIO, _Terminal(sys.stdout))
