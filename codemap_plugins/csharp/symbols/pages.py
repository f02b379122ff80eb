"""What a page takes from the files of imports in its folder and those above: its namespace and its base class, unless it says its own;
their usings, and what they inject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec.structs import replace

from codemap_core.hooks.contracts import UnitKey
from codemap_plugins.csharp.page_names import (
    IMPORTING,
    MODEL,
    OF_RAZOR,
    PAGE_BASE,
    UNLISTED,
    PageKind,
    folders_below,
    imports_of,
    is_imports,
)
from codemap_plugins.csharp.symbols.definitions import TypePart
from codemap_plugins.csharp.symbols.file_members import FileMembers
from codemap_plugins.csharp.symbols.scopes import Document
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import Outline, TypeDeclaration, UsingDirective, decode_outline

_IDENTIFIER: Final = re.compile(r"@?[^\W\d]\w*")
_NO_NAMES: Final = frozenset({"global"})
_NOWHERE: Final = 0
"""An offset at which nothing of a page stands: its text begins with what is added."""


class Pages:
    """The pages among the documents of a table."""

    def __init__(self, documents: Mapping[UnitKey, Document]) -> None:
        self._documents: Final = documents

    def imports(self, key: UnitKey) -> Iterator[Document]:
        """The files of imports that count for a page, nearest first."""
        for path in imports_of(key.file_path):
            document = self._documents.get(UnitKey(key.project_path, path))
            if document is not None and document.key != key and document.outline.page is PageKind.IMPORTS:
                yield document

    def usings(self, key: UnitKey) -> Iterator[tuple[Document, int, UsingDirective]]:
        """Those of the files of imports, each with its number there."""
        for document in self.imports(key):
            yield from ((document, index, using) for index, using in enumerate(document.outline.scopes[0].usings))

    def outline(self, key: UnitKey, units: Mapping[UnitKey, bytes]) -> Outline:
        """That of a unit; of a page with what it imports."""
        outline = decode_outline(units[key])
        if outline.page not in IMPORTING:
            return outline
        found = ((path, units.get(UnitKey(key.project_path, path))) for path in imports_of(key.file_path))
        return with_imports(outline, key.file_path, ((path, decode_outline(unit)) for path, unit in found if unit))

    def add_imported(self, keys: Iterable[UnitKey]) -> None:
        """What pages are injected by their imports are members of theirs."""
        for key in keys:
            document = self._documents[key]
            if document.outline.page not in IMPORTING or not document.definitions:
                continue
            for imported in self.imports(key):
                for declaration in imported.outline.types[:1]:
                    document.definitions[0].add_part(TypePart(imported, 0, declaration))

    def below(self, changed: AbstractSet[UnitKey]) -> set[UnitKey]:
        """The pages that files of imports among these count for."""
        imports = {key for key in changed if is_imports(key.file_path)}
        if not imports:
            return imports
        return {
            key
            for key, document in self._documents.items()
            if document.outline.page in OF_RAZOR
            and any(UnitKey(key.project_path, path) in imports for path in imports_of(key.file_path))
        }


def unlisted(document: Document, members_of: Callable[[UnitKey], FileMembers]) -> tuple[str, ...]:
    """Qualified names of what a page refers to and nobody lists: the class of a view, what a component is injected by its imports."""
    if document.outline.page is PageKind.NONE or not document.definitions:
        return ()
    own = document.definitions[0]
    name = own.documentation_id.partition(":")[2]
    if document.outline.page in UNLISTED:
        return (name,)
    imported = [part for part in own.parts if part.document.outline.page is PageKind.IMPORTS]
    members = (members_of(part.document.key).of_type(part.index) for part in imported)
    return tuple(f"{name}.{member.name}" for found in members for _, member in found)


def with_imports(outline: Outline, path: str, imports: Iterable[tuple[str, Outline]]) -> Outline:
    """The outline of a page. ``imports``: paths and outlines, nearest first."""
    if outline.page not in IMPORTING or not outline.types:
        return outline
    scopes, types = outline.scopes, outline.types
    needs_namespace = len(scopes) == 2 and not _is_written(outline, scopes[1].name_offsets)
    needs_base = not _is_written(outline, types[0].bases[0].offsets if types[0].bases else ())
    for place, other in imports:
        if needs_namespace and len(other.scopes) > 1 and _is_written(other, other.scopes[1].name_offsets):
            name = ".".join(filter(None, (other.scopes[1].name, folders_below(path, place))))
            scopes, needs_namespace = (scopes[0], replace(scopes[1], name=name)), False
        if needs_base and other.types and other.types[0].bases:
            types, needs_base = (_based_on(types[0], other.types[0].bases[0]), *types[1:]), False
    if needs_base and types[0].bases and types[0].bases[0].text.startswith(f"{PAGE_BASE}<"):
        of_page = TypeSyntax(PAGE_BASE, types[0].bases[0].offsets[: _names_in(PAGE_BASE)])
        types = (replace(types[0], bases=(of_page, *types[0].bases[1:])), *types[1:])
    return replace(outline, scopes=scopes, types=types)


def _is_written(outline: Outline, offsets: Sequence[int]) -> bool:
    """The page says this name itself."""
    pieces = outline.lines.pieces
    return pieces is not None and bool(offsets) and pieces.origin(offsets[0]) >= 0


def _based_on(page: TypeDeclaration, base: TypeSyntax) -> TypeDeclaration:
    """The class of a page with another base class, in whose type arguments ``TModel`` is the page's own model."""
    model = _model(page.bases[0]) if page.bases else TypeSyntax("dynamic")
    text, offsets, at = "", list[int](), 0
    for name in _IDENTIFIER.finditer(base.text):
        text += base.text[at : name.start()]
        at = name.end()
        if name[0] == MODEL:
            text += model.text
            offsets += model.offsets
        else:
            text += name[0]
            offsets += [_NOWHERE] * (name[0] not in _NO_NAMES)
    syntax = TypeSyntax(text + base.text[at:], tuple(offsets))
    return replace(page, bases=(syntax, *page.bases[1:]))


def _model(base: TypeSyntax) -> TypeSyntax:
    """The type argument of the base class that the page has without imports."""
    before, _, rest = base.text.partition("<")
    model = rest.removesuffix(">") or "dynamic"
    return TypeSyntax(model, base.offsets[_names_in(before) :] or (_NOWHERE,) * _names_in(model))


def _names_in(text: str) -> int:
    return sum(name[0] not in _NO_NAMES for name in _IDENTIFIER.finditer(text))
