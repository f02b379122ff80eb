"""A CodeRef2 reference as a value, and its one canonical spelling: ``@Type/path#element:line{key:value,key:value}``.

Invariants: ``parse(str(reference)) == reference`` for every reference that ``parse`` gives or that fits the rules named at its fields. In a
path, characters that mean something in the notation are written percent-encoded. Values of metadata that are not plain words are written
as JSON strings.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec import Struct

from codemap_plugins.coderef.designators import Designator

PATH_SAFE: Final = "/!$&'()+,;=@[]^`|~<> "
"""ASCII characters beside letters, digits and ``_.-~`` that stand for themselves in a path."""
_UNSAFE: Final = re.compile(rf"[^\w.\-{re.escape(PATH_SAFE)}]")
PLAIN_VALUE: Final = re.compile(r"[\w.+/@ -]*[\w.+/@-]|")
"""Values that are written without quotes; none begins with a space."""


class Reference(Struct, frozen=True, kw_only=True):
    designator: Designator
    path: str
    """Not empty; relative, ``/`` between its parts; without control characters, and without white space at its ends."""
    element: str | None = None
    """Identifiers with dots between them: ``Order.Submit``."""
    line: int | None = None
    """1-based."""
    metadata: tuple[tuple[str, str], ...] = ()
    """By key, sorted, each key once; keys are words, with hyphens perhaps."""

    def __str__(self) -> str:
        element = f"#{self.element}" if self.element is not None else ""
        line = f":{self.line}" if self.line is not None else ""
        metadata = ",".join(f"{key}:{_value(value)}" for key, value in self.metadata)
        return f"@{self.designator}/{written_path(self.path)}{element}{line}" + (f"{{{metadata}}}" if metadata else "")


def written_path(path: str) -> str:
    """A path as a reference has it."""
    return _UNSAFE.sub(lambda found: quote(found[0], safe="", errors="replace"), path)


def _value(value: str) -> str:
    if value and PLAIN_VALUE.fullmatch(value) and value == value.strip():
        return value
    return msgspec.json.encode(value).decode()
