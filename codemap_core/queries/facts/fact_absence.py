"""Why a list of facts is empty: nobody looks for them, the index is older than who does, a filter hides them, or there are none."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import FactSources
from codemap_core.model.document import EXTRACTOR_FAILED
from codemap_core.queries.facts.fact_listing import FactQuestion, count_of
from codemap_core.queries.names.filter_values import unknown_paths
from codemap_core.queries.plain_lines import clipped
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.absence import Absence, Reason
from codemap_core.storage.files.provenance import plugins_of


def known_kind(snapshot: Snapshot, asked: str, sources: FactSources) -> str:
    """The kind that is meant: its name or its title, case ignored. Raises: InvalidArgumentError with the kinds there are."""
    wanted = asked.strip().lower()
    totals = snapshot.reader.fact_pages.totals
    names = {kind: kind for kind in (*totals, *(each.kind for each in sources.kinds))}
    by_title = {each.title.lower(): each.kind for each in sources.kinds}
    found = names.get(wanted.replace(" ", "_")) or by_title.get(wanted)
    if found is not None:
        return found
    from difflib import get_close_matches

    near = get_close_matches(wanted, [*names, *by_title], n=1)
    hint = f" Did you mean {by_title.get(near[0], near[0])!r}?" if near else ""
    there_are = ", ".join(sorted(kind for kind in names if kind in totals)) or ", ".join(sorted(names))
    raise InvalidArgumentError(f"There are no facts of kind {clipped(asked)!r}.{hint} Kinds: {there_are}.", kind=asked)


def why_none(snapshot: Snapshot, question: FactQuestion, sources: FactSources) -> Absence:
    """Of a question that nothing answers."""
    if question.kind not in snapshot.reader.fact_pages.totals:
        return _why_no_kind(snapshot, question.kind, sources)
    unknown = unknown_paths(snapshot, question.path)
    for each in _FILTERS:
        value = getattr(question, each.field)
        without = 0 if value == each.default else count_of(snapshot, replace(question, **{each.field: each.default}))
        if without:
            return Absence(
                reason=Reason.FILTER,
                kind=question.kind,
                count=without,
                hidden_by=each.said.format(" or ".join(value) if isinstance(value, tuple) else value),
                unknown=unknown,
            )
    every = count_of(snapshot, FactQuestion(kind=question.kind))
    return Absence(reason=Reason.FILTERS, kind=question.kind, count=every, unknown=unknown)


class _Filter(Struct, frozen=True):
    """A field of a question that narrows it. ``said``: with its value, as the object of "without"."""

    field: str
    said: str
    default: str | tuple[str, ...] | bool | None = ""


_FILTERS: Final = (
    _Filter("text", "the filter {0!r}"),
    _Filter("verb", "the verb {0}"),
    _Filter("path", "the path {0!r}"),
    _Filter("project", "the project {0}"),
    _Filter("tests", "the choice between tests and other code", None),
    _Filter("marks", "the mark {0}", ()),
    _Filter("is_open", "the choice of open endpoints", False),
)


def _why_no_kind(snapshot: Snapshot, kind: str, sources: FactSources) -> Absence:
    source = sources.of(kind)
    if source is None or not source.plugins:
        blocked = (kind,) if kind in sources.left_out else sources.left_out
        return Absence(reason=Reason.NO_PLUGIN, kind=kind, plugins=blocked)
    took_part = plugins_of(snapshot.reader.info.fingerprint)
    missing = tuple(name for name in source.plugins if took_part is not None and name not in took_part)
    if missing:
        return Absence(reason=Reason.OLDER_INDEX, kind=kind, plugins=missing)
    return Absence(
        reason=Reason.NONE,
        kind=kind,
        plugins=source.plugins,
        file_count=snapshot.reader.info.file_count,
        failed_count=len(snapshot.reader.documents_with_problem([EXTRACTOR_FAILED])),
    )
