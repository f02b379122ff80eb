"""What may use a symbol that nothing bound uses, as it is told beside an empty answer."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolRow
from codemap_core.model.counting import counted
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.spelt_names import other_texts_naming

NOT_SEEN: Final = "reflection, markup, generated code and code that #if leaves out are not seen"
_SHOWN: Final = 3
_COMMON: Final = 20
"""A word that more files have says nothing of any of them."""


def other_files_said(snapshot: Snapshot, symbol: SymbolRow | None) -> str:
    """The files of other languages, such as views, whose text has the name of a declaration. Empty where there are none."""
    found = other_texts_naming(snapshot.reader, symbol) if symbol is not None else []
    if not found:
        return ""
    shown = f": {', '.join(found[:_SHOWN])}{', …' if len(found) > _SHOWN else ''}" if len(found) <= _COMMON else ""
    return f"Its name is a word in {counted(len(found), 'file')} of other languages{shown}."
