"""What may use a symbol and is not bound, as it is told beside an answer: where nothing bound uses it, and beside what does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final

from codemap_core.model import SymbolKind, SymbolRow, Visibility
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import parse_id
from codemap_core.model.project_folders import ProjectFolders
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.dispatch.related_projects import projects_below
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.spelt_names import bound_places, other_texts_naming, unbound_code_naming

NOT_SEEN: Final = "reflection and generated code are not seen"
_NONE: Final[frozenset[tuple[int, int]]] = frozenset()
_SHOWN: Final = 3
_LINES_SHOWN: Final = 3
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")
_COMMON: Final = 20
"""A word that more files have says nothing of any of them."""
_READ: Final = 3 * _COMMON
"""Files that are read at most to see how a name is written in them: words are found in whatever case."""


def other_files_said(snapshot: Snapshot, symbol: SymbolRow | None) -> str:
    """The files of other languages, such as XAML, whose text has the name of a declaration, in whatever case, with the lines that have it
    as it is written where no reference is. Empty where there are none."""
    found = other_texts_naming(snapshot.reader, symbol) if symbol is not None else []
    if symbol is None or not found:
        return ""
    own = [path for path in found if path in _parts(symbol)]
    if own:  # a page whose class it is, which may have the name for nothing else
        lines_of_own = _lines_in(snapshot, symbol, own, snapshot.reader.file_texts(own))
        silent = {path for path, said in zip(own, lines_of_own, strict=True) if not said}
        found = [path for path in found if path not in silent]
        if not found:
            return ""
    count = counted(len(found), "file")
    if len(found) > _COMMON:
        return f"Its name is a word in {count} of other languages."
    texts = snapshot.reader.file_texts(found[:_SHOWN])
    lines = [*zip(found[:_SHOWN], _lines_in(snapshot, symbol, found[:_SHOWN], texts), strict=True)]
    shown = ", ".join(f"{path}:{said}" if said else path for path, said in lines)
    return f"Its name is a word in {count} of other languages: {shown}{', …' if len(found) > _SHOWN else ''}."


def unbound_files_said(snapshot: Snapshot, symbol: SymbolRow | None) -> str:
    """The files of XAML, and of other languages of .NET, that may use a declaration: they are in a project that sees it and have its
    name, on these lines, where no reference is. Of a private member only those beside its file. Empty where there are none, or too many
    to mean anything."""
    if symbol is None or symbol.kind is SymbolKind.CONSTRUCTOR or not _IDENTIFIER.fullmatch(symbol.name):
        return ""
    named = unbound_code_naming(snapshot.reader, symbol.name)
    if not named:
        return ""
    if symbol.visibility is Visibility.PRIVATE:
        parts = (symbol.file_path, *(each.file_path for each in symbol.other_parts))
        found = [path for path in named if any(part.startswith(path) for part in parts)]
    else:
        found = _in_sight(snapshot, named, symbol.project)
    texts = snapshot.reader.file_texts(found) if len(found) <= _READ else {}
    said = zip(found, _lines_in(snapshot, symbol, found, texts), strict=True)
    places = [f"{path}:{lines}" for path, lines in said if lines]
    if not places or len(places) > _COMMON:
        return ""
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"Its name is a word in {counted(len(places), 'file')} where it is not bound: {', '.join(places[:_SHOWN])}{more}."


def unnamed_uses_said(snapshot: Snapshot, symbol: SymbolRow | None) -> str:
    """What uses a member without its name, so that no reference stands for it. Empty where nothing does."""
    if symbol is None or (symbol.is_static and symbol.kind is not SymbolKind.OPERATOR):
        return ""
    parsed = parse_id(symbol.symbol_id)
    for uses in snapshot.meanings.implied.unnamed_uses:
        if parsed.parts[-1].name in uses.names and (uses.with_parameters or not parsed.parameters):
            if uses.beside and not _has_member(snapshot, symbol.container_id, uses.beside):
                continue
            return f"Uses by {uses.by}, which do not name it, are not recorded."
    return ""


def _has_member(snapshot: Snapshot, type_id: str | None, names: Sequence[str]) -> bool:
    members = snapshot.reader.members_of(type_id) if type_id else ()
    return any(parse_id(each.symbol_id).parts[-1].name in names for each in members)


def _parts(symbol: SymbolRow) -> set[str]:
    """Paths of the files that declare it."""
    return {symbol.file_path, *(each.file_path for each in symbol.other_parts)}


def _lines_in(snapshot: Snapshot, symbol: SymbolRow, paths: Sequence[str], texts: Mapping[str, str]) -> list[str]:
    """For each file the lines that have the name of a declaration where no reference is, as ``_lines_said``. A file that declares a part of
    it has the name once for that."""
    bound = bound_places(snapshot.reader, texts)
    parts = _parts(symbol)
    return [
        _lines_said(symbol.name, texts.get(path, ""), bound.get(path, _NONE), declared=int(path in parts))
        for path in paths
    ]


def _lines_said(name: str, text: str, bound: AbstractSet[tuple[int, int]], declared: int) -> str:
    """``12,40``: the first lines that have a name as a word, where no reference is; empty where none has it as it is written.
    ``declared``: how many of these places are its declaration."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    places = [
        number
        for number, line in enumerate(split_lines(text), 1)
        for each in word.finditer(line)
        if (number, _column(line, each.start())) not in bound
    ]
    lines = [*dict.fromkeys(places[declared:])]
    return ",".join(map(str, lines[:_LINES_SHOWN])) + (",…" if len(lines) > _LINES_SHOWN else "")


def _column(line: str, at: int) -> int:
    """The 1-based column in UTF-16 units of a character."""
    return len(line[:at].encode("utf-16-le")) // 2 + 1


def _in_sight(snapshot: Snapshot, paths: Iterable[str], project: str) -> list[str]:
    """Those of the files whose projects are that one or reference it, over any number of steps; and those that no project is around."""
    edges = snapshot.reader.edges
    wanted = edges.project_numbers((project,))

    @cache
    def see(projects: tuple[str, ...]) -> bool:
        return not wanted.isdisjoint(projects_below(edges.project_references, edges.project_numbers(projects)))

    folders = ProjectFolders(snapshot.reader.project_names)
    return [path for path in paths if not (around := folders.around(path)) or see(around)]
