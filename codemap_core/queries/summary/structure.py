"""What a summary says of the shape of a repository: its projects in layers, and where requests and background work enter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from codemap_core.model import FactKind, Project
from codemap_core.model.counting import counted
from codemap_core.queries.facts.production_facts import ProductionFact
from codemap_core.queries.plain_lines import row
from codemap_core.queries.summary.project_layers import layered
from codemap_core.queries.summary.rows import NAMES, ROWS, Section, Source, counts, in_any_case, some, where
from codemap_core.storage.reading.fact_lookup import JOB

_HOSTED: Final = "HostedService"
_LAYER_ROWS: Final = 8
_ROOT: Final = "/"


def projects(source: Source) -> Section:
    found = layered(source.production)
    layers: dict[int, list[str]] = {}
    for each in found:
        layers.setdefault(each.layer, []).append(f"{source.short(each.project.name)}{_role(each.project)}")
    brief = [f"{layer}  {some(names, NAMES * 2)}" for layer, names in layers.items()]
    if len(brief) > _LAYER_ROWS:
        brief = [*brief[: _LAYER_ROWS - 1], f"… down to layer 0: {some(layers[0], NAMES)}"]
    tests = [source.short(each.name) for each in source.projects if each not in source.production]
    if tests:
        brief.append(f"tests  {counts(Counter(tests), NAMES)}")
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
    return " (exe)" if project.is_application else ""


class _Route(Struct):
    verb: str = ""
    handler: str = ""
    controller: str = ""


def entry_points(source: Source) -> Section:
    routes = source.facts.of(FactKind.ROUTE)
    verbs = Counter(each.value.partition(" ")[0] for each in routes)
    brief = [f"{counted(len(routes), 'route')}: {counts(verbs, len(verbs))}"] if routes else []
    by_project: dict[str, list[ProductionFact]] = {}
    for each in routes:
        by_project.setdefault(each.project, []).append(each)
    largest = sorted(by_project, key=lambda name: (-len(by_project[name]), name))
    brief += [f"  {source.short(name)} {len(by_project[name])}: {_areas(by_project[name])}" for name in largest[:ROWS]]
    if len(largest) > ROWS:
        brief.append(f"  … and {counted(len(largest) - ROWS, 'project')} more")
    full = [
        row(
            each.value,
            where(_handler(each)),
            source.short(each.project),
            f"{each.file_path}:{each.line}",
        )
        for each in sorted(routes, key=lambda each: (each.project, each.value.partition(" ")[2].lower(), each.value))
    ]
    services = _hosted_services(source)
    if services:
        brief.append(
            f"{counted(len(services), 'background service or job', 'background services and jobs')}: {some(services, NAMES)}"
        )
        full += [f"background: {each}" for each in services]
    return Section("entry_points", f"Entry points: {len(full):,}", brief, full)


def _handler(route: ProductionFact) -> str:
    """The member that answers, or the one around the lambda or local function that does."""
    handler = route.said(_Route).handler
    return handler if ":" in handler else route.owner


def _areas(routes: Iterable[ProductionFact]) -> str:
    """``/api/orders 8, /api/cards 2``: by the beginning of the template."""
    return counts(in_any_case(_area(each.value.partition(" ")[2]) for each in routes))


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
