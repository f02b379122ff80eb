"""Routes by the segments of their templates, so that those which match a path are found without trying all of them.

Of several that match, the most literal one is meant (``codemap_core.model.route_templates``). What is not known of a segment of a path
stands in it as a hole, and is taken for the value of a parameter, or for a part of it, which what is known must allow. At the end of a
path it may also be a query, or nothing: ``/orders{?query}`` means ``/orders`` where there is such a route.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from codemap_core.model import HOLE
from codemap_core.model.route_templates import (
    UNKNOWN,
    Fit,
    is_catch_all,
    may_be_left_out,
    partly_known_fits,
    segment_fits,
    segments,
    without_names,
    without_query,
)

_GLUED: Final = re.compile(rf"([^{{}}]+)(?:{UNKNOWN.pattern})+")
"""A segment and something unknown behind it."""
_T = TypeVar("_T")
_MOST_SEGMENTS: Final = 40
"""Of a template, which matches nothing where it has more."""


def path_segments(address: str) -> list[str]:
    """Of an address without a host, relative or not, without its query."""
    return [each for each in segments(without_query(address).removeprefix("~")) if each != "."]


def before_query(path: Sequence[str]) -> Sequence[str]:
    """The path without something unknown behind its last segment, which may be a query; empty where there is none."""
    ended = _GLUED.fullmatch(path[-1]) if path else None
    return [*path[:-1], ended[1]] if ended is not None else ()


class Matching(NamedTuple, Generic[_T]):
    """``fits``: how the segments of the templates fit, the same for all; empty where there are none, and for the root."""

    fits: tuple[Fit, ...]
    answers: Sequence[_T]


class RouteTree(Generic[_T]):
    """What answers, by its template. One with a hole is not known, and matches nothing."""

    def __init__(self) -> None:
        self._root: Final = _Node[_T]()

    def add(self, template: str, answer: _T) -> None:
        found = segments(template)
        if HOLE in template or len(found) > _MOST_SEGMENTS:
            return
        node = self._root
        for segment in found:
            is_literal = "{" not in segment
            children, key = (node.literals, segment.lower()) if is_literal else (node.others, without_names(segment))
            node = children.setdefault(key, _Node())
        node.answers.append(answer)

    def best(self, path: Sequence[str], is_meant: Callable[[_T], bool]) -> Matching[_T]:
        """Those of what is meant that fit the segments of a path best."""
        found = [(fits, each) for fits, each in self._root.matching(path) if is_meant(each)]
        lowest = min((fits for fits, _ in found), default=())
        return Matching(lowest, [each for fits, each in found if fits == lowest])


class _Node(Generic[_T]):
    """Where a path goes on with a literal, or with something else."""

    def __init__(self) -> None:
        self.literals: Final[dict[str, _Node[_T]]] = {}
        """By segment in lower case."""
        self.others: Final[dict[str, _Node[_T]]] = {}
        """By segment, without the names of its parameters."""
        self.answers: Final[list[_T]] = []

    def matching(self, path: Sequence[str]) -> Iterator[tuple[tuple[Fit, ...], _T]]:
        if not path:
            yield from (((), each) for each in self.answers)
        elif (literal := self._literal(path)) is not None:
            yield from _behind(Fit.LITERAL, literal.matching(path[1:]))
        for segment, node in self.others.items():
            if is_catch_all(segment):
                yield from (((Fit.CATCH_ALL,), each) for each in node.answers)
            elif path:
                fit = partly_known_fits(path[0], segment) if HOLE in path[0] else segment_fits(path[0], segment)
                yield from _behind(fit, node.matching(path[1:])) if fit is not None else ()
            elif may_be_left_out(segment):
                yield from _behind(Fit.LEFT_OUT, node.matching(path))

    def _literal(self, path: Sequence[str]) -> _Node[_T] | None:
        """What the first segment leads to."""
        last = before_query(path) if len(path) == 1 else ()
        return self.literals.get((last or path)[0].lower())


def _behind(first: Fit, found: Iterator[tuple[tuple[Fit, ...], _T]]) -> Iterator[tuple[tuple[Fit, ...], _T]]:
    return (((first, *fits), each) for fits, each in found)
