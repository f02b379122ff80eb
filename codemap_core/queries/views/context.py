"""The shape of a context: sources of symbols and of what they call, in one sequence that a budget cuts from its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.queries.plain_lines import line_range, named, one_line, row, source_text
from codemap_core.queries.rows_by_file import by_file


class Role(StrEnum):
    """Why a source belongs to a context."""

    ASKED = "asked"
    CALLED = "called"
    IMPLEMENTATION = "implementation"
    """Of an interface or abstract member that is called."""
    MEMBER = "member"
    """Of a type that was asked for."""


class SourcePiece(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Some lines of one declaration; a long one is several pieces, side by side."""

    symbol_id: str
    name: str
    """Readable, with its type."""
    role: Role = Role.ASKED
    file_path: str
    start_line: int
    end_line: int
    span_end: int
    """The last line of the declaration."""
    content: str
    """The lines as they are."""
    is_first: bool = True
    is_signature: bool = False
    """``content`` is the signature of the declaration, whose lines are not shown."""
    documentation: str | None = None
    """The summary, with the first piece of what was asked for."""
    facts: tuple[str, ...] = ()
    """With the first piece: what facts say that the source does not, and what the member does beyond its own memory."""
    for_symbol: str = ""
    """Of an implementation the readable name of the member that it implements."""


class NamedCall(Struct, frozen=True, omit_defaults=True):
    """Something called whose source is not in the context."""

    name: str
    file_path: str = ""
    """Empty for what is a library's."""
    line: int = 0


class Context(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Sources: of the symbols asked for, then of what they call, the most relevant first."""

    pieces: tuple[SourcePiece, ...]
    total_count: int
    """Pieces over all pages."""
    source_count: int
    """Declarations over all pages."""
    asked_count: int
    """Of them those that were asked for, or members of types that were."""
    library_calls: tuple[str, ...] = ()
    unresolved_calls: tuple[str, ...] = ()
    """Names of calls in the bodies asked for that could not be resolved."""
    left_out: tuple[NamedCall, ...] = ()
    """Declarations that follow on further pages."""
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.pieces)

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that the sources are of, and of the places that are named."""
        named = (call.file_path for call in self.left_out if call.file_path)
        return tuple(dict.fromkeys((*(piece.file_path for piece in self.pieces), *named)))

    def cut(self, count: int) -> Self:
        dropped = [
            NamedCall(each.name, each.file_path, each.start_line) for each in self.pieces[count:] if each.is_first
        ]
        return replace(self, pieces=self.pieces[:count], left_out=(*dropped, *self.left_out), truncated=True)

    def lines(self) -> Iterable[str]:
        for whole in self._declarations():
            first = whole[0]
            if first.is_first:
                yield _heading(first, is_alone=self.asked_count == 1)
            else:
                yield f"{first.file_path}:{first.start_line}-{first.span_end}  {first.name}, continued"
            yield source_text("\n".join(piece.content for piece in whole))
        yield from by_file((each.file_path, _by_signature(each)) for each in self.pieces if each.is_signature)
        if self.pieces and self.pieces[-1].end_line < self.pieces[-1].span_end:
            yield f"… {line_range(self.pieces[-1].end_line + 1, self.pieces[-1].span_end)}"
        if self.left_out:
            yield f"not shown: {', '.join(each.name for each in self.left_out)}"
        if self.library_calls:
            yield f"library calls: {', '.join(self.library_calls)}"
        if self.unresolved_calls:
            yield f"not resolved: {', '.join(self.unresolved_calls)}"

    def _declarations(self) -> Iterator[list[SourcePiece]]:
        """The pieces of each declaration that is read whole."""
        together: list[SourcePiece] = []
        for piece in self.pieces:
            if piece.is_signature:
                continue
            if together and piece.is_first:
                yield together
                together = []
            together.append(piece)
        if together:
            yield together


def _by_signature(piece: SourcePiece) -> str:
    """``20-38  called: int Cart.Sum(Order order)``."""
    return row(line_range(piece.start_line, piece.span_end), f"{_why(piece)}{named(piece.content, piece.name)}")


def _why(piece: SourcePiece) -> str:
    match piece.role:
        case Role.CALLED:
            return "called: "
        case Role.IMPLEMENTATION:
            return f"called through {piece.for_symbol}: "
        case _:
            return ""


def _heading(piece: SourcePiece, *, is_alone: bool) -> str:
    """``is_alone``: nothing else was asked for, so that the sentence above has the name. The lines of source follow it at once, so that
    the first of them is the first of its place."""
    last = f"-{piece.span_end}" if piece.span_end > piece.start_line else ""
    place = f"{piece.file_path}:{piece.start_line}{last}"
    return row(
        place,
        "" if is_alone and piece.role is Role.ASKED else f"{_why(piece)}{piece.name}",
        f"/// {one_line(piece.documentation)}" if piece.documentation else "",
        f"// {'; '.join(map(one_line, piece.facts))}" if piece.facts else "",
    )
