"""``codemap endpoints``, ``config``, ``tables``, ``services``, ``middleware``, ``exceptions``, ``logs``, ``retries`` and ``facts``:
architectural facts by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from msgspec import Struct

from codemap_core.model import Confidence, FactKind
from codemap_core.model.counting import counted
from codemap_server.cli.asking import Asker, asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.completion import fact_kinds, projects
from codemap_server.cli.messages import shown_of
from codemap_server.cli.options import AskedRevision, Format, Output, Paging, Place
from codemap_server.cli.rows import Row
from codemap_server.cli.search_commands import finish, whole_answer
from codemap_server.cli.terminal import note, print_json, table

if TYPE_CHECKING:
    from codemap_core.queries.views_absence import Absence
    from codemap_core.queries.views_facts import (
        ConfigKeyInfo,
        DbTableInfo,
        EndpointInfo,
        FactInfo,
        ListedFacts,
        PlacedFact,
    )

PANEL: Final = "Architecture"
_TEST: Final = "test"
Beginning = Annotated[
    str, typer.Argument(metavar="FILTER", help="Only those that begin with FILTER; * stands for anything: '*order*'.")
]


class FactFilter(Struct, frozen=True):
    """Which facts."""

    file: Annotated[
        str,
        typer.Option(
            "--file",
            "-f",
            metavar="PATTERN",
            help="Only in files whose path starts with PATTERN or matches it as a glob.",
        ),
    ] = ""
    project: Annotated[
        str, typer.Option("--project", "-p", metavar="NAME", autocompletion=projects, help="Only in this project.")
    ] = ""
    tests: Annotated[
        bool | None, typer.Option("--tests/--no-tests", help="Only those of test projects, or none of them.")
    ] = None

    def arguments(self, asks: Asker) -> dict[str, Any]:
        """As the tools take them."""
        return {
            "file_path": asks.within(self.file),
            "project_name": self.project,
            "only_tests": self.tests is True,
            "tests": self.tests is not False,
        }


def register(app: typer.Typer) -> None:
    add_command(app, "endpoints", endpoints, PANEL)
    add_command(app, "config", config, PANEL)
    add_command(app, "tables", tables, PANEL)
    add_command(app, "services", services, PANEL)
    add_command(app, "middleware", middleware, PANEL)
    add_command(app, "exceptions", exceptions, PANEL)
    add_command(app, "logs", logs, PANEL)
    add_command(app, "retries", retries, PANEL)
    add_command(app, "facts", facts, PANEL)


def endpoints(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
    method: Annotated[str, typer.Option("--method", "-m", metavar="VERB", help="Only GET, POST, HUB, PAGE, …")] = "",
) -> None:
    """List endpoints: routes with their verbs and handlers.

    \b
    Examples:
      codemap endpoints
      codemap endpoints /api/orders --method POST
      codemap endpoints '*{id}*' --no-tests
    """

    def row(each: EndpointInfo) -> Row:
        said = [each.handler, each.authorization, f"version {each.versions}" if each.versions else ""]
        return _row(each, each.http_method, each.route_path, said, each.handler_symbol)

    _list(
        "surfaces.list_endpoints",
        "path_filter",
        text,
        place,
        where,
        paging,
        revision,
        output,
        "endpoint",
        row,
        http_method=method,
    )


def config(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List where configuration keys and environment variables are used, and defined.

    \b
    Examples:
      codemap config
      codemap config ConnectionStrings:
      codemap config '*Timeout*' --project Shop.Api
    """

    def row(each: ConfigKeyInfo) -> Row:
        said = [
            "written" if each.write else "",
            "in no settings file" if each.undefined else "",
            "not used" if each.unused else "",
        ]
        return _row(each, each.usage_pattern, each.key, said, each.used_by_symbol)

    _list("surfaces.list_config_keys", "key_filter", text, place, where, paging, revision, output, "place", row)


def tables(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List database tables with the places that map or query them.

    --limit counts tables.

    \b
    Examples:
      codemap tables
      codemap tables ordering.
      codemap tables '*Item*' --format tsv
    """
    format_ = output.chosen()
    with asker(place.folder, revision) as asks:
        found = asks.pages(
            "surfaces.list_db_tables", paging, lambda data: data.tables, table_filter=text, **where.arguments(asks)
        )
        listed = [each for result in found for each in result.data.tables]
        finish(asks, output, format_, [row for each in listed for row in _uses(each)], found, "tables")
        data = found[0].data
        if not output.quiet and format_ is not Format.JSON:
            _say_total(data.absence, counted(data.total_count, "table"), len(listed), paging, data.total_count)
        if not listed:
            raise typer.Exit(NOTHING_FOUND)


def _uses(each: DbTableInfo) -> Iterable[Row]:
    name = f"{each.schema}.{each.table_name}" if each.schema else each.table_name
    return (_row(use, use.how, name, [use.use], use.symbol_id) for use in each.uses)


def services(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List what is registered for dependency injection.

    \b
    Examples:
      codemap services
      codemap services IOrder
      codemap services '*→ OrderService'
    """
    _facts_of(FactKind.DI_REGISTRATION, "registration", text, place, where, paging, revision, output)


def middleware(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List the calls that put request pipelines together.

    \b
    Examples:
      codemap middleware
      codemap middleware UseAuth --project Shop.Api
    """
    _facts_of(FactKind.MIDDLEWARE, "call", text, place, where, paging, revision, output)


def exceptions(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List where exceptions are thrown.

    \b
    Examples:
      codemap exceptions --no-tests
      codemap exceptions OrderNotFound
    """
    _facts_of(FactKind.EXCEPTION, "throw", text, place, where, paging, revision, output)


def logs(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List what is logged: message templates with their level.

    \b
    Examples:
      codemap logs
      codemap logs '*failed*' --file src/
    """
    _facts_of(FactKind.LOG, "log message", text, place, where, paging, revision, output)


def retries(
    *,
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List retries, time-outs, circuit breakers and the like.

    \b
    Examples:
      codemap retries
      codemap retries WaitAndRetry
    """
    _facts_of(FactKind.RETRY_POLICY, "policy", text, place, where, paging, revision, output, "policies")


def facts(
    *,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", autocompletion=fact_kinds, help="A kind of facts; default: list the kinds.")
    ] = "",
    text: Beginning = "",
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
) -> None:
    """List facts of any kind, also those of plug-ins; without KIND, the kinds.

    \b
    Examples:
      codemap facts
      codemap facts handler
      codemap facts exception 'Argument*' --tests
    """
    if kind:
        _facts_of(kind, f"fact of kind {kind}", text, place, where, paging, revision, output, f"facts of kind {kind}")
        return
    format_ = output.chosen()
    with asker(place.folder, revision) as asks:
        found = asks.ask("surfaces.list_facts")
        if format_ is Format.JSON:
            print_json(whole_answer([found]))
            return
        rows = [
            (each.kind, f"{each.count:,}", f"{each.test_count:,}", each.title, ", ".join(each.plugins))
            for each in found.data.kinds
        ]
        figures = {"justify": "right"}
        table((("kind", {}), ("facts", figures), ("in tests", figures), ("title", {}), ("plug-ins", {})), rows)


def _facts_of(
    kind: str,
    noun: str,
    text: str,
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
    plural: str = "",
) -> None:
    def row(each: FactInfo) -> Row:
        return _row(each, each.metadata, each.value, [], each.symbol_id)

    _list(
        "surfaces.list_facts", "filter", text, place, where, paging, revision, output, noun, row, plural, kind=str(kind)
    )


def _list(
    tool: str,
    filter_name: str,
    text: str,
    place: Place,
    where: FactFilter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
    noun: str,
    row: Callable[[Any], Row],
    plural: str = "",
    **further: Any,
) -> None:
    """Asks for every page and writes it. ``filter_name``: what the tool calls the text."""
    format_ = output.chosen()
    with asker(place.folder, revision) as asks:
        asked: Mapping[str, Any] = {filter_name: text, **where.arguments(asks), **further}
        found = asks.pages(tool, paging, lambda data: data.rows, **asked)
        data: ListedFacts = found[0].data
        listed = [each for result in found for each in result.data.rows]
        finish(asks, output, format_, [row(each) for each in listed], found, data.FIELD)
        if not output.quiet and format_ is not Format.JSON:
            tests = f", {data.test_count:,} in tests" if data.test_count else ""
            total = f"{counted(data.total_count, noun, plural)} in {counted(data.file_count, 'file')}{tests}"
            _say_total(data.absence, total, len(listed), paging, data.total_count)
        if not listed:
            raise typer.Exit(NOTHING_FOUND)


def _say_total(absence: Absence | None, total: str, shown: int, paging: Paging, count: int) -> None:
    if absence is not None:
        note(absence.said(build="run codemap index", look="codemap status"))
    else:
        note(f"{total}.", shown_of(shown, paging.offset, count))


def _row(fact: PlacedFact, kind: str, name: str, said: Iterable[str], owner: str | None) -> Row:
    from codemap_core.queries.plain_lines import one_line, short_name

    doubt = "" if fact.confidence is Confidence.HIGH else fact.confidence.value
    notes = [*said, doubt, _TEST if fact.test else ""]
    return Row(
        file_path=fact.file_path,
        line=fact.line,
        kind=one_line(kind),
        name=one_line(name),
        text=short_name(owner) if owner else "",
        note=", ".join(each for each in notes if each),
        symbol_id=owner or "",
    )
