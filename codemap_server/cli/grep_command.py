"""``codemap grep``: the indexed text, as ripgrep would show it."""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from codemap_core.errors import InvalidArgumentError
from codemap_core.model.counting import counted
from codemap_server.cli.asking import asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.editor import open_in_editor
from codemap_server.cli.options import AskedRevision, Format, Output, Place, at_least
from codemap_server.cli.rows import Row, linked, print_rows, print_styled
from codemap_server.cli.terminal import console, note, print_json

if TYPE_CHECKING:
    from pathlib import Path

    from codemap_core.queries.views.symbols import TextMatch

_NO_BOUND = 24 * 3600.0
"""Seconds. At a shell, Ctrl-C stops a search that takes too long."""
_ALL = 1_000_000_000


def register(app: typer.Typer) -> None:
    add_command(app, "grep", grep, "Ask")


def grep(
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="A Python regular expression.")],
    place: Place,
    revision: AskedRevision,
    output: Output,
    ignore_case: Annotated[bool, typer.Option("--ignore-case", "-i", help="Ignore case.")] = False,
    fixed: Annotated[bool, typer.Option("--fixed-strings", "-F", help="Treat PATTERN as literal text.")] = False,
    words: Annotated[bool, typer.Option("--word-regexp", "-w", help="Match whole words only.")] = False,
    glob: Annotated[
        list[str] | None,
        typer.Option(
            "--glob", "-g", metavar="GLOB", help="Only files that match GLOB, or that do not match !GLOB; repeatable."
        ),
    ] = None,
    context: Annotated[
        int, typer.Option("--context", "-C", metavar="N", callback=at_least(0), help="Lines to show around a match.")
    ] = 0,
    names_only: Annotated[bool, typer.Option("--files-with-matches", "-l", help="Print paths only.")] = False,
    count: Annotated[bool, typer.Option("--count", "-c", help="Print the number of matching lines per file.")] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--max-count", "-m", "--limit", metavar="N", callback=at_least(0), help="Stop after N matching lines."
        ),
    ] = 0,
) -> None:
    """Search the text of all indexed files.

    Like ripgrep, in any indexed commit: strings, comments, configuration, whatever is not a symbol.

    \b
    Examples:
      codemap grep 'AddScoped<.*>'
      codemap grep -i todo -g '*.cs' -g '!tests/**' -C 2
      codemap grep ConnectionStrings --commit v2.1 -l
    """
    from codemap_core.queries.search.text_search import TextFilter, search_text

    format_ = output.chosen()
    globs = glob or ()
    where = TextFilter(
        globs=tuple(each for each in globs if not each.startswith("!")),
        exclude=tuple(each[1:] for each in globs if each.startswith("!")),
    )
    expression = _expression(pattern, fixed=fixed, words=words, ignore_case=ignore_case)
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        snapshot = asks.snapshot()
        root = asks.repository.root
        found = search_text(snapshot, expression.pattern, where, limit=_ALL, seconds=_NO_BOUND)
        matches = list(found.matches)
        total = len(matches)
        matches = matches[:limit] if limit else matches
        counts = Counter(match.file_path for match in matches)
        if format_ is Format.JSON:
            print_json({"matches": matches, "total": total, "files": len(counts)})
        elif names_only:
            _show_files(((path, "") for path in counts), root)
        elif count:
            _show_files(((path, f":{number}") for path, number in counts.items()), root)
        else:
            texts = snapshot.reader.file_texts(counts)
            _show(matches, {path: _lines(text) for path, text in texts.items()}, expression, context, format_, root)
        if not output.quiet and format_ is not Format.JSON:
            if matches:
                first = f"The first {len(matches):,} of " if len(matches) < total else ""
                said = f"{first}{counted(total, 'matching line')} in {counted(len(counts), 'file')}."
            else:
                said = (
                    f"No line of {counted(found.total_files, 'file')} matches."
                    if found.total_files
                    else f"No indexed file matches {' '.join(f'-g {shlex.quote(each)}' for each in globs)}."
                    if globs
                    else "No indexed file has text."
                )
            for each in asks.notes(snapshot, counts, total):
                note(each)
            if sys.stdout.isatty() or not matches:
                note(said, f"Commit {snapshot.commit_sha[:12]}.")
        if output.open and matches:
            open_in_editor(root, matches[0].file_path, matches[0].line)
    if not matches:
        raise typer.Exit(NOTHING_FOUND)


def _expression(pattern: str, *, fixed: bool, words: bool, ignore_case: bool) -> re.Pattern[str]:
    written = re.escape(pattern) if fixed else pattern
    if words:
        written = rf"\b(?:{written})\b"
    if ignore_case:
        written = f"(?i){written}"
    try:
        return re.compile(written)
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidArgumentError(
            f"{pattern!r} is not a regular expression: {error}. --fixed-strings searches for the text itself."
        ) from error


def _lines(text: str) -> list[str]:
    from codemap_core.queries.cards.source_text import split_lines

    return split_lines(text)


def _show_files(rows: Iterable[tuple[str, str]], root: Path) -> None:
    """Paths, each with what stands behind it; on a terminal they are links."""
    if not sys.stdout.isatty():
        sys.stdout.writelines(f"{path}{behind}\n" for path, behind in rows)
        return
    out = console()
    for path, behind in rows:
        print_styled(out, [(path, linked(root, path, "magenta")), (behind, "")])


def _show(
    matches: Sequence[TextMatch],
    texts: Mapping[str, list[str]],
    expression: re.Pattern[str],
    context: int,
    format_: Format,
    root: Path,
) -> None:
    rows = [_row(match, texts[match.file_path], expression) for match in matches]
    if format_ is Format.TEXT and sys.stdout.isatty():
        _show_by_file(rows, texts, expression, context, root)
    elif format_ in (Format.TEXT, Format.PLAIN):
        _show_lines(rows, texts, context)
    else:
        print_rows(rows, format_, root)


def _row(match: TextMatch, lines: Sequence[str], expression: re.Pattern[str]) -> Row:
    text = lines[match.line - 1]
    found = expression.search(text)
    before = text[: found.start()] if found else ""
    column = len(before.encode("utf-16-le")) // 2 + 1
    return Row(file_path=match.file_path, line=match.line, column=column, text=text)


def _blocks(rows: Sequence[Row], texts: Mapping[str, list[str]], context: int) -> list[list[tuple[str, int, bool]]]:
    """Neighbouring lines of (path, number, matches) to show together."""
    blocks: list[list[tuple[str, int, bool]]] = []
    for row in rows:
        first, last = max(1, row.line - context), min(len(texts[row.file_path]), row.line + context)
        block = blocks[-1] if blocks else []
        if not block or block[-1][0] != row.file_path or block[-1][1] < first - 1 or not context:
            blocks.append(block := [])
        known = {number for _, number, _ in block}
        block[:] = [(path, number, matches or number == row.line) for path, number, matches in block]
        block += [
            (row.file_path, number, number == row.line) for number in range(first, last + 1) if number not in known
        ]
    return blocks


def _show_lines(rows: Sequence[Row], texts: Mapping[str, list[str]], context: int) -> None:
    for nth, block in enumerate(_blocks(rows, texts, context)):
        if nth and context:
            sys.stdout.write("--\n")
        for path, number, matches in block:
            mark = ":" if matches else "-"
            sys.stdout.write(f"{path}{mark}{number}{mark}{texts[path][number - 1]}\n")


def _show_by_file(
    rows: Sequence[Row], texts: Mapping[str, list[str]], expression: re.Pattern[str], context: int, root: Path
) -> None:
    from rich.text import Text

    out = console()
    current = ""
    for block in _blocks(rows, texts, context):
        path = block[0][0]
        if path != current:
            print_styled(out, [("\n" if current else "", ""), (path, linked(root, path, "magenta"))])
            current = path
        elif context:
            out.print(Text("--", style="dim"))
        for _, number, matches in block:
            line = Text(texts[path][number - 1], style="" if matches else "dim")
            if matches:
                for found in expression.finditer(line.plain):
                    line.stylize("bold red", found.start(), found.end())
            out.print(Text.assemble((f"{number}", "green"), ":" if matches else "-", line), soft_wrap=True)
