"""``codemap search`` and ``show``: symbols by name, and one symbol."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model.counting import counted
from codemap_server.cli.asking import Asker, asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.editor import open_in_editor
from codemap_server.cli.messages import shown_of
from codemap_server.cli.options import AskedRevision, Filter, Format, Meant, Output, PageOutput, Paging, Place, Symbol
from codemap_server.cli.rows import Row, linked, print_rows, print_styled
from codemap_server.cli.terminal import console, note, print_json

if TYPE_CHECKING:
    from codemap_core.hooks.tool import ToolResult
    from codemap_core.queries.cards.library_card import LibraryCard
    from codemap_core.queries.views.symbols import SymbolCard, SymbolSearchHit

_EVERYTHING = Paging(all=True)


def register(app: typer.Typer) -> None:
    add_command(app, "search", search, "Ask")
    add_command(app, "show", show, "Ask")


def search(
    *,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help='Words, camel-case parts, prefix*, "phrase", OR, NOT.')
    ] = "",
    place: Place,
    where: Filter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """Search symbols by name, signature and documentation.

    Without a QUERY it lists all symbols that pass the filters.

    \b
    Examples:
      codemap search OrderService
      codemap search 'Order*' --kind class,interface
      codemap search --kind interface --project Shop.Api
    """
    format_ = output.chosen()
    if not query.strip() and where.is_empty:
        raise InvalidArgumentError(
            "Say what to search for, or list symbols with --kind, --file, --project or --namespace."
        )
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        found = asks.pages(
            "symbols.search",
            paging,
            lambda data: data.hits,
            query=query,
            kinds=where.kinds,
            namespace=where.namespace,
            file_path=asks.within(where.file),
            project_name=where.project,
        )
        hits = [hit for result in found for hit in result.data.hits]
        finish(asks, output, format_, [_hit(hit) for hit in hits], found, "hits")
        data = found[0].data
        if output.quiet or format_ is Format.JSON:
            pass
        elif data.total_count:
            total = f"{'At least ' if data.total_is_minimum else ''}{counted(data.total_count, 'symbol')}"
            match = "matches" if data.total_count == 1 else "match"
            reading = data.reading(query)
            note(
                f"No symbol matches {query!r}. {total} {match} {reading}." if reading else f"{total}.",
                shown_of(len(hits), paging.offset, data.total_count, at_least=data.total_is_minimum),
            )
        else:
            narrowed = "" if where.is_empty else " with these filters"
            several = data.unmatched and len(query.split()) > 1
            note(
                f"No symbol matches {query!r}{narrowed}." if query else "No symbol passes the filters.",
                f"Nothing has {' or '.join(map(repr, data.unmatched))}." if several else "",
                asks.hidden_by(where),
                "" if asks.snapshot().reader.info.symbol_count else "The index has no symbols: no C# file is in it.",
            )
        if not hits:
            raise typer.Exit(NOTHING_FOUND)


def finish(
    asks: Asker, output: Any, format_: Format, rows: Sequence[Row], found: Sequence[ToolResult], listed: str
) -> None:
    """Writes results as they were asked for, and says what has to be known beside them. ``listed``: the field of the data that holds
    the rows."""
    if format_ is Format.JSON:
        print_json(whole_answer(found, listed))
    else:
        print_rows(_at_names(asks, rows) if format_.has_columns else rows, format_, asks.repository.root)
    if not output.quiet and format_ is not Format.JSON:
        for said in dict.fromkeys(each for result in found for each in result.notes):
            note(said)
    if output.open and rows:
        open_in_editor(asks.repository.root, rows[0].file_path, rows[0].line, rows[0].column)


def _at_names(asks: Asker, rows: Sequence[Row]) -> list[Row]:
    """Rows with the columns of the names that they show the declarations of."""
    columns = asks.name_columns(row.symbol_id for row in rows if row.symbol_id and not row.is_fact)
    return [
        row if row.column else replace(row, column=columns.get((row.symbol_id, row.file_path, row.line), 0))
        for row in rows
    ]


def whole_answer(found: Sequence[ToolResult], listed: str = "") -> dict[str, Any]:
    """All pages as one answer, with the data as the tools have it."""
    import msgspec

    first = found[0]
    data = msgspec.to_builtins(first.data, str_keys=True)
    if listed:
        further = tuple(chain.from_iterable(getattr(each.data, listed) for each in found[1:]))
        if further:
            data[listed] = [*data.get(listed, ()), *msgspec.to_builtins(further, str_keys=True)]
        data.pop("truncated", None)
    answer: dict[str, Any] = {"data": data, "confidence": first.confidence.value}
    if first.page is not None:
        answer["offset"] = first.page.offset
        answer["total"] = first.page.total
    notes = list(dict.fromkeys(each for result in found for each in result.notes))
    return answer | ({"notes": notes} if notes else {})


def _hit(hit: SymbolSearchHit) -> Row:
    return Row(
        file_path=hit.file_path,
        line=hit.line,
        kind=hit.kind.value,
        name=_short(hit.fully_qualified_name, hit.is_type),
        full=hit.fully_qualified_name,
        text=hit.signature,
        symbol_id=hit.symbol_id,
    )


def _short(qualified: str, is_type: bool) -> str:
    from codemap_core.queries.plain_lines import shortened

    return shortened(qualified, is_type=is_type)


def show(
    symbol: Symbol,
    place: Place,
    where: Meant,
    revision: AskedRevision,
    output: PageOutput,
    code: Annotated[
        bool | None,
        typer.Option("--code/--no-code", help="Show the whole source, or none; default: only if it is short."),
    ] = None,
) -> None:
    """Show a symbol: signature, documentation, place, source.

    Of a long type its members are listed in place of its source.

    \b
    Examples:
      codemap show Order.Submit
      codemap show 'Order.Pay(int)' --no-code
      codemap show src/Shop/Order.cs:42
    """
    from codemap_core.queries.cards.library_card import LibraryCard

    format_ = output.chosen()
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        meant = asks.meaning(symbol, where)
        found = asks.pages(
            "symbols.get_card", _EVERYTHING, _card_rows, limit="", **meant, include_code=code is not False
        )
        if isinstance(found[0].data, LibraryCard):
            _show_library_card(found, format_)
            return
        card: SymbolCard = found[0].data
        source = "\n".join(result.data.source_code for result in found if result.data.source_code)
        members = [member for result in found for member in result.data.members]
        if code:
            members = []
            spans = asks.pages(
                "symbols.get_definition_span", _EVERYTHING, lambda data: range(data.row_count), limit="", **meant
            )
            source = "\n".join(span.data.content for span in spans)
        if format_ is Format.JSON:
            answer = whole_answer(found, "members") if card.members else whole_answer(found)
            if source:
                answer["data"]["source_code"] = source
            print_json(answer)
        else:
            _show_card(asks, card, source)
            _show_members(asks, card, members)
            if not output.quiet:
                for said in found[0].notes:
                    note(said)
        if output.open:
            open_in_editor(asks.repository.root, card.file_path, card.span_start)


def _card_rows(card: SymbolCard | LibraryCard) -> Sequence[Any]:
    return card.members or range(getattr(card, "row_count", 0))


def _show_library_card(found: Sequence[ToolResult], format_: Format) -> None:
    """Shows the metadata of a symbol that has no source here."""
    card: LibraryCard = found[0].data
    if format_ is Format.JSON:
        print_json(whole_answer(found))
        return
    out = console()
    print_styled(
        out, [(card.kind.value if card.kind else "type", "cyan"), (" ", ""), (card.fully_qualified_name, "bold")]
    )
    for line in card.lines():
        print_styled(out, [(line, "")])
    print_styled(out, [(card.symbol_id, "dim")])


def _span(file_path: str, first: int, last: int | None) -> str:
    """``Order.cs:47``, or ``Order.cs:47-53``."""
    return f"{file_path}:{first}" if last is None or last == first else f"{file_path}:{first}-{last}"


def _show_card(asks: Asker, card: SymbolCard, source: str) -> None:
    from codemap_core.queries.views.fact_lines import said_value

    root = asks.repository.root
    heads = [
        [(card.kind.value, "cyan"), (" ", ""), (card.fully_qualified_name, "bold")],
        [(card.signature, "")],
        *([[(line, "italic")] for line in card.documentation.split("\n")] if card.documentation else []),
        [(_span(card.file_path, card.span_start, card.span_end), linked(root, card.file_path, "magenta"))],
        *(
            [
                [
                    (
                        _span(part.file_path, part.line_start, part.line_end),
                        linked(root, part.file_path, "magenta"),
                    )
                ]
                for part in card.evidence
            ]
        ),
        [(card.symbol_id, "dim")],
        [(card.stable_id, "dim")],
    ]
    details = [
        ("visibility", card.visibility),
        ("project", card.project or ("none compiles it" if card.is_left_out else "")),
    ]
    details += [("also declared in", ", ".join(card.other_projects)), ("condition", card.condition or "")]
    details += [("bases", ", ".join(card.base_types))]
    details += [("confidence", "" if card.confidence.value == "high" else card.confidence.value)]
    details += [(fact.kind, said_value(fact.kind, fact.value)) for fact in card.facts]
    further = card.fact_count - len(card.facts)
    details += [("facts", f"{further:,} more" if further else "")]
    details += [
        (
            "facts of members",
            ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in card.member_facts.items()),
        )
    ]
    details += [("effects", "; ".join(card.side_effects)), ("throws", ", ".join(card.thrown_exceptions))]
    lines = [each for each in heads if each[0][0]]
    lines += [[(f"{name}: ", "dim"), (value, "")] for name, value in details if value]
    if not sys.stdout.isatty():
        for line in lines:
            sys.stdout.write("".join(text for text, _ in line) + "\n")
        sys.stdout.write(f"\n{source}\n" if source else "")
        return
    from rich.syntax import Syntax

    out = console()
    for line in lines:
        print_styled(out, line)
    if source:
        out.print()
        numbered = [line.partition(" | ") for line in source.split("\n")]
        text = "\n".join(line for _, _, line in numbered)
        first = int(numbered[0][0])
        shown = Syntax(text, "csharp", background_color="default", line_numbers=True, start_line=first, word_wrap=True)
        out.print(shown)


def _show_members(asks: Asker, card: SymbolCard, members: Sequence[Any]) -> None:
    rows = [
        Row(
            file_path=each.file_path or card.file_path,
            line=each.line,
            kind=each.kind.value,
            text=each.signature,
            symbol_id=each.symbol_id,
        )
        for each in members
    ]
    if rows:
        sys.stdout.write("\n")
        sys.stdout.flush()
        print_rows(rows, Format.TEXT, asks.repository.root)
