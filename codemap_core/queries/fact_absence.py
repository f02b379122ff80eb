"""Why a list of facts is empty: nobody looks for them, the index is older than who does, a filter hides them, or there are none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.extractors import FactSources
from codemap_core.model.counting import counted
from codemap_core.model.document import EXTRACTOR_FAILED
from codemap_core.queries.fact_listing import FactQuestion, matching
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.provenance import plugins_of


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
    raise InvalidArgumentError(f"There are no facts of kind {asked!r}.{hint} Kinds: {there_are}.", kind=asked)


def why_none(snapshot: Snapshot, question: FactQuestion, sources: FactSources) -> str:
    """The sentences of an empty answer."""
    if question.kind in snapshot.reader.fact_pages.totals:
        return " ".join(_without_filters(snapshot, question))
    return " ".join(_why_no_kind(snapshot, question.kind, sources))


def _without_filters(snapshot: Snapshot, question: FactQuestion) -> Iterator[str]:
    """What hides facts: a text that stands further on in them, one filter alone, or several together."""
    given = [each for each in _FILTERS if getattr(question, each.field) != each.default]
    yield f"None passes the {'filter' if len(given) == 1 else 'filters'}."
    text = question.text.strip()
    if text and "*" not in text:
        inside = len(matching(snapshot, replace(question, text=f"*{text}*")))
        if inside:
            has = "has" if inside == 1 else "have"
            yield f"{inside:,} {has} {text!r} further on: write '*{text}*'."
            return
    for each in given:
        without = len(matching(snapshot, replace(question, **{each.field: each.default})))
        if without:
            yield f"Without {each.said.format(getattr(question, each.field))}: {without:,}."
            return
    yield f"Without any filter: {snapshot.reader.fact_pages.totals[question.kind].count:,}."


class _Filter(Struct, frozen=True):
    """A field of a question that narrows it. ``said``: with its value, as the object of "without"."""

    field: str
    said: str
    default: str | None = ""


_FILTERS: Final = (
    _Filter("text", "the filter {0!r}"),
    _Filter("verb", "the verb {0}"),
    _Filter("path", "the path {0!r}"),
    _Filter("project", "the project {0}"),
    _Filter("tests", "the choice between tests and other code", None),
)


def _why_no_kind(snapshot: Snapshot, kind: str, sources: FactSources) -> Iterator[str]:
    source = sources.of(kind)
    if source is None or not source.plugins:
        yield f"No plug-in finds facts of kind {kind}."
        if kind in sources.left_out:
            yield f"The plug-in {kind} is blocked by CODEMAP_BLOCK_PLUGINS."
        elif sources.left_out:
            yield f"Blocked by CODEMAP_BLOCK_PLUGINS: {', '.join(sources.left_out)}."
        return
    took_part = plugins_of(snapshot.reader.info.fingerprint)
    missing = [name for name in source.plugins if took_part is not None and name not in took_part]
    if missing:
        without = ", ".join(missing)
        yield f"The index was made without the plug-in {without}: call index.ensure_baseline to build it again."
        return
    files = counted(snapshot.reader.info.file_count, "file")
    yield f"{', '.join(source.plugins)} found none in {files}."
    failed = len(snapshot.reader.documents_with_problem([EXTRACTOR_FAILED]))
    if failed:
        yield f"On {counted(failed, 'file')} an extractor failed: repo.status."
