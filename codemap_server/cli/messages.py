"""The messages of a command beside its results: its own sentences, which name its options, made from typed answers and typed errors.

A tool's sentences speak to whoever called the tool, of its arguments; none of them is shown by a command.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemap_core.errors import (
    AmbiguousError,
    CodeMapError,
    IndexNotAvailableError,
    InvalidArgumentError,
    NotFoundError,
    OutsideRepositoryError,
)
from codemap_core.model.counting import counted

if TYPE_CHECKING:
    from codemap_core.queries.names.symbol_candidates import Candidate

_NARROW = "Say which: write its parameter types, as Order.Pay(int), or copy its id; or narrow it with "


def shown_of(shown: int, offset: int, total: int, *, at_least: bool = False) -> str:
    """Which part is shown, and how to see the rest; empty when all is."""
    if shown == total and not offset and not at_least:
        return ""
    if not shown:
        return f"There is nothing after the first {offset:,}." if total else ""
    part = f"Shown: {offset + 1:,}–{offset + shown:,}"
    return f"{part}; --all shows all." if offset + shown < total or at_least else f"{part}."


def in_words(error: CodeMapError, filters: Sequence[str]) -> str:
    """An error for people at a shell. ``filters``: options of the command that narrow what a name means."""
    if isinstance(error, InvalidArgumentError) and str(error.details.get("symbol_id", "")).startswith("T:"):
        return _not_callable(error.details["symbol_id"])
    candidates = _candidates(error.details.get("candidates", ()))
    name = error.details.get("name", "")
    if isinstance(error, AmbiguousError) and candidates:
        if len({each.symbol_id for each in candidates}) == 1:
            hint = "Say which with --project." if "--project" in filters else ""
            return "\n".join((f"{name!r} is declared by several projects:", *_projects_of(candidates), hint)).rstrip()
        hint = f"{_NARROW}{_listed(filters)}." if filters else ""
        return "\n".join((f"{name!r} may mean:", *table_of(candidates), hint)).rstrip()
    if isinstance(error, NotFoundError) and name and "candidates" in error.details:
        if "hidden_by" in error.details:
            return str(error.details["hidden_by"])
        if "namespace" in error.details:
            return (
                f"{name!r} is a namespace, not a symbol. Run: codemap search --namespace {error.details['namespace']}"
            )
        filtered = " with these filters" if error.details.get("is_filtered") else ""
        without = error.details.get("without_member")
        because = f": {without} declares no such member" if without else ""
        unresolved = _unresolved(error.details.get("unresolved_count", 0), name)
        none = f"There is no symbol {name!r}{filtered}{because}.{unresolved}"
        if candidates:
            return "\n".join((f"{none} Similar:", *table_of(candidates)))
        return (
            error.message
            if ":" in name and not error.details.get("unresolved_count")
            else f"{none} Look for a part of it: codemap search"
        )
    if isinstance(error, OutsideRepositoryError):
        return f"{error.details['path']} is not in a git repository. Name one with --repo PATH, or make one: git init, git add, git commit."
    if isinstance(error, IndexNotAvailableError) and "commit_sha" in error.details:
        return _not_indexed(error.details)
    if error.details.get("route_count") and not error.details.get("candidates"):
        return f"{error.message} Run: codemap endpoints"
    if error.details.keys() & {"route", "entry_point"}:
        return "\n".join((error.message, *(f"  {each}" for each in error.details.get("candidates", ()))))
    return error.message


def _unresolved(count: int, name: str) -> str:
    """Says that something of that name is used; a name in several parts is used by its last."""
    if not count:
        return ""
    spelt = re.split(r"[.+:]", name.partition("(")[0].partition("<")[0])[-1]
    noun = counted(count, "reference of that name", "references of that name")
    return f" {noun} could not be resolved: codemap grep -w {spelt}."


def _not_indexed(details: Mapping[str, Any]) -> str:
    root = str(details.get("repo_path", ""))
    here = not root or Path.cwd() == Path(root)
    command = shlex.join(["codemap", "index", *([] if here else [root]), "--commit", details["commit_sha"][:12]])
    said = [f"Commit {details['commit_sha'][:12]} is not indexed."]
    if details.get("indexed_parts"):
        said.append(f"Of it only {', '.join(details['indexed_parts'])} is.")
    said.append(f"Run: {command}, or pass --auto-index.")
    nearest = details.get("nearest_indexed")
    if nearest:
        before = counted(nearest["commits_before"], "commit")
        said.append(f"--commit {nearest['commit_sha'][:12]} is indexed, {before} before it.")
    return " ".join(said)


def _projects_of(candidates: Sequence[Candidate]) -> list[str]:
    return [f"  {number:>2}  {each.project}  {each.file_path}:{each.line}" for number, each in enumerate(candidates, 1)]


def _not_callable(type_id: str) -> str:
    from codemap_core.queries.plain_lines import short_name

    name = short_name(type_id)
    return (
        f"{name} is a type, and types are not called. codemap refs {name} --kind type,instantiate shows where it is used, "
        f"codemap hierarchy {name} what derives from it."
    )


def table_of(candidates: Sequence[Candidate]) -> list[str]:
    """``1  method  Shop.Order.Pay(int)  src/Order.cs:42``, then the id."""
    rows = [(f"{number}", each.kind.value if each.kind else "type", each) for number, each in enumerate(candidates, 1)]
    width = max(len(kind) for _, kind, _ in rows)
    lines = []
    for number, kind, each in rows:
        place = f"{each.file_path}:{each.line}" if each.file_path else "library"
        lines.append(f"  {number:>2}  {kind:<{width}}  {each.display}  {place}")
        lines.append(f"      {'':<{width}}  {each.symbol_id}")
    return lines


def _candidates(given: Sequence[Any]) -> list[Candidate]:
    if not given:  # Ctrl-C may have broken off the very import below, which cannot be tried again in this process
        return []
    from codemap_core.queries.names.symbol_candidates import Candidate

    return [each for each in given if isinstance(each, Candidate)]


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def kinds_said(kinds: Mapping[Any, int]) -> str:
    """``14 write, 3 read``: the most frequent first."""
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {kind}" for kind, count in ordered)
