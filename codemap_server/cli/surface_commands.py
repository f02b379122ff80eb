"""``codemap endpoints``, ``config``, ``tables``, ``services``, ``middleware``, ``exceptions``, ``logs``, ``retries`` and ``facts``:
architectural facts by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    from codemap_core.queries.views.absence import Absence
    from codemap_core.queries.views.facts import (
        ConfigKeyInfo,
        DbTableInfo,
        EndpointInfo,
        FactInfo,
        ListedFacts,
        ListFactsResponse,
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


class Listing(Struct, frozen=True, kw_only=True):
    """What every command that lists facts is asked."""

    text: Beginning = ""
    place: Place
    where: FactFilter
    paging: Paging
    revision: AskedRevision
    output: Output


class Listed(Struct, frozen=True):
    """What a command lists. ``tool``: which tool it asks, ``filter``: what that calls the text; ``noun``: what a row is, in the plural too
    where that is not regular; ``documented``: what one is that is only documented, where these are counted apart."""

    tool: str
    filter: str
    noun: str
    plural: str = ""
    documented: str = ""


class FactCommand(Struct, frozen=True):
    """A command that lists one kind of facts. ``says``: the first line of its help; ``examples``: what may stand behind its name."""

    kind: FactKind
    noun: str
    says: str
    examples: tuple[str, ...]
    plural: str = ""
    documented: str = ""
    """As in ``Listed``."""


FACT_COMMANDS: Final = {
    "services": FactCommand(
        FactKind.DI_REGISTRATION,
        "registration",
        "List what is registered for dependency injection.",
        ("", "IOrder", "'*→ OrderService'"),
    ),
    "middleware": FactCommand(
        FactKind.MIDDLEWARE,
        "call",
        "List the calls that put request pipelines together.",
        ("", "UseAuth --project Shop.Api"),
    ),
    "exceptions": FactCommand(
        FactKind.EXCEPTION,
        "throw",
        "List where exceptions are thrown.",
        ("--no-tests", "OrderNotFound"),
        documented="documented exception",
    ),
    "logs": FactCommand(
        FactKind.LOG,
        "log message",
        "List what is logged: message templates with their level.",
        ("", "'*failed*' --file src/"),
    ),
    "retries": FactCommand(
        FactKind.RETRY_POLICY,
        "policy",
        "List retries, time-outs, circuit breakers and the like.",
        ("", "WaitAndRetry"),
        "policies",
    ),
}
_ENDPOINTS: Final = Listed("surfaces.list_endpoints", "path_filter", "endpoint")
_CONFIG: Final = Listed("surfaces.list_config_keys", "key_filter", "place")


def register(app: typer.Typer) -> None:
    add_command(app, "endpoints", endpoints, PANEL)
    add_command(app, "config", config, PANEL)
    add_command(app, "tables", tables, PANEL)
    for name, each in FACT_COMMANDS.items():
        add_command(app, name, _command_of(name, each), PANEL)
    add_command(app, "facts", facts, PANEL)


def endpoints(
    *,
    asked: Listing,
    method: Annotated[str, typer.Option("--method", "-m", metavar="VERB", help="Only GET, POST, HUB, PAGE, …")] = "",
    open_: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Only those that demand nothing of their callers. Routes by convention, which are as open as their actions, are left out.",
        ),
    ] = False,
) -> None:
    """List endpoints: routes with their verbs, handlers and who may call them.

    \b
    Examples:
      codemap endpoints
      codemap endpoints /api/orders --method POST
      codemap endpoints '*{id}*' --no-tests
      codemap endpoints --open
    """

    def row(each: EndpointInfo, _: ListedFacts) -> Row:
        said = [each.handler, each.guard, f"version {each.versions}" if each.versions else ""]
        return _row(each, each.http_method, each.route_path, said, each.handler_symbol)

    _list(_ENDPOINTS, asked, row, http_method=method, open=open_)


def config(
    *,
    asked: Listing,
    unused: Annotated[bool, typer.Option("--unused", help="Only keys in settings files that no code reads.")] = False,
    undefined: Annotated[bool, typer.Option("--undefined", help="Only keys that no settings file defines.")] = False,
) -> None:
    """List where configuration keys and environment variables are used, and defined.

    \b
    Examples:
      codemap config
      codemap config --unused
      codemap config ConnectionStrings:
      codemap config '*Timeout*' --project Shop.Api
    """

    def row(each: ConfigKeyInfo, _: ListedFacts) -> Row:
        said = [
            "written" if each.write else "",
            "in no settings file" if each.undefined else "",
            "not used" if each.unused else "",
        ]
        return _row(each, each.usage_pattern, each.key, said, each.used_by_symbol)

    _list(_CONFIG, asked, row, unused=unused, undefined=undefined)


def tables(*, asked: Listing) -> None:
    """List database tables with the places that map or query them.

    Tables that migrations have dropped come last. --limit counts tables.

    \b
    Examples:
      codemap tables
      codemap tables ordering.
      codemap tables '*Item*' --format tsv
    """
    output, paging = asked.output, asked.paging
    format_ = output.chosen()
    with asker(asked.place.folder, asked.revision, quiet=asked.output.quiet) as asks:
        found = asks.pages(
            "surfaces.list_db_tables",
            paging,
            lambda data: data.tables,
            table_filter=asked.text,
            **asked.where.arguments(asks),
        )
        listed = [each for result in found for each in result.data.tables]
        finish(asks, output, format_, [row for each in listed for row in _uses(each)], found, "tables")
        data = found[0].data
        if not output.quiet and format_ is not Format.JSON:
            total = counted(data.total_count, "table")
            dropped = f", {data.dropped_count:,} of them dropped" if data.dropped_count else ""
            _say_total(data.absence, "tables", f"{total}{dropped}", len(listed), paging, data.total_count)
            _say_left_out(listed)
        if not listed:
            raise typer.Exit(NOTHING_FOUND)


def _uses(each: DbTableInfo) -> Iterable[Row]:
    dropped = "dropped" if each.dropped else ""
    return (_row(use, use.how, each.name, [dropped, use.use], use.symbol_id) for use in each.uses)


def _say_left_out(tables: Sequence[DbTableInfo]) -> None:
    """Many tables are told with their first places alone."""
    cut = [each for each in tables if each.left_out]
    if cut:
        most = max(cut, key=lambda each: each.left_out)
        places = counted(sum(each.left_out for each in cut), "further place")
        note(
            f"{places} of {counted(len(cut), 'table')} left out.",
            f"codemap facts {FactKind.DB_TABLE} {most.name} --all shows those of {most.name}.",
        )


def _command_of(name: str, command: FactCommand) -> Callable[..., None]:
    def run(*, asked: Listing) -> None:
        _facts_of(command.kind, command.noun, asked, command.plural, command.documented)

    examples = "\n".join(f"  codemap {name} {each}".rstrip() for each in command.examples)
    run.__doc__ = f"{command.says}\n\n\b\nExamples:\n{examples}\n"
    return run


def facts(
    *,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", autocompletion=fact_kinds, help="A kind of facts; default: list the kinds.")
    ] = "",
    asked: Listing,
) -> None:
    """List facts of any kind, also those of plug-ins; without KIND, the kinds.

    \b
    Examples:
      codemap facts
      codemap facts handler
      codemap facts exception 'Argument*' --tests
    """
    if kind:
        _facts_of(kind, f"fact of kind {kind}", asked, f"facts of kind {kind}")
        return
    format_ = asked.output.chosen()
    with asker(asked.place.folder, asked.revision, quiet=asked.output.quiet) as asks:
        found = asks.ask("surfaces.list_facts")
        if format_ is Format.JSON:
            print_json(whole_answer([found]))
            return
        if format_ is Format.TSV:
            for each in found.data.kinds:
                typer.echo(f"{each.kind}\t{each.count}\t{each.test_count}\t{each.title}\t{','.join(each.plugins)}")
            return
        rows = [
            (each.kind, f"{each.count:,}", f"{each.test_count:,}", each.title, ", ".join(each.plugins))
            for each in found.data.kinds
        ]
        figures = {"justify": "right"}
        table((("kind", {}), ("facts", figures), ("in tests", figures), ("title", {}), ("plug-ins", {})), rows)


def _facts_of(kind: str, noun: str, asked: Listing, plural: str = "", documented: str = "") -> None:
    def row(each: FactInfo, data: ListFactsResponse) -> Row:
        return _row(each, ", ".join(each.told(data.shown)), each.value, [], each.symbol_id)

    _list(Listed("surfaces.list_facts", "filter", noun, plural, documented), asked, row, kind=str(kind))


def _list(listed: Listed, asked: Listing, row: Callable[[Any, Any], Row], **further: Any) -> None:
    """Asks for every page and writes it."""
    output, paging = asked.output, asked.paging
    format_ = output.chosen()
    with asker(asked.place.folder, asked.revision, quiet=asked.output.quiet) as asks:
        question: Mapping[str, Any] = {listed.filter: asked.text, **asked.where.arguments(asks), **further}
        found = asks.pages(listed.tool, paging, lambda data: data.rows, **question)
        data: ListedFacts = found[0].data
        rows = [each for result in found for each in result.data.rows]
        finish(asks, output, format_, [row(each, data) for each in rows], found, data.FIELD)
        if not output.quiet and format_ is not Format.JSON:
            tests = f", {data.test_count:,} in tests" if data.test_count else ""
            documented = data.documented_count if listed.documented else 0
            counts = counted(data.total_count - documented, listed.noun, listed.plural)
            counts += f" and {counted(documented, listed.documented)}" if documented else ""
            total = f"{counts} in {counted(data.file_count, 'file')}{tests}"
            plural = listed.plural or f"{listed.noun}s"
            _say_total(data.absence, plural, total, len(rows), paging, data.total_count)
        if not rows:
            raise typer.Exit(NOTHING_FOUND)


def _say_total(absence: Absence | None, plural: str, total: str, shown: int, paging: Paging, count: int) -> None:
    if absence is not None:
        why = absence.said(build="run codemap index", look="codemap status")
        note(f"No {plural}.", why) if absence.was_looked_for else note(why)
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
        is_fact=True,
    )
