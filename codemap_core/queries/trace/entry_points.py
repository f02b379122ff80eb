"""Where a trace begins: a member, a route of an endpoint, a type that handles requests, or a message that is handled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from msgspec import Struct

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import SymbolKind, SymbolRow, Visibility
from codemap_core.model.counting import counted, with_article
from codemap_core.model.documentation_id import container_of, is_type_id, parse_id
from codemap_core.model.route_templates import PAGE, AskedRoute, conventional_path, parse_route, rank
from codemap_core.queries.facts.routes import RouteDetail, all_routes
from codemap_core.queries.names.declaring_projects import Standpoint
from codemap_core.queries.names.symbol_targets import Target, find_target
from codemap_core.queries.names.wanted import Wanted
from codemap_core.queries.plain_lines import short_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.fact_lookup import HANDLER, OwnedFact
from codemap_core.storage.reading.symbol_search import SymbolFilter

LAMBDA: Final = "lambda"
"""What a route's ``handler`` says of an endpoint whose body stands in the call that maps it."""
_SHOWN: Final = 10
_Route = tuple[OwnedFact, RouteDetail]


class Place(Struct, frozen=True):
    """Lines of one file, 1-based and inclusive; ``file_id`` is a number of the index."""

    file_id: int
    line_start: int
    line_end: int

    def holds(self, file_id: int, line: int) -> bool:
        return file_id == self.file_id and self.line_start <= line <= self.line_end


class Entry(Struct, frozen=True, kw_only=True):
    """``symbol_ids``: the members to begin with. ``routes``: those that lead here. ``part``: the lines of the member that are meant, where
    that is not the whole of it. ``seen_from``: what tells which declarations of the members are meant. ``note``: how this follows from
    what was asked, as a sentence, or nothing."""

    symbol_ids: tuple[str, ...]
    routes: tuple[OwnedFact, ...] = ()
    part: Place | None = None
    seen_from: Standpoint | None = None
    note: str = ""


def find_entry(snapshot: Snapshot, text: str, where: SymbolFilter) -> Entry:
    """The entry point that ``text`` means: a route such as ``POST /orders/5``, an id or a name. ``where`` narrows a name; its project
    narrows a route too. Raises: InvalidArgumentError for a type that is not an entry point; NotFoundError with what is spelt alike,
    AmbiguousError with what it may mean, in ``details['candidates']``."""
    asked = parse_route(text)
    if asked is not None:
        return _by_route(snapshot, asked, where.project)
    try:
        target = find_target(snapshot, text, where, Wanted.MEMBER)
    except NotFoundError:
        routes = _routes_with(snapshot, text.strip())
        if not routes:
            raise
        raise NotFoundError(
            f"There is no symbol '{text.strip()}', and a route begins with / or a verb. Did you mean one of these?",
            route=text.strip(),
            candidates=routes[:_SHOWN],
        ) from None
    if target.is_type:
        return _of_type(snapshot, target)
    if target.is_external:
        raise InvalidArgumentError(
            f"{target.display_name} is a library's, whose code is not indexed. Ask for its callers instead.",
            symbol_id=target.symbol_id,
        )
    return Entry(
        symbol_ids=target.symbol_ids,
        routes=_routes_to(snapshot, target),
        seen_from=None if target.symbol is None else Standpoint.of(target.symbol),
        note=target.note,
    )


def _routes_with(snapshot: Snapshot, word: str) -> list[str]:
    """Routes that have the word, or the words between slashes, as segments of their paths."""
    wanted = f"/{word.strip('/').lower()}/"
    values = dict.fromkeys(fact.value for fact, _ in snapshot.kept(all_routes))
    return [value for value in values if wanted in f"{value.partition(' ')[2].lower()}/"]


def entries_of_routes(snapshot: Snapshot) -> list[tuple[OwnedFact, Entry | None]]:
    """Every route with the entry point that it is; null where it leads to many members or to none that is known."""
    found = snapshot.kept(all_routes)
    owners = snapshot.reader.edges.ids_of({fact.owner for fact, _ in found if fact.owner is not None})
    entries: list[tuple[OwnedFact, Entry | None]] = []
    for fact, said in found:
        try:
            entries.append((fact, _entry_of(snapshot, fact, said, owners.get(fact.owner or 0, ""))))
        except InvalidArgumentError:
            entries.append((fact, None))
    return entries


def _routes_to(snapshot: Snapshot, target: Target, handlers: Iterable[str] = ()) -> tuple[OwnedFact, ...]:
    """Those of a target, or of ``handlers`` in it."""
    wanted = frozenset(handlers or target.symbol_ids)
    projects = snapshot.reader.edges.project_numbers(target.projects)
    return tuple(
        fact
        for fact, said in snapshot.kept(all_routes)
        if said.handler in wanted and (not projects or fact.project_id in projects)
    )


def _by_route(snapshot: Snapshot, asked: AskedRoute, project: str) -> Entry:
    edges = snapshot.reader.edges
    everything = list(snapshot.kept(all_routes))
    if project:
        paths = {
            path
            for path, name in snapshot.reader.project_names.items()
            if project.lower() in (path.lower(), name.lower())
        }
        numbers = edges.project_numbers(paths)
        everything = [(fact, said) for fact, said in everything if fact.project_id in numbers]
    own = [(fact, said) for fact, said in everything if not said.defaults]
    best = _best_fitting(asked, own) or _by_convention(asked, everything) or _best_fitting(asked, everything)
    if not best:
        raise _no_route(asked, [fact.value for fact, _ in everything])
    best = [(fact, said) for fact, said in best if fact.project_id not in edges.test_projects] or best
    owners = edges.ids_of({fact.owner for fact, _ in best if fact.owner is not None})
    if len({_end(fact, said, owners) for fact, said in best}) > 1:
        raise _several(asked, [(fact.value, _end(fact, said, owners)[0]) for fact, said in best])
    fact, said = best[0]
    return _entry_of(snapshot, fact, said, owners.get(fact.owner or 0, ""), asked.verb)


def _best_fitting(asked: AskedRoute, routes: Sequence[_Route]) -> list[_Route]:
    ranked = [(fit, fact, said) for fact, said in routes if (fit := rank(asked, fact.value)) is not None]
    least = min((fit for fit, _, _ in ranked), default=())
    return [(fact, said) for fit, fact, said in ranked if fit == least]


def _by_convention(asked: AskedRoute, routes: Sequence[_Route]) -> list[_Route]:
    """The actions that a convention leads to: ``/`` is ``/Home/Index`` by ``{controller=Home}/{action=Index}``. An action is a method of a
    type that is named like the controller; what has a route of its own is not reached by a convention."""
    for path in dict.fromkeys(conventional_path(asked, fact.value, said.defaults) for fact, said in routes):
        controller = path.split("/")[-2].lower() if path.count("/") > 1 else ""
        actions = [(fact, said) for fact, said in routes if controller and _controller(said) == controller]
        found = _best_fitting(AskedRoute(asked.verb, path), actions)
        if found:
            return found
    return []


def _controller(said: RouteDetail) -> str:
    """The name of the type whose method answers a route, as a convention has it; empty where it is not a method."""
    if ":" not in said.handler:
        return ""
    return container_of(said.handler).rpartition(".")[2].lower().removesuffix("controller")


def _end(fact: OwnedFact, said: RouteDetail, owners: dict[int, str]) -> tuple[str, int]:
    """What tells the endpoints of several facts apart: the member, and of a lambda its line."""
    if ":" in said.handler:
        return said.handler, 0
    return owners.get(fact.owner or 0, ""), fact.line_start


def _entry_of(snapshot: Snapshot, fact: OwnedFact, said: RouteDetail, owner: str, verb: str = "") -> Entry:
    """``verb``: the one that was asked for, which chooses among the handlers of a page. Raises: InvalidArgumentError for a route that leads
    to many members, or to a page that does not answer the verb."""
    seen_from = Standpoint.at(snapshot.reader.edges, fact)
    if is_type_id(said.handler) or (is_type_id(owner) and not said.handler):
        methods = _methods(snapshot, said.handler or owner)
        if fact.value.startswith(f"{PAGE} "):
            methods = _page_handlers(snapshot, fact, methods, verb)
        if methods:
            return Entry(symbol_ids=tuple(each.symbol_id for each in methods), routes=(fact,), seen_from=seen_from)
    elif ":" in said.handler:
        return Entry(symbol_ids=(said.handler,), routes=(fact,), seen_from=seen_from)
    elif owner and said.handler == LAMBDA:
        part = Place(fact.file_id, fact.line_start, fact.line_end)
        return Entry(symbol_ids=(owner,), routes=(fact,), part=part, seen_from=seen_from)
    elif owner and said.handler:
        where = f"The handler {said.handler} is a local function of {short_name(owner)}, all of which is traced."
        return Entry(symbol_ids=(owner,), routes=(fact,), seen_from=seen_from, note=where)
    elif methods := _code_behind(snapshot, fact):
        return Entry(symbol_ids=tuple(each.symbol_id for each in methods), routes=(fact,), seen_from=seen_from)
    raise InvalidArgumentError(
        f"{fact.value} names no method that answers it. Name one, for example 'OrdersController.Get'."
    )


def _methods(snapshot: Snapshot, type_id: str) -> list[SymbolRow]:
    return [each for each in snapshot.reader.members_of(type_id) if each.kind is SymbolKind.METHOD]


def _page_handlers(snapshot: Snapshot, fact: OwnedFact, methods: list[SymbolRow], verb: str) -> list[SymbolRow]:
    """Of the methods of a page model those that requests call, by their names (``PageHandlers``). A request for HEAD is answered by GET's
    handler where there is none of its own. All methods of a type without such a handler, which is a component."""
    handlers = [(each, handled) for each in methods if (handled := _handled_verb(snapshot, each))]
    if not handlers:
        return methods
    own = [each for each, handled in handlers if verb in (handled, "", PAGE)]
    if not own and verb == "HEAD":
        own = [each for each, handled in handlers if handled == "GET"]
    if not own:
        answered = ", ".join(sorted({handled for _, handled in handlers}))
        raise InvalidArgumentError(f"{fact.value} has no handler for {verb}: it answers {answered}.")
    return own


def _handled_verb(snapshot: Snapshot, method: SymbolRow) -> str:
    if method.visibility is not Visibility.PUBLIC:
        return ""
    name = parse_id(method.symbol_id).name
    found = (re.fullmatch(each.method, name) for each in snapshot.meanings.pages)
    return next((named[1].upper() for named in found if named is not None), "")


def _code_behind(snapshot: Snapshot, fact: OwnedFact) -> list[SymbolRow]:
    """The methods of the file beside a page: ``Cart.razor.cs`` of ``Cart.razor``."""
    path = snapshot.reader.edges.paths[fact.file_id]
    beside = (snapshot.reader.symbols_in_file(f"{path}{each.code_behind}") for each in snapshot.meanings.pages)
    return [each for found in beside for each in found if each.kind is SymbolKind.METHOD]


def _of_type(snapshot: Snapshot, target: Target) -> Entry:
    """The methods that handle messages of the type; else its sole method that answers a route or handles a message."""
    reader = snapshot.reader
    number = reader.edges.numbers_of([target.symbol_id]).get(target.symbol_id, 0)
    handling = [each.method for each in reader.facts.handlings if each.message == number]
    if handling:
        ids = reader.edges.ids_of(handling)
        said = f"{short_name(target.symbol_id)} is a message; what handles it is traced."
        return Entry(
            symbol_ids=tuple(dict.fromkeys(ids[each] for each in handling)), note=f"{target.note} {said}".lstrip()
        )
    found = dict.fromkeys(
        said.handler
        for _, said in snapshot.kept(all_routes)
        if ":" in said.handler and container_of(said.handler) == target.symbol_id
    )
    owners = reader.edges.ids_of({fact.owner for fact in reader.facts.of_kinds([HANDLER]) if fact.owner is not None})
    found |= dict.fromkeys(each for each in owners.values() if container_of(each) == target.symbol_id)
    if len(found) == 1:
        return Entry(
            symbol_ids=tuple(found),
            routes=_routes_to(snapshot, target, found),
            seen_from=None if target.symbol is None else Standpoint.of(target.symbol),
            note=target.note,
        )
    if found:
        raise AmbiguousError(
            f"{target.display_name} has {counted(len(found), 'entry point')}; say which.",
            entry_point=target.asked,
            candidates=tuple(found)[:_SHOWN],
        )
    members = [each.symbol_id for each in _methods(snapshot, target.symbol_id)][:_SHOWN]
    kind = with_article(target.kind.value if target.kind is not None else "type")
    instead = "Name one of its methods." if members else "Name a method."
    raise InvalidArgumentError(
        f"{target.display_name} is {kind} that answers no route and handles no message. {instead}",
        entry_point=target.asked,
        candidates=members,
    )


def _no_route(asked: AskedRoute, routes: Sequence[str]) -> NotFoundError:
    if not routes:
        return NotFoundError(
            f"No endpoint answers {asked}: this index has no routes. Name a method instead.",
            route=str(asked),
            candidates=(),
        )
    no_verb = AskedRoute("", asked.path)
    other_verbs = [each for each in routes if rank(no_verb, each) is not None]
    other_values = [each for each in routes if rank(asked, each, any_value=True) is not None]
    paths = {each.partition(" ")[2].lower(): each for each in reversed(routes)}
    similar = [*other_verbs, *other_values] or [
        paths[each] for each in get_close_matches(asked.path.lower(), paths, n=5, cutoff=0.5)
    ]
    hint = "Did you mean one of these?" if similar else "List the endpoints to see all of them."
    return NotFoundError(
        f"No endpoint answers {asked}, of {counted(len(routes), 'route')}. {hint}",
        route=str(asked),
        route_count=len(routes),
        candidates=tuple(dict.fromkeys(similar))[:_SHOWN],
    )


def _several(asked: AskedRoute, found: Sequence[tuple[str, str]]) -> AmbiguousError:
    shown = tuple(dict.fromkeys(f"{route}  {owner}" for route, owner in found))
    return AmbiguousError(
        f"{asked} means {counted(len(shown), 'endpoint')}; give the verb, the project or the method.",
        route=str(asked),
        candidates=shown[:_SHOWN],
    )
