"""The members that a record has without a declaration (C# 9, records): equality, printing, copying, deconstruction.

A member that the record declares itself with the same signature takes the place of the synthesised one. Their ids are those that the
compiler gives them; no row of a symbol stands for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.binding.members import (
    CONSTRUCTOR_NAME,
    Member,
    MemberKind,
    ParameterSymbol,
    Passing,
    Signature,
)
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import NamedType, Type, documentation_id
from codemap_plugins.csharp.unit import DeclarationKind, Modifiers


class _Synthesised(NamedTuple):
    kind: MemberKind
    name: str
    type: Type
    parameters: Sequence[ParameterSymbol] = ()
    visibility: Visibility = Visibility.PUBLIC
    is_static: bool = False
    is_virtual: bool = False
    is_override: bool = False


def record_members(
    definition: SourceTypeDefinition, table: SymbolTable, declared: Mapping[str, Sequence[Member]]
) -> list[Member]:
    """What ``definition``, a record, has beside what it declares."""
    found: list[Member] = []
    for each in _Record(definition, table, declared).members():
        symbol_id = _symbol_id(definition, each)
        if not any(m.symbol_id == symbol_id for m in declared.get(each.name, ())):
            found.append(_member(definition, each, symbol_id))
    return found


def _symbol_id(definition: SourceTypeDefinition, member: _Synthesised) -> str:
    name = member.name if member.kind is not MemberKind.CONSTRUCTOR else "#ctor"
    if member.kind is MemberKind.PROPERTY:
        return f"P:{definition.container_path}.{name}"
    spelled = ",".join(documentation_id(p.type) + ("@" if p.passing else "") for p in member.parameters)
    return f"M:{definition.container_path}.{name}" + (f"({spelled})" if spelled else "")


def _member(definition: SourceTypeDefinition, each: _Synthesised, symbol_id: str) -> Member:
    signature = Signature(each.type, tuple(each.parameters))
    return Member(
        each.kind,
        each.name,
        definition,
        is_static=each.is_static,
        visibility=each.visibility,
        load=lambda: signature,
        symbol_id=symbol_id,
        minimum=len(each.parameters),
        maximum=len(each.parameters),
        is_override=each.is_override,
        is_virtual=each.is_virtual,
        can_write=False,
    )


class _Record:
    def __init__(
        self, definition: SourceTypeDefinition, table: SymbolTable, declared: Mapping[str, Sequence[Member]]
    ) -> None:
        self._definition: Final = definition
        self._table: Final = table
        self._declared: Final = declared
        self._own: Final = definition.own_type

    def members(self) -> Iterator[_Synthesised]:
        own, of_class = self._own, not self._definition.is_value_type
        boolean = self._system("Boolean")
        pair = (ParameterSymbol("left", own), ParameterSymbol("right", own))
        for name in ("op_Equality", "op_Inequality"):
            yield _Synthesised(MemberKind.OPERATOR, name, boolean, pair, is_static=True)
        yield _Synthesised(MemberKind.METHOD, "Equals", boolean, [ParameterSymbol("other", own)])
        base = self._base_record()
        if base is not None:
            yield _Synthesised(
                MemberKind.METHOD,
                "Equals",
                boolean,
                [ParameterSymbol("other", base)],
                is_virtual=True,
                is_override=True,
            )
        for name, type_, parameters in (
            ("Equals", boolean, [ParameterSymbol("obj", self._system("Object"))]),
            ("GetHashCode", self._system("Int32"), []),
            ("ToString", self._system("String"), []),
        ):
            yield _Synthesised(MemberKind.METHOD, name, type_, parameters, is_virtual=True, is_override=True)
        yield self._print_members(boolean)
        if of_class:
            hidden = self._hidden()
            type_type = self._system("Type")
            yield _Synthesised(MemberKind.PROPERTY, "EqualityContract", type_type, (), hidden, is_virtual=True)
            copied = [ParameterSymbol("original", own)]
            yield _Synthesised(MemberKind.CONSTRUCTOR, CONSTRUCTOR_NAME, own, copied, hidden)
        outs = self._deconstructed()
        if outs:
            yield _Synthesised(MemberKind.METHOD, "Deconstruct", self._system("Void"), outs)

    def _system(self, name: str) -> Type:
        return self._table.well_known("System", name, 0, self._table.document_of(self._definition.parts[0]).project)

    def _hidden(self) -> Visibility:
        sealed = Modifiers.SEALED in self._definition.modifiers
        return Visibility.PRIVATE if sealed and self._base_record() is None else Visibility.PROTECTED

    def _base_record(self) -> NamedType | None:
        """The record that it derives from."""
        bases = self._table.bases_of(self._definition)
        return next((b for b in bases if isinstance(b, NamedType) and b.definition.kind is SymbolKind.RECORD), None)

    def _print_members(self, boolean: Type) -> _Synthesised:
        builder = self._table.well_known(
            "System.Text", "StringBuilder", 0, self._table.document_of(self._definition.parts[0]).project
        )
        is_value = self._definition.is_value_type
        return _Synthesised(
            MemberKind.METHOD,
            "PrintMembers",
            boolean,
            [ParameterSymbol("builder", builder)],
            Visibility.PRIVATE if is_value else self._hidden(),
            is_virtual=not is_value,
        )

    def _deconstructed(self) -> list[ParameterSymbol]:
        for constructor in self._declared.get(CONSTRUCTOR_NAME, ()):
            declaration = constructor.declaration
            if declaration is not None and declaration.kind is DeclarationKind.PRIMARY_CONSTRUCTOR:
                return [ParameterSymbol(p.name, p.type, Passing.OUT) for p in constructor.parameters]
        return []
