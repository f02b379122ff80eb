"""The difference of two revisions as a comment on a pull request: GitHub-flavoured Markdown, within a number of characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from codemap_core.model.counting import counted
from codemap_core.queries.difference.views import (
    MARKS,
    TITLES,
    Break,
    Difference,
    DifferenceRow,
    FactChange,
    ProjectChange,
    Rank,
    ReachingTest,
    ReferenceChange,
    SymbolChange,
    gained_and_lost,
)
from codemap_core.queries.plain_lines import clipped, from_difference, short_name

_OPEN = (Rank.AUTHORIZATION_LOST, Rank.BREAKING)
"""Groups that are not folded."""


def markdown(view: Difference, max_chars: int, title: str) -> str:
    """At most ``max_chars`` characters, but the summary always: rows are left out from the end, and counted. ``title``: the revisions as
    they were asked for."""
    rows = view.rows
    summary = _summary(view, title)
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high + 1) // 2
        if len(_text(summary, rows[:middle], view)) <= max_chars:
            low = middle
        else:
            high = middle - 1
    return _text(summary, rows[:low], view)


def _text(summary: Iterable[str], rows: list[DifferenceRow], view: Difference) -> str:
    lines = [*summary, *_groups(rows, Counter(row.rank for row in view.rows))]
    left = view.total_count - len(rows)
    if left:
        lines += ["", f"*{counted(left, 'further change is', 'further changes are')} not shown.*"]
    return "\n".join(lines) + "\n"


def _summary(view: Difference, title: str) -> list[str]:
    stats = view.stats
    lines = [f"## {_escaped(title)}", "", " → ".join(map(_code, view.revisions)), ""]
    if stats.is_empty:
        return [*lines, "Nothing differs."]
    said = [
        ("Authorization lost", f"**{stats.authorization_lost:,}**" if stats.authorization_lost else ""),
        ("Breaking changes of the public API", f"**{stats.breaking_changes:,}**" if stats.breaking_changes else "none"),
        ("Files", f"{stats.files_changed:,} changed"),
        ("Symbols", stats.symbols()),
        ("Facts", stats.facts()),
        ("Projects", f"{stats.projects_changed:,} changed" if stats.projects_changed else ""),
        ("References", gained_and_lost(stats.references_gained, stats.references_lost)),
        ("Tests that reach what changed", f"{stats.tests_reaching:,}" if stats.tests_reaching else ""),
    ]
    return [*lines, "| | |", "|---|---|", *(f"| {name} | {text} |" for name, text in said if text)]


def _groups(rows: list[DifferenceRow], counts: Counter[Rank]) -> Iterator[str]:
    for rank in Rank:
        found = [row for row in rows if row.rank is rank]
        if not found:
            continue
        yield ""
        if rank in _OPEN:
            yield f"### {TITLES[rank]} ({counts[rank]:,})"
        else:
            yield f"<details><summary>{TITLES[rank]} ({counts[rank]:,})</summary>"
        yield ""
        for row in found:
            yield from _row(row)
        if rank not in _OPEN:
            yield ""
            yield "</details>"


def _row(row: DifferenceRow) -> Iterator[str]:
    match row:
        case SymbolChange():
            yield from _symbol(row)
        case FactChange():
            place = f"{_code(row.file_path)}:{row.line}"
            changes = "".join(f"; {_escaped(clipped(str(each)))}" for each in row.details)
            yield f"- {_mark(row.change_type)} {row.fact_kind} {_code(row.values)}{changes} ({place})"
        case ProjectChange():
            yield f"- {_code(row.project_path)}: {'; '.join(map(_escaped, row.happened))}"
            yield from map(_broken, row.breaks)
        case ReferenceChange():
            members = ", ".join(map(_escaped, map(str, row.members)))
            more = f", {row.member_count - len(row.members):,} more" if row.member_count > len(row.members) else ""
            name = row.symbol_id if row.symbol_id.startswith("!:") else short_name(row.symbol_id)
            yield f"- {gained_and_lost(row.gained, row.lost)} {_code(name)}: {members}{more}"
        case ReachingTest():
            yield f"- {_code(short_name(row.symbol_id))} ({_code(row.file_path)}:{row.line})"


def _symbol(row: SymbolChange) -> Iterator[str]:
    happened = row.happened if row.change_type not in MARKS else _mark(row.change_type)
    followers = f", with {counted(row.followers, 'member')}" if row.followers else ""
    yield f"- {happened}: {row.kind.value} {_code(row.names)}{followers} ({_code(row.file_path)}:{row.line})"
    yield from map(_broken, row.breaks)
    if row.from_signature is not None:
        yield "    ```diff"
        older, newer = from_difference(row.from_signature, row.signature)
        yield f"    - {older}"
        yield f"    + {newer}"
        yield "    ```"
    if row.users and (row.breaks or row.change_type.value == "removed"):
        yield f"  - {_escaped(row.affects)}"


def _broken(rule: Break) -> str:
    return f"  - **{rule.rule}** ({', '.join(rule.effects)}): {_escaped(rule.said)}"


def _mark(change: str) -> str:
    return change.replace("_", " ")


def _code(text: str) -> str:
    """Inline code, whatever it holds."""
    fence = "`"
    while fence in text:
        fence += "`"
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _escaped(text: str) -> str:
    """Text that Markdown takes for nothing else, and in which ``@name`` notifies nobody."""
    for character in "\\`*_[]<>|":
        text = text.replace(character, f"\\{character}")
    return text.replace("@", "@\u200b")
