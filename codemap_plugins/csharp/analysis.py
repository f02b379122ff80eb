"""The analyse stage of C#: the bytes of one file to its encoded unit.

Pure: the same bytes, defines and ``FINGERPRINT`` give the same unit, whatever the path, so units are cached by content.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings
from codemap_core.model import DocumentStatus
from codemap_plugins.csharp.declarations import DeclarationWalker
from codemap_plugins.csharp.grammar import GRAMMAR_FINGERPRINT
from codemap_plugins.csharp.parsing import ParsedSource, parse_source
from codemap_plugins.csharp.unit import UNIT_FORMAT, DocumentUnit, Members, encode_unit

FINGERPRINT: Final = f"csharp/{UNIT_FORMAT}/{GRAMMAR_FINGERPRINT}"

_GENERATED_MARK: Final = re.compile(rb"<auto-?generated", re.IGNORECASE)
_HEAD_BYTES: Final = 2000
"""How far into a file the mark of generated code is sought; it stands in the leading comment."""
_GENERATED_PATH: Final = re.compile(
    r"(\.g|\.g\.i|\.generated|\.designer|\.assemblyinfo|\.assemblyattributes|globalusings\.g|temporarygeneratedfile_[^/]*)\.cs$"
    r"|(^|/)obj/",
    re.IGNORECASE,
)


def analyse(content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
    """Never raises for bad source; what is wrong with it is in ``status`` and ``problems``."""
    parsed = parse_source(content, settings.defines)
    return AnalysedDocument(
        unit=encode_unit(build_unit(parsed)),
        text=parsed.text,
        line_count=_line_count(parsed),
        status=parsed.status,
        problems=parsed.problems,
        generated=_GENERATED_MARK.search(content, 0, _HEAD_BYTES) is not None,
    )


def build_unit(parsed: ParsedSource) -> DocumentUnit:
    """The unit of a parsed file; no node of its trees is kept."""
    walker = DeclarationWalker(parsed.source, parsed.line_index)
    walker.walk(parsed.tree.root_node)
    if parsed.inactive:
        for alternative in parsed.alternatives():
            walker.walk_alternative(alternative.tree.root_node, alternative.regions)
    return DocumentUnit(
        outline=walker.outline(parsed.status is DocumentStatus.FALLBACK),
        members=Members(walker.members()),
        bodies=b"",
    )


def _line_count(parsed: ParsedSource) -> int:
    if not parsed.text:
        return 0
    return parsed.line_index.line_count - (1 if parsed.text[-1] in "\r\n" else 0)


def is_generated_path(path: str) -> bool:
    return _GENERATED_PATH.search(path) is not None


def defines_of(content: bytes, defines: Collection[str]) -> tuple[str, ...]:
    """The defines that can matter to a file: all of them when it has a conditional directive, none when not. Files without one share a
    unit across projects."""
    return tuple(sorted(defines)) if b"#if" in content or b"# if" in content or b"#elif" in content else ()
