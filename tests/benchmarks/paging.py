"""Every page of every tool that lists, followed to its end over real stdio on any repository: no row twice, none missing.

    python -m tests.benchmarks.paging REPO [--questions 8] [--seed 1]

REPO has been indexed by the CodeMap beside this Python, in the data directory that the environment names. Half of the symbols asked about
are those used most, the others are drawn at random. Each page has a budget of characters of its own, drawn at random. The rows of the JSON
pages, one after another, have to be those of the typed result that no budget cut, and as many as the total says; a page of plain text has
to hold exactly the lines of the rows that it says it shows. Ends with 1 when a page of any question differs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import anyio
import msgspec
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from msgspec import Struct

from codemap_core.hooks.tool import ToolResult
from codemap_core.model.counting import counted
from codemap_server.calls import ToolCaller
from codemap_server.delivery import AnswerFormat
from codemap_server.sanitised import sanitised, sanitised_text
from codemap_server.serve import shell_caller
from codemap_server.shortening import CHARACTERS, ITEMS
from tests.benchmarks.agent_economy import CODEMAP
from tests.benchmarks.latency import rows as dumped
from tests.benchmarks.report import table

Arguments = dict[str, Any]
SMALLEST_BUDGET: Final = 1_200
LARGEST_BUDGET: Final = 9_000
_SHORTENING: Final = frozenset({ITEMS, CHARACTERS})
_MORE: Final = re.compile(r"^more: cursor=(\S+) \(([\d,]+)–([\d,]+) of (?:more than )?([\d,]+) shown\)$", re.MULTILINE)


class DifferenceError(Exception):
    """What a page holds is not what it should."""


class Question(Struct, frozen=True):
    tool: str
    arguments: Arguments
    rows: Callable[[Any], list[Any]]
    """The rows of ``data``, as the envelope has it."""


class Followed(Struct, frozen=True):
    rows: int
    json_pages: int
    text_pages: int


def member(name: str) -> Callable[[Any], list[Any]]:
    return lambda data: list(data.get(name, ()))


def source_lines(name: str) -> Callable[[Any], list[Any]]:
    return lambda data: list(data[name].split("\n"))


def nodes(data: Any) -> list[Any]:
    """Each with the calls between it and those before it."""
    return [
        {"symbol_id": node["symbol_id"], "depth": node["depth"], "call_sites": node["call_sites"]}
        for node in data["nodes"]
        if node["depth"]
    ]


def of_card(data: Any) -> list[Any]:
    return list(data.get("members", ())) or data.get("source_code", "").split("\n")


def of_hierarchy(data: Any) -> list[Any]:
    return list(data["derived_types"] if "target_type" in data else data["fillers"])


def questions(repository: Path, count: int, chance: random.Random) -> Iterator[Question]:
    """``count`` questions of every kind: about the symbols that are used most, and as many others."""
    used: Counter[str] = Counter()
    places: list[tuple[str, int]] = []
    for row in dumped("refs", repository):
        if row["to_symbol"]:
            used[row["to_symbol"]] += not row["external"]
            places.append((row["file_path"], row["line"]))
    declared = {row["symbol_id"]: row for row in dumped("symbols", repository)}

    def some(prefixes: str) -> list[str]:
        ids = sorted((each for each in declared if each[0] in prefixes), key=lambda each: (-used[each], each))
        popular = ids[: count // 2]
        return popular + chance.sample(ids[len(popular) :], min(count - len(popular), len(ids) - len(popular)))

    yield Question("surfaces.list_endpoints", {}, member("endpoints"))
    yield Question("surfaces.list_config_keys", {}, member("keys"))
    yield Question("surfaces.list_db_tables", {}, member("tables"))
    for kind in sorted({row["kind"] for row in dumped("facts", repository)}):
        yield Question("surfaces.list_facts", {"kind": kind}, member("facts"))
    types, members = some("T"), some("MP")
    for each in types:
        named = declared[each]["fully_qualified_name"].rpartition(".")[2]
        path = declared[each]["file_path"]
        yield Question("symbols.search", {"query": re.sub(r"(?<=[a-z])[A-Z].*|<.*", "", named)}, member("hits"))
        yield Question("symbols.search", {"file_path": str(Path(path).parent), "kinds": ["method"]}, member("hits"))
        yield Question("symbols.get_card", {"symbol": each, "include_code": False}, of_card)
        yield Question("symbols.get_definition_span", {"symbol": each}, source_lines("content"))
        yield Question("symbols.outline", {"symbol": each, "inherited": True}, member("rows"))
        yield Question("symbols.outline", {"file_path": path}, member("rows"))
        yield Question("symbols.unreferenced", {"file_path": str(Path(path).parent), "doubtful": True}, member("rows"))
        yield Question("code.get_span", {"file_path": path}, source_lines("content"))
        yield Question("code.search_text", {"pattern": rf"\b{re.escape(named)}\b"}, member("matches"))
        yield Question("refs.find", {"symbol": each, "kind": "all"}, member("references"))
        yield Question("refs.find", {"symbol": each, "kind": "all", "group_by": "file"}, member("groups"))
        yield Question("types.hierarchy", {"symbol": each, "transitive": True}, of_hierarchy)
    for each in members:
        yield Question("symbols.get_card", {"symbol": each}, of_card)
        yield Question("symbols.get_context", {"symbol": each}, member("pieces"))
        yield Question("refs.find", {"symbol": each, "resolution_state": "both"}, member("references"))
        follow = {"symbol": each, "follow_interface": True, "limit_per_level": 100}
        yield Question("graph.callers", {**follow, "depth": 2}, nodes)
        yield Question("graph.callees", {**follow, "depth": 3}, nodes)
    for path, line in chance.sample(places, min(count // 2, len(places))):
        yield Question("code.explain", {"file_path": path, "line": line}, member("names"))


class Unpaged:
    """A question's answer without a budget of characters."""

    def __init__(self, caller: ToolCaller, question: Question) -> None:
        self._caller, self._question = caller, question
        self.rows: list[Any] = []
        while True:
            result = self.from_row(len(self.rows))
            self.rows += question.rows(sanitised(msgspec.to_builtins(result.data, str_keys=True)))
            page = result.page
            if page is None or not page.continues_after(result.data.row_count):
                break
        self.total: Final = len(self.rows) if page is None or page.total_is_minimum else page.total

    def from_row(self, offset: int) -> ToolResult:
        result = self._caller.run(self._question.tool, {**self._question.arguments, "offset": offset})
        expect(result.page is None or result.page.offset == offset, "a page begins elsewhere than asked")
        return result

    def lines(self, first: int, last: int) -> str:
        """Plain text of the rows ``first`` to ``last``, from 1."""
        view = self.from_row(first - 1).data
        count = last - first + 1
        return sanitised_text("\n".join(filter(None, (view.cut(count) if count < view.row_count else view).lines())))


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise DifferenceError(what)


async def ask(client: Client, question: Question, chance: random.Random, cursor: str) -> str:
    budget = {"max_chars": chance.randint(SMALLEST_BUDGET, LARGEST_BUDGET)}
    result = await client.call_tool(
        question.tool, {**question.arguments, **budget, **({"cursor": cursor} if cursor else {})}
    )
    (content,) = result.content
    text = str(getattr(content, "text", ""))
    expect(not result.is_error, text[:300])
    return text


def is_shortened(row: Any, whole: Any) -> bool:
    """Whether a row that is longer than a page is the whole one with fewer items in its lists, or fewer characters in its texts."""
    if isinstance(row, dict) and isinstance(whole, dict):
        return all(name in whole and is_shortened(value, whole[name]) for name, value in row.items())
    if isinstance(row, list) and isinstance(whole, list):
        return len(row) <= len(whole) and all(map(is_shortened, row, whole))
    if isinstance(row, str) and isinstance(whole, str) and row.endswith("…"):
        return whole.startswith(row[:-1].rstrip())
    return bool(row == whole)


async def follow_json(client: Client, question: Question, unpaged: Unpaged, chance: random.Random) -> int:
    seen: list[Any] = []
    cursor, pages = "", 0
    while pages == 0 or cursor:
        answer = json.loads(await ask(client, question, chance, cursor))
        shown = question.rows(answer["data"])
        expect(bool(shown) or not unpaged.rows, f"page {pages + 1} is empty")
        if len(shown) == 1 and _SHORTENING & answer["meta"].get("limits_applied", {}).keys():
            whole = unpaged.rows[len(seen)]
            expect(is_shortened(shown[0], whole), f"row {len(seen) + 1} is {shown[0]}, not {whole} made shorter")
            shown = [whole]
        seen += shown
        pages += 1
        cursor = answer["meta"].get("cursor", "")
    wanted = [json.dumps(each, sort_keys=True) for each in unpaged.rows]
    got = [json.dumps(each, sort_keys=True) for each in seen]
    for number, (one, other) in enumerate(zip(wanted, got, strict=False), 1):
        expect(one == other, f"row {number} is {other}, not {one}")
    expect(len(got) == len(wanted) == unpaged.total, f"{len(got)} rows, unpaged {len(wanted)}, total {unpaged.total}")
    if isinstance(unpaged.rows[0] if unpaged.rows else "", dict):
        twice = [row for row, times in Counter(got).items() if times > 1]
        expect(not twice, f"{len(twice)} rows twice: {twice[:1]}")
    return pages


async def follow_text(client: Client, question: Question, unpaged: Unpaged, chance: random.Random) -> int:
    cursor, pages, shown = "", 0, 0
    while pages == 0 or cursor:
        text = await ask(client, question, chance, cursor)
        pages += 1
        more = _MORE.search(text)
        last = unpaged.total
        if more:
            first, last, total = (int(more[place].replace(",", "")) for place in (2, 3, 4))
            expect((first, total) == (shown + 1, unpaged.total), f"page {pages} says {more[0]!r}")
        if unpaged.rows:
            expect(unpaged.lines(shown + 1, last) in text, f"page {pages} lacks lines of rows {shown + 1} to {last}")
        shown = last
        cursor = more[1] if more else ""
    return pages


async def follow_all(repository: Path, asked: Sequence[Question], chance: random.Random) -> tuple[str, list[str]]:
    found: dict[str, list[Followed]] = {}
    problems: list[str] = []
    async with AsyncExitStack() as stack:
        clients = []
        for answer_format in AnswerFormat:
            served = ["serve", str(repository), "--format", answer_format.value]
            parameters = StdioServerParameters(command=CODEMAP, args=served, env=dict(os.environ))
            clients.append(await stack.enter_async_context(Client(stdio_client(parameters))))
        text_client, json_client = clients
        caller = stack.enter_context(shell_caller(repository))
        for question in asked:
            try:
                unpaged = Unpaged(caller, question)
                json_pages = await follow_json(json_client, question, unpaged, chance)
                text_pages = await follow_text(text_client, question, unpaged, chance)
            except Exception as problem:  # a question that fails is a finding; the others are asked
                problems.append(f"{type(problem).__name__}: {problem} ({question.tool} {question.arguments})")
            else:
                found.setdefault(question.tool, []).append(Followed(len(unpaged.rows), json_pages, text_pages))
    figures = [
        (
            tool,
            len(each),
            f"{sum(one.rows for one in each):,}",
            f"{max(one.rows for one in each):,}",
            f"{sum(one.json_pages for one in each):,}",
            f"{sum(one.text_pages for one in each):,}",
        )
        for tool, each in sorted(found.items())
    ]
    return table(("tool", "questions", "rows", "most rows", "JSON pages", "text pages"), figures), problems


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--questions", type=int, default=8, help="of every kind")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn")
    parser.add_argument("--tool", default="", help="ask this tool alone")
    arguments = parser.parse_args(argv)
    chance = random.Random(arguments.seed)
    asked = [
        each
        for each in questions(arguments.repository, arguments.questions, chance)
        if arguments.tool in ("", each.tool)
    ]
    figures, problems = anyio.run(follow_all, arguments.repository, asked, chance)
    verb = "differs" if len(problems) == 1 else "differ"
    sys.stdout.writelines(f"{line}\n" for line in (figures, f"{counted(len(problems), 'question')} {verb}.", *problems))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
