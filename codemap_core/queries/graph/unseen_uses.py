"""What may use a symbol and is not bound, as it is told beside an answer: where nothing bound uses it, and beside what does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from codemap_core.model import SymbolKind, SymbolRow, Visibility
from codemap_core.model.counting import counted
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.spelt_names import other_texts_naming, unbound_code_naming

NOT_SEEN: Final = "reflection, markup, generated code and code that #if leaves out are not seen"
_SHOWN: Final = 3
_LINES_SHOWN: Final = 3
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")
_COMMON: Final = 20
"""A word that more files have says nothing of any of them."""
_READ: Final = 3 * _COMMON
"""Files that are read at most to see how a name is written in them: words are found in whatever case."""


def other_files_said(snapshot: Snapshot, symbol: SymbolRow | None) -> str:
    """The files of other languages, such as views, whose text has the name of a declaration, in whatever case, with the lines that have it
    as it is written. Empty where there are none."""
    found = other_texts_naming(snapshot.reader, symbol) if symbol is not None else []
    if symbol is None or not found:
        return ""
    count = counted(len(found), "file")
    if len(found) > _COMMON:
        return f"Its name is a word in {count} of other languages."
    texts = snapshot.reader.file_texts(found[:_SHOWN])
    lines = [(path, _lines_said(symbol.name, texts.get(path, ""))) for path in found[:_SHOWN]]
    shown = ", ".join(f"{path}:{said}" if said else path for path, said in lines)
    return f"Its name is a word in {count} of other languages: {shown}{', …' if len(found) > _SHOWN else ''}."


def unbound_files_said(snapshot: Snapshot, symbol: SymbolRow | None) -> str:
    """The views, and the files of other languages of .NET, that may use a declaration: they are in a project that sees it and have its
    name, on these lines. Of a private member only those beside its file. Empty where there are none, or too many to mean anything."""
    if symbol is None or symbol.kind is SymbolKind.CONSTRUCTOR or not _IDENTIFIER.fullmatch(symbol.name):
        return ""
    named = unbound_code_naming(snapshot.reader, symbol.name)
    if not named:
        return ""
    if symbol.visibility is Visibility.PRIVATE:
        parts = (symbol.file_path, *(each.file_path for each in symbol.other_parts))
        found = [path for path in named if any(part.startswith(path) for part in parts)]
    else:
        seen_by = snapshot.kept(_Visibility)
        found = [path for path in named if seen_by.may_see(path, symbol.project)]
    texts = snapshot.reader.file_texts(found) if len(found) <= _READ else {}
    places = [f"{path}:{lines}" for path in found if (lines := _lines_said(symbol.name, texts.get(path, "")))]
    if not places or len(places) > _COMMON:
        return ""
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    are = "is" if len(places) == 1 else "are"
    return f"Its name is a word in {counted(len(places), 'file')} that {are} not bound: {', '.join(places[:_SHOWN])}{more}."


def _lines_said(name: str, text: str) -> str:
    """``12,40``: the first lines that have a name as a word; empty where none has it as it is written."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    lines = [number for number, line in enumerate(split_lines(text), 1) if word.search(line)]
    return ",".join(map(str, lines[:_LINES_SHOWN])) + (",…" if len(lines) > _LINES_SHOWN else "")


class _Visibility:
    """Which files lie in projects that see others."""

    def __init__(self, snapshot: Snapshot) -> None:
        projects = snapshot.reader.projects()
        self._references: Final = {
            each.project_path: (*each.project_references, *each.package_projects) for each in projects
        }
        self._by_folder: Final[dict[str, list[str]]] = {}
        for each in projects:
            self._by_folder.setdefault(each.project_path.rpartition("/")[0], []).append(each.project_path)
        self._seen: Final[dict[str, AbstractSet[str]]] = {}

    def may_see(self, path: str, project: str) -> bool:
        """Whether a project in the innermost folder that holds the file, of those with projects, is or references that project; a file
        in no such folder may see all."""
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self._by_folder:
                return any(project in self._seen_by(each) for each in self._by_folder[folder])
        return True

    def _seen_by(self, project: str) -> AbstractSet[str]:
        if project not in self._seen:
            self._seen[project] = _reachable(project, self._references)
        return self._seen[project]


def _reachable(project: str, references: Mapping[str, tuple[str, ...]]) -> AbstractSet[str]:
    found = {project}
    pending = [project]
    while pending:
        further = [each for each in references.get(pending.pop(), ()) if each not in found]
        found.update(further)
        pending += further
    return found
