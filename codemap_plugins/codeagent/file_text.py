"""Lines of a file of the checkout, read whole and cut to what one answer may hold."""

from __future__ import annotations

from typing import Final

import filetype  # type: ignore[import-untyped]
from msgspec import Struct

from codemap_core.errors import BudgetExceededError, InvalidArgumentError
from codemap_core.model.counting import counted
from codemap_core.repository import decode_text, is_binary
from codemap_plugins.codeagent.checkout import Checkout
from codemap_plugins.codeagent.failures import BinaryFileError

MAX_LINES: Final = 10_000
MAX_BYTES: Final = 500 * 1024
"""Of the content of an answer, as UTF-8."""
MAX_FILE: Final = 64 * 1024 * 1024
"""Bytes of a file that is read at all, as its lines have to be counted."""
_UNKNOWN_TYPE: Final = "application/octet-stream"


class FileText(Struct, frozen=True):
    content: str
    total_lines: int
    """A last line without a newline counts; an empty file has 0."""
    truncated: bool
    """More was asked for than an answer may hold."""


def read_lines(checkout: Checkout, path: str, first: int, last: int) -> FileText:
    """Lines ``first`` to ``last`` of a file, 1-based and inclusive; 0 for the first or the last there is. Raises: as ``Checkout.file``;
    BinaryFileError, BudgetExceededError; InvalidArgumentError for lines that are not there."""
    if first and last and last < first:
        raise InvalidArgumentError(f"line_end {last} lies before line_start {first}.")
    with checkout.file(path) as descriptor, open(descriptor, "rb", closefd=False) as file:
        content = file.read(MAX_FILE + 1)
    if is_binary(content):
        raise BinaryFileError(f"'{path}' is a binary file of type {mime_type(content)}.")
    if len(content) > MAX_FILE:
        raise BudgetExceededError(f"'{path}' has more than {MAX_FILE >> 20} MB, which is more than is read.")
    text = decode_text(content).text
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if first > max(1, len(lines)):
        raise InvalidArgumentError(f"line_start is {first}, and '{path}' has {counted(len(lines), 'line')}.")
    ends_in_newline = text.endswith("\n")
    end = min(last or len(lines), len(lines))
    asked = lines[max(first - 1, 0) : end]
    shown = _fitting(asked[:MAX_LINES])
    body = "\n".join(shown)
    if shown and len(shown) == len(asked) and (end < len(lines) or ends_in_newline):
        body += "\n"
    if len(shown) < len(asked) and not shown:
        return FileText(_cut(asked[0]), len(lines), truncated=True)
    return FileText(body, len(lines), truncated=len(shown) < len(asked))


def mime_type(content: bytes) -> str:
    """By what the content begins with."""
    guessed: str | None = filetype.guess_mime(content)
    return guessed or _UNKNOWN_TYPE


def _fitting(lines: list[str]) -> list[str]:
    """As many of the first lines as an answer may hold."""
    size = 0
    for count, line in enumerate(lines):
        size += len(line.encode("utf-8", "replace")) + 1
        if size > MAX_BYTES:
            return lines[:count]
    return lines


def _cut(line: str) -> str:
    return line.encode("utf-8", "replace")[:MAX_BYTES].decode("utf-8", "ignore")
