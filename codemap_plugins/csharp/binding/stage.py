"""The bind stage over one symbol table: bound documents, file by file, and what several of them share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from codemap_core.hooks.contracts import UnitKey
from codemap_core.hooks.interests import Interests
from codemap_core.hooks.matching import Wanted
from codemap_core.model.bound import BoundDocument, BoundType, Constant, Value
from codemap_core.model.reference import PackedReferences
from codemap_plugins.csharp.binding.assembly import Assembly
from codemap_plugins.csharp.binding.bound_declarations import Declarations
from codemap_plugins.csharp.binding.bound_document import Kept, Surroundings, Walked
from codemap_plugins.csharp.binding.constant_members import ConstantMembers
from codemap_plugins.csharp.binding.context import BindContext
from codemap_plugins.csharp.binding.document import DocumentBinding
from codemap_plugins.csharp.binding.member_table import MemberTable
from codemap_plugins.csharp.binding.members import CONSTRUCTOR_NAME, Member
from codemap_plugins.csharp.binding.mentions import Mentions
from codemap_plugins.csharp.binding.reference_rows import ReferenceRows
from codemap_plugins.csharp.binding.settled_members import Reads, SettledMembers
from codemap_plugins.csharp.page_names import UNLISTED
from codemap_plugins.csharp.symbols.alternatives import alternative_key
from codemap_plugins.csharp.symbols.base_lists import relations
from codemap_plugins.csharp.symbols.definitions import DeclaringDocument, SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.project_scope import ProjectScope
from codemap_plugins.csharp.symbols.rows import SymbolRows
from codemap_plugins.csharp.symbols.scopes import Document
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.unit import RootRole, decode_roots, encoded_bodies

_KEPT_ROOTS: Final = 8
"""Documents whose lowered declarations stay decoded: the one being bound, and those whose members it reads."""
MEMBERS_REMEMBERED: Final = 40_000
"""With all that was found about them, these take about 100 MB."""


class CSharpBinding:
    """The bind stage over one symbol table. ``members``, ``constants`` and ``settled`` are replaced between files."""

    def __init__(self, table: SymbolTable, rows: SymbolRows, remembered: int = MEMBERS_REMEMBERED) -> None:
        """``remembered``: how many declared members are remembered from file to file before all are forgotten."""
        self.table: Final = table
        self.rows: Final = rows
        self._remembered: Final = remembered
        self._roots: dict[UnitKey, list[list[list[Any]]]] = {}
        self._start_anew()

    def _start_anew(self) -> None:
        table = self.table
        self.members = MemberTable(table, self.rows)
        self.constants = ConstantMembers(table, self.members, self._initial_constant)
        self.settled = SettledMembers(table, Reads(self._roots_of_part, self._initial, self._returned, self._assigned))
        self._projects: dict[ProjectScope, BindContext] = {}
        self._mentions: dict[ProjectScope, Mentions] = {}
        self._wanted: Wanted | None = None

    def _forget_much(self) -> None:
        """Between two files: what is known of members is dropped where it has become much, and whatever refers to a member with it, as a
        member is known by its identity. Most of it belongs to files that are done; the rest is found again."""
        if self.members.made > self._remembered:
            for context in self._projects.values():
                context.forget()
            self.members.forget()
            self._start_anew()

    def project(self, scope: ProjectScope) -> BindContext:
        known = self._projects.get(scope)
        if known is None:
            known = self._projects[scope] = BindContext(self.members, scope)
        return known

    def roots_of(self, document: DeclaringDocument) -> list[list[list[Any]]]:
        """The lowered declarations of a document; those that were used last are kept."""
        key = document.key
        roots = self._roots.pop(key, None)
        if roots is None:
            roots = decode_roots(encoded_bodies(self.table.unit(key)))
            if len(self._roots) >= _KEPT_ROOTS:
                del self._roots[next(iter(self._roots))]
        self._roots[key] = roots
        return roots

    def _roots_of_part(self, part: TypePart) -> list[list[list[Any]]]:
        return self.roots_of(part.document)

    def bases_of(self, key: UnitKey, type_id: str) -> tuple[str, ...]:
        """Base classes and interfaces of a type as the file's project sees it, by id."""
        return self.project(self.table.documents[key].project).ancestry.of(type_id)

    def interfaces_of(self, key: UnitKey, type_: BoundType) -> tuple[BoundType, ...]:
        """Interfaces of a type as the file's project sees it, with their type arguments."""
        return self.project(self.table.documents[key].project).ancestry.interfaces(type_)

    def bind(self, key: UnitKey, interests: Interests) -> BoundDocument:
        """The file bound, with what ``interests`` ask for."""
        self._forget_much()
        document = self.table.documents[key]
        bound = self._bound(key, document, interests)
        document.forget()  # others hardly look up anything in its scopes
        return bound

    def _bound(self, key: UnitKey, document: Document, interests: Interests) -> BoundDocument:
        bases = tuple(relations(self.table, key))
        is_view = document.outline.page in UNLISTED
        if interests.is_empty or (is_view and not interests.unowned):
            rows = self._with_alternative(key, DocumentBinding(self, document).rows())
            return BoundDocument(
                file_path=key.file_path, project_path=key.project_path, references=rows, relations=bases
            )
        around = self._surroundings(document)
        made = Declarations(self.rows, self.project(document.project).hierarchy, around, self._kept_of, self._value_of)
        assembly = Assembly(self._mentions_of(document.project, interests), around, made, document.outline.attributes)
        rows = self._with_alternative(key, DocumentBinding(self, document, keep=assembly.add).rows())
        return BoundDocument(
            file_path=key.file_path,
            project_path=key.project_path,
            references=rows,
            relations=bases,
            declarations=() if is_view else tuple(assembly.declarations),
            events=tuple(assembly.events),
            regions=tuple(assembly.regions),
            attributes=tuple(assembly.attributes),
            is_unowned=is_view,
        )

    def _with_alternative(self, key: UnitKey, rows: ReferenceRows) -> PackedReferences:
        """The references of a file, and those in what its symbols leave out."""
        document = self.table.documents.get(alternative_key(key))
        if document is not None and document.outline.regions:
            DocumentBinding(self, document, rows=rows).rows()
            document.forget()
        return rows.packed()

    def _mentions_of(self, project: ProjectScope, interests: Interests) -> Mentions:
        """Those of the last interests are kept: a run has the same for all its files."""
        wanted = self._wanted
        if wanted is None or interests is not wanted.interests:
            wanted = self._wanted = Wanted(interests)
            self._mentions.clear()
        known = self._mentions.get(project)
        if known is None:
            known = self._mentions[project] = Mentions(wanted, self.project(project).hierarchy)
        return known

    def _value_of(self, kept: Kept, around: Surroundings) -> Value | None:
        value = self._initial_value(kept, around)
        member = self.members.declared(kept.part, kept.index) if kept.part is not None else None
        constant = self.constants.of(member) if member is not None else None
        if constant is None:
            return value
        return replace(value, constant=constant) if value is not None else Value(constant=constant)

    def _kept_of(self, part: TypePart, index: int) -> Kept | None:
        """What is kept of a type's header, as one of its parts declares it, or of a member of that part."""
        found: list[Kept] = []
        binding = DocumentBinding(self, self.table.document_of(part), keep=found.append)
        definition = part.document.definitions[part.index]
        if index < 0:
            binding.keep_type(definition, part)
        else:
            binding.keep_member(definition, part, index)
        return found.pop() if found else None

    def _surroundings(self, document: Document) -> Surroundings:
        return Surroundings(
            self.table.lines_of(document),
            self.constants.of,
            self.settled.of,
            partial(self.project(document.project).hierarchy.system, "Exception"),
            self._constructors_of,
        )

    def _constructors_of(self, definition: SourceTypeDefinition) -> Sequence[Member]:
        return self.members.of(definition).get(CONSTRUCTOR_NAME, ())

    def _walked(self, part: TypePart, index: int) -> Walked | None:
        """A member of a document, bound alone."""
        kept = self._kept_of(part, index)
        return kept.walked(self._surroundings(self.table.document_of(part))) if kept is not None else None

    def _initial(self, part: TypePart, index: int) -> Value | None:
        """The value that a declaration of a document is initialised with."""
        kept = self._kept_of(part, index)
        return self._initial_value(kept, self._surroundings(self.table.document_of(part))) if kept is not None else None

    def _initial_constant(self, part: TypePart, index: int) -> Constant | None:
        value = self._initial(part, index)
        return value.constant if value is not None else None

    def _returned(self, part: TypePart, index: int) -> Sequence[Value]:
        walked = self._walked(part, index)
        return walked.returned() if walked is not None else ()

    def _assigned(self, part: TypePart, index: int, member_id: str) -> Sequence[Value]:
        walked = self._walked(part, index)
        return walked.assigned(member_id) if walked is not None else ()

    @staticmethod
    def _initial_value(kept: Kept, around: Surroundings) -> Value | None:
        initial = next((entry[2] for entry in kept.entries if entry[0] == RootRole.INITIALIZER and not entry[1]), None)
        return kept.walked(around).value(initial) if initial is not None else None
