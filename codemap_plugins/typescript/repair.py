"""A repair mask: a length-preserving rewrite of what the grammar lacks, so that the code around it parses.

The grammar knows type arguments before a template only where they are names: not those of ``styled.div<{ wide: boolean }>`…```. They become
blank where a parse has errors, and stay so where that leaves fewer: what they name is lost, which the document says.
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


def parse(grammar: Grammar, source: bytes) -> tuple[Tree, int, bool]:
    """The tree of a source, how many errors it has, up to a bound, and whether something was masked. Text is taken from the source."""
    tree = grammar.parse(source)
    errors = count_errors(tree, _MOST_ERRORS)
    if not errors or b">`" not in source:
        return tree, errors, False
    masked = _TYPE_ARGUMENTS.sub(lambda match: _NOT_A_LINE_END.sub(b" ", match[0]), source)
    repaired = grammar.parse(masked)
    left = count_errors(repaired, _MOST_ERRORS)
    return (repaired, left, True) if left < errors else (tree, errors, False)
