"""The shapes of answers, with the contract's field names (API schema, sections 2 and 6). Lines are 1-based and inclusive.

A view that lists says how many rows it holds and can be cut (``Listing``); ``lines`` is its plain text. A field that has its default is
left out wherever a view is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence, Evidence, FactKind, RefKind, SymbolKind
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import is_type_id
from codemap_core.queries.plain_lines import (
    SAME_SOURCE,
    called_name,
    clipped,
    line_range,
    named,
    one_line,
    row,
    source_text,
    told_apart,
    without_obvious_names,
)
from codemap_core.queries.rows_by_file import by_file
from codemap_core.queries.views.fact_lines import SEEN_IN_SOURCE, fact_line

_TAKEN_LISTED: Final = 3
_LONGEST_RESULT: Final = 160
"""Characters of a result of a search, in lines."""
_MODIFIERS: Final = re.compile(
    r"^(?:(?:public|private|protected|internal|file|static|sealed|abstract|virtual|override|partial|readonly|async|extern|new|unsafe)\s+)+"
)
"""At the beginning of a signature."""
_LONGEST_PARAGRAPH: Final = 400
"""Characters of remarks and the like in a card's lines; the source has the rest."""


class SymbolSearchHit(Struct, frozen=True, omit_defaults=True, kw_only=True):
    symbol_id: str
    fully_qualified_name: str
    kind: SymbolKind
    signature: str
    documentation_snippet: str | None = None
    file_path: str
    line: int
    score: float = 0
    """Less is better: -1000 for the name itself, -100 for names that begin with it, bm25 for the others, 0 when
    browsing."""

    @property
    def is_type(self) -> bool:
        return is_type_id(self.symbol_id)


class Correction(Struct, frozen=True):
    """A word of a search that no symbol has, and the names or words that it was taken as."""

    asked: str
    taken: tuple[str, ...]

    @property
    def listed(self) -> str:
        """The first of what it was taken as, and how many more: ``x``, ``x or y``, ``x, y, z or one of 2 more``."""
        further = len(self.taken) - _TAKEN_LISTED
        said = [*self.taken[:_TAKEN_LISTED], *([f"one of {further} more"] if further > 0 else [])]
        return " or ".join(filter(None, (", ".join(said[:-1]), said[-1])))


class SymbolSearchResponse(Struct, frozen=True, omit_defaults=True):
    hits: tuple[SymbolSearchHit, ...]
    total_count: int
    """Over all pages; exact unless ``total_is_minimum``."""
    truncated: bool = False
    relaxed: bool = False
    """Nothing matched as asked; words were taken as beginnings of words."""
    total_is_minimum: bool = False
    """There are more matches than are counted."""
    corrections: tuple[Correction, ...] = ()
    """Nothing matched as asked; misspelt words were taken as others."""
    unmatched: tuple[str, ...] = ()
    """Words that nothing has, and that resemble none."""

    def reading(self, query: str) -> str:
        """What is matched where nothing matches the query, as the end of a sentence; empty where something does."""
        if self.relaxed:
            return "when words are read as beginnings of words"
        if len(self.corrections) == 1 and self.corrections[0].asked == query:
            return self.corrections[0].listed
        read = (f"{each.asked!r} is read as {each.listed}" for each in self.corrections)
        return f"when {' and '.join(read)}" if self.corrections else ""

    @property
    def row_count(self) -> int:
        return len(self.hits)

    def cut(self, count: int) -> Self:
        return replace(self, hits=self.hits[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(hit.file_path for hit in self.hits))

    def lines(self) -> Iterable[str]:
        names = told_apart([(hit.fully_qualified_name, hit.is_type) for hit in self.hits])
        return by_file(
            (hit.file_path, row(f"{hit.line}", _identified(hit, name)))
            for hit, name in zip(self.hits, names, strict=True)
        )


def _identified(hit: SymbolSearchHit, name: str) -> str:
    """A result in one line: what it is, without modifiers; of a type also without its primary constructor's parameters."""
    signature = _MODIFIERS.sub("", hit.signature)
    if hit.is_type and (opening := signature.find("(")) > 0:
        signature = signature[:opening]
    return clipped(named(without_obvious_names(signature), name), _LONGEST_RESULT)


class SymbolRef(Struct, frozen=True, kw_only=True):
    """An outgoing call."""

    to_symbol: str
    fully_qualified_name: str
    kind: RefKind
    file_path: str
    line: int


class Fact(Struct, frozen=True, omit_defaults=True):
    """A fact that a symbol owns. ``value``: with its metadata; ``line``: 1-based, of the fact's own token, in the file of the fact."""

    kind: str
    value: str
    line: int = 0


class CardMember(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A type's member as a card lists it."""

    symbol_id: str
    kind: SymbolKind
    signature: str
    line: int
    file_path: str = ""
    """Where it is not the card's: in another part of a partial type."""


class SymbolCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One symbol. Its rows are its members, or the lines of its source where those are shown."""

    symbol_id: str
    fully_qualified_name: str
    kind: SymbolKind
    signature: str
    documentation: str | None = None
    """The summary of its documentation comment."""
    documentation_details: str | None = None
    """The comment's other sections: parameters, exceptions, remarks; a paragraph each."""
    namespace: str = ""
    containing_type: str | None = None
    file_path: str
    span_start: int
    span_end: int
    visibility: str
    calls_top: tuple[SymbolRef, ...] = ()
    """The first-party symbols that it calls most often, most frequent first."""
    facts: tuple[Fact, ...] = ()
    """The first of them, by line."""
    fact_count: int = 0
    """Facts that it owns, also those that are not listed."""
    member_facts: dict[str, int] = {}
    """Of a type: how many facts of each kind its members own."""
    side_effects: tuple[str, ...] = ()
    """What it does itself beyond its own memory: ``writes table Orders``."""
    thrown_exceptions: tuple[str, ...] = ()
    """Full names of the exceptions that leave it as far as is known: that it throws itself and does not catch, then those of members that
    it calls, over a few levels, where no member between has a catch clause."""
    thrown_by_callees: dict[str, str] = {}
    """Of the latter, the ids of the members that throw them."""
    evidence: tuple[Evidence, ...] = ()
    """The further parts of a declaration in several parts."""
    confidence: Confidence = Confidence.HIGH
    stable_id: str = ""
    project: str | None = None
    """Name of the compiling project."""
    other_projects: tuple[str, ...] = ()
    """Names of further projects that declare the same id."""
    is_left_out: bool = False
    """Projects compile other files, and none compiles that of the declaration: a template, a snapshot or what was taken out."""
    condition: str | None = None
    base_types: tuple[str, ...] = ()
    """Base type and interfaces of a type, as written."""
    member_count: int = 0
    member_kinds: dict[SymbolKind, int] = {}
    """The count over all pages, in the order of the listing."""
    members: tuple[CardMember, ...] = ()
    """Of a type whose source is not shown whole, in the order of an outline."""
    source_code: str = ""
    """Numbered lines as in a span, of its first part."""
    source_start: int = 0
    """The first of these lines, on a page that does not begin with the declaration."""
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.members) or len(self._source)

    def cut(self, count: int) -> Self:
        if self.members:
            return replace(self, members=self.members[:count], truncated=True)
        return replace(self, source_code="\n".join(self._source[:count]), truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.file_path, *(part.file_path for part in self.evidence))))

    def lines(self) -> Iterator[str]:
        if not self.source_code:
            yield self.signature
        yield from self.lines_below()

    def headline(self) -> str:
        """What it is, by its full name, above its lines in an answer about several; source says the rest."""
        return self.fully_qualified_name if self.source_code else named(self.signature, self.fully_qualified_name)

    def lines_below(self) -> Iterator[str]:
        """All but the signature."""
        is_below = self._has_rows_below_place
        if not is_below:
            yield self._place
        for part in self.evidence:
            yield f"{part.file_path}:{line_range(part.line_start, part.line_end)}"
        if self.documentation:
            yield f"/// {one_line(self.documentation)}"
        paragraphs = self.documentation_details.splitlines() if self.documentation_details else ()
        yield from (f"/// {clipped(each, _LONGEST_PARAGRAPH)}" for each in paragraphs if each)
        if self.other_projects:
            yield f"also declared in {', '.join(self.other_projects)}"
        unsaid = [each for each in self.base_types if each.rpartition(".")[2] not in self.signature]
        if unsaid and not self.source_code:
            yield f"bases: {', '.join(unsaid)}"
        if self.confidence is not Confidence.HIGH:
            yield f"confidence: {self.confidence.value}"
        yield from self._said_by_facts()
        if self.calls_top and not self.source_code:
            yield f"calls: {', '.join(dict.fromkeys(called_name(call.to_symbol) for call in self.calls_top))}"
        if is_below:
            yield self._place
        rows = [
            (member.file_path or self.file_path, row(f"{member.line}", without_obvious_names(member.signature)))
            for member in self.members
        ]
        yield from (f"  {text}" for _, text in rows) if is_below else by_file(rows)
        if self.source_code:
            yield source_text(_unnumbered(self._source))

    @property
    def _has_rows_below_place(self) -> bool:
        """Whether what is listed, source or members, stands in the lines of the declaration, so that it can stand below their place."""
        return bool(self.source_code) or (
            bool(self.members) and {each.file_path or self.file_path for each in self.members} == {self.file_path}
        )

    @property
    def _place(self) -> str:
        """Lines of the declaration, from the first one shown on where its source follows."""
        first = self.source_start or self.span_start
        folders = self.file_path.split("/")[:-1]
        return row(
            f"{self.file_path}:{line_range(first, self.span_end)}",
            f"project {self.project}" if self.project and self.project not in folders else "",
            "no project compiles it" if self.is_left_out else "",
            self.condition or "",
        )

    def _said_by_facts(self) -> Iterator[str]:
        hidden = SEEN_IN_SOURCE if self.source_code else (FactKind.EXCEPTION,)
        shown = [each for each in self.facts if each.kind not in hidden]
        yield from (fact_line(each.kind, each.value) for each in shown)
        if self.fact_count > len(self.facts) and not self.source_code:
            yield f"… {counted(self.fact_count - len(self.facts), 'more fact')}: surfaces.list_facts"
        if self.member_facts:
            counts = (f"{kind.replace('_', ' ')} {count:,}" for kind, count in self.member_facts.items())
            yield f"facts of members: {', '.join(counts)}"
        if self.side_effects:
            yield f"effects: {'; '.join(self.side_effects)}"
        own = [each for each in self.thrown_exceptions if each not in self.thrown_by_callees]
        if own and not self.source_code:
            yield f"throws: {', '.join(each.rpartition('.')[2] for each in own)}"
        if self.thrown_by_callees:
            called = (f"{each.rpartition('.')[2]} ({called_name(by)})" for each, by in self.thrown_by_callees.items())
            yield f"throws through calls: {', '.join(called)}"

    @property
    def _source(self) -> list[str]:
        return self.source_code.split("\n") if self.source_code else []


class SpanResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Rows are lines."""

    file_path: str
    start_line: int
    end_line: int
    """0 with ``start_line`` 1 for an empty file."""
    total_file_lines: int
    content: str
    """Each line as ``{number, 5 wide} | {text}``; of a very long line its beginning."""
    truncated: bool = False
    """Lines that were asked for are left out."""

    @property
    def row_count(self) -> int:
        return self.end_line - self.start_line + 1

    def cut(self, count: int) -> Self:
        kept = self.content.split("\n")[:count]
        return replace(self, content="\n".join(kept), end_line=self.start_line + len(kept) - 1, truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file_path,)

    def lines(self) -> Iterator[str]:
        if self.content:
            yield source_text(_unnumbered(self.content.split("\n")))


def _unnumbered(lines: Iterable[str]) -> str:
    """Lines of a span as they are: in text, what stands above them says the first and the last."""
    return "\n".join(line.partition(" | ")[2] for line in lines)


class TextMatch(Struct, frozen=True, omit_defaults=True):
    file_path: str
    line: int
    excerpt: str
    before: tuple[str, ...] = ()
    """Lines before it, the last one next to it; none that another match shows."""
    after: tuple[str, ...] = ()

    def rows(self) -> Iterator[tuple[str, str]]:
        """The match between its neighbours, whose numbers end with ``-``."""
        first = self.line - len(self.before)
        yield from ((self.file_path, f"{n}-  {text}") for n, text in enumerate(self.before, start=first))
        yield self.file_path, f"{self.line}  {self.excerpt}"
        yield from ((self.file_path, f"{n}-  {text}") for n, text in enumerate(self.after, start=self.line + 1))


class TextSearchResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    pattern: str
    matches: tuple[TextMatch, ...]
    total_count: int = 0
    """Matching lines over all pages; what was found in time where ``timed_out``."""
    file_count: int = 0
    """Files that hold them."""
    total_files: int
    """Files whose text was to be searched, after the path filter."""
    truncated: bool = False
    timed_out: bool = False
    """The time bound was reached; ``matches`` holds what had been found."""

    @property
    def row_count(self) -> int:
        return len(self.matches)

    def cut(self, count: int) -> Self:
        return replace(self, matches=self.matches[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(match.file_path for match in self.matches))

    def lines(self) -> Iterator[str]:
        return by_file(self._rows())

    def _rows(self) -> Iterator[tuple[str, str]]:
        above = ""
        for match in self.matches:
            is_alone = not match.before and not match.after
            yield from (replace(match, excerpt=SAME_SOURCE) if is_alone and match.excerpt == above else match).rows()
            above = match.excerpt if is_alone and len(match.excerpt) > len(SAME_SOURCE) else ""
