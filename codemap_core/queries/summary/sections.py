"""The sections of a summary: each drawn from the facts and projects of an index, in brief and in full.

In brief, counts with examples in a few rows, as a part of the page; in full, one row for each item. Test projects are counted and
otherwise left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from codemap_core.model import CATCH, DocumentStatus, FactKind
from codemap_core.model.counting import counted
from codemap_core.queries.facts.production_facts import suffix_of
from codemap_core.queries.summary.concerns import (
    AUTHORIZE,
    authorization,
    configuration,
    exceptions,
    logging,
    middleware,
    registrations,
    retries,
)
from codemap_core.queries.summary.data import RELATION, data, messages
from codemap_core.queries.summary.rows import Section, Source, counts, placed, some
from codemap_core.queries.summary.structure import entry_points, projects
from codemap_core.queries.views.repository import left_out_said
from codemap_core.storage.reading.fact_lookup import HANDLER, JOB

_KINDS: Final = (*(kind.value for kind in FactKind), HANDLER, AUTHORIZE, JOB)
_SUFFIXES_NAMED: Final = 6
_SELDOM: Final = 2
"""Files of one suffix that are not worth a word."""


def _others(source: Source) -> Section:
    """Kinds that further plug-ins found."""
    found = source.facts.of_others((*_KINDS, CATCH, RELATION))
    brief = [
        f"{kind.replace('_', ' ')} {len(facts)}: {some(list(dict.fromkeys(each.value for each in facts)), 4)}"
        for kind, facts in found.items()
    ]
    full = [f"{kind}  {each}" for kind, facts in found.items() for each in placed(facts)]
    return Section("other_facts", f"Further facts: {counted(len(found), 'kind')}", brief, full)


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
        rows.append(f"files without facts: {counts(Counter(silent), _SUFFIXES_NAMED)}")
    unresolved = reader.count_unresolved()
    if unresolved.total or unresolved.left_out:
        more = left_out_said(unresolved.left_out, unresolved.left_out_files)
        said = f"{counted(unresolved.total, 'reference')} of {unresolved.reference_count:,} could not be resolved"
        rows.append("; ".join(filter(None, [said, more])))
    statuses = reader.count_documents()
    failed = sum(
        statuses.get(each, 0) for each in (DocumentStatus.FALLBACK, DocumentStatus.FAILED, DocumentStatus.SKIPPED)
    )
    if failed:
        rows.append(f"{counted(failed, 'file')} could not be read whole: repo.status")
    rows.append("what is wired by reflection, by scanning assemblies or outside the repository")
    return Section("not_seen", "Not seen", rows, rows, is_always=True)


SECTIONS: Final[dict[str, Callable[[Source], Section]]] = {
    "projects": projects,
    "entry_points": entry_points,
    "data": data,
    "messages": messages,
    "registrations": registrations,
    "middleware": middleware,
    "configuration": configuration,
    "retries": retries,
    "exceptions": exceptions,
    "logging": logging,
    "authorization": authorization,
    "other_facts": _others,
    "not_seen": _unseen,
}
"""By key, in the order of the page."""
