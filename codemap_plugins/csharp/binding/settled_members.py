"""Members that can hold one value only, though the language does not fold them: read-only fields and get-only properties with one
initialiser, one assignment in a constructor, or one ``return``, of any file.

A member is read when its value is first asked for, and remembered with the table. What a derived class may override, what a constructor
hands over by reference, and what refers to itself is not settled. Only members of simple types are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from codemap_core.model import SymbolKind
from codemap_core.model.bound import Constant, Value
from codemap_plugins.csharp.binding import constants
from codemap_plugins.csharp.binding.members import Member, MemberKind
from codemap_plugins.csharp.bodies import Lowered, Op, children_of_node
from codemap_plugins.csharp.bodies import RefKind as PassedBy
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import NamedType
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration, Modifiers, RootRole

Roots = Sequence[Sequence[Sequence[Any]]]
_EMPTY_STRING: Final = "F:System.String.Empty"
_SIMPLE: Final = frozenset({"T:System.String", "T:System.Boolean", *constants.RANGES})
_CONSTRUCTORS: Final = frozenset({DeclarationKind.CONSTRUCTOR, DeclarationKind.STATIC_CONSTRUCTOR})
_SETTERS: Final = frozenset({"set", "init"})
_BY_REFERENCE: Final = frozenset({PassedBy.REF.value, PassedBy.OUT.value})


class Reads:
    """How a declaration of a document is read, by its part and index."""

    def __init__(
        self,
        roots: Callable[[TypePart], Roots],
        initial: Callable[[TypePart, int], Value | None],
        returned: Callable[[TypePart, int], Sequence[Value]],
        assigned: Callable[[TypePart, int, str], Sequence[Value]],
    ) -> None:
        """``roots``: the lowered declarations of the part's document; ``initial``: the value of an initialiser; ``returned``: what a getter
        returns; ``assigned``: what a constructor assigns to the member of an id."""
        self.roots: Final = roots
        self.initial: Final = initial
        self.returned: Final = returned
        self.assigned: Final = assigned


class SettledMembers:
    def __init__(self, table: SymbolTable, reads: Reads) -> None:
        self._table: Final = table
        self._reads: Final = reads
        self._known: Final[dict[tuple[str, str], Constant | None]] = {}
        self._assignments: Final[dict[SourceTypeDefinition, dict[str, list[tuple[TypePart, int]]]]] = {}

    def of(self, member: Member) -> Constant | None:
        """Null for what may hold another value, or none that is known."""
        declaration, part = member.declaration, member.part
        if declaration is None:
            is_empty = member.kind is MemberKind.FIELD and member.symbol_id == _EMPTY_STRING
            return constants.string("") if is_empty else None
        if part is None or not _is_fixed(member, declaration) or not _is_simple(member):
            return None
        key = (part.document.key.project_path, member.symbol_id)
        if key not in self._known:
            self._known[key] = None
            value = self._value(member, declaration, part)
            self._known[key] = (value.constant or value.settled) if value is not None else None
        return self._known[key]

    def _value(self, member: Member, declaration: MemberDeclaration, part: TypePart) -> Value | None:
        definition = member.definition
        if not isinstance(definition, SourceTypeDefinition):
            return None
        roots = self._reads.roots(part)
        roles = [entry[0] for entry in roots[declaration.body]] if 0 <= declaration.body < len(roots) else []
        if RootRole.GET in roles:
            values = self._reads.returned(part, member.index)
            return values[0] if len(values) == 1 else None
        places = self._assigning(definition).get(declaration.name, [])
        if RootRole.INITIALIZER in roles:
            return self._reads.initial(part, member.index) if not places else None
        if len(places) != 1:
            return None
        values = self._reads.assigned(*places[0], member.symbol_id)
        return values[0] if len(values) == 1 else None

    def _assigning(self, definition: SourceTypeDefinition) -> dict[str, list[tuple[TypePart, int]]]:
        """By the name of what is written to, the constructors that do, once for each time; read from the text before names are bound."""
        known = self._assignments.get(definition)
        if known is None:
            known = self._assignments[definition] = {}
            for part in definition.parts:
                roots = self._reads.roots(part)
                for index, each in enumerate(self._table.members_of(part.document.key).declarations):
                    if each.parent != part.index or each.kind not in _CONSTRUCTORS or not 0 <= each.body < len(roots):
                        continue
                    for entry in roots[each.body]:
                        if entry[0] == RootRole.BODY:
                            for name in _written(entry[2]):
                                known.setdefault(name, []).append((part, index))
        return known


def _is_fixed(member: Member, declaration: MemberDeclaration) -> bool:
    """A read-only field, or a property without a setter that nothing overrides."""
    if member.kind is MemberKind.FIELD:
        return Modifiers.READONLY in declaration.modifiers
    if member.kind is not MemberKind.PROPERTY or declaration.kind is not DeclarationKind.PROPERTY:
        return False
    definition = member.definition
    if definition.kind is SymbolKind.INTERFACE or any(each.name in _SETTERS for each in declaration.accessors):
        return False
    sealed = Modifiers.SEALED in declaration.modifiers or (
        isinstance(definition, SourceTypeDefinition) and Modifiers.SEALED in definition.modifiers
    )
    return sealed or not (member.is_virtual or member.is_abstract or member.is_override)


def _is_simple(member: Member) -> bool:
    type_ = member.type
    if not isinstance(type_, NamedType):
        return False
    return type_.definition.kind is SymbolKind.ENUM or type_.definition.documentation_id in _SIMPLE


def _written(body: Lowered) -> Iterator[str]:
    """Names of what a body may write to: a simple name or ``this.name``, assigned, stepped or handed over by reference."""
    pending = [body]
    while pending:
        node = pending.pop()
        op = node[0]
        target: Lowered | None = None
        if op == Op.ASSIGN or op == Op.POSTFIX or (op == Op.UNARY and node[2] in ("++", "--", "&")):
            target = node[3]
        elif op == Op.ARGUMENT and node[3] in _BY_REFERENCE:
            target = node[4]
        elif op == Op.REF:
            target = node[2]
        yield from _names(target)
        pending.extend(children_of_node(node))


def _names(target: Lowered | None) -> Iterator[str]:
    if target is None:
        return
    if target[0] == Op.NAME:
        yield target[2]
    elif target[0] == Op.CHAIN and target[2] and target[2][-1][0] == Op.MEMBER:
        yield target[2][-1][2]
    elif target[0] == Op.TUPLE:
        for each in target[2]:
            yield from _names(each[4] if each[0] == Op.ARGUMENT else each)
