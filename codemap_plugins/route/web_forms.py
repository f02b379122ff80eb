"""Pages of ASP.NET Web Forms: a file ``.aspx`` answers requests for its path in its project, with the class behind it.

The class stands in the file of the same name with ``.cs`` added, and the ``Page`` directive names it (``Inherits``). A page whose class is
elsewhere is left out, as the project that it belongs to is not known.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence, FactRow
from codemap_core.model.documentation_id import is_type_id
from codemap_plugins.route.route_rows import Place, Source, route_row

FORM_FILES: Final = ("*.aspx",)
FORM_BASE: Final = "Page"
FORM: Final = "web_form"
FORM_CLASS: Final = "web_form_class"
"""Topics of notes."""
_SUFFIX: Final = ".aspx"
_CODE: Final = ".aspx.cs"
_DIRECTIVE: Final = re.compile(r"<%@\s*Page\b[^<>]*?(?:\bInherits\s*=\s*[\"']([\w.]+)|%>)", re.IGNORECASE)
_VERB: Final = "PAGE"


class FormClass(Struct, frozen=True, array_like=True):
    """The class behind a page. ``project``: path of the project that compiles it."""

    page: str
    id: str
    project: str


def form_notes(seen: Seen) -> Iterator[Note]:
    """Of a page its directive, of code the classes that stand behind pages."""
    if seen.text is not None and seen.file_path.endswith(_SUFFIX):
        found = _DIRECTIVE.search(seen.text)
        if found is not None:
            yield Note(FORM, seen.file_path, seen.text.count("\n", 0, found.start()) + 1, found[1] or "")
    elif seen.file_path.endswith(_CODE):
        for each in seen.declarations:
            if is_type_id(each.symbol_id) and any(base.name == FORM_BASE for base in each.all_bases):
                page = seen.file_path.removesuffix(".cs")
                said = FormClass(page, each.symbol_id, seen.document.project_path)
                yield Note(FORM_CLASS, seen.file_path, each.line, note_data(said))


def form_routes(notes: Iterable[Note]) -> Iterator[FactRow]:
    """The routes of pages whose class is known."""
    every = list(notes)
    behind: dict[str, list[FormClass]] = {}
    for note in every:
        if note.topic == FORM_CLASS:
            said = read_note_data(note.data, FormClass)
            behind.setdefault(said.page, []).append(said)
    for note in every:
        classes = behind.get(note.file_path, []) if note.topic == FORM else []
        named = [each for each in classes if each.id == f"T:{note.data}"]
        code = next(iter((*named, *classes)), None)
        if code is None or not code.project:
            continue
        folder = posixpath.dirname(code.project)
        before = f"{folder}/" if folder else ""
        if not note.file_path.startswith(before):
            continue
        yield route_row(
            Place(note.file_path, note.line, note.line, note.line),
            code.id,
            _VERB,
            note.file_path.removeprefix(before),
            Source.WEB_FORM,
            handler=code.id,
            confidence=Confidence.MEDIUM,
            beyond=True,
        )
