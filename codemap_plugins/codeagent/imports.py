"""Imports of files: the namespaces and types that ``using`` directives name, read off the text of each file.

A directive stands at the beginning of a line, before any type is declared; ``using`` statements and declarations in bodies have an
opening bracket, or a type before a name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

_DIRECTIVE: Final = re.compile(
    r"^[ \t\ufeff]*(?:global\s+)?using\s+(?:static\s+)?(?:unsafe\s+)?(?:\w+\s*=\s*)?(?:global::)?([A-Za-z_][\w.]*)\s*(?:<[^;\n]*>)?\s*;",
    re.MULTILINE,
)
_FILES: Final = 5_000
"""Files that import one name: all that an answer may hold, and more."""


def imported_names(text: str) -> tuple[str, ...]:
    """What a file imports, each name once, in the order of the directives."""
    return tuple(dict.fromkeys(match[1] for match in _DIRECTIVE.finditer(text)))


def importing_files(snapshot: Snapshot, name: str) -> tuple[str, ...]:
    """Paths of the files that import a namespace by its full name, or a type that is not known, sorted."""
    from codemap_core.queries.search.text_search import TextFilter, search_text

    pattern = rf"^[\s\ufeff]*(global\s+)?using\s+(static\s+)?(unsafe\s+)?(\w+\s*=\s*)?(global::)?{re.escape(name)}\s*;"
    found = search_text(snapshot, pattern, TextFilter(globs=("*.cs",)), limit=_FILES)
    return tuple(sorted({match.file_path for match in found.matches}))
