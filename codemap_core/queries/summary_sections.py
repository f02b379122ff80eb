"""The sections of a summary: each drawn from the facts and projects of an index, in brief and in full.

In brief, counts with examples in a few rows, as a part of the page; in full, one row for each item. Test projects are counted and
otherwise left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.model import CATCH, DocumentStatus, FactKind, Project
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import container_of
from codemap_core.queries.plain_lines import row, short_name
from codemap_core.queries.production_facts import ProductionFact, ProductionFacts, suffix_of
from codemap_core.queries.project_layers import layered
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.fact_lookup import HANDLER

AUTHORIZE: Final = "authorize"
JOB: Final = "job"
_KINDS: Final = (*(kind.value for kind in FactKind), HANDLER, AUTHORIZE, JOB)
_DOCUMENTED: Final = "documented"
"""The metadata of exceptions that are documented, not seen to be thrown."""
_HOSTED: Final = "HostedService"
_NAMES: Final = 8
"""Names in one row of the brief form."""
_ROWS: Final = 6
"""Rows of a section in the brief form."""
_PIPELINES: Final = 4
_STEPS: Final = 12
"""Pipelines, and steps of each, in the brief form."""
_LAYER_ROWS: Final = 8
_SUFFIXES_NAMED: Final = 6
_SELDOM: Final = 2
"""Files of one suffix that are not worth a word."""
_ROOT: Final = "/"
_SHORT: Final = 8
"""Characters of a beginning that is not worth leaving out."""
_NEARLY_ALL: Final = 0.9
_MAIN: Final = ".{Main}$"
"""Ends the id of top-level statements."""


class Section(Struct, frozen=True):
    """``brief`` and ``full``: its rows. A section without rows and without ``is_always`` is left out of the page."""

    key: str
    title: str
    brief: Sequence[str] = ()
    full: Sequence[str] = ()
    is_always: bool = False


class Source:
    """What the sections are drawn from."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot: Final = snapshot
        self.facts: Final = ProductionFacts(snapshot)
        self.projects: Final = snapshot.reader.projects()
        tests = set(snapshot.reader.edges.test_projects.values())
        self.production: Final = tuple(each for each in self.projects if each.project_path not in tests)
        self.prefix: Final = _shared_beginning([each.name for each in self.projects])
        """What most names of projects begin with, up to a dot and with it; left out of the page."""

    def short(self, project: str) -> str:
        """The name of a project as the page has it."""
        return project.removeprefix(self.prefix)


# Projects


def _shared_beginning(names: Sequence[str]) -> str:
    """``Company.Product.``, if nearly all names begin with it and it is worth leaving out."""
    best = ""
    counts = Counter(
        f"{'.'.join(parts[:end])}." for name in names for parts in [name.split(".")] for end in range(1, len(parts))
    )
    for prefix, count in counts.items():
        if len(names) > 2 and count >= len(names) * _NEARLY_ALL and len(prefix) > max(len(best), _SHORT):
            best = prefix
    return best


def _projects(source: Source) -> Section:
    found = layered(source.production)
    layers: dict[int, list[str]] = {}
    for each in found:
        layers.setdefault(each.layer, []).append(f"{source.short(each.project.name)}{_role(each.project)}")
    brief = [f"{layer}  {_some(names, _NAMES * 2)}" for layer, names in layers.items()]
    if len(brief) > _LAYER_ROWS:
        brief = [*brief[: _LAYER_ROWS - 1], f"… down to layer 0: {_some(layers[0], _NAMES)}"]
    tests = [source.short(each.name) for each in source.projects if each not in source.production]
    if tests:
        brief.append(f"tests  {_some(tests, _NAMES)}")
    full = [
        row(
            f"{each.layer}",
            f"{source.short(each.project.name)}{_role(each.project)}",
            each.project.target_framework or "",
            counted(len(each.project.files), "file"),
            f"→ {', '.join(source.short(below.name) for below in each.needs)}" if each.needs else "",
        )
        for each in found
    ]
    named = f"; names without {source.prefix}" if source.prefix else ""
    size = f"{counted(len(source.projects), 'project')} in {counted(len(layers), 'layer')} of references"
    title = f"Projects: {size}, upper ones first{named}"
    return Section("projects", title, brief, [*full, *(f"tests  {name}" for name in tests)], is_always=True)


def _role(project: Project) -> str:
    """What kind of program it is, where it is one."""
    sdk = (project.sdk or "").rpartition(".")[2]
    if sdk in ("Web", "Worker"):
        return f" ({sdk.lower()})"
    return " (exe)" if project.output_type.lower() in ("exe", "winexe") else ""


# Entry points


class _Route(Struct):
    verb: str = ""
    handler: str = ""
    controller: str = ""


def _entry_points(source: Source) -> Section:
    routes = source.facts.of(FactKind.ROUTE)
    verbs = Counter(each.value.partition(" ")[0] for each in routes)
    brief = [f"{counted(len(routes), 'route')}: {_counts(verbs, len(verbs))}"] if routes else []
    by_project: dict[str, list[ProductionFact]] = {}
    for each in routes:
        by_project.setdefault(each.project, []).append(each)
    largest = sorted(by_project, key=lambda name: (-len(by_project[name]), name))
    brief += [f"  {source.short(name)} {len(by_project[name])}: {_areas(by_project[name])}" for name in largest[:_ROWS]]
    if len(largest) > _ROWS:
        brief.append(f"  … and {counted(len(largest) - _ROWS, 'project')} more")
    full = [
        row(
            each.value,
            _where(_handler(each)),
            source.short(each.project),
            f"{each.file_path}:{each.line}",
        )
        for each in sorted(routes, key=lambda each: (each.project, each.value.partition(" ")[2].lower(), each.value))
    ]
    services = _hosted_services(source)
    if services:
        brief.append(
            f"{counted(len(services), 'background service or job', 'background services and jobs')}: {_some(services, _NAMES)}"
        )
        full += [f"background: {each}" for each in services]
    return Section("entry_points", f"Entry points: {len(full):,}", brief, full)


def _handler(route: ProductionFact) -> str:
    """The member that answers, or the one around the lambda or local function that does."""
    handler = route.said(_Route).handler
    return handler if ":" in handler else route.owner


def _areas(routes: Iterable[ProductionFact]) -> str:
    """``/api/orders 8, /api/cards 2``: by the beginning of the template."""
    return _counts(_in_any_case(_area(each.value.partition(" ")[2]) for each in routes))


def _area(template: str) -> str:
    """The first segment that names something, with what stands before it."""
    kept = []
    for segment in template.strip("/").split("/"):
        is_prefix = segment.lower() == "api" or segment[1:].isdigit() or "version" in segment.lower()
        if "{" in segment and not is_prefix:
            break
        kept.append(segment)
        if not is_prefix:
            break
    return f"{_ROOT}{'/'.join(kept)}"


def _hosted_services(source: Source) -> list[str]:
    """Hosted services by name alone, whatever types they are hosted for, and jobs with what runs them."""
    jobs = [
        f"{each.value.partition('<')[0]}{f' ({each.metadata})' if each.metadata != _HOSTED else ''}"
        for each in source.facts.of(JOB)
    ]
    registered = [
        each.value.partition(" → ")[0].partition("<")[0]
        for each in source.facts.of(FactKind.DI_REGISTRATION)
        if each.metadata.endswith(_HOSTED)
    ]
    return sorted(dict.fromkeys([*jobs, *registered]))


# Data and messages


_MAPPING: Final = frozenset({"to_table", "attribute"})
_MIGRATION: Final = "migration"
_HOLE: Final = "{?"
"""In a name of which a piece is not known."""


class _Table(Struct):
    source: str = ""
    entity: str = ""


def _data(source: Source) -> Section:
    """Tables by context: those of its sets, and what its project maps where that has no other context."""
    facts = source.facts.of(FactKind.DB_TABLE)
    contexts: dict[tuple[str, str], dict[str, str]] = {}
    others: dict[str, dict[str, str]] = {}
    sources = {
        "to_table": "mapped elsewhere",
        "attribute": "by attribute",
        "sql": "in SQL",
        _MIGRATION: "in migrations",
    }
    said = [(each, each.said(_Table)) for each in facts if _HOLE not in each.value]
    for each, detail in said:
        if detail.source == "dbset":
            contexts.setdefault((short_name(container_of(each.owner)), each.project), {})[each.value.lower()] = (
                each.value
            )
    known = {name for tables in contexts.values() for name in tables}
    only = {project: context for context, project in contexts if sum(project == own for _, own in contexts) == 1}
    for each, detail in said:
        if detail.source in _MAPPING and each.value.lower() not in known and each.project in only:
            contexts[only[each.project], each.project].setdefault(each.value.lower(), each.value)
    known |= {name for tables in contexts.values() for name in tables}
    for how, label in sources.items():
        for each, detail in said:
            name = each.value.lower()
            is_known = name in known or (how == _MIGRATION and name.rpartition(".")[2] in known)
            if detail.source == how and not is_known:
                others.setdefault(label, {})[each.value.lower()] = each.value
        known |= set(others.get(label, ()))
    brief = [
        f"{context} ({source.short(project)}): {_some(sorted(tables.values()), _NAMES)}"
        for (context, project), tables in sorted(contexts.items())
    ]
    brief = brief[:_ROWS] + ([f"… and {counted(len(brief) - _ROWS, 'context')} more"] if len(brief) > _ROWS else [])
    brief += [f"{label}: {_some(sorted(tables.values()), _NAMES)}" for label, tables in others.items()]
    rows: dict[str, dict[str, None]] = {}
    for each, detail in said:
        how = f"{each.metadata}{f' {detail.entity}' if detail.entity and detail.entity not in each.metadata else ''}"
        rows.setdefault(each.value, {})[f"{how} in {_where(each.owner)}"] = None
    full = [
        f"{table}  {_some(list(places), 4)}" for table, places in sorted(rows.items(), key=lambda pair: pair[0].lower())
    ]
    different = {each.value.lower() for each, _ in said}
    return Section(
        "data", f"Data: {counted(len(different), 'table')} in {counted(len(contexts), 'context')}", brief, full
    )


def _messages(source: Source) -> Section:
    facts = source.facts.of(HANDLER)
    pairs: dict[str, list[str]] = {}
    for each in facts:
        message, _, handler = each.value.partition(" → ")
        pairs.setdefault(message, []).append(handler)
    frameworks = Counter(each.metadata for each in facts)
    several = {message: len(handlers) for message, handlers in sorted(pairs.items()) if len(handlers) > 1}
    brief = (
        [f"for example {_some([f'{message} → {handlers[0]}' for message, handlers in sorted(pairs.items())], 3)}"]
        if pairs
        else []
    )
    if several:
        brief.append(f"with several handlers: {_counts(Counter(several))}")
    full = [
        row(each.value, each.metadata, f"{each.file_path}:{each.line}")
        for each in sorted(facts, key=lambda each: (each.value, each.file_path))
    ]
    title = f"Messages: {counted(len(pairs), 'type')} with {counted(len(facts), 'handler')} ({_counts(frameworks)})"
    return Section("messages", title, brief, full)


# What cuts across


class _Registration(Struct):
    form: str = ""


def _registrations(source: Source) -> Section:
    facts = source.facts.of(FactKind.DI_REGISTRATION)
    services: dict[str, set[str]] = {}
    for each in facts:
        service, _, implementation = each.value.partition(" → ")
        services.setdefault(service, set()).add(implementation)
    several = Counter({service: len(found) for service, found in services.items() if len(found) > 1})
    brief = [f"by project: {_counts(Counter(source.short(each.project) for each in facts))}"] if facts else []
    if several:
        brief.append(f"with several implementations: {_counts(several)}")
    full = [
        row(each.value, each.metadata.replace("|", " "), source.short(each.project), f"{each.file_path}:{each.line}")
        for each in sorted(facts, key=lambda each: (each.value, each.file_path, each.line))
    ]
    lifetimes = _counts(Counter(each.metadata.partition("|")[0] for each in facts))
    return Section("registrations", f"Registered services: {len(facts)} ({lifetimes})", brief, full)


class _Middleware(Struct):
    name: str = ""
    position: int = 0
    depth: int = 0
    type: str = ""


def _middleware(source: Source) -> Section:
    pipelines: dict[tuple[str, str], list[_Middleware]] = {}
    for each in source.facts.of(FactKind.MIDDLEWARE):
        pipelines.setdefault((each.project, each.owner), []).append(each.said(_Middleware))
    rows = []
    for (project, owner), steps in sorted(pipelines.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        ordered = sorted(steps, key=lambda each: each.position)
        rows.append((row(source.short(project), _where(owner)), ordered))
    brief = [f"{where}: {_in_order(steps[:_STEPS])}{_more(len(steps) - _STEPS)}" for where, steps in rows[:_PIPELINES]]
    full = [f"{where}: {_in_order(steps)}" for where, steps in rows]
    return Section("middleware", f"Middleware: {counted(len(rows), 'pipeline')} in order of registration", brief, full)


def _in_order(steps: Sequence[_Middleware]) -> str:
    """``A → Map (B → C) → D``: what a lambda registers stands in parentheses behind the call that has it."""
    text = ""
    level = 0
    outermost = min((step.depth for step in steps), default=0)
    for step in steps:
        inner = step.depth - outermost
        if inner > level:
            text += " (" * (inner - level)
        elif text:
            text += f"{')' * (level - inner)} → "
        text += step.type or step.name
        level = inner
    return text.lstrip() + ")" * level


def _configuration(source: Source) -> Section:
    facts = source.facts.of(FactKind.CONFIG)
    spelt = _spellings(each.value for each in facts)
    keys: dict[str, dict[str, None]] = {}
    for each in facts:
        keys.setdefault(spelt[each.value.lower()], {})[_where(each.owner) or each.file_path] = None
    sections = _in_any_case(key.partition(":")[0] for key in keys)
    brief = [_counts(sections)] if keys else []
    full = [f"{key}  {_some(list(users), 4)}" for key, users in sorted(keys.items(), key=lambda pair: pair[0].lower())]
    return Section("configuration", f"Configuration: {counted(len(keys), 'key')}, by first section", brief, full)


def _retries(source: Source) -> Section:
    facts = source.facts.of(FactKind.RETRY_POLICY)
    brief = [_counts(Counter(f"{each.value} ({each.metadata})" for each in facts))] if facts else []
    return Section("retries", f"Retries and limits: {len(facts)}", brief, _placed(facts))


def _exceptions(source: Source) -> Section:
    facts = [each for each in source.facts.of(FactKind.EXCEPTION) if each.metadata != _DOCUMENTED]
    types = Counter(each.value for each in facts)
    brief = [_counts(types)] if facts else []
    full = [f"{count}  {name}" for name, count in sorted(types.items(), key=lambda pair: (-pair[1], pair[0]))]
    return Section(
        "exceptions", f"Exceptions: {counted(len(facts), 'throw')} of {counted(len(types), 'type')}", brief, full
    )


class _Log(Struct):
    framework: str = ""
    level: str = ""


def _logging(source: Source) -> Section:
    facts = source.facts.of(FactKind.LOG)
    said = [each.said(_Log) for each in facts]
    frameworks = _counts(Counter(each.framework for each in said))
    brief = [f"{frameworks}; {_counts(Counter(each.level for each in said))}"] if facts else []
    full = [row(each.metadata, each.value, f"{each.file_path}:{each.line}") for each in facts]
    return Section("logging", f"Logging: {counted(len(facts), 'call')}", brief, full)


def _authorization(source: Source) -> Section:
    facts = source.facts.of(AUTHORIZE)
    brief = [_counts(Counter(each.value for each in facts))] if facts else []
    return Section("authorization", f"Authorization: {counted(len(facts), 'requirement')}", brief, _placed(facts))


def _others(source: Source) -> Section:
    """Kinds that further plug-ins found."""
    found = source.facts.of_others((*_KINDS, CATCH))
    brief = [
        f"{kind.replace('_', ' ')} {len(facts)}: {_some(list(dict.fromkeys(each.value for each in facts)), 4)}"
        for kind, facts in found.items()
    ]
    full = [f"{kind}  {each}" for kind, facts in found.items() for each in _placed(facts)]
    return Section("other_facts", f"Further facts: {counted(len(found), 'kind')}", brief, full)


# What was not seen


def _unseen(source: Source) -> Section:
    reader = source.snapshot.reader
    rows = []
    missing = [kind.replace("_", " ") for kind in _KINDS if kind not in source.facts.kinds]
    if missing:
        rows.append(
            f"no facts of these kinds, because the code has none or none that is recognised: {', '.join(missing)}"
        )
    suffixes = Counter(suffix for path in reader.file_paths() if (suffix := suffix_of(path)))
    silent = {
        suffix: count for suffix, count in suffixes.items() if suffix not in source.facts.suffixes and count > _SELDOM
    }
    if silent:
        rows.append(f"files without facts: {_counts(Counter(silent), _SUFFIXES_NAMED)}")
    unresolved = sum(reader.count_unresolved_by_reason().values())
    total = reader.info.reference_count
    if unresolved and total:
        rows.append(f"{counted(unresolved, 'reference')} of {total:,} could not be resolved")
    statuses = reader.count_documents()
    failed = sum(
        statuses.get(each, 0) for each in (DocumentStatus.FALLBACK, DocumentStatus.FAILED, DocumentStatus.SKIPPED)
    )
    if failed:
        rows.append(f"{counted(failed, 'file')} could not be read whole: repo.status")
    rows.append("what is wired by reflection, by scanning assemblies or outside the repository")
    return Section("not_seen", "Not seen", rows, rows, is_always=True)


def _placed(facts: Iterable[ProductionFact]) -> list[str]:
    return [
        row(each.value, each.metadata, _where(each.owner), f"{each.file_path}:{each.line}")
        for each in sorted(facts, key=lambda each: (each.value, each.file_path, each.line))
    ]


def _where(owner: str) -> str:
    """An owner by its short name; empty for none, ``Program`` for top-level statements."""
    return short_name(owner).removesuffix(_MAIN) if owner else ""


def _some(names: Sequence[str], count: int) -> str:
    """``a, b, c +4``."""
    return ", ".join(names[:count]) + _more(len(names) - count)


def _more(left: int) -> str:
    return f" +{left}" if left > 0 else ""


def _counts(counts: Mapping[str, int], shown: int = _NAMES) -> str:
    """``GET 20, POST 4, PUT +2``, most frequent first; once is not said."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return _some([f"{name or '(none)'} {count}" if count > 1 else name or "(none)" for name, count in ordered], shown)


def _spellings(names: Iterable[str]) -> dict[str, str]:
    """By a name in lower case, its most frequent spelling: routes and keys are the same in any case."""
    return {name.lower(): name for name, _ in reversed(Counter(names).most_common())}


def _in_any_case(names: Iterable[str]) -> Counter[str]:
    """Names that differ in case alone count as one."""
    listed = list(names)
    spelt = _spellings(listed)
    return Counter(spelt[name.lower()] for name in listed)


SECTIONS: Final[dict[str, Callable[[Source], Section]]] = {
    "projects": _projects,
    "entry_points": _entry_points,
    "data": _data,
    "messages": _messages,
    "registrations": _registrations,
    "middleware": _middleware,
    "configuration": _configuration,
    "retries": _retries,
    "exceptions": _exceptions,
    "logging": _logging,
    "authorization": _authorization,
    "other_facts": _others,
    "not_seen": _unseen,
}
"""By key, in the order of the page."""
