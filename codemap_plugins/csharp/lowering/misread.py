"""Constructs that the grammar misreads as others without an error, read again by the rules of the language.

- ``(int)a.F<T>(x)``, ``a.F<(int b, int c)>(x)``, ``new T<A>(x) { }`` and ``new T<(int b, int c)> { }`` come as comparisons; a name with
  type arguments before ``(`` is generic (ECMA-334 §6.2.5), and braces begin no operand.
- ``F<A<(int b, int c)>>(x)``, with a tuple innermost, comes as comparisons with a shift; so does the creation and the declaration of such
  a type.
- ``a < b >> c`` comes as the comparison of ``a<b>`` with ``c``; what follows type arguments is never ``>`` (§6.2.5).
- ``F<T>(a)(b)`` comes as the comparison of ``F < T`` with a cast of ``(b)`` to ``a``.
- ``A.B<T> x`` and ``A.B<T>(x)`` come as comparisons where a pattern or ``foreach`` declares ``x``.
- ``F(a) = b;`` comes as the declaration of ``(a)``, of type ``F``.
- ``f(a < b, c > d)`` comes as the declaration of ``d``, of type ``a<b, c>``.
- ``f(a * b)`` comes as the declaration of ``b`` of type ``a*``.
- ``(a) - b``, ``(a)[b]`` and ``(a)..b`` come as casts; a name in parentheses before an operator that could be unary is an
  operand (§12.9.8).
- A name or tuple in a type's place comes as an expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    ALIAS_QUALIFIED_NAME,
    ARGUMENT,
    ARRAY_TYPE,
    AWAIT_EXPRESSION,
    BINARY_EXPRESSION,
    CAST_EXPRESSION,
    COLLECTION_EXPRESSION,
    COMMENT,
    CONDITIONAL_ACCESS_EXPRESSION,
    DECLARATION_EXPRESSION,
    GENERIC_NAME,
    IDENTIFIER,
    INITIALIZER_EXPRESSION,
    MEMBER_ACCESS_EXPRESSION,
    OBJECT_CREATION_EXPRESSION,
    PARENTHESIZED_EXPRESSION,
    POINTER_TYPE,
    PREDEFINED_TYPE,
    PREFIX_UNARY_EXPRESSION,
    QUALIFIED_NAME,
    RANGE_EXPRESSION,
    TOKEN_GREATER_THAN,
    TOKEN_LESS_THAN,
    TOKEN_RIGHT_SHIFT,
    TOKEN_UNSIGNED_RIGHT_SHIFT,
    TUPLE_EXPRESSION,
)
from codemap_plugins.csharp.lowering.context import Lowering, children_of, significant
from codemap_plugins.csharp.lowering.creation import initializer
from codemap_plugins.csharp.lowering.names import arguments, chain_links, declaration_rule, extend_type, simple_name

_AWAIT: Final = Op.AWAIT.value
_ASSIGN: Final = Op.ASSIGN.value
_BINARY: Final = Op.BINARY.value
_CALL: Final = Op.CALL.value
_CAST: Final = Op.CAST.value
_CHAIN: Final = Op.CHAIN.value
_DECLARATION: Final = Op.DECLARATION.value
_GENERIC_NAME: Final = Op.GENERIC_NAME.value
_INDEX: Final = Op.INDEX.value
_MEMBER: Final = Op.MEMBER.value
_NAME: Final = Op.NAME.value
_NEW: Final = Op.NEW.value
_OPERAND: Final = Op.OPERAND.value
_RANGE: Final = Op.RANGE.value
_UNARY: Final = Op.UNARY.value

_OPEN_PAREN: Final = 0x28
GENERIC_CONTINUES: Final = b"({"
"""What stands after type arguments where the grammar reads a comparison."""
_NAMES: Final = frozenset({IDENTIFIER, GENERIC_NAME, QUALIFIED_NAME, ALIAS_QUALIFIED_NAME})
_RIGHT_SHIFTS: Final = frozenset({TOKEN_RIGHT_SHIFT, TOKEN_UNSIGNED_RIGHT_SHIFT})
_PREFIXED: Final = frozenset({CAST_EXPRESSION, AWAIT_EXPRESSION, PREFIX_UNARY_EXPRESSION})
_CALLEES: Final = frozenset({IDENTIFIER, MEMBER_ACCESS_EXPRESSION, CONDITIONAL_ACCESS_EXPRESSION})


def expression_type(low: Lowering, node: Node) -> list[Any] | None:
    """An expression of names, or a tuple of such, as the type it would be; null for any other."""
    if node.kind_id in _NAMES:
        return low.type(node)
    if node.kind_id == TUPLE_EXPRESSION:
        return _tuple_type(low, node)
    parts: list[tuple[int, str, list[list[Any]] | None]] = []
    while node.kind_id == MEMBER_ACCESS_EXPRESSION:
        children = children_of(node, 3)
        if len(children) != 3:
            return None
        parts.append(simple_name(low, children[2]))
        node = children[0]
    if node.kind_id == PREDEFINED_TYPE:
        type_: list[Any] = [low.text(node)]
    elif node.kind_id in _NAMES:
        type_ = low.type(node)
    else:
        return None
    for offset, name, types in parts[::-1]:
        extend_type(type_, offset, name, types)
    return type_


def constructed_before(low: Lowering, node: Node) -> tuple[list[Any], Node] | None:
    """``A.B<T> x`` and ``A.B<T>(x)`` where a pattern or a loop declares ``x``, which come as the comparison ``A.B < T > x``: the type and
    what stands behind it. Null for any other expression."""
    closing = comparison(node, TOKEN_GREATER_THAN)
    operands: list[Node] = []
    first = node if closing is None else closing[0]
    while (opening := comparison(first, TOKEN_LESS_THAN)) is not None:
        first = opening[0]
        operands.insert(0, opening[1])
    type_ = expression_type(low, first) if operands else None
    if type_ is None:
        return None
    if closing is None:
        nested = nested_argument(low, operands)
        argument, behind = (nested[0], nested[1]) if nested is not None and nested[2] == len(operands) else (None, node)
    else:
        argument, behind = expression_type(low, operands[0]) if len(operands) == 1 else None, closing[1]
    return None if argument is None else (constructed(type_, [argument]), behind)


def constructed(type_: list[Any], arguments: Sequence[list[Any]]) -> list[Any]:
    """The type with these type arguments."""
    offsets = [offset for argument in arguments for offset in argument[1:]]
    return [f"{type_[0]}<{','.join(argument[0] for argument in arguments)}>", *type_[1:], *offsets]


def nested_argument(low: Lowering, operands: Sequence[Node]) -> tuple[list[Any], Node, int] | None:
    """The type argument ``A<(int b, int c)>`` of ``F<A<(int b, int c)>>(x)``, which comes as ``F < A < ((int b, int c) >> (x))``.
    Besides it: what stands behind the type arguments, and how many of the ``operands`` of ``<`` it takes, one for each ``>``."""
    for count, operand in enumerate(operands, 1):
        if not shifts_tuple(operand):
            continue
        argument, shift, behind = significant(operand.children)
        type_ = expression_type(low, argument)
        for name in reversed(operands[: count - 1]):
            outer = expression_type(low, name)
            type_ = constructed(outer, [type_]) if outer is not None and type_ is not None else None
        return (type_, behind, count) if type_ is not None and shift.end_byte - shift.start_byte == count else None
    return None


def shifts_tuple(node: Node) -> bool:
    """``(a, b) >> c``: tuples are never shifted."""
    return (
        node.kind_id == BINARY_EXPRESSION
        and node.children[0].kind_id == TUPLE_EXPRESSION
        and node.children[1].kind_id in _RIGHT_SHIFTS
    )


def _tuple_type(low: Lowering, node: Node) -> list[Any] | None:
    texts: list[str] = []
    offsets: list[int] = []
    for child in node.children:
        if child.kind_id != ARGUMENT:
            continue
        element = significant(child.children)[-1]
        if element.kind_id == DECLARATION_EXPRESSION:
            children = significant(element.children)
            type_: list[Any] | None = low.type(children[0])
            name = " " + low.name(children[-1])
        else:
            type_, name = expression_type(low, element), ""
        if type_ is None:
            return None
        texts.append(type_[0] + name)
        offsets += type_[1:]
    return [f"({','.join(texts)})", *offsets]


def compared_with_shift(low: Lowering, node: Node) -> tuple[Lowered, int, Lowered] | None:
    """The operand ``a<b>`` before ``> c``, which is ``a < (b >> c)``: ``a``, where the ``<`` is, and ``b``. Null for any other operand."""
    taken = _without_types(low, node)
    if taken is None or len(taken[2]) != 1:
        return None
    shifted = _operand_of_type(low, taken[2][0])
    return None if shifted is None else (taken[0], taken[1], shifted)


def _without_types(low: Lowering, node: Node) -> tuple[Lowered, int, list[Node]] | None:
    """The name ``a`` of ``a<b, c>``, where the ``<`` is, and the type arguments; null for anything else."""
    parts = significant(node.children)
    name = node if node.kind_id == GENERIC_NAME or not parts else parts[-1]
    if name.kind_id != GENERIC_NAME:
        return None
    types = significant(name.children)[-1]
    lowered = low.expression(node)
    if lowered[0] == _GENERIC_NAME:
        lowered = [_NAME, lowered[1], lowered[2]]
    elif lowered[0] == _CHAIN and lowered[2][-1][0] == _MEMBER:
        lowered[2][-1][4] = None
    else:
        return None
    return lowered, types.start_byte, [child for child in types.children if child.is_named and child.kind_id != COMMENT]


@declaration_rule
def compared(low: Lowering, lowered: Lowered, node: Node) -> list[Lowered]:
    """``f(a < b, c > d)``, which comes as the declaration of ``d``, of type ``a<b, c>``: only ``out`` declares in an argument."""
    declared = significant(node.children)
    if lowered[0] != _DECLARATION or declared[-1].kind_id != DECLARATION_EXPRESSION:
        return [lowered]
    type_, name = significant(declared[-1].children)[:2]
    taken = _without_types(low, type_)
    values = [_operand_of_type(low, each) for each in taken[2]] if taken is not None else []
    if taken is None or len(values) < 2 or None in values:
        return [lowered]
    first, less_than, _ = taken
    greater_than = low.source.rindex(b">", type_.start_byte, name.start_byte)
    begin = [_BINARY, first, [[_OPERAND, less_than, "<", values[0]]]]
    end = [_BINARY, values[-1], [[_OPERAND, greater_than, ">", low.expression(name)]]]
    return [begin, *(each for each in values[1:-1] if each is not None), end]


def _operand_of_type(low: Lowering, type_: Node) -> Lowered | None:
    """A name, or an element of what it names, that comes as a type: ``b``, ``b[0]``."""
    if type_.kind_id in _NAMES:
        return low.expression(type_)
    if type_.kind_id != ARRAY_TYPE:
        return None
    array, rank = significant(type_.children)[:2]
    indices = [low.expression(child) for child in rank.children if child.is_named and child.kind_id != COMMENT]
    if not indices or array.kind_id not in _NAMES:
        return None
    return [_CHAIN, low.expression(array), [[_INDEX, rank.start_byte, indices, 0, rank.end_byte]], array.start_byte]


def generic_call(low: Lowering, callee: Node, type_node: Node, right: Node) -> Lowered | None:
    """``callee < type > right`` as ``callee<type>right``, where ``right`` begins with ``(`` or ``{``; null when it is a comparison after
    all. A cast, ``await`` or unary operator before the callee applies to the whole."""
    type_ = expression_type(low, type_node)
    return constructed_call(low, callee, [type_], right) if type_ is not None else None


def constructed_call(low: Lowering, callee: Node, types: list[list[Any]], right: Node) -> Lowered | None:
    """As ``generic_call``, with the types themselves."""
    prefixes: list[Node] = []
    while callee.kind_id in _PREFIXED:
        prefixes.append(callee)
        callee = significant(callee.children)[-1]
    if callee.kind_id == OBJECT_CREATION_EXPRESSION:
        called = _creation(low, callee, types, right)
    elif callee.kind_id in _CALLEES:
        called = _invocation(low, callee, types, right)
    else:
        return None
    for prefix in reversed(prefixes if called is not None else ()):
        if prefix.kind_id == AWAIT_EXPRESSION:
            called = [_AWAIT, prefix.start_byte, called]
        elif prefix.kind_id == PREFIX_UNARY_EXPRESSION:
            called = [_UNARY, prefix.start_byte, low.text(prefix.children[0]), called]
        else:
            called = [_CAST, prefix.start_byte, low.type(significant(prefix.children)[1]), called]
    return called


def _invocation(low: Lowering, callee: Node, types: list[list[Any]], right: Node) -> Lowered | None:
    behind = _behind(low, right)
    if behind is None:
        return None
    links, operands = behind
    called = low.expression(callee)
    if called[0] == _NAME:
        called = [_CHAIN, [_GENERIC_NAME, called[1], called[2], types], [], called[1]]
    elif called[0] == _CHAIN and called[2][-1][0] == _MEMBER and called[2][-1][4] is None:
        called[2][-1][4] = types
    else:
        return None
    called[2] += links
    return [_BINARY, called, operands] if operands else called


def _behind(low: Lowering, right: Node) -> tuple[list[Lowered], list[Lowered]] | None:
    """The calls that stand behind type arguments, with their links, and operands after them: ``(a)(b)`` comes as a cast of ``(b)`` to
    ``a``, ``(a)(b) + c`` as one of ``+c`` where ``b`` could be a type. Null where nothing is called."""
    links: list[Lowered] = []
    operands: list[Lowered] = []
    while right.kind_id == BINARY_EXPRESSION and len(parts := significant(right.children)) == 3:
        right, operator, operand = parts
        operands.insert(0, [_OPERAND, operator.start_byte, low.text(operator), low.expression(operand)])
    while right.kind_id == CAST_EXPRESSION:
        children = significant(right.children)
        argument = _operand_of_type(low, children[1]) if len(children) == 4 else None
        if argument is None:
            return None
        links.append([_CALL, right.start_byte, [argument], children[2].end_byte])
        right = children[3]
        if right.kind_id == COLLECTION_EXPRESSION:
            links.append([_INDEX, right.start_byte, low.expression(right)[2], 0, right.end_byte])
            return links, operands
        if right.kind_id == PREFIX_UNARY_EXPRESSION:
            operator, operand = significant(right.children)[:2]
            return links, [[_OPERAND, right.start_byte, low.text(operator), low.expression(operand)], *operands]
    head, further = chain_links(low, right)
    if head.start_byte != right.start_byte or head.kind_id not in (PARENTHESIZED_EXPRESSION, TUPLE_EXPRESSION):
        return None
    values = arguments(low, head) if head.kind_id == TUPLE_EXPRESSION else [low.expression(head)]
    return [*links, [_CALL, head.start_byte, values, head.end_byte], *reversed(further)], operands


def _creation(low: Lowering, callee: Node, types: list[list[Any]], right: Node) -> Lowered | None:
    """``new T<A>(b)``, which comes as ``(new T) < A > (b)``; with ``{ … }`` after it the last is a cast of the initialiser to ``b``, and of
    ``new T<A> { … }`` the initialiser."""
    created, parts = significant(callee.children), significant(right.children)
    if len(created) != 2:
        return None
    type_ = constructed(low.type(created[1]), types)
    if right.kind_id == CAST_EXPRESSION:
        if len(parts) != 4 or parts[3].kind_id != INITIALIZER_EXPRESSION or parts[1].kind_id not in _NAMES:
            return None
        return [_NEW, callee.start_byte, type_, [low.expression(parts[1])], initializer(low, parts[3]), right.end_byte]
    head, links = chain_links(low, right)
    values: list[Lowered] | None = None
    initialiser: Lowered | None = None
    if head.start_byte != right.start_byte:
        return None
    if head.kind_id == INITIALIZER_EXPRESSION:
        initialiser = initializer(low, head)
    elif head.kind_id == TUPLE_EXPRESSION:
        values = arguments(low, head)
    elif head.kind_id == PARENTHESIZED_EXPRESSION:
        values = [low.expression(head)]
    else:
        return None
    new = [_NEW, callee.start_byte, type_, values, initialiser, head.end_byte]
    return [_CHAIN, new, [*reversed(links)], callee.start_byte] if links else new


def comparison(node: Node, operator: int) -> tuple[Node, Node] | None:
    """The operands of one comparison by ``operator``; null for any other expression."""
    if node.kind_id != BINARY_EXPRESSION:
        return None
    children = significant(node.children)
    if len(children) != 3 or children[1].kind_id != operator:
        return None
    return children[0], children[2]


def product(low: Lowering, node: Node) -> Lowered | None:
    """A DECLARATION_EXPRESSION ``a * b`` that is no ``out a* b`` as a product; null when it declares."""
    type_, name = significant(node.children)[:2]
    if type_.kind_id != POINTER_TYPE or low.source[max(0, node.start_byte - 80) : node.start_byte].rstrip().endswith(
        b"out"
    ):
        return None
    factor, star = significant(type_.children)[:2]
    if factor.kind_id not in _NAMES:
        return None
    return [_BINARY, low.expression(factor), [[_OPERAND, star.start_byte, "*", low.expression(name)]]]


def call_assigned(low: Lowering, type_: Node, pattern: Node, equals: Node, value: Node) -> Lowered | None:
    """``F(a) = b``, which comes as the declaration of ``(a)``, of type ``F``; null for ``var (a) = b``, which declares."""
    written = [child for child in pattern.children if child.is_named and child.kind_id != COMMENT]
    if type_.kind_id not in _NAMES or any(child.kind_id != IDENTIFIER for child in written):
        return None
    callee = low.expression(type_)
    call = [_CALL, pattern.start_byte, [low.expression(child) for child in written], pattern.end_byte]
    if callee[0] == _CHAIN:
        callee[2].append(call)
    else:
        callee = [_CHAIN, callee, [call], type_.start_byte]
    return [_ASSIGN, equals.start_byte, "=", callee, low.expression(value), type_.start_byte, value.end_byte]


UNARY_OR_BINARY: Final = frozenset({PREFIX_UNARY_EXPRESSION, COLLECTION_EXPRESSION, RANGE_EXPRESSION})


SIGNS: Final = b"+-*&"
"""What a value begins with that may be an operation on what stands before it."""


def no_cast(low: Lowering, type_: Node, value: Node) -> Lowered | None:
    """``(type) value`` as an operation on the name in the parentheses, or on an element of what it names; null when it is a cast.
    ``(a) * b.c`` comes as a cast of ``(*b).c``."""
    operand = _operand_of_type(low, type_)
    if operand is None:
        return None
    kind = value.kind_id
    offset = value.start_byte
    if kind not in UNARY_OR_BINARY:
        lowered = low.expression(value)
        if lowered[0] != _UNARY or lowered[2] not in _ALSO_BINARY:
            return None
        return [_BINARY, operand, [[_OPERAND, offset, lowered[2], lowered[3]]]]
    children = significant(value.children)
    if kind == COLLECTION_EXPRESSION:
        if type_.kind_id == GENERIC_NAME:
            return None
        elements = low.expression(value)[2]
        return [_CHAIN, operand, [[_INDEX, offset, elements, 0, value.end_byte]], type_.start_byte - 1]
    if kind == RANGE_EXPRESSION:
        end = None if len(children) < 2 else low.expression(children[-1])
        return [_RANGE, offset, operand, end] if len(children) < 3 else None
    operator = low.text(children[0])
    right = children[-1]
    if operator == "&" and low.source[offset : offset + 2] == b"&&":
        operator, right = "&&", significant(right.children)[-1]
    if operator not in _ALSO_BINARY:
        return None
    return [_BINARY, operand, [[_OPERAND, offset, operator, low.expression(right)]]]


_ALSO_BINARY: Final = frozenset({"+", "-", "*", "&", "&&"})
