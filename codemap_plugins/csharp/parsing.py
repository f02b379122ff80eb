"""From the text of a file, in UTF-8, to its tree: pre-processed, parsed, repaired."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.model import DocumentStatus, Problem
from codemap_core.syntax import Tree, count_errors, is_missing
from codemap_plugins.csharp.disambiguation import disambiguate
from codemap_plugins.csharp.grammar import CSHARP
from codemap_plugins.csharp.preprocessor import InactiveRegion, Preprocessed, preprocess
from codemap_plugins.csharp.repair import repair
from codemap_plugins.csharp.source_text import LineIndex

MAX_SOURCE_BYTES: Final = 16_000_000
"""A larger file is listed, not parsed."""


class ParsedSource(Struct, frozen=True):
    """One parsed file. All offsets, of ``tree`` too, are byte offsets in ``source``; take text from there, as
    ``masked`` differs in places. ``source`` ends with a line end that the file may lack."""

    source: bytes
    masked: bytes
    tree: Tree
    line_index: LineIndex
    inactive: tuple[InactiveRegion, ...]
    status: DocumentStatus
    problems: tuple[Problem, ...]
    error_count: int
    _preprocessed: Preprocessed

    @property
    def active(self) -> bytes:
        """``source`` with spaces in place of directives and of the text that the symbols leave out."""
        return self._preprocessed.masked

    def alternatives(self) -> Iterator[ParsedAlternative]:
        """Trees of the text that the symbols leave out, each with the active text around it."""
        for alternative in self._preprocessed.alternatives():
            masked, tree, errors, _ = _parse(_without_deep_generics(alternative.masked)[0])
            yield ParsedAlternative(masked, alternative.masked, tree, alternative.regions, errors)


class ParsedAlternative(Struct, frozen=True):
    """The tree of a source with ``regions`` compiled that the symbols leave out. A declaration that begins in one of
    them holds under its condition; all others are to be ignored. Offsets are those of ``ParsedSource.source``. ``active`` is as there."""

    masked: bytes
    active: bytes
    tree: Tree
    regions: tuple[InactiveRegion, ...]
    error_count: int


def parse_source(content: bytes, defines: Collection[str] = (), lines: LineIndex | None = None) -> ParsedSource:
    """Parses a C# file, in UTF-8, with the symbols ``defines``. Never fails: what is wrong with the file is in ``status`` and ``problems``.
    ``lines``: where what stands in ``content`` is shown, if that is not there. A file larger than ``MAX_SOURCE_BYTES`` has an empty tree
    and the status ``skipped``."""
    if len(content) > MAX_SOURCE_BYTES:
        return _skipped((Problem("too_large", f"{len(content):,} bytes, more than {MAX_SOURCE_BYTES:,}"),))
    line_index = lines if lines is not None else LineIndex.of(content)
    source = content if content.endswith(b"\n") else content + b"\n"
    preprocessed = preprocess(source, defines)
    problems = preprocessed.problems
    masked, deep_at = _without_deep_generics(preprocessed.masked)
    if deep_at is not None:
        problems = (*problems, Problem("nesting", "type arguments nested too deep to parse", line_index.line(deep_at)))
    masked, tree, errors, masks = _parse(masked)
    if errors:
        status = DocumentStatus.FALLBACK
        problems = (*problems, *_syntax_problems(tree, line_index))
    else:
        status = DocumentStatus.REPAIRED if masks else DocumentStatus.CLEAN
    return ParsedSource(source, masked, tree, line_index, preprocessed.inactive, status, problems, errors, preprocessed)


def _parse(masked: bytes) -> tuple[bytes, Tree, int, tuple[str, ...]]:
    masked = disambiguate(masked)
    tree = CSHARP.parse(masked)
    errors = count_errors(tree)
    return repair(masked, tree, errors) if errors else (masked, tree, 0, ())


def _without_deep_generics(masked: bytes) -> tuple[bytes, int | None]:
    """Blanks runs like ``A<A<A<…``, over which the parser takes time quadratic in their length, and says where the first stood."""
    if masked.count(b"<") < _DEEP:
        return masked, None
    first = _DEEP_GENERICS.search(masked)
    if first is None:
        return masked, None
    return _DEEP_GENERICS.sub(lambda match: b" " * len(match[0]), masked), first.start()


_DEEP: Final = 300
_ARGUMENT_BEGUN: Final = rb"<[ \t]*+[\w.]*+[ \t]*+"
_DEEP_GENERICS: Final = re.compile(_ARGUMENT_BEGUN + rb"(?:%b){%d,}+" % (_ARGUMENT_BEGUN, _DEEP - 1))
"""It begins with a literal character, which a search skips to."""


def _skipped(problems: tuple[Problem, ...]) -> ParsedSource:
    empty = preprocess(b"", ())
    index = LineIndex.of(b"")
    return ParsedSource(b"", b"", CSHARP.parse(b""), index, (), DocumentStatus.SKIPPED, problems, 0, empty)


def _syntax_problems(tree: Tree, line_index: LineIndex, limit: int = 5) -> Iterator[Problem]:
    """The first ``limit`` errors in document order."""
    stack = [tree.root_node]
    while stack and limit:
        node = stack.pop()
        missing = is_missing(node)
        if node.is_error or missing:
            limit -= 1
            what = f"{node.type} is missing" if missing else "text that the grammar does not know"
            yield Problem("syntax", what, line_index.line(node.start_byte))
        else:
            stack.extend(child for child in reversed(node.children) if child.has_error)
