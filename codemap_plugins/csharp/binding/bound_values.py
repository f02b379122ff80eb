"""What expressions are worth: constants, texts and their holes, the symbol or variable they name, and the event that made them.

A variable is what was last assigned to it, or all that it may be where ``reaching`` leaves that open; parentheses, ``await``, casts and
``!`` are seen through. What is not known is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from codemap_core.model import RefKind
from codemap_core.model.bound import NOWHERE, BoundType, Constant, EventKind, TextPart, TypeForm, Value
from codemap_plugins.csharp.binding import constants
from codemap_plugins.csharp.binding.bodies_walk import BodiesWalk
from codemap_plugins.csharp.binding.bound_types import BoundTypes
from codemap_plugins.csharp.binding.enum_types import underlying_type
from codemap_plugins.csharp.binding.happenings import Block, Happening, Variable, Write
from codemap_plugins.csharp.binding.members import UNKNOWN, Member
from codemap_plugins.csharp.binding.reaching import reaching_writes
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.binding.text_parts import (
    MAX_TEXT,
    STRING_ID,
    TEXT,
    is_text,
    joined_parts,
    parts_of,
    text_value,
)
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import NamedType, Type, substitute

_NOTHING: Final = Value()
_MAX_DEPTH: Final = 60
_MAX_ALTERNATIVES: Final = 16
_NAMED: Final = (
    *(RefKind.READ, RefKind.WRITE, RefKind.METHOD_GROUP, RefKind.EVENT_SUBSCRIBE, RefKind.NAMEOF, RefKind.CALL),
)
_SEEN_THROUGH: Final = {Op.AWAIT.value: 2, Op.REF.value: 2, Op.CHECKED.value: 3}
"""Nodes that are worth what their operand is, with its place."""
_CREATIONS: Final = frozenset({Op.NEW.value, Op.NEW_TARGET_TYPED.value, Op.WITH.value})
_ARRAYS: Final = frozenset({Op.NEW_ARRAY.value, Op.NEW_ARRAY_IMPLICIT.value, Op.STACKALLOC.value})
_OBJECT_ID: Final = "T:System.Object"
_FUNCTIONS: Final = frozenset({Op.LAMBDA.value})


class Values:
    """Of the expressions of one walk. ``index``: the number an event has in the document; ``captured``: parameters of primary
    constructors."""

    def __init__(
        self,
        walk: BodiesWalk,
        resolver: TypeResolver,
        types: BoundTypes,
        constant_of: Callable[[Member], Constant | None],
        settled_of: Callable[[Member], Constant | None],
        index: Callable[[Happening], int],
        regions: Mapping[int, int],
        captured: Callable[[], Block],
    ) -> None:
        self._walk: Final = walk
        self._resolver: Final = resolver
        self._types: Final = types
        self._constant_of: Final = constant_of
        self._settled_of: Final = settled_of
        self._index: Final = index
        self._regions: Final = regions
        self._captured: Final = captured
        self._of_variables: Final[dict[tuple[Variable, tuple[tuple[int, bool], ...], bool], Value]] = {}
        self._depth = 0

    def of(self, node: Lowered | None, block: Block, known: Type | None = None) -> Value:
        """``known``: the type that binding gave the expression, where that is at hand."""
        return self.typed(self._of(node, block), known)

    def typed(self, value: Value, known: Type | None, is_settled: bool = False) -> Value:
        """A value with the type that binding gave its expression, where it has none of its own. ``is_settled``: also where it has
        one, which of a choice is that of its first value."""
        if (value.type is None or is_settled) and known is not None and known is not UNKNOWN:
            return replace(value, type=self._types.of(known))
        return value

    def receiver(self, happening: Happening, known: Type | None = None) -> Value | None:
        """What an invocation, element access or assignment is done to; null without a receiver, and for a type. ``known``: its type, where
        binding gave it one: that of a lambda's parameter stands nowhere else."""
        if happening.delegate_call is not None:
            # Where a name stands before the parenthesis, it is that of what holds the delegate.
            count = happening.links + bool(happening.name)
            return self.typed(self._chain(happening.node[1], happening.node[2], count, happening.block), known)
        node = _chain_of(happening)
        if node is None:
            return None
        head, links = node[1], node[2]
        if happening.links == 0 and links and links[0][0] == Op.CALL:
            return None  # F(…): nothing stands before it
        if self._names_type(head, links, happening.links):
            return None
        value = self._chain(head, links, happening.links, happening.block)
        return replace(value, type=self._types.of(known)) if value.type is None and known is not None else value

    def _names_type(self, head: Lowered | None, links: list[Lowered], count: int) -> bool:
        last = links[count - 1] if count else head
        if last is None or last[0] == Op.TYPE:
            return last is not None
        if last[0] not in (Op.NAME, Op.GENERIC_NAME, Op.MEMBER):
            return False
        return self._walk.reference(last[1], (RefKind.TYPE,)) is not None

    def receiver_type(self, happening: Happening) -> str:
        """The id of the type that a static member is named through."""
        node = _chain_of(happening)
        if node is None:
            return ""
        head, links = node[1], node[2]
        last = links[happening.links - 1] if happening.links else head
        if last is not None and last[0] == Op.TYPE:
            type_ = self._resolver.resolve(last[1][0])
            return type_.definition.documentation_id if isinstance(type_, NamedType) else ""
        if last is None or last[0] not in (Op.NAME, Op.GENERIC_NAME, Op.MEMBER):
            return ""
        reference = self._walk.reference(last[1], (RefKind.TYPE,))
        return reference.target or "" if reference is not None else ""

    def _of(self, node: Lowered | None, block: Block) -> Value:
        if node is None or self._depth > _MAX_DEPTH:
            return _NOTHING
        self._depth += 1
        try:
            return self._evaluated(node, block)
        finally:
            self._depth -= 1

    def _evaluated(self, node: Lowered, block: Block) -> Value:
        op = node[0]
        if op == Op.LITERAL:
            return self._constant(constants.literal(node[2], node[3]))
        if op == Op.CHAIN:
            return self._chain(node[1], node[2], len(node[2]), block)
        if op in (Op.NAME, Op.GENERIC_NAME):
            return self._name(node[1], node[2], block)
        if op == Op.DECLARATION and node[2] != "_":  # `out var x` names the variable that it declares
            return self._name(node[1], node[2], block)
        if op in _CREATIONS:
            return self._made(self._walk.at.get(node[1]))
        if op in _FUNCTIONS:
            return Value(region=self._regions.get(self._walk.functions.get(node[1], NOWHERE), NOWHERE))
        if op == Op.CHECKED and not node[2] and node[3] is not None and node[3][0] == Op.CAST:
            return self._cast(node[3], block, wraps=True)
        if op in _SEEN_THROUGH:
            return self._of(node[_SEEN_THROUGH[op]], block)
        if op == Op.SPREAD:
            return replace(self._of(node[2], block), is_spread=True)
        if op == Op.BINARY:
            return self._binary(node, block)
        if op == Op.INTERPOLATED:
            return self._interpolated(node, block)
        if op == Op.NAMEOF:
            return replace(self._constant(_name_of(node[2])), is_nameof=True)
        if op == Op.UNARY:
            return self._unary(node[2], self._of(node[3], block))
        if op == Op.CAST:
            return self._cast(node, block)
        if op == Op.AS:
            return replace(self._of(node[2], block), type=self._types.of(self._resolver.resolve(node[3][0])))
        if op == Op.TYPEOF:
            operand_type = self._types.of(self._resolver.resolve(node[2][0])) if node[2] is not None else None
            return Value(type_operand=operand_type)
        if op == Op.SIZEOF:
            return self._size(node[2][0]) if node[2] is not None else _NOTHING
        if op == Op.DEFAULT:
            return self._default(node)
        if op == Op.CONDITIONAL:
            condition = self._of(node[2], block).constant
            if condition is not None and isinstance(condition.value, bool):
                chosen, other = self._of(node[3], block), self._of(node[4], block)
                chosen, other = (chosen, other) if condition.value else (other, chosen)
                if chosen.constant is None or other.constant is None:
                    return replace(chosen, constant=None, settled=chosen.constant or chosen.settled)
                return replace(chosen, constant=constants.conditional(chosen.constant, other.constant))
            return _one_of(self._of(node[3], block), self._of(node[4], block))
        if op == Op.SWITCH_EXPRESSION:
            return _one_of(*(self._of(arm[3], block) for arm in node[3] if arm[3] is not None))
        if op in (Op.COLLECTION, Op.INITIALIZER):
            return Value(elements=tuple(self._of(each, block) for each in node[2]))
        if op == Op.NEW_ANONYMOUS:
            named = (each for each in node[2] if each[0] == Op.MEMBER_INITIALIZER)
            return Value(members=tuple((each[2], self._of(each[3], block)) for each in named))
        if op in _ARRAYS:
            return self._array(node, block)
        if op == Op.ASSIGN:
            return self._of(node[4], block)
        if op == Op.TUPLE:
            inner = (each[4] if each[0] == Op.ARGUMENT else each for each in node[2])
            return Value(elements=tuple(self._of(each, block) for each in inner))
        return _NOTHING

    # Names

    def _name(self, offset: int, name: str, block: Block) -> Value:
        home = block.home(name)
        if home is not None:
            return self._variable(home, name, offset, block)
        function = block.function(name)
        if function != NOWHERE:
            return Value(region=self._regions.get(function, NOWHERE))
        reference = self._walk.reference(offset, _NAMED)
        captured = self._captured().home(name) if reference is None else None
        return self._variable(captured, name, offset, block) if captured is not None else self._member(reference)

    def _variable(self, home: Block, name: str, offset: int, block: Block) -> Value:
        """The variable that ``home`` has under the name, as it is at ``offset`` in ``block``."""
        variable = home.variables[name]
        every = self._walk.writes_of(variable)
        writes, is_initial = reaching_writes(self._walk.parts, home, every, offset, block) if every else ((), True)
        key = (variable, tuple((each.offset, each.is_certain) for each in writes), is_initial)
        known = self._of_variables.get(key)
        if known is not None:
            return known
        type_ = self._types.of(variable.type) if variable.type is not None else None
        region = self._regions.get(variable.region, NOWHERE) if variable.region != NOWHERE else NOWHERE
        itself = Value(
            type=type_,
            local=variable.name,
            parameter=variable.ordinal,
            region=region,
            constructor=variable.constructor,
        )
        self._of_variables[key] = itself  # a variable in what it is given
        if variable.initial is None and not writes:
            return itself
        given = self._given(variable, home, writes, is_initial, itself)
        if len(given) == 1:
            value = replace(given[0], local=variable.name, type=type_ or given[0].type)
        else:
            value = replace(itself, alternatives=_one_of(*given).alternatives)
        self._of_variables[key] = value
        return value

    def _given(
        self, variable: Variable, home: Block, writes: Sequence[Write], is_initial: bool, itself: Value
    ) -> list[Value]:
        """Every value that it may have; a text that is put together in steps is put together."""
        given: list[Value] = []
        if is_initial and variable.initial is not None:
            given.append(self._of(variable.initial, home))
        elif is_initial and not variable.is_unset:
            given.append(itself)
        for write in writes:
            value = self._of(write.node, write.block) if write.node is not None else itself
            if write.operator == "+=" and (is_text(value) or any(is_text(each) for each in given)):
                added = [self._added(each, value) for each in given or [itself]]
                given = added if write.is_certain else [*given, *added]
            elif write.operator in ("=", "??=", ""):
                given = [value] if write.is_certain and write.operator != "??=" else [*given, value]
            else:
                given = [itself]
            given = given[:_MAX_ALTERNATIVES]
        return given or [itself]

    def _added(self, first: Value, second: Value) -> Value:
        """Two texts as one."""
        joined = joined_parts((*parts_of(first), *parts_of(second)))
        known = [part.text for part in joined if part.text is not None]
        return self._constant(constants.string("".join(known))) if len(known) == len(joined) else text_value(joined)

    def _member(self, reference: Reference | None) -> Value:
        if reference is None:
            return _NOTHING
        if reference.target is None:
            return Value(unbound_name=reference.name)
        use = reference.use
        if use is None or use.found is None:
            return Value(symbol_id=reference.target)
        found = use.found
        type_ = use.type
        if type_ is None and reference.kind is not RefKind.METHOD_GROUP:
            type_ = substitute(found.member.type, found.container.arguments)
        constant = self._constant_of(found.member)
        return Value(
            type=self._types.of(type_) if type_ is not None else None,
            constant=constant,
            settled=self._settled_of(found.member) if constant is None else None,
            symbol_id=reference.target,
        )

    def _chain(self, head: Lowered | None, links: list[Lowered], count: int, block: Block) -> Value:
        """A chain up to, and without, the link ``count``."""
        while count and links[count - 1][0] == Op.SUPPRESS:
            count -= 1
        if not count:
            return self._of(head, block)
        last = links[count - 1]
        if last[0] == Op.MEMBER:
            value = self._member(self._walk.reference(last[1], _NAMED))
            if head is not None and head[0] == Op.TYPEOF and _is_reflection(links[: count - 1]):
                value = replace(value, type_operand=self._of(head, block).type_operand)
            return value
        if last[0] == Op.INDEX:
            return self._made(self._walk.at.get(last[1]))
        before = links[count - 2] if count > 1 else head
        if before is not None and before[0] in (Op.MEMBER, Op.NAME, Op.GENERIC_NAME):
            return self._made(self._walk.at.get(before[1]))
        if before is not None and before[0] == Op.ALIAS_NAME:
            return self._made(self._walk.at.get(before[3]))
        return self._made(self._walk.at.get(last[1]))

    def _made(self, happening: Happening | None) -> Value:
        if happening is None:
            return _NOTHING
        return Value(type=self.type_of(happening), origin=self._index(happening))

    def type_of(self, happening: Happening) -> BoundType | None:
        """Of what an event gives."""
        use = happening.use
        if use is not None and use.type is not None:
            return self._types.of(use.type)
        if happening.kind is EventKind.ELEMENT_ACCESS and happening.reference is None:
            return _element_type(self.receiver(happening))
        return self._types.of(happening.type) if happening.type is not None else None

    # Constants and texts

    def _constant(self, constant: Constant | None) -> Value:
        if constant is None:
            return _NOTHING
        if isinstance(constant.value, str) and len(constant.value) > MAX_TEXT:
            return Value(type=TEXT)
        return Value(type=_type_of(constant), constant=constant)

    def _binary(self, node: Lowered, block: Block) -> Value:
        value = self._of(node[1], block)
        for _, _, sign, right_node in node[2]:
            if sign == "??" and right_node is not None and right_node[0] == Op.THROW:
                continue
            right = self._of(right_node, block)
            folded: Constant | None = None
            if value.constant is not None and right.constant is not None:
                underlying = self._underlying(value.constant) or self._underlying(right.constant)
                folded = constants.binary(sign, value.constant, right.constant, underlying)
            if folded is not None:
                value = self._constant(folded)
            elif sign == "+" and (is_text(value) or is_text(right)):
                value = text_value(joined_parts((*parts_of(value), *parts_of(right))))
            elif sign == "??":
                value = _coalesced(value, right)
            else:
                value = _NOTHING
        return value

    def _interpolated(self, node: Lowered, block: Block) -> Value:
        parts: list[TextPart] = []
        written = ""
        for each in node[2]:
            if each[0] == Op.LITERAL:
                parts.append(TextPart(each[3]))
            elif each[0] == Op.HOLE:
                hole = self._of(each[2], block)
                variable = block.find(hole.local) if hole.local else None
                if variable is not None and not variable.is_constant:
                    written = node[3]
                constant = hole.constant
                is_formatted = each[3] is not None or bool(each[4])
                holds_text = bool(hole.parts) or (constant is not None and constant.type_id == STRING_ID)
                parts += (
                    parts_of(hole)
                    if holds_text and not is_formatted
                    else [TextPart(hole=hole, is_formatted=is_formatted)]
                )
        joined = joined_parts(tuple(parts))
        if all(part.text is not None for part in joined):
            folded = self._constant(constants.string("".join(part.text or "" for part in joined)))
            return replace(folded, written=written) if written else folded
        return replace(text_value(joined), written=node[3])

    def _unary(self, sign: str, operand: Value) -> Value:
        constant = operand.constant
        if constant is None:
            return self._constant(None)
        underlying = self._underlying(constant)
        if underlying is not None:
            return self._constant(constants.enum_unary(sign, constant, underlying))
        return self._constant(constants.unary(sign, constant))

    def _underlying(self, constant: Constant) -> str | None:
        """Of the enum that a constant is a value of."""
        if constant.value is None or constant.type_id in constants.PREDEFINED:
            return None
        type_ = self._resolver.resolve(constant.type_id.removeprefix("T:"))
        return underlying_type(type_.definition) if isinstance(type_, NamedType) else None

    def _size(self, written: str) -> Value:
        type_ = self._resolver.resolve(written)
        underlying = underlying_type(type_.definition) if isinstance(type_, NamedType) else None
        return self._constant(constants.size(written, underlying))

    def _cast(self, node: Lowered, block: Block, wraps: bool = False) -> Value:
        type_ = self._resolver.resolve(node[2][0])
        value = self._of(node[3], block)
        constant: Constant | None = None
        if value.constant is not None and isinstance(type_, NamedType):
            type_id = type_.definition.documentation_id
            number = constants.integer(value.constant)
            underlying = underlying_type(type_.definition)
            if underlying is not None:
                constant = constants.to_enum(type_id, underlying, value.constant, wraps=wraps)
            elif type_id in constants.RANGES or value.constant.value is None or number is None:
                constant = constants.cast(type_id, value.constant, wraps=wraps)
            else:
                constant = constants.of_enum(type_id, number) if type_.definition.is_value_type else None
        settled = value.settled
        if settled is not None and not (
            isinstance(type_, NamedType) and type_.definition.documentation_id in (settled.type_id, _OBJECT_ID)
        ):
            settled = None
        return replace(value, type=self._types.of(type_), constant=constant, settled=settled)

    def _default(self, node: Lowered) -> Value:
        if node[2] is None:
            return _NOTHING
        type_ = self._resolver.resolve(node[2][0])
        if not isinstance(type_, NamedType):
            return Value(type=self._types.of(type_))
        definition = type_.definition
        type_id = definition.documentation_id
        constant = constants.default(type_id, not definition.is_value_type)
        if underlying_type(definition) is not None:
            constant = constants.of_enum(type_id, 0)
        return Value(type=self._types.of(type_), constant=constant)

    def _array(self, node: Lowered, block: Block) -> Value:
        written = node[2] if node[0] != Op.NEW_ARRAY_IMPLICIT else None
        initial = node[4] if node[0] != Op.NEW_ARRAY_IMPLICIT else node[3]
        type_ = self._types.of(self._resolver.resolve(written[0])) if written is not None else None
        elements = tuple(self._of(each, block) for each in initial[2]) if initial is not None else ()
        return Value(type=type_, elements=elements)


def _one_of(*values: Value) -> Value:
    """What may be any of several values. Its type where it is plain: all have it, or are null. Of two types one may convert to the other,
    which is left open (ECMA-334 §12.18)."""
    flat = tuple(each for value in values for each in (value.alternatives or (value,)))[:_MAX_ALTERNATIVES]
    types = {each.type for each in values if each.constant is None or each.constant.value is not None}
    return Value(type=types.pop() if len(types) == 1 else None, alternatives=flat)


def _element_type(accessed: Value | None) -> BoundType | None:
    type_ = accessed.type if accessed is not None else None
    return type_.arguments[0] if type_ is not None and type_.form is TypeForm.ARRAY else None


def _is_reflection(links: list[Lowered]) -> bool:
    """Nothing, or ``.GetTypeInfo()``: what follows is read of the type."""
    return not links or (len(links) == 2 and links[0][0] == Op.MEMBER and links[0][2] == "GetTypeInfo")


def _type_of(constant: Constant) -> BoundType | None:
    if not constant.type_id:
        return None
    return BoundType(TypeForm.NAMED, constant.type_id.rpartition(".")[2], constant.type_id)


def _name_of(node: Lowered | None) -> Constant | None:
    """``nameof``: the last identifier (ECMA-334 §12.8.23)."""
    if node is None:
        return None
    if node[0] in (Op.NAME, Op.GENERIC_NAME):
        return constants.string(node[2])
    if node[0] == Op.ALIAS_NAME:
        return constants.string(node[4])
    if node[0] == Op.CHAIN and node[2] and node[2][-1][0] == Op.MEMBER:
        return constants.string(node[2][-1][2])
    if node[0] == Op.TYPE:
        return constants.string(node[1][0].partition("<")[0].rpartition(".")[2])
    return None


def _chain_of(happening: Happening) -> Lowered | None:
    """The chain whose first links lead to what something is done to: of an assignment the target."""
    node = happening.node[3] if happening.node[0] == Op.ASSIGN else happening.node
    return node if happening.links >= 0 and node is not None and node[0] == Op.CHAIN else None


def _coalesced(left: Value, right: Value) -> Value:
    known = left.constant or left.settled
    if known is None:
        return replace(_one_of(left, right), type=left.type or right.type)
    chosen = right if known.value is None else left
    return replace(chosen, constant=None, settled=chosen.constant or chosen.settled)
