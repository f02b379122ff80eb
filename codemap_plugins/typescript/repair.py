"""Repair masks: length-preserving rewrites of what the grammar lacks, so that it is read and the code around it parses.

The grammar knows type arguments before a template only where they are names: not those of ``styled.div<{ wide: boolean }>`…```. They become
blank where a parse has errors, and stay so where that leaves fewer: what they name is lost, which the document says.

It takes ``import("./orders")`` for a call even where a type stands: it reads two comparisons in ``load<import("./orders").Order>(1)``, and
knows no ``import("./orders").Page<Order>``. A name of the same length stands for it there, and nothing is lost: ``imported_behind``.
"""

from __future__ import annotations

import re
from typing import Final

from codemap_core.syntax import Grammar, Tree, count_errors

_MOST_ERRORS: Final = 10
_TYPE_ARGUMENTS: Final = re.compile(
    rb"<(?<=[\w$)]<)(?:[^<>`=]++|=>?|<(?:[^<>`=]++|=>?|<[^<>`]*+>){0,50}+>){0,200}+>(?=`)"
)
"""Bounded in its pieces, as each of them would be read again from every ``<`` before it."""
_NOT_A_LINE_END: Final = re.compile(rb"[^\r\n]")


_IMPORT: Final = rb"\bimport\([ \t]*+(?:\"[^\"\r\n]*+\"|'[^'\r\n]*+')[ \t]*+\)"
_AN_IMPORT: Final = re.compile(_IMPORT)
_PIECE: Final = rb"(?:%b|(?:(?!import\()[\w$.\s,\[\]])++|[|&](?![|&]))" % _IMPORT
_IMPORT_IN_ARGUMENTS: Final = re.compile(rb"<(?<=[\w$)]<)(?:%b|<%b{0,50}+>){0,100}+>(?=\s*+[(`])" % (_PIECE, _PIECE))
"""What can be read as type arguments before a parenthesis or a template is."""
_IMPORT_OF_GENERIC: Final = re.compile(rb"%b(?=\.(?!(?:then|catch|finally)<)[\w$.]++<)" % _IMPORT)
_A_NAME_OF_IMPORT: Final = re.compile(r"""import\(\s*["'](.*)["']\s*\)""")


def _as_name(match: re.Match[bytes]) -> bytes:
    return b"import".ljust(len(match[0]), b"_")


def imported_behind(name: str) -> re.Match[str] | None:
    """What a name of a tree is in the source, if that is ``import("…")``; the first group is the module."""
    return _A_NAME_OF_IMPORT.fullmatch(name) if name.startswith("import(") else None


def parse(grammar: Grammar, source: bytes) -> tuple[Tree, int, bool]:
    """The tree of a source, how many errors it has, up to a bound, and whether something is lost. Text is taken from the source."""
    masked = source
    if b"import(" in source:
        masked = _IMPORT_IN_ARGUMENTS.sub(lambda match: _AN_IMPORT.sub(_as_name, match[0]), source)
    tree = grammar.parse(masked)
    errors = count_errors(tree, _MOST_ERRORS)
    if errors and b"import(" in source:
        masked, tree, errors, _ = _with_fewer_errors(
            grammar, masked, tree, errors, _IMPORT_OF_GENERIC.sub(_as_name, masked)
        )
    if not errors or b">`" not in source:
        return tree, errors, False
    blank = _TYPE_ARGUMENTS.sub(lambda match: _NOT_A_LINE_END.sub(b" ", match[0]), masked)
    _, tree, errors, is_better = _with_fewer_errors(grammar, masked, tree, errors, blank)
    return tree, errors, is_better


def _with_fewer_errors(
    grammar: Grammar, source: bytes, tree: Tree, errors: int, other: bytes
) -> tuple[bytes, Tree, int, bool]:
    """The source or the other reading of it, whichever has fewer errors, its tree, its errors, and whether it is the other."""
    if other == source:
        return source, tree, errors, False
    repaired = grammar.parse(other)
    left = count_errors(repaired, _MOST_ERRORS)
    return (other, repaired, left, True) if left < errors else (source, tree, errors, False)
