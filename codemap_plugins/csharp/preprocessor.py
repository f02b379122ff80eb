"""Pre-processing directives (ECMA-334 §6.5): which text a set of symbols compiles, and what the rest would need.

Masking keeps every length: directive lines and text left out become spaces, line ends stay, so byte offsets in masked
bytes are offsets in the source. Text left out is kept as regions with the condition that would compile it;
``Preprocessed.alternatives`` gives masked sources in which such regions are compiled instead, for a parser to read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from msgspec import Struct, field

from codemap_core.model import Problem
from codemap_plugins.csharp.conditions import FALSE, TRUE, Condition, conjunction, negation, parse_condition
from codemap_plugins.csharp.lexer import next_directive


class InactiveRegion(Struct, frozen=True, array_like=True):
    """Text that the symbols leave out: a half-open byte span, and what must hold for it to be compiled, enclosing
    conditions included: ``NETFRAMEWORK``, ``!NET6_0_OR_GREATER && TRACE``. It begins and ends next to a conditional
    directive and holds more than white space."""

    start: int
    end: int
    condition: str
    is_satisfiable: bool = True
    """False where the condition is known never to hold, as with ``#if false``."""


class Alternative(NamedTuple):
    """A masked source that compiles ``regions``, which the first choice leaves out, each with the active text around
    it. A declaration that begins inside one of them holds under its condition; any other has been read from the first
    choice already."""

    masked: bytes
    regions: tuple[InactiveRegion, ...]


class _Branch(Struct):
    """The text between two directives of one ``#if`` … ``#endif``. ``own``: the condition as written; ``needed``:
    with those of the branches before it negated."""

    own: Condition
    needed: Condition
    start: int
    active: bool
    end: int = -1
    groups: list[_Group] = field(default_factory=list)

    def pieces(self) -> Iterator[tuple[int, int]]:
        """The text that belongs to this branch and to no group inside it."""
        at = self.start
        for group in self.groups:
            yield at, group.start
            at = group.end
        yield at, self.end


class _Group(Struct):
    """From ``#if`` to ``#endif``, both included. ``reached``: the text around it is active."""

    start: int
    reached: bool
    end: int = -1
    branches: list[_Branch] = field(default_factory=list)
    taken: bool = False
    has_else: bool = False


class Preprocessed(Struct, frozen=True):
    """A source after pre-processing. ``masked`` is ``source`` itself when it holds no directive."""

    source: bytes
    masked: bytes
    inactive: tuple[InactiveRegion, ...] = ()
    problems: tuple[Problem, ...] = ()
    _directives: tuple[tuple[int, int], ...] = ()
    _groups: tuple[_Group, ...] = ()

    def alternatives(self, limit: int = 8) -> Iterator[Alternative]:
        """Masked sources that together compile every inactive region once. ``limit`` bounds their number: regions
        beyond it are left out, which only a group of more than ``limit`` inactive branches reaches."""
        pending = {region.start: region for region in self.inactive}
        for _ in range(limit):
            if not pending:
                return
            blanked = list(self._directives)
            compiled: list[InactiveRegion] = []
            for group in self._groups:
                _choose(group, pending, blanked, compiled)
            for region in compiled:
                blanked += _directives_in(self.source, region)
            yield Alternative(_blank(self.source, blanked), tuple(sorted(compiled, key=_start)))


def _start(region: InactiveRegion) -> int:
    return region.start


def _choose(
    group: _Group,
    pending: dict[int, InactiveRegion],
    blanked: list[tuple[int, int]],
    compiled: list[InactiveRegion],
) -> None:
    """Takes the branch of ``group`` that holds pending text, else the active one, else the first, and blanks the
    others."""
    starts = pending.keys()
    chosen = next((branch for branch in group.branches if any(branch.start <= at < branch.end for at in starts)), None)
    if chosen is None:
        chosen = next((branch for branch in group.branches if branch.active), group.branches[0])
    for branch in group.branches:
        if branch is not chosen:
            blanked.append((branch.start, branch.end))
            continue
        compiled.extend(pending.pop(start) for start, _ in branch.pieces() if start in pending)
        for inner in branch.groups:
            _choose(inner, pending, blanked, compiled)


def _directives_in(source: bytes, region: InactiveRegion) -> Iterator[tuple[int, int]]:
    """Those that mean something only where a region is compiled; it holds no conditional ones."""
    text = source[region.start : region.end]
    last, at = text.rfind(b"#"), 0
    while at <= last and (found := next_directive(text, at)) is not None:
        at = found[1]
        yield region.start + found[0], region.start + found[1]


def _blank(source: bytes, spans: list[tuple[int, int]]) -> bytes:
    masked = bytearray(source)
    for start, end in spans:
        masked[start:end] = source[start:end].translate(_BLANK)
    return bytes(masked)


_BLANK: Final = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_CONDITIONAL: Final = re.compile(rb"(?:\A|(?<=[\n\r]))[ \t\f\v]*(#[ \t]*(?:if|elif|else|endif)\b[^\n\r]*)")
_DIRECTIVE: Final = re.compile(rb"#[ \t]*([A-Za-z]+|[:!]|)[ \t]*([^\n\r]*)")
_NO_EFFECT: Final = frozenset(
    (b"region", b"endregion", b"pragma", b"line", b"nullable", b"error", b"warning", b"r", b"load", b":", b"")
)
_MAX_NESTING: Final = 200
_MAX_NEGATED: Final = 50
"""Branches before a branch that its condition names."""


def preprocess(source: bytes, symbols: Collection[str]) -> Preprocessed:
    """Evaluates the directives of UTF-8 ``source`` with ``symbols`` defined. Never fails: what is malformed is a
    problem, a malformed condition does not hold, an unterminated ``#if`` ends with the source."""
    if b"#" not in source:
        return Preprocessed(source, source)
    return _Preprocessor(source, symbols).run()


class _Preprocessor:
    def __init__(self, source: bytes, symbols: Collection[str]) -> None:
        self.source = source
        self.symbols = set(symbols)
        self.directives: list[tuple[int, int]] = []
        self.groups: list[_Group] = []
        self.open: list[_Group] = []
        self.ignored_nesting = 0
        self.problems: list[Problem] = []
        self.inactive: list[InactiveRegion] = []
        self.blanked: list[tuple[int, int]] = []

    def run(self) -> Preprocessed:
        last = self.source.rfind(b"#")
        at = 0
        while at <= last and (span := self.next_directive(at)) is not None:
            at = span[1]
            self.directive(*span)
        if self.open:
            self.problem("unterminated_if", "#if without #endif", self.open[0].start)
        while self.open:
            self.close(len(self.source), len(self.source))
        for group in self.groups:
            self.collect(group, [])
        self.inactive.sort(key=_start)
        return Preprocessed(
            self.source,
            _blank(self.source, self.directives + self.blanked) if self.directives else self.source,
            tuple(self.inactive),
            tuple(self.problems),
            tuple(self.directives),
            tuple(self.groups),
        )

    @property
    def active(self) -> bool:
        return not self.open or self.open[-1].branches[-1].active

    def next_directive(self, at: int) -> tuple[int, int] | None:
        """In inactive text only conditional directives are, and literals and comments mean nothing (§6.5.1)."""
        if self.active:
            return next_directive(self.source, at)
        match = _CONDITIONAL.search(self.source, at)
        return match.span(1) if match else None

    def directive(self, start: int, end: int) -> None:
        self.directives.append((start, end))
        match = _DIRECTIVE.match(self.source, start, end)
        if match is None:
            return
        word, rest = match.groups()
        if word == b"if":
            self.begin(start, end, rest)
        elif word == b"endif":
            if self.ignored_nesting:
                self.ignored_nesting -= 1
            elif self.open:
                self.close(start, end)
            else:
                self.problem("stray_directive", "#endif without #if", start)
        elif word in (b"elif", b"else"):
            self.next_branch(word.decode(), start, end, rest)
        elif word in (b"define", b"undef"):
            symbol = rest.partition(b"//")[0].strip().decode("utf-8", "replace")
            (self.symbols.add if word == b"define" else self.symbols.discard)(symbol)
        elif word not in _NO_EFFECT and not (word == b"!" and start == 0):
            self.problem("unknown_directive", f"unknown directive #{word.decode()}", start)

    def begin(self, start: int, end: int, rest: bytes) -> None:
        if self.ignored_nesting or len(self.open) >= _MAX_NESTING:
            self.ignored_nesting += 1
            return
        condition = self.condition(rest, start)
        reached = self.active
        group = _Group(start, reached)
        group.taken = reached and condition.holds(self.symbols)
        group.branches.append(_Branch(condition, condition, end, group.taken))
        (self.open[-1].branches[-1].groups if self.open else self.groups).append(group)
        self.open.append(group)

    def next_branch(self, word: str, start: int, end: int, rest: bytes) -> None:
        if self.ignored_nesting:
            return
        if not self.open:
            self.problem("stray_directive", f"#{word} without #if", start)
            return
        group = self.open[-1]
        if group.has_else:
            self.problem("stray_directive", f"#{word} after #else", start)
        group.has_else = group.has_else or word == "else"
        group.branches[-1].end = start
        own = TRUE if word == "else" else self.condition(rest, start)
        needed = conjunction([*(negation(branch.own) for branch in group.branches[:_MAX_NEGATED]), own])
        active = group.reached and not group.taken and own.holds(self.symbols)
        group.taken = group.taken or active
        group.branches.append(_Branch(own, needed, end, active))

    def close(self, start: int, end: int) -> None:
        group = self.open.pop()
        group.branches[-1].end = start
        group.end = end

    def condition(self, text: bytes, at: int) -> Condition:
        written = text.partition(b"//")[0].strip().decode("utf-8", "replace")
        condition = parse_condition(written)
        if condition is None:
            self.problem("malformed_condition", f"cannot read the condition {written[:80]!r}", at)
            return FALSE
        return condition

    def collect(self, group: _Group, around: list[Condition]) -> None:
        """Inactive regions, and what to blank, of ``group``."""
        for branch in group.branches:
            needed = [*around, branch.needed]
            if not branch.active:
                if group.reached:
                    self.blanked.append((branch.start, branch.end))
                for start, end in branch.pieces():
                    if self.source[start:end].strip():
                        condition = conjunction(needed)
                        never = FALSE in (condition, *condition.operands)
                        self.inactive.append(InactiveRegion(start, end, str(condition), not never))
            for inner in branch.groups:
                self.collect(inner, needed)

    def problem(self, code: str, message: str, at: int) -> None:
        self.problems.append(Problem(code, message, self.source.count(b"\n", 0, at) + 1))
