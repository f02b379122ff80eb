"""Demands of attributes on types and methods, those of components among them, and of directives in pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence, FactRow
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, TypeForm
from codemap_core.model.documentation_id import is_type_id
from codemap_plugins.aspnet.attribute_classes import (
    AttributeClasses,
    AttributeUse,
    PassedOn,
    is_attribute_class,
    passed_on,
    uses,
    written_use,
)
from codemap_plugins.aspnet.guards import DEMANDS, FILTER, GUARDS, demands_in_razor, demands_of
from codemap_plugins.authorize.guarded import Place, demand_row, display_name

_IMPORTS: Final = "_Imports.razor"
FILES: Final = ("*.cshtml", f"*{_IMPORTS}")
ATTRIBUTE_BASES: Final = (
    *("AuthorizeAttribute", "AllowAnonymousAttribute", "IAuthorizeData", "IAllowAnonymous"),
    *("TypeFilterAttribute", "ServiceFilterAttribute"),
)
"""What attribute classes derive from whose constructors are followed."""
FILTERED: Final = ("ControllerBase", "PageModel", "Controller", "ApiController")
"""Base classes of types on which filters stand, which may be attributes under any name; the last two from before ASP.NET Core."""
ATTRIBUTE: Final = "attribute"
PASSED_ON: Final = "passed_on"
"""Topics of notes."""


class AttributeNote(Struct, frozen=True, array_like=True):
    """An attribute that may demand something. ``guarded``: the id of the declaration that carries it."""

    place: Place
    guarded: str
    use: AttributeUse
    written: str = ""
    """An attribute class of the repository's own, with what it is given."""


def attribute_notes(seen: Seen) -> Iterator[Note]:
    members: dict[str, list[BoundDeclaration]] = {}
    for each in seen.declarations:
        if each.container_id is not None and not is_type_id(each.symbol_id):
            members.setdefault(each.container_id, []).append(each)
    for each in seen.declarations:
        if is_type_id(each.symbol_id) and is_attribute_class(each, GUARDS):
            for passed in passed_on(seen, each, members.get(each.symbol_id, ()), GUARDS, DEMANDS):
                yield Note(PASSED_ON, seen.file_path, each.line_start, note_data(passed))
        for attribute in each.attributes:
            for use in uses(seen, (attribute,), GUARDS):
                confidence = Confidence.HIGH if use.is_bound else Confidence.LOW
                last = attribute.line_end or attribute.line
                place = Place(seen.file_path, attribute.line, attribute.line, last, each.symbol_id, confidence)
                data = AttributeNote(place, each.symbol_id, use, _written(seen, attribute))
                yield Note(ATTRIBUTE, seen.file_path, attribute.line, note_data(data))


def _written(seen: Seen, attribute: BoundAttribute) -> str:
    """Empty for an attribute of the framework."""
    is_known = attribute.type.id in GUARDS or attribute.type.form is TypeForm.UNRESOLVED
    return "" if is_known else written_use(seen, attribute)


def attribute_rows(notes: Iterable[Note]) -> Iterator[FactRow]:
    every = list(notes)
    classes = AttributeClasses(read_note_data(each.data, PassedOn) for each in every if each.topic == PASSED_ON)
    for note in every:
        if note.topic == ATTRIBUTE:
            data = read_note_data(note.data, AttributeNote)
            for demand in demands_of(classes.said(data.use)):
                name = display_name(data.guarded)
                written = "" if demand.startswith(f"{FILTER}:") else data.written
                yield demand_row(data.place, demand, name, data.guarded, attribute=written)


def razor_rows(seen: Seen) -> Iterator[FactRow]:
    """Of a page, which is called by its file, and of what the components of a folder and those below import (``Pages/Admin/*``)."""
    folder, _, name = seen.file_path.rpartition("/")
    if seen.text is None or not (name == _IMPORTS or name.endswith(".cshtml")):
        return
    text = seen.text
    guarded = f"{folder}/*".lstrip("/") if name == _IMPORTS else name
    for offset, demand in demands_in_razor(text):
        line = text.count("\n", 0, offset) + 1
        yield demand_row(Place(seen.file_path, line, line, line), demand, guarded)
