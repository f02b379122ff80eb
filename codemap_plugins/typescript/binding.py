"""The bind stage of TypeScript: one row for each name that means a symbol, and the relations of the types that a file declares.

A name of a local variable, parameter, type parameter or property of an object that is only written out has no row. What a library
declares is unresolved, with the library's name as its container: nothing of a library is read.
"""

from __future__ import annotations

from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, ReferenceRow, RefKind, RelationKind, RelationRow, ResolutionState
from codemap_core.model.bound import BoundDocument
from codemap_core.model.reference import UnresolvedReason
from codemap_plugins.typescript.evaluation import Evaluation
from codemap_plugins.typescript.events import Calls
from codemap_plugins.typescript.table import Lack, Module, Outside, Symbol, TypeScriptTable
from codemap_plugins.typescript.types import Instance, Member, Why
from codemap_plugins.typescript.unit import NONE, Binding, ExportKind, Kind, Node, Op, Space, Use

_REASONS: Final = {
    Why.UNKNOWN: UnresolvedReason.RECEIVER_UNKNOWN,
    Why.NO_MEMBER: UnresolvedReason.NO_SUCH_MEMBER,
    Why.NO_EXPORT: Lack.EXPORT.value,
    Why.BASE: UnresolvedReason.BASE_TYPE_UNKNOWN,
    Why.AMBIGUOUS: UnresolvedReason.AMBIGUOUS,
    Why.DYNAMIC: UnresolvedReason.DYNAMIC,
    Why.LIBRARY: Lack.LIBRARY.value,
    Why.NOT_IN_VIEW: Lack.LIBRARY.value,
}
_CALLED: Final = frozenset({Kind.FUNCTION, Kind.METHOD})
_TYPES: Final = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.ENUM, Kind.ALIAS, Kind.NAMESPACE})


class TypeScriptBinding:
    """Binds files of one table; keeps what it found out of types."""

    def __init__(self, table: TypeScriptTable) -> None:
        self._table: Final = table
        self._evaluations: Final[dict[str, Evaluation]] = {}
        """By the path of the project."""

    def bind(self, key: UnitKey, interests: Interests) -> BoundDocument:
        """``interests``: the calls of which events are made."""
        module = self._table.module(key)
        evaluation = self._evaluations.get(key.project_path)
        if evaluation is None:
            evaluation = self._evaluations[key.project_path] = Evaluation(module.package)
        file = _File(module, key, evaluation)
        calls = Calls(evaluation, interests)
        return BoundDocument(
            file_path=key.file_path,
            project_path=key.project_path,
            references=tuple(file.references()),
            relations=tuple(file.relations()),
            events=tuple(sorted(calls.of(module, file.owner), key=lambda each: (each.line, each.column))),
        )


class _File:
    def __init__(self, module: Module, key: UnitKey, evaluation: Evaluation) -> None:
        self._module: Final = module
        self._key: Final = key
        self._evaluation: Final = evaluation

    def references(self) -> list[ReferenceRow]:
        found: list[ReferenceRow] = []
        for at, node in enumerate(self._module.unit.nodes):
            if node.use is not Use.NONE and node.line:
                row = self._row(at, node)
                if row is not None:
                    found.append(row)
        found.extend(self._slots())
        found.sort(key=lambda row: (row.line, row.column, row.kind, row.to_symbol or ""))
        return found

    # One name

    def _row(self, at: int, node: Node) -> ReferenceRow | None:
        if node.op in (Op.SPECIFIER, Op.LAZY):
            return self._of_specifier(node)
        if node.op is Op.IMPORTED:
            return self._of_import(node)
        if node.op is Op.EXPORTED:
            return self._of_export(node)
        if node.op is Op.SUPER:
            return self._of_super(node)
        if node.op is Op.KEY:
            found = self._evaluation.member(self._evaluation.type_of(self._module, node.a), node.name)
            return self._resolved(node, found.symbol) if found.symbol is not None else None
        if node.op in (Op.NAME, Op.TYPE_NAME):
            space = Space.VALUE if node.op is Op.NAME else Space.TYPE
            bound = self._module.bound(node.name, node.scope, space)
            if isinstance(bound, Binding) and bound.of == NONE:
                return None
        found = self._evaluation.named(self._module, at, ())
        return self._of_member(node, found)

    def _of_member(self, node: Node, found: Member) -> ReferenceRow | None:
        if found.symbol is not None:
            return self._resolved(node, found.symbol)
        if isinstance(found.meaning, Module):
            return self._to_module(node, found.meaning)
        if isinstance(found.meaning, Outside):
            return self._unresolved(node, found.meaning.lack.value, hint=found.meaning.specifier)
        if found.type is not None or (node.use is Use.DECLARE and found.why is Why.NONE):
            return None
        return self._unresolved(node, _REASONS.get(found.why, UnresolvedReason.RECEIVER_UNKNOWN))

    def _of_specifier(self, node: Node) -> ReferenceRow:
        target = self._module.package.imported(node.name, self._module)
        if isinstance(target, Module):
            return self._to_module(node, target)
        if isinstance(target, list):
            return self._resolved(node, target[0]) or self._unresolved(node, Lack.LIBRARY.value)
        return self._unresolved(node, target.lack.value, hint=target.specifier)

    def _of_import(self, node: Node) -> ReferenceRow | None:
        imported = self._module.unit.imports[node.a]
        meant = self._module.package.import_meant(self._module, node.a)
        if isinstance(meant, Symbol):
            return self._resolved(node, meant, RefKind.IMPORT)
        if isinstance(meant, Module):
            return self._to_module(node, meant)
        if isinstance(meant, Outside):
            return self._unresolved(node, meant.lack.value, hint=meant.specifier)
        return self._unresolved(node, Lack.EXPORT.value, hint=imported.specifier)

    def _of_export(self, node: Node) -> ReferenceRow | None:
        export = self._module.unit.exports[node.a]
        package = self._module.package
        if export.kind is ExportKind.LOCAL:
            bound = self._module.bound(export.local, 0, Space.VALUE | Space.TYPE | Space.NAMESPACE)
            if bound is None or (isinstance(bound, Binding) and bound.of == NONE):
                return None
        meant = package.exported(self._module, export.name)
        if isinstance(meant, Symbol):
            return self._resolved(node, meant, RefKind.IMPORT)
        if isinstance(meant, Module):
            return self._to_module(node, meant)
        if isinstance(meant, Outside):
            return self._unresolved(node, meant.lack.value, hint=meant.specifier)
        return self._unresolved(node, Lack.EXPORT.value, hint=export.specifier or None)

    def _of_super(self, node: Node) -> ReferenceRow | None:
        """``super(…)``: the constructor that the base class has, its own or an inherited one; else the class."""
        if node.a == NONE:
            return None
        symbol = self._module.symbol(node.a)
        for base in symbol.declared.bases:
            found = self._evaluation.base_of(self._module, base, (), is_class=True)
            if not isinstance(found, Instance):
                return self._unresolved(node, UnresolvedReason.BASE_TYPE_UNKNOWN, name="super")
            constructor = self._evaluation.member(found, "constructor").symbol
            target = constructor or found.symbol
            if target.declared.is_local:
                return None
            return self._reference(node, RefKind.CTOR_INITIALIZER, target.id, name=found.symbol.declared.name)
        return None

    def _resolved(self, node: Node, symbol: Symbol, kind: RefKind | None = None) -> ReferenceRow | None:
        if symbol.declared.is_local or (node.use is Use.DECLARE and symbol.declared.is_local):
            return None
        constructor: str | None = None
        of = kind or _kind(node.use, symbol.kind)
        if of is RefKind.INSTANTIATE and symbol.kind is Kind.CLASS:
            declared = self._evaluation.member(Instance(symbol, ()), "constructor").symbol
            constructor = declared.id if declared is not None and not declared.declared.is_local else None
        is_virtual = symbol.kind is Kind.METHOD and symbol.declared.visibility != "private"
        return self._reference(
            node, of, symbol.id, constructor=constructor, is_virtual=is_virtual and not symbol.declared.is_static
        )

    def _to_module(self, node: Node, module: Module) -> ReferenceRow:
        kind = RefKind.IMPORT if node.use is Use.IMPORT else RefKind.READ
        return self._reference(node, kind, module.id)

    def _unresolved(self, node: Node, reason: str, *, hint: str | None = None, name: str = "") -> ReferenceRow:
        kind = _kind(node.use, None)
        return ReferenceRow(
            kind=kind,
            from_symbol=self.owner(node),
            to_symbol=None,
            to_name=name or node.name,
            to_container_hint=hint,
            file_path=self._key.file_path,
            line=node.line,
            column=node.column,
            line_end=node.line,
            resolution_state=ResolutionState.UNRESOLVED,
            confidence=Confidence.LOW,
            reason=reason,
            project=self._key.project_path,
        )

    def _reference(
        self,
        node: Node,
        kind: RefKind,
        target: str,
        *,
        constructor: str | None = None,
        name: str = "",
        is_virtual: bool = False,
    ) -> ReferenceRow:
        return ReferenceRow(
            kind=kind,
            from_symbol=self.owner(node),
            to_symbol=target,
            constructor=constructor,
            to_name=name or node.name,
            file_path=self._key.file_path,
            line=node.line,
            column=node.column,
            line_end=node.line,
            resolution_state=ResolutionState.RESOLVED,
            is_virtual=is_virtual,
            project=self._key.project_path,
        )

    def owner(self, node: Node) -> str:
        """The innermost symbol that a name stands in; the file where it stands in none."""
        at = node.owner
        while at != NONE:
            symbol = self._module.symbol(at)
            if not symbol.declared.is_local:
                return symbol.id
            at = symbol.declared.parent
        return self._module.id

    # Types

    def _slots(self) -> list[ReferenceRow]:
        """Members that fill slots of the classes and interfaces that their class derives from."""
        found: list[ReferenceRow] = []
        for index, declared in enumerate(self._module.unit.declarations):
            if declared.is_local or declared.kind is not Kind.CLASS:
                continue
            symbol = self._module.symbol(index)
            for name, member in sorted(symbol.members.items()):
                if member.kind in (Kind.METHOD, Kind.PROPERTY) and not name.startswith("#"):
                    found.extend(self._slots_of(symbol, member))
        return found

    def _slots_of(self, symbol: Symbol, member: Symbol) -> list[ReferenceRow]:
        found: list[ReferenceRow] = []
        unit, evaluation = self._module.unit, self._evaluation
        name = member.declared.name
        for base in symbol.declared.bases:
            is_class = unit.nodes[base].op is Op.APPLIED
            type_ = evaluation.base_of(self._module, base, (), is_class=is_class)
            slot = evaluation.member(type_, name).symbol if type_ is not None else None
            if slot is not None and not slot.declared.is_local and slot.declared.visibility != "private":
                is_interface = slot.parent is not None and slot.parent.kind is not Kind.CLASS
                found.append(self._slot(member, slot, RefKind.IMPLEMENTATION if is_interface else RefKind.OVERRIDE))
        for interface in symbol.declared.interfaces:
            type_ = evaluation.type_of(self._module, interface)
            slot = evaluation.member(type_, name).symbol if type_ is not None else None
            if slot is not None and not slot.declared.is_local:
                found.append(self._slot(member, slot, RefKind.IMPLEMENTATION))
        return list(dict.fromkeys(found))

    def _slot(self, member: Symbol, slot: Symbol, kind: RefKind) -> ReferenceRow:
        part = member.declared.parts[0]
        return ReferenceRow(
            kind=kind,
            from_symbol=member.id,
            to_symbol=slot.id,
            to_name=slot.declared.name,
            file_path=self._key.file_path,
            line=part.line,
            column=part.column,
            line_end=part.line,
            resolution_state=ResolutionState.RESOLVED,
            project=self._key.project_path,
        )

    def relations(self) -> list[RelationRow]:
        found: dict[tuple[str, str, RelationKind], RelationRow] = {}
        for index, declared in enumerate(self._module.unit.declarations):
            if declared.is_local or declared.kind not in (Kind.CLASS, Kind.INTERFACE):
                continue
            symbol = self._module.symbol(index)
            is_class = declared.kind is Kind.CLASS
            for base in (*declared.bases, *declared.interfaces):
                of_class = is_class and self._module.unit.nodes[base].op is Op.APPLIED and base in declared.bases
                row = self._relation(symbol, base, of_class)
                if row is not None:
                    found.setdefault((row.from_symbol, row.to_symbol, row.kind), row)
        return list(found.values())

    def _relation(self, symbol: Symbol, base: int, is_base: bool) -> RelationRow | None:
        node = self._module.unit.nodes[base]
        at = node.a if node.op is Op.APPLIED else base
        if at == NONE:
            return None
        target = self._module.unit.nodes[at]
        meant = self._evaluation.named(self._module, at, ())
        if meant.symbol is not None and meant.symbol.declared.is_local:
            return None
        known = meant.symbol is not None and meant.symbol.kind in _TYPES
        return RelationRow(
            kind=RelationKind.BASE_TYPE if is_base else RelationKind.INTERFACE,
            from_symbol=symbol.id,
            to_symbol=meant.symbol.id if meant.symbol is not None and known else f"!:{target.name or '?'}",
            external=False,
            display_name=target.name or "?",
            file_path=self._key.file_path,
            project=self._key.project_path,
        )


def _kind(use: Use, of: Kind | None) -> RefKind:
    """How a name is used; ``of``: what it means, null where that is not known."""
    if use is Use.IMPORT:
        return RefKind.IMPORT
    if use is Use.NEW:
        return RefKind.INSTANTIATE
    if use is Use.CALL:
        return RefKind.INSTANTIATE if of is Kind.CLASS else RefKind.CALL
    if use is Use.TYPE or of in _TYPES:
        return RefKind.TYPE
    if use is Use.WRITE:
        return RefKind.WRITE
    return RefKind.METHOD_GROUP if of in _CALLED else RefKind.READ
