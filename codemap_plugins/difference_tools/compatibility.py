"""What a change of a C# library's public API breaks, by .NET's rules of compatibility (``rules``).

Judged from signatures, ids and base lists. Declared types are compared by stable id first, which says whether the types mean the same;
nullable annotations of reference types break nothing. What cannot be decided, such as a constant computed from another file, is compared
as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from codemap_core.model import Project, RelationKind, SymbolKind, SymbolRow, Visibility
from codemap_core.model.documentation_id import parse_id
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.difference.public_api import ACCESSIBLE, can_be_derived
from codemap_core.queries.difference.symbols import Sides
from codemap_core.queries.difference.views import Break
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_plugins.difference_tools.enumerations import enum_values
from codemap_plugins.difference_tools.members import member_breaks
from codemap_plugins.difference_tools.records import EQUATABLE, is_declared_by_record, is_of_another_kind
from codemap_plugins.difference_tools.rules import Rule
from codemap_plugins.difference_tools.signatures import Signature, has_body, parse_signature
from codemap_plugins.difference_tools.target_frameworks import lost_frameworks

_REACH: Final = {
    Visibility.PUBLIC: frozenset({"everybody", "derived"}),
    Visibility.PROTECTED_INTERNAL: frozenset({"derived"}),
    Visibility.PROTECTED: frozenset({"derived"}),
}
"""Who outside the assembly can name what is declared so."""
_NULLABLE: Final = re.compile(r"([\w.]+|[>\])])\?")
_VALUE_KINDS: Final = frozenset({SymbolKind.STRUCT, SymbolKind.ENUM})
_VALUE_TYPES: Final = frozenset(
    {
        *(
            "bool",
            "byte",
            "sbyte",
            "short",
            "ushort",
            "int",
            "uint",
            "long",
            "ulong",
            "nint",
            "nuint",
            "float",
            "double",
        ),
        *("decimal", "char", "Guid", "DateTime", "DateTimeOffset", "TimeSpan", "DateOnly", "TimeOnly"),
        *("CancellationToken", "IntPtr", "UIntPtr", "ValueTask"),
    }
)
"""Value types that an index may know nothing of where nothing refers to their members."""
_UNKNOWN: Final = "!:"
"""What the id of a type that could not be found begins with."""


class Compatibility:
    """Judges changes between two indexes; implements ``Judge``."""

    def __init__(self, sides: Sides) -> None:
        self._sides: Final = sides
        self._value_types: Final[dict[str, bool]] = {}
        self._values: Final = lru_cache(maxsize=64)(enum_values)

    def breaks(self, old: SymbolRow | None, new: SymbolRow | None) -> tuple[Break, ...]:
        if old is None:
            return tuple(self._of_added(new)) if new is not None else ()
        if new is None:
            return tuple(self._of_removed(old))
        found = list(self._of_types(old, new) if old.is_type else self._of_members(old, new))
        return tuple(dict.fromkeys(found))

    def breaks_of_project(self, old: Project, new: Project) -> tuple[Break, ...]:
        lost = lost_frameworks(old.target_frameworks, new.target_frameworks)
        if not lost or not self._sides.old_api.is_library(old.project_path):
            return ()
        return (Rule.FRAMEWORK_LOST.said(f"projects for {', '.join(lost)} cannot use it"),)

    def _of_added(self, new: SymbolRow) -> Iterator[Break]:
        container = self._sides.older_container(new)
        if container is None or new.is_type or not self._sides.old_api.contains(container):
            return
        if container.kind is SymbolKind.INTERFACE:
            if new.visibility is not Visibility.PRIVATE and _asks_for_member(self._sides.new, new):
                yield Rule.INTERFACE_MEMBER_ADDED.said(f"who implements {container.name} lacks {new.name}")
        elif "abstract" in new.modifiers and self._is_derived_outside(container):
            yield Rule.ABSTRACT_MEMBER_ADDED.said(f"who derives from {container.name} lacks {new.name}")
        elif "required" in new.modifiers:
            yield Rule.REQUIRED_ADDED.said(f"who creates {container.name} must set {new.name}")

    def _of_removed(self, old: SymbolRow) -> Iterator[Break]:
        if old.is_type:
            yield Rule.TYPE_REMOVED.said(f"{old.name} is gone")
        elif "override" not in old.modifiers and not (
            self._is_inherited(old) or self._is_implicit_now(old) or self._is_of_record_now(old)
        ):
            yield Rule.MEMBER_REMOVED.said(f"{old.name} is gone")

    def _of_types(self, old: SymbolRow, new: SymbolRow) -> Iterator[Break]:
        before, after = _signature(old), _signature(new)
        if old.name != new.name:
            yield Rule.TYPE_RENAMED.said(f"{old.name} is {new.name}")
        elif old.symbol_id != new.symbol_id:
            yield Rule.NAMESPACE_CHANGED.said(f"{old.fully_qualified_name} is {new.fully_qualified_name}")
        elif self._assembly(self._sides.old, old) != self._assembly(self._sides.new, new):
            yield Rule.ASSEMBLY_CHANGED.said(f"{old.name} is in {self._assembly(self._sides.new, new)}")
        if self._is_less_visible(old, new):
            yield Rule.VISIBILITY_NARROWED.said(f"{old.visibility.value} → {new.visibility.value}")
        if is_of_another_kind(old, new, self._is_derived_outside(old)):
            yield Rule.KIND_CHANGED.said(f"{old.kind.value} → {new.kind.value}")
            return
        yield from self._of_type_modifiers(old, new, before, after)
        if before.type != after.type and old.kind is SymbolKind.ENUM:
            yield Rule.ENUM_TYPE_CHANGED.said(f"{before.type} → {after.type}")
        if old.kind is SymbolKind.DELEGATE:
            yield from member_breaks(old, new, before, after, self.same_type)
        else:
            yield from _constraints_added(before, after)
        yield from self._of_bases(old, new)
        yield from self._of_constructors(old, new)

    def _of_type_modifiers(
        self, old: SymbolRow, new: SymbolRow, before: Signature, after: Signature
    ) -> Iterator[Break]:
        added, lost = after.modifiers - before.modifiers, before.modifiers - after.modifiers
        if old.kind in (SymbolKind.CLASS, SymbolKind.RECORD) and "struct" not in before.modifiers:
            for word in ("sealed", "static"):
                if word in added and (word == "static" or self._is_derived_outside(old)):
                    yield Rule.TYPE_SEALED.said(f"{new.name} is {word}")
            if "abstract" in added and self._has_accessible_constructor(old):
                yield Rule.TYPE_ABSTRACT.said(f"{new.name} is abstract")
        if "struct" in before.modifiers and "readonly" in lost:
            yield Rule.READONLY_STRUCT_LOST.said(f"{new.name} is not readonly")
        if "struct" in before.modifiers and (" ref struct " in f" {old.signature} ") != (
            " ref struct " in f" {new.signature} "
        ):
            yield Rule.REF_STRUCT_CHANGED.said(
                f"{new.name} was {'' if 'ref struct' in old.signature else 'not '}a ref struct"
            )

    def _of_members(self, old: SymbolRow, new: SymbolRow) -> Iterator[Break]:
        before, after = _signature(old), _signature(new)
        if old.symbol_id == new.symbol_id and _is_in_block(old, before) != _is_in_block(new, after):
            # An extension method is the same compiled member, and is called alike, in a block and outside of one.
            (old, before), (new, after) = _without_receiver(old, before), _without_receiver(new, after)
        container = self._sides.newer_container(old)
        is_moved = container is not None and container.symbol_id != new.container_id
        if is_moved and not self._is_inherited(old):
            yield Rule.MEMBER_MOVED.said(f"{old.name} is in {new.containing_type}")
            return
        follows = self._sides.pairing.translated(old.symbol_id) == new.symbol_id
        if old.name != new.name and not (follows or old.kind is SymbolKind.CONSTRUCTOR):
            yield Rule.MEMBER_RENAMED.said(f"{old.name} is {new.name}")
        if self._is_less_visible(old, new):
            yield Rule.VISIBILITY_NARROWED.said(f"{old.visibility.value} → {new.visibility.value}")
        if old.kind is not new.kind:
            yield Rule.KIND_CHANGED.said(f"{old.kind.value} → {new.kind.value}")
            return
        if old.kind is SymbolKind.CONSTANT and container is not None and container.kind is SymbolKind.ENUM:
            yield from self._of_enum_value(old, new)
        elif (old.signature, old.is_static, old.modifiers) != (new.signature, new.is_static, new.modifiers):
            yield from _constraints_added(before, after)
            is_open = can_be_derived(self._sides.old_api.container_of(old) or old)
            for each in member_breaks(old, new, before, after, self.same_type, can_be_overridden=is_open):
                if each.rule != Rule.DEFAULT_LOST.rule or not self._is_taken_over(new, after):
                    yield each

    def _is_taken_over(self, new: SymbolRow, after: Signature) -> bool:
        """Whether calls that leave out arguments reach another overload: one that begins with the same types and can do without more."""
        least = next((n for n, each in enumerate(after.parameters) if each.default), len(after.parameters))
        for other in self._sides.new.members_of(new.container_id or ""):
            if other.name != new.name or other.symbol_id == new.symbol_id or other.visibility not in ACCESSIBLE:
                continue
            parameters = _signature(other).parameters
            needed = next((n for n, each in enumerate(parameters) if each.default), len(parameters))
            types = [each.type for each in parameters[: len(after.parameters)]]
            if needed < least and types == [each.type for each in after.parameters]:
                return True
        return False

    def _of_enum_value(self, old: SymbolRow, new: SymbolRow) -> Iterator[Break]:
        before = self._values(self._sides.old, old.container_id or "", old.project).get(old.name)
        after = self._values(self._sides.new, new.container_id or "", new.project).get(new.name)
        if before is None or after is None:
            if _signature(old).value != _signature(new).value:
                yield Rule.ENUM_VALUE_CHANGED.said(f"{old.signature} → {new.signature}")
        elif before != after:
            yield Rule.ENUM_VALUE_CHANGED.said(f"{new.name} was {before}, is {after}")

    def _of_bases(self, old: SymbolRow, new: SymbolRow) -> Iterator[Break]:
        before = self._bases_seen(old)
        if not before and new.kind is not SymbolKind.INTERFACE:
            return
        old_names = {self._sides.pairing.translated(base): is_interface for base, is_interface in before.items()}
        all_after = _all_bases(self._sides.new, new)
        if any(base.startswith(_UNKNOWN) for base in all_after):
            return
        for base, is_interface in sorted(old_names.items()):
            if base in all_after or base.startswith(_UNKNOWN):
                continue
            if base == EQUATABLE and new.kind is SymbolKind.RECORD:
                continue
            rule = Rule.INTERFACE_REMOVED if is_interface else Rule.BASE_REMOVED
            yield rule.said(
                f"{new.name} does not implement {base[2:]}"
                if is_interface
                else f"{new.name} does not derive from {base[2:]}"
            )
        if new.kind is SymbolKind.INTERFACE:
            known = {self._sides.pairing.translated(base) for base in _all_bases(self._sides.old, old)}
            for base in sorted(_direct_bases(self._sides.new, new)):
                if base not in known and self._asks_for_members(base):
                    yield Rule.INTERFACE_EXTENDED.said(f"who implements {new.name} lacks {base[2:]}")

    def _bases_seen(self, old: SymbolRow) -> dict[str, bool]:
        """Direct bases of a type of the older index, and whether each is an interface. An interface that other assemblies cannot name
        stands for those that it extends."""
        api = self._sides.old_api
        found: dict[str, bool] = {}
        asked, waiting = {old.symbol_id}, [old]
        while waiting:
            for base, is_interface in _direct_bases(self._sides.old, waiting.pop()).items():
                row = api.type_row(base, old.project) if is_interface else None
                if row is None or not api.is_library(row.project) or api.contains(row):
                    found[base] = is_interface
                elif base not in asked:
                    asked.add(base)
                    waiting.append(row)
        return found

    def _asks_for_members(self, interface: str) -> bool:
        """Whether who implements an interface of the newer index must declare something. Nothing is known of the members of libraries'
        interfaces: they ask."""
        reader = self._sides.new
        for each in (interface, *reader.edges.ids_of(_bases_of(reader, [interface])).values()):
            rows = reader.symbols_with_id(each)
            members = (member for member in reader.members_of(each) if not member.is_type)
            if not rows or any(
                member.visibility is not Visibility.PRIVATE and _asks_for_member(reader, member) for member in members
            ):
                return True
        return False

    def _of_constructors(self, old: SymbolRow, new: SymbolRow) -> Iterator[Break]:
        """A class without a constructor has one without parameters, which is public, and protected if the class is abstract."""
        if old.kind is not SymbolKind.CLASS or "static" in old.modifiers or _constructors(self._sides.old, old):
            return
        now = _constructors(self._sides.new, new)
        if now and not any(not parse_id(each.symbol_id).parameters and each.visibility in ACCESSIBLE for each in now):
            yield Rule.CONSTRUCTOR_LOST.said(f"new {new.name}() is gone")

    def _is_derived_outside(self, symbol: SymbolRow) -> bool:
        """Whether another assembly can derive from a class of the older index."""
        return can_be_derived(symbol) and self._has_accessible_constructor(symbol)

    def _has_accessible_constructor(self, symbol: SymbolRow) -> bool:
        found = _constructors(self._sides.old, symbol)
        return not found or any(each.visibility in ACCESSIBLE for each in found)

    def _is_less_visible(self, old: SymbolRow, new: SymbolRow) -> bool:
        lost = _REACH.get(old.visibility, frozenset()) - _REACH.get(new.visibility, frozenset())
        if not lost:
            return False
        container = self._sides.old_api.container_of(old)
        return container is None or "everybody" in lost or self._is_derived_outside(container)

    def _is_inherited(self, old: SymbolRow) -> bool:
        """Whether a base type, in the newer index, declares a member that its type has no more. Constructors are not inherited."""
        container = self._sides.newer_container(old)
        if container is None or old.kind is SymbolKind.CONSTRUCTOR:
            return False
        tail = old.symbol_id[len(old.container_id or "") :]
        bases = _all_bases(self._sides.new, container)
        wanted = [f"{old.symbol_id[:2]}{base[2:]}{tail}" for base in bases]
        return bool(self._sides.new.first_declarations(wanted) or self._sides.new.library_symbols(wanted))

    def _is_of_record_now(self, old: SymbolRow) -> bool:
        container = self._sides.newer_container(old)
        return container is not None and is_declared_by_record(old, container)

    def _is_implicit_now(self, old: SymbolRow) -> bool:
        """Whether a constructor is one that its type has without declaring it: without parameters, in a struct, or in a class that has no
        other."""
        container = self._sides.newer_container(old)
        if container is None or old.kind is not SymbolKind.CONSTRUCTOR or parse_id(old.symbol_id).parameters:
            return False
        if container.kind is SymbolKind.CLASS:
            return "static" not in container.modifiers and not _constructors(self._sides.new, container)
        return " struct " in f" {container.signature}"

    def _assembly(self, reader: IndexReader, row: SymbolRow) -> str:
        return next((each.assembly_name for each in reader.projects() if each.project_path == row.project), "")

    def same_type(self, old: str, new: str) -> bool:
        """Whether two types as written are one except for annotations of reference types."""
        old = self._sides.renamed(old)
        return old == new or self._without_annotations(old) == self._without_annotations(new)

    def _without_annotations(self, text: str) -> str:
        return _NULLABLE.sub(lambda match: match[0] if self._is_value_type(match[1]) else match[1], text)

    def _is_value_type(self, name: str) -> bool:
        simple = name.rpartition(".")[2]
        if simple in _VALUE_TYPES or simple == ")":  # a tuple
            return True
        if not simple.isidentifier():
            return False
        if simple not in self._value_types:
            found = (
                *self._sides.new.symbols_called([simple], SymbolFilter()),
                *self._sides.new.library_symbols_called([simple]),
            )
            self._value_types[simple] = any(each.kind in _VALUE_KINDS for each in found)
        return self._value_types[simple]


def _signature(row: SymbolRow) -> Signature:
    return parse_signature(row.signature, row.name)


def _is_in_block(row: SymbolRow, signature: Signature) -> bool:
    """Whether a member is one of an extension block: its id has the receiver, and its signature has not."""
    return row.kind is SymbolKind.METHOD and len(parse_id(row.symbol_id).parameters or ()) > len(signature.parameters)


def _without_receiver(row: SymbolRow, signature: Signature) -> tuple[SymbolRow, Signature]:
    """An extension method as a block has it, where the constraints of its receiver are the block's."""
    parameters = signature.parameters
    if parameters and "this" in parameters[0].modifiers:
        parameters = parameters[1:]
    signature = replace(signature, parameters=parameters, modifiers=signature.modifiers - {"static"}, constraints=())
    return replace(row, is_static=False), signature


def _constraints_added(before: Signature, after: Signature) -> Iterator[Break]:
    known = [set(each) for _, each in before.constraints]
    named = dict(before.constraints)
    for parameter, constraints in after.constraints:
        added = [each for each in constraints if each not in named.get(parameter, ()) and each != "notnull"]
        if added and set(constraints) not in known:
            yield Rule.CONSTRAINT_ADDED.said(f"{parameter} must be {', '.join(added)}")


def _constructors(reader: IndexReader, row: SymbolRow) -> list[SymbolRow]:
    members = reader.members_of(row.symbol_id)
    of_project = [each for each in members if each.project == row.project]
    return [each for each in of_project if each.kind is SymbolKind.CONSTRUCTOR and not each.is_static]


def _direct_bases(reader: IndexReader, row: SymbolRow) -> dict[str, bool]:
    """Whether each is an interface."""
    relations = reader.relations_from(row.symbol_id)
    return {each.to_symbol: each.kind is RelationKind.INTERFACE for each in relations if each.project == row.project}


def _all_bases(reader: IndexReader, row: SymbolRow) -> frozenset[str]:
    """Base types and interfaces over any number of steps."""
    return frozenset(reader.edges.ids_of(_bases_of(reader, _direct_bases(reader, row))).values())


def _bases_of(reader: IndexReader, types: Iterable[str]) -> set[int]:
    """The types themselves, and their bases over any number of steps."""
    frontier = set(reader.edges.numbers_of(types).values())
    found: set[int] = set()
    while frontier:
        found |= frontier
        frontier = {each.base for each in reader.bases(frontier)} - found
    return found


def _asks_for_member(reader: IndexReader, member: SymbolRow) -> bool:
    """Whether who implements an interface must declare a member: it has no body, and if it is static it is abstract."""
    if member.is_static and "abstract" not in member.modifiers:
        return False
    lines = split_lines(reader.file_text(member.file_path) or "")[member.name_line - 1 : member.span_end]
    return not has_body("\n".join(lines)[member.name_column - 1 :])
