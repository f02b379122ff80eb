"""What answers cost the agent that asks, beside what it would have read without them.

    python -m tests.benchmarks.agent_economy --repos DIR [--tasks FILE] [--document docs/performance.md] [--show NAME]

``--repos`` holds a work tree NAME for each repository of ``agent_economy_tasks.toml``. What is measured is the CodeMap installed
beside this Python, over stdio, started as ``codemap setup`` has clients start it. A token is four characters of what the model
reads: answers here, the output of the task's commands there. The last answer of a task is followed through its cursor until it holds
what the task lists, and each page is a call. The listing of the tools is counted once, by itself. Nothing is asserted; the exit
code is 1 when an answer lacks something that its task lists.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import anyio
import msgspec
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from msgspec import Struct

from codemap_core.model.counting import counted
from tests.benchmarks.report import replace_figures, table

CODEMAP: Final = str(Path(sysconfig.get_path("scripts"), "codemap"))
TASKS: Final = Path(__file__).with_name("agent_economy_tasks.toml")
CHARACTERS_PER_TOKEN: Final = 4
_PLACE: Final = re.compile(r"^(?P<file>[^:]+\.\w+):(?P<line>\d+)$")
_CURSOR: Final = re.compile(r"^more: cursor=(\S+)", re.MULTILINE)


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """``holds``: texts, or places ``file:line``, that the answers taken together must contain."""

    name: str
    kind: int
    repository: str
    calls: tuple[dict[str, Any], ...]
    commands: tuple[str, ...]
    holds: tuple[str, ...]


class Outcome(Struct, frozen=True):
    task: Task
    answers: tuple[str, ...]
    commands_characters: int
    missing: tuple[str, ...]

    @property
    def tokens(self) -> int:
        return sum(map(len, self.answers)) // CHARACTERS_PER_TOKEN

    @property
    def commands_tokens(self) -> int:
        return self.commands_characters // CHARACTERS_PER_TOKEN

    @property
    def ratio(self) -> float:
        return self.tokens / max(1, self.commands_tokens)


def read_tasks(path: Path) -> tuple[Task, ...]:
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8"))["tasks"], tuple[Task, ...])


def served_arguments() -> list[str]:
    """The arguments of ``codemap`` in the configuration that ``codemap setup`` gives a client."""
    printed = subprocess.run([CODEMAP, "setup", "claude", "--print"], capture_output=True, text=True, check=True).stdout
    arguments: list[str] = json.loads(printed)["mcpServers"]["codemap"]["args"]
    return arguments


def missing_from(answer: str, holds: Sequence[str]) -> tuple[str, ...]:
    """What of ``holds`` an answer in plain lines does not contain. A place is there as ``file:line``, or as a line that begins with the
    line's number below the file's path."""
    whole = with_whole_paths(answer)
    lines_of: dict[str, set[int]] = defaultdict(set)
    current = ""
    for line in whole:
        if line and not line[0].isspace():
            current = line.split("  ")[0].rstrip(":")
            continue
        number = re.match(r"\s+(\d+)\b", line)
        if number is not None:
            lines_of[current].add(int(number.group(1)))
    text = "\n".join(whole)
    lacking = []
    for held in holds:
        place = _PLACE.match(held)
        if held in text or (place is not None and int(place["line"]) in lines_of[place["file"]]):
            continue
        lacking.append(held)
    return tuple(lacking)


def with_whole_paths(answer: str) -> list[str]:
    """The lines of an answer, in which a file below a folder, by one space, has its whole path again."""
    lines = []
    folder, indent = "", ""
    for line in answer.splitlines():
        bare = line.lstrip(" ")
        if bare.endswith("/") and " " not in bare:
            folder, indent = bare, line[: len(line) - len(bare)]
        elif folder and line.startswith(f"{indent} ") and not line.startswith(f"{indent}  "):
            lines.append(f"{indent}{folder}{bare}")
        else:
            if not line.startswith(f"{indent} "):
                folder, indent = "", ""
            lines.append(line)
    return lines


def typed(commands: Sequence[str], repository: Path) -> int:
    """Characters that the commands print."""
    printed = 0
    for command in commands:
        done = subprocess.run(
            command, shell=True, cwd=repository, capture_output=True, text=True, errors="replace", check=False
        )
        printed += len(done.stdout) + len(done.stderr)
    return printed


async def ask(repository: Path, tasks: Sequence[Task], home: str) -> tuple[list[Outcome], int]:
    """What every task of one repository came to, and the characters of the listing."""
    environment = {**os.environ, "CODEMAP_HOME": home}
    parameters = StdioServerParameters(command=CODEMAP, args=served_arguments(), env=environment, cwd=str(repository))
    outcomes = []
    async with Client(stdio_client(parameters)) as client:
        listing = await client.list_tools()
        tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listing.tools]
        listed = len(json.dumps(tools, separators=(",", ":"), ensure_ascii=False))
        await client.call_tool("index.ensure_baseline", {})
        for task in tasks:
            answers = []
            pending = list(task.calls)
            while pending:
                call = pending.pop(0)
                answers.append(await _answer(client, call))
                cut = _CURSOR.search(answers[-1])
                if cut is not None and not pending and missing_from("\n".join(answers), task.holds):
                    pending.append({**call, "cursor": cut[1]})
            missing = missing_from("\n".join(answers), task.holds)
            outcomes.append(Outcome(task, tuple(answers), typed(task.commands, repository), missing))
    return outcomes, listed


async def _answer(client: Client, call: Mapping[str, Any]) -> str:
    """What a tool answers, or its error."""
    arguments = {name: value for name, value in call.items() if name != "tool"}
    try:
        result = await client.call_tool(call["tool"], arguments)
    except MCPError as error:
        return str(error)
    return "".join(getattr(part, "text", "") for part in result.content)


def report(outcomes: Sequence[Outcome], listing: int) -> str:
    ratios = sorted(outcome.ratio for outcome in outcomes)
    cheaper = sum(outcome.ratio < 1 and not outcome.missing for outcome in outcomes)
    right = sum(not outcome.missing for outcome in outcomes)
    repositories = counted(len({outcome.task.repository for outcome in outcomes}), "repository", "repositories")
    calls = counted(sum(len(outcome.answers) for outcome in outcomes), "call")
    summary = (
        f"{counted(len(outcomes), 'task')} on {repositories}, {calls}: median ratio **{statistics.median(ratios):.2f}**, cheaper in "
        f"{cheaper} of {len(ratios)} ({cheaper / len(ratios):.0%}), at most {ratios[-1]:.2f}; {right} of {len(ratios)} answers hold "
        f"everything that was asked for. The listing of the tools: {listing:,} characters, once a session."
    )
    rows = [
        (
            outcome.task.name,
            outcome.task.kind,
            outcome.task.repository,
            len(outcome.answers),
            f"{outcome.tokens:,}",
            f"{outcome.commands_tokens:,}",
            f"{outcome.ratio:.2f}",
            "yes" if not outcome.missing else f"lacks {', '.join(outcome.missing)}",
        )
        for outcome in outcomes
    ]
    header = ("task", "kind", "repository", "calls", "tokens", "tokens of the commands", "ratio", "holds all")
    return f"{summary}\n\n{table(header, rows)}"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, help="folder with a work tree for each repository")
    parser.add_argument("--tasks", type=Path, default=TASKS, help="the tasks, as TOML")
    parser.add_argument("--home", help="data directory to keep the indexes in; a temporary one when left out")
    parser.add_argument("--document", type=Path, help="document whose figures are replaced")
    parser.add_argument("--show", default="", help="print the answers of tasks whose name contains this")
    arguments = parser.parse_args(argv)
    by_repository: Mapping[str, list[Task]] = defaultdict(list)
    for task in read_tasks(arguments.tasks):
        by_repository[task.repository].append(task)
    outcomes: list[Outcome] = []
    listing = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, tasks in by_repository.items():
            found, listing = anyio.run(ask, arguments.repos / name, tasks, arguments.home or scratch)
            outcomes += found
    for outcome in outcomes:
        if arguments.show and arguments.show.lower() in outcome.task.name.lower():
            sys.stderr.write("\n".join([f"--- {outcome.task.name}", *outcome.answers, ""]))
    figures = report(outcomes, listing)
    if arguments.document is not None:
        replace_figures(arguments.document, figures, "agent economy")
    sys.stdout.write(figures + "\n")
    return 1 if any(outcome.missing for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
