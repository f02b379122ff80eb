"""Limits and defaults that documents name are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import asdict

from codemap_core.config import HARD_CAPS, BudgetLimits, _ConfigFile
from codemap_core.hooks.validation import TOOL_NAME_LENGTH
from codemap_core.pipeline import analyse, next_baseline, row_checks
from codemap_core.queries.dispatch import implementations as dispatch
from codemap_core.queries.search import text_search
from codemap_core.repository import MAX_SOURCE_SIZE
from codemap_core.storage.schema.baseline_tables import BaselineBase
from codemap_core.storage.schema.fulltext import FULLTEXT_TABLES
from codemap_core.storage.schema.versions import BASELINE_VERSION_TABLE
from codemap_plugins.codeagent import edges, projection, sentence_model
from codemap_plugins.coderef import coverage_reports, dependents, query_tool
from codemap_plugins.csharp.metadata import ecma335
from codemap_plugins.dotnet import evaluation, functions, items, project_xml, properties
from codemap_plugins.index_tools import code_tools
from codemap_server import (
    access_token,
    arguments,
    calls,
    explain_process,
    frames,
    http,
    http_guard,
    index_process,
    json_shape,
    mcp_app,
    serve,
    sse,
    tree_looks,
    warm_up,
)
from codemap_server.cli import data_commands

ROOT: Final = Path(__file__).parents[2]
MEBIBYTE: Final = 1 << 20
NUMBERS: Final = {5: "five", 10: "ten", 90: "a minute and a half"}

STATEMENTS: Final = [
    (
        "docs/security.md",
        f"The limits are {project_xml.MAX_SIZE // MEBIBYTE} MiB and {project_xml.MAX_DEPTH} levels.",
    ),
    (
        "docs/security.md",
        f"at most {evaluation.MAX_IMPORTS:,} imports, {evaluation.MAX_IMPORT_DEPTH} deep, {evaluation.MAX_ELEMENTS:,} elements, "
        f"{properties.MAX_EXPANDED // MEBIBYTE} MiB of expanded text per project",
    ),
    ("docs/security.md", f"regular expressions in property functions see at most {functions._MAX_SUBJECT} characters"),
    ("docs/security.md", f"files over {MAX_SOURCE_SIZE // MEBIBYTE} MiB are listed but not analysed"),
    ("docs/security.md", f"**Assemblies**: the limit is {ecma335.MAX_SIZE // MEBIBYTE} MiB"),
    (
        "docs/security.md",
        f"Messages are limited to {frames.MAX_MESSAGE // MEBIBYTE} MiB, {json_shape.MAX_NESTING} levels and "
        f"{json_shape.MAX_VALUES:,} values",
    ),
    ("docs/security.md", f"At most {mcp_app.MAX_PARALLEL_CALLS} calls run at a time."),
    ("docs/security.md", f"It is killed after {NUMBERS[int(text_search.DEFAULT_SECONDS)]} seconds"),
    ("docs/http.md", f"| Connections | {http.MAX_CONNECTIONS}, or a quarter of the file descriptors"),
    (
        "docs/http.md",
        f"| Body | {frames.MAX_MESSAGE // MEBIBYTE} MiB; all bodies together {http_guard.MAX_HELD // MEBIBYTE} MiB |",
    ),
    ("docs/http.md", f"| Head of a request, and its body | {http.HEAD_SECONDS:.0f} seconds each |"),
    ("docs/http.md", f"| Head of a request, and its body | {http_guard.BODY_SECONDS:.0f} seconds each |"),
    ("docs/http.md", f"leaves unread | {http.UNREAD_SECONDS:.0f} seconds"),
    ("docs/http.md", f"| Calls that run at once | {mcp_app.MAX_PARALLEL_CALLS}; others wait |"),
    ("docs/http.md", f"each for {sse.IDLE_SECONDS / 60:.0f} silent minutes"),
    ("docs/http.md", f"calls under way get {http.DRAIN_SECONDS:.0f} seconds to be answered, then they are cancelled"),
    ("docs/http.md", f"after {http.SHUTDOWN_SECONDS} seconds it ends with code 0"),
    ("docs/http.md", f"it has at least {access_token.MIN_LENGTH} characters"),
    ("docs/http.md", f"`{access_token.VARIABLE}`"),
    ("docs/coderef.md", f"what the rest of the query leaves, {query_tool.MAX_MEASURED} at most"),
    (
        "docs/coderef.md",
        f"Of a level of more than {dependents.FOLLOWED:,} elements the first {dependents.FOLLOWED:,} are followed",
    ),
    ("docs/security.md", f"up to {coverage_reports.MAX_BYTES // MEBIBYTE} MiB each"),
    (
        "docs/tools.md",
        f"A request may be up to {frames.MAX_MESSAGE // MEBIBYTE} MiB long, its arguments {calls.MAX_ARGUMENTS // MEBIBYTE} MiB, "
        f"and one string argument {arguments.MAX_TEXT:,} characters.",
    ),
    (
        "docs/tools.md",
        f"listens on `http://{serve.ServeOptions().host}:{serve.ServeOptions().port}{http.ENDPOINT}`",
    ),
    ("docs/storage.md", f"analysed files that no run has used for {data_commands.CACHE_LIFETIME.days} days"),
    ("docs/tools.md", f"at most {dispatch.FOLLOWED} (`one_of_several`)"),
    ("docs/tools.md", f"({code_tools.SEARCH_CAP} matches of `code.search_text`)"),
    ("docs/performance.md", f"an index up to {warm_up.MAX_READ_AHEAD >> 30} GiB"),
    (
        "docs/projects.md",
        f"{properties.MAX_EXPANDED // MEBIBYTE} MiB of expanded text, {functions.MAX_TEXT >> 10} K characters per value, "
        f"{evaluation.MAX_IMPORTS:,} imports, {evaluation.MAX_IMPORT_DEPTH} levels of imports and {items.MAX_ITEMS:,} items",
    ),
    ("docs/projects.md", f"files over {project_xml.MAX_SIZE // MEBIBYTE} MiB, nesting over {project_xml.MAX_DEPTH}"),
    ("docs/codeagent.md", f"An answer has at most {edges.MAX_LINKS:,} edges"),
    ("docs/codeagent.md", f"vectors of {projection.DIMENSIONS} dimensions"),
    ("docs/codeagent.md", f"the first {sentence_model._MAX_CHARACTERS:,} characters"),
    ("docs/plugins.md", f"a megabyte for one row, {row_checks.MAX_ROWS:,} rows for one file"),
    ("docs/plugins.md", f"takes longer than {analyse.DEFAULT_SECONDS:.0f} seconds for one file"),
    ("docs/plugins.md", f"at most {TOOL_NAME_LENGTH} characters"),
    ("docs/workspaces.md", f"more than {next_baseline.MOST_BESIDE} documents are to be bound again"),
    ("docs/workspaces.md", f"after {NUMBERS[int(index_process.IDLE_SECONDS) // 60]} minutes without work"),
    (
        "docs/workspaces.md",
        f"every {tree_looks.TRUSTED_SECONDS:.0f} seconds, and when the system says that events were lost",
    ),
    ("docs/tools.md", f"stops after {NUMBERS[int(explain_process.MOST_SECONDS)]}."),
]


@pytest.mark.parametrize(("document", "statement"), STATEMENTS)
def test_limits_are_those_of_the_code(document: str, statement: str) -> None:
    text = re.sub(r"\s+", " ", (ROOT / document).read_text(encoding="utf-8"))
    assert statement in text


def test_budgets_are_those_of_the_code() -> None:
    rows = re.findall(
        r"^\| `(max_\w+)` \| ([\d,]+) \| ([\d,]+)", (ROOT / "docs/tools.md").read_text("utf-8"), re.MULTILINE
    )
    written = {name: (int(default.replace(",", "")), int(cap.replace(",", ""))) for name, default, cap in rows}
    defaults, caps = asdict(BudgetLimits()), asdict(HARD_CAPS)
    assert written == {name: (defaults[name], caps[name]) for name in defaults}


@pytest.mark.parametrize(
    ("counted", "statement"),
    [
        (
            "symbols",
            "with {count} symbols, recall and precision of documentation-comment ids against Roslyn are {recall}",
        ),
        (
            "references to them",
            "{count} references reach {recall} recall and {precision} precision with the bundled catalog",
        ),
        ("architectural facts", "recall and precision are {recall} with the bundled catalog"),
    ],
)
def test_the_readme_has_the_figures_of_the_measurement(counted: str, statement: str) -> None:
    accuracy = (ROOT / "docs/accuracy.md").read_text(encoding="utf-8")
    row = rf"^\| \[?{counted}[^|]*?, ([\d,]+) \|[^|]*\| ([\d.]+) / ([\d.]+) \|$"
    ((count, recall, precision),) = re.findall(row, accuracy, re.MULTILINE)
    assert recall == precision or "{precision}" in statement
    text = re.sub(r"\s+", " ", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert count in text
    assert statement.format(count=count, recall=recall, precision=precision) in text


def test_every_table_of_an_index_is_described() -> None:
    described = (ROOT / "docs/storage.md").read_text(encoding="utf-8")
    tables = {*BaselineBase.metadata.tables, *FULLTEXT_TABLES, BASELINE_VERSION_TABLE}
    assert {table for table in tables if f"`{table}`" not in described} == set()


def test_every_setting_of_the_configuration_is_described() -> None:
    (row,) = re.findall(r"^\| `config.json` \| (.*) \|$", (ROOT / "docs/storage.md").read_text("utf-8"), re.MULTILINE)
    settings = set(_ConfigFile.__struct_fields__)
    assert set(re.findall(r"`(\w+)`", row)) == {*settings, *asdict(BudgetLimits())}


def test_every_package_of_the_program_is_on_the_map() -> None:
    described = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    packages = {
        each.parent.name
        for root in ("codemap_core", "codemap_plugins", "codemap_server")
        for each in (ROOT / root).glob("*/__init__.py")
    }
    assert {package for package in packages if f"`{package}`" not in described} == set()


def test_every_module_of_the_server_is_on_the_map() -> None:
    described = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    modules = {each.stem for each in (ROOT / "codemap_server").glob("*.py") if not each.stem.startswith("_")}
    assert {module for module in modules if f"`{module}`" not in described} == set()


@pytest.mark.parametrize("section", ["What extraction costs", "What extraction takes of a first index"])
def test_what_is_said_of_the_cost_of_extraction_follows_from_its_table(section: str) -> None:
    text = (
        (ROOT / "docs/performance.md")
        .read_text(encoding="utf-8")
        .partition(f"\n## {section}\n")[2]
        .partition("\n## ")[0]
    )
    prose = re.sub(r"<!-- figures.*<!-- end of figures -->|```.*?```", "", text, flags=re.DOTALL)
    assert not re.search(r"\d", prose), "figures belong into the table, which a program writes"
    header, _, *rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    header = ["", *header] if len(header) < len(rows[0]) else header
    said = re.findall(
        r"^- (.+?): (\S+).* to (\S+).*?; the must of (\S+).* is met by (\d+) of (\d+)\.$", text, re.MULTILINE
    )
    assert said
    for what, lowest, highest, limit, kept, count in said:
        found = [row[header.index(what)].split()[0] for row in rows]
        values = [float(each.rstrip("%")) for each in found]
        assert (min(values), max(values)) == (float(lowest.rstrip("%")), float(highest.rstrip("%")))
        assert (sum(each <= float(limit.rstrip("%")) for each in values), len(values)) == (int(kept), int(count))
