"""What a summary says of what cuts across a repository: registered services, middleware, configuration, retries, exceptions, logging and
authorization."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from codemap_core.model import DOCUMENTED, FactKind
from codemap_core.model.counting import counted
from codemap_core.queries.plain_lines import row
from codemap_core.queries.summary.rows import Section, Source, counts, in_any_case, more, placed, some, spellings, where

AUTHORIZE: Final = "authorize"
_PIPELINES: Final = 4
_STEPS: Final = 12
"""Pipelines, and steps of each, in the brief form."""


class _Registration(Struct):
    form: str = ""


def registrations(source: Source) -> Section:
    facts = source.facts.of(FactKind.DI_REGISTRATION)
    services: dict[str, set[str]] = {}
    for each in facts:
        service, _, implementation = each.value.partition(" → ")
        services.setdefault(service, set()).add(implementation)
    several = Counter({service: len(found) for service, found in services.items() if len(found) > 1})
    brief = [f"by project: {counts(Counter(source.short(each.project) for each in facts))}"] if facts else []
    if several:
        brief.append(f"with several implementations: {counts(several)}")
    full = [
        row(each.value, each.metadata.replace("|", " "), source.short(each.project), f"{each.file_path}:{each.line}")
        for each in sorted(facts, key=lambda each: (each.value, each.file_path, each.line))
    ]
    lifetimes = counts(Counter(each.metadata.partition("|")[0] for each in facts))
    return Section("registrations", f"Registered services: {len(facts)} ({lifetimes})", brief, full)


class _Middleware(Struct):
    name: str = ""
    position: int = 0
    depth: int = 0
    type: str = ""


def middleware(source: Source) -> Section:
    pipelines: dict[tuple[str, str], list[_Middleware]] = {}
    for each in source.facts.of(FactKind.MIDDLEWARE):
        pipelines.setdefault((each.project, each.owner), []).append(each.said(_Middleware))
    rows = []
    for (project, owner), steps in sorted(pipelines.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        ordered = sorted(steps, key=lambda each: each.position)
        rows.append((row(source.short(project), where(owner)), ordered))
    brief = [f"{where}: {_in_order(steps[:_STEPS])}{more(len(steps) - _STEPS)}" for where, steps in rows[:_PIPELINES]]
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


def configuration(source: Source) -> Section:
    facts = source.facts.of(FactKind.CONFIG)
    spelt = spellings(each.value for each in facts)
    keys: dict[str, dict[str, None]] = {}
    for each in facts:
        keys.setdefault(spelt[each.value.lower()], {})[where(each.owner) or each.file_path] = None
    sections = in_any_case(key.partition(":")[0] for key in keys)
    brief = [counts(sections)] if keys else []
    full = [f"{key}  {some(list(users), 4)}" for key, users in sorted(keys.items(), key=lambda pair: pair[0].lower())]
    return Section("configuration", f"Configuration: {counted(len(keys), 'key')}, by first section", brief, full)


def retries(source: Source) -> Section:
    facts = source.facts.of(FactKind.RETRY_POLICY)
    brief = [counts(Counter(f"{each.value} ({each.metadata})" for each in facts))] if facts else []
    return Section("retries", f"Retries and limits: {len(facts)}", brief, placed(facts))


def exceptions(source: Source) -> Section:
    facts = [each for each in source.facts.of(FactKind.EXCEPTION) if each.metadata != DOCUMENTED]
    types = Counter(each.value for each in facts)
    brief = [counts(types)] if facts else []
    full = [f"{count}  {name}" for name, count in sorted(types.items(), key=lambda pair: (-pair[1], pair[0]))]
    return Section(
        "exceptions", f"Exceptions: {counted(len(facts), 'throw')} of {counted(len(types), 'type')}", brief, full
    )


class _Log(Struct):
    framework: str = ""
    level: str = ""


def logging(source: Source) -> Section:
    facts = source.facts.of(FactKind.LOG)
    said = [each.said(_Log) for each in facts]
    frameworks = counts(Counter(each.framework for each in said))
    brief = [f"{frameworks}; {counts(Counter(each.level for each in said))}"] if facts else []
    full = [row(each.metadata, each.value, f"{each.file_path}:{each.line}") for each in facts]
    return Section("logging", f"Logging: {counted(len(facts), 'call')}", brief, full)


def authorization(source: Source) -> Section:
    facts = source.facts.of(AUTHORIZE)
    brief = [counts(Counter(each.value for each in facts))] if facts else []
    return Section("authorization", f"Authorization: {counted(len(facts), 'requirement')}", brief, placed(facts))
