"""Types that run by themselves: hosted services, and jobs that Quartz runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, SymbolKind
from codemap_core.model.bound import BoundDeclaration, BoundType, TypeForm
from codemap_plugins.handler.handlings import members_by_type

HOSTED: Final = "HostedService"
QUARTZ: Final = "Quartz"
HANGFIRE: Final = "Hangfire"
BASES: Final[Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    "BackgroundService": (HOSTED, "T:Microsoft.Extensions.Hosting.BackgroundService", ("ExecuteAsync",)),
    "IHostedService": (HOSTED, "T:Microsoft.Extensions.Hosting.IHostedService", ("StartAsync",)),
    "IJob": (QUARTZ, "T:Quartz.IJob", ("Execute",)),
}
"""By the simple name of a base type: the framework, its id, and the methods that run."""


class Job(Struct, frozen=True):
    """``method``: what runs, where the type declares it."""

    type_: BoundDeclaration
    method: BoundDeclaration | None
    framework: str
    confidence: Confidence


def jobs(seen: Seen) -> Iterator[Job]:
    members: Mapping[str, Sequence[BoundDeclaration]] | None = None
    for declaration in seen.declarations:
        if declaration.kind is not SymbolKind.CLASS or "abstract" in declaration.modifiers:
            continue
        base = next((each for each in declaration.all_bases if _is_job(each)), None)
        if base is None:
            continue
        framework, _, names = BASES[base.name]
        members = members_by_type(seen) if members is None else members
        own = members.get(declaration.symbol_id, ())
        method = next((each for each in own if each.name in names), None)
        if method is None and "partial" in declaration.modifiers and not declaration.bases:
            continue  # the part that names the base stands for the type
        is_found = base.form is TypeForm.NAMED
        yield Job(declaration, method, framework, Confidence.HIGH if is_found else Confidence.LOW)


def _is_job(base: BoundType) -> bool:
    known = BASES.get(base.name)
    return known is not None and (base.id == known[1] or base.form is TypeForm.UNRESOLVED)
