"""Names and what follows them: member accesses, invocations, element accesses, as flat chains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Access, Lowered, Op, RefKind
from codemap_plugins.csharp.grammar import (
    ALIAS_QUALIFIED_NAME,
    ARGUMENT,
    COMMENT,
    CONDITIONAL_ACCESS_EXPRESSION,
    ELEMENT_ACCESS_EXPRESSION,
    ELEMENT_BINDING_EXPRESSION,
    GENERIC_NAME,
    IDENTIFIER,
    IMPLICIT_TYPE,
    INVOCATION_EXPRESSION,
    IS_EXPRESSION,
    IS_PATTERN_EXPRESSION,
    MEMBER_ACCESS_EXPRESSION,
    MEMBER_BINDING_EXPRESSION,
    POSTFIX_UNARY_EXPRESSION,
    PREFIX_UNARY_EXPRESSION,
    QUALIFIED_NAME,
    TOKEN_BASE,
    TOKEN_COLON,
    TOKEN_COMMA,
    TOKEN_GREATER_THAN,
    TOKEN_IN,
    TOKEN_LESS_THAN,
    TOKEN_OUT,
    TOKEN_REF,
    TOKEN_THIS,
    TUPLE_EXPRESSION,
)
from codemap_plugins.csharp.lowering.context import (
    LateRule,
    Lowering,
    Rule,
    children_of,
    expression_rule,
    significant,
)
from codemap_plugins.csharp.type_syntax import identifier_text

_BASE: Final = Op.BASE.value
_BINARY: Final = Op.BINARY.value
_DECLARATION: Final = Op.DECLARATION.value
_DECLARATION_PATTERN: Final = Op.DECLARATION_PATTERN.value
_DECONSTRUCTION: Final = Op.DECONSTRUCTION.value
_DISCARD: Final = Op.DISCARD.value
_IN_KIND: Final = RefKind.IN.value
_IS: Final = Op.IS.value
_NAMEOF: Final = Op.NAMEOF.value
_OUT_KIND: Final = RefKind.OUT.value
_REF_KIND: Final = RefKind.REF.value
_THIS: Final = Op.THIS.value
_UNARY: Final = Op.UNARY.value
_UNKNOWN: Final = Op.UNKNOWN.value
_VARIABLE: Final = Op.VARIABLE.value

_ALIAS_NAME: Final = Op.ALIAS_NAME.value
_ARGUMENT: Final = Op.ARGUMENT.value
_CALL: Final = Op.CALL.value
_CHAIN: Final = Op.CHAIN.value
_MAX_OPERATORS: Final = 50
"""Of unary operators before one operand; no code has as many."""
_GENERIC_NAME: Final = Op.GENERIC_NAME.value
_INDEX: Final = Op.INDEX.value
_MEMBER: Final = Op.MEMBER.value
_NAME: Final = Op.NAME.value
_SUPPRESS: Final = Op.SUPPRESS.value
_DIRECT: Final = Access.DIRECT.value
_CONDITIONAL: Final = Access.CONDITIONAL.value
_POINTER: Final = Access.POINTER.value

_LINKS: Final = frozenset(
    {
        MEMBER_ACCESS_EXPRESSION,
        QUALIFIED_NAME,
        INVOCATION_EXPRESSION,
        ELEMENT_ACCESS_EXPRESSION,
        CONDITIONAL_ACCESS_EXPRESSION,
    }
)
_DOT: Final = 0x2E
_QUESTION: Final = 0x3F
_SPACE: Final = 0x20
_OPEN_PAREN: Final = 0x28
_LESS_THAN: Final = b"<"
_REF_KINDS: Final = {TOKEN_REF: _REF_KIND, TOKEN_OUT: _OUT_KIND, TOKEN_IN: _IN_KIND}


@expression_rule(TOKEN_THIS)
def this(low: Lowering, node: Node) -> Lowered:
    return [_THIS, node.start_byte]


@expression_rule(TOKEN_BASE)
def base(low: Lowering, node: Node) -> Lowered:
    return [_BASE, node.start_byte]


@expression_rule(GENERIC_NAME)
def generic_name(low: Lowering, node: Node) -> Lowered:
    offset, name, types = simple_name(low, node)
    return [_GENERIC_NAME, offset, name, types or []]


@expression_rule(ALIAS_QUALIFIED_NAME)
def alias_name(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    offset, name, types = simple_name(low, children[-1])
    return [_ALIAS_NAME, children[0].start_byte, low.name(children[0]), offset, name, types]


def simple_name(low: Lowering, node: Node) -> tuple[int, str, list[list[Any]] | None]:
    """Offset and text of an identifier or generic name, and its type arguments or null."""
    start = node.start_byte
    if node.kind_id == IDENTIFIER:
        return start, identifier_text(low.source[start : node.end_byte]), None
    if node.kind_id != GENERIC_NAME:
        return start, low.text(node), None
    children = significant(node.children)
    return start, low.name(children[0]), type_arguments(low, children[1])


def type_arguments(low: Lowering, node: Node) -> list[list[Any]]:
    """The types of ``<…>``; an unbound list gives empty types."""
    types: list[list[Any]] = []
    commas = 0
    for child in node.children:
        kind = child.kind_id
        if kind == TOKEN_COMMA:
            commas += 1
        elif kind not in (TOKEN_LESS_THAN, TOKEN_GREATER_THAN, COMMENT):
            types.append(low.type(child))
    return types or [[""] for _ in range(commas + 1)]


@expression_rule(*_LINKS)
def chain(low: Lowering, node: Node) -> Lowered:
    head, links = chain_links(low, node)
    if head.kind_id == PREFIX_UNARY_EXPRESSION:
        return _indirect(low, head, links)
    if head.kind_id not in _LINKS:
        lowered = low.expression(head)
        # What follows a test may belong to a later one (``pattern_of_is``).
        test = lowered[2][-1][3] if lowered[0] == _BINARY else lowered
        if head.kind_id == IS_PATTERN_EXPRESSION and test is not None and test[0] == _IS:
            pattern_end_rule.rule(low, test[3], node, links)
            if not links:
                return lowered
    elif head.kind_id == INVOCATION_EXPRESSION and len(children := significant(head.children)) == 2:
        lowered = _is_variable(low, *children)
    else:
        lowered = low.unknown(head)
    return _finished(lowered, links, node.start_byte)


def _indirect(low: Lowering, head: Node, links: list[Lowered]) -> Lowered:
    """``*p.x``, which the grammar reads as ``(*p).x``: members, calls and elements bind before unary operators (ECMA-334 §12.4.2)."""
    operators: list[tuple[int, str]] = []
    while head.kind_id == PREFIX_UNARY_EXPRESSION:
        children = children_of(head, 2)
        operators.append((head.start_byte, low.text(children[0])))
        head = children[-1]
    lowered = _finished(low.expression(head), links, head.start_byte)
    for offset, operator in reversed(operators[:_MAX_OPERATORS]):
        lowered = [_UNARY, offset, operator, lowered]
    return lowered


def chain_links(low: Lowering, node: Node) -> tuple[Node, list[Lowered]]:
    """The head of a chain, and its links from last to first. A head that is itself a link could not be read as one."""
    links: list[Lowered] = []
    while True:
        kind = node.kind_id
        children = node.children
        if kind in (MEMBER_ACCESS_EXPRESSION, QUALIFIED_NAME):
            if len(children) != 3 and len(children := significant(children)) != 3:
                return node, links
            receiver, dot, name = children
            links.append(_member(low, name, dot))
        elif kind == INVOCATION_EXPRESSION:
            if len(children) != 2 and len(children := significant(children)) != 2:
                return node, links
            receiver, argument_list = children
            if receiver.kind_id == IS_EXPRESSION and significant(receiver.children)[-1].kind_id == IMPLICIT_TYPE:
                return node, links
            links.append([_CALL, argument_list.start_byte, arguments(low, argument_list), argument_list.end_byte])
        elif kind == ELEMENT_ACCESS_EXPRESSION:
            if len(children) != 2 and len(children := significant(children)) != 2:
                return node, links
            receiver, argument_list = children
            links.append(_index(low, argument_list, _DIRECT))
        elif kind == CONDITIONAL_ACCESS_EXPRESSION:
            if len(children) != 3:
                children = significant(children)
            receiver, binding = children[0], children[-1]
            if binding.kind_id == MEMBER_BINDING_EXPRESSION:
                links.append(_member(low, children_of(binding, 2)[-1], binding, _CONDITIONAL))
            else:
                links.append(_index(low, binding, _CONDITIONAL))
        elif kind == POSTFIX_UNARY_EXPRESSION and children[-1].type == "!":
            receiver = children[0]
            links.append([_SUPPRESS, children[-1].start_byte])
        else:
            return node, links
        node = receiver


def _finished(head: Lowered, links: list[Lowered], start: int) -> Lowered:
    links.reverse()
    if head[0] == _NAME:
        name = head[2]
        if name == "nameof" and links[0][0] == _CALL and len(links[0][2]) == 1:
            head = [_NAMEOF, head[1], links[0][2][0]]
            del links[0]
        elif name == "*" and links[0][0] in (_INDEX, _CALL):
            # `*(p + 1) = x` was read as `_[p + 1] = x` (repair).
            head = [_UNARY, head[1], "*", (links[0][2] or [head])[0]]
            del links[0]
    return [_CHAIN, head, links, start] if links else head


def _member(low: Lowering, node: Node, dot: Node, access: int = _DIRECT) -> Lowered:
    """``?.`` was read as ``.`` (repair), so the source tells which it is, except where a comment stands between the two."""
    if node.kind_id == IDENTIFIER:
        offset, types = node.start_byte, None
        name = identifier_text(low.source[offset : node.end_byte])
    else:
        offset, name, types = simple_name(low, node)
    source = low.source
    at = offset - 1
    if source[at] != _DOT:
        at = dot.start_byte
        if source[at] != _DOT:
            return [_MEMBER, offset, name, _POINTER, types]
    at -= 1
    while source[at] <= _SPACE:
        at -= 1
    return [_MEMBER, offset, name, _CONDITIONAL if source[at] == _QUESTION else access, types]


def _index(low: Lowering, node: Node, access: int) -> Lowered:
    offset = node.start_byte
    lowered = arguments(low, node)
    if low.source[offset] == _OPEN_PAREN:
        return [_CALL, offset, lowered, node.end_byte]  # `f(0) = x` was read as `f[0] = x` (repair)
    if access == _DIRECT and low.source[offset - 1] == _QUESTION:
        access = _CONDITIONAL
    return [_INDEX, offset, lowered, access, node.end_byte]


def _is_variable(low: Lowering, node: Node, argument_list: Node) -> Lowered:
    """``x is var (a, b)``, which the grammar reads as an invocation of ``x is var``."""
    children = significant(node.children)
    if len(children) != 3:
        return low.unknown(node)
    pattern = [_DECLARATION_PATTERN, ["var"], deconstruction(low, argument_list)]
    return [_IS, children[1].start_byte, low.expression(children[0]), pattern]


pattern_end_rule: Final[LateRule[Callable[[Lowering, Lowered, Node, list[Lowered]], None]]] = LateRule()
"""What a pattern takes of the links that come behind ``is``: the pattern, the last link's node, and all links from last to first, of which
it removes what it takes."""


def extend_type(type_: list[Any], offset: int, name: str, types: list[list[Any]] | None) -> None:
    """Makes ``A.B<T>`` of the type ``A``: ``offset`` and ``name`` are those of ``B``, ``types`` its arguments or null."""
    type_[0] += "." + name
    type_.append(offset)
    if types is not None:
        type_[0] += "<" + ",".join(argument[0] for argument in types) + ">"
        type_.extend(place for argument in types for place in argument[1:])


def deconstruction(low: Lowering, node: Node) -> Lowered:
    """A designation written as an argument list or tuple of names: ``(a, (b, _))``."""
    parts: list[Lowered] = []
    for child in node.children:
        if child.kind_id != ARGUMENT:
            continue
        inner = significant(child.children)[-1]
        if inner.kind_id == IDENTIFIER:
            name = low.name(inner)
            offset = inner.start_byte
            parts.append([_DISCARD, offset] if name == "_" else [_VARIABLE, offset, name])
        else:
            parts.append(deconstruction(low, inner) if inner.child_count else low.expression(inner))
    return [_DECONSTRUCTION, node.start_byte, parts]


@expression_rule(MEMBER_BINDING_EXPRESSION)
def stray_member(low: Lowering, node: Node) -> Lowered:
    return [
        _CHAIN,
        [_UNKNOWN, node.start_byte, []],
        [_member(low, significant(node.children)[-1], node)],
        node.start_byte,
    ]


@expression_rule(ELEMENT_BINDING_EXPRESSION)
def stray_index(low: Lowering, node: Node) -> Lowered:
    return [_CHAIN, [_UNKNOWN, node.start_byte, []], [_index(low, node, _DIRECT)], node.start_byte]


def arguments(low: Lowering, node: Node) -> list[Lowered]:
    """The arguments of a list in parentheses or brackets."""
    nodes = [child for child in node.children if child.kind_id == ARGUMENT]
    lowered = elements(low, nodes, argument)
    if node.kind_id != TUPLE_EXPRESSION and any(part[0] == _DECLARATION for part in lowered):
        lowered = [
            part
            for each, child in zip(lowered, nodes, strict=False)
            for part in declaration_rule.rule(low, each, child)
        ]
    if low.has_errors:
        lowered += [low.unknown(child) for child in node.children if child.is_error]
    return lowered


def elements(low: Lowering, nodes: list[Node], lower: Rule, of_patterns: bool = False) -> list[Lowered]:
    """What stands between commas. ``of_patterns``: patterns, not expressions."""
    if len(nodes) > 1 and low.source.find(_LESS_THAN, nodes[0].start_byte, nodes[-2].end_byte) >= 0:
        return list_rule.rule(low, nodes, lower, of_patterns)
    return [lower(low, node) for node in nodes]


list_rule: Final[LateRule[Callable[[Lowering, list[Node], Rule, bool], list[Lowered]]]] = LateRule()
"""What lowers lists that may have been taken apart at other commas."""
declaration_rule: Final[LateRule[Callable[[Lowering, Lowered, Node], list[Lowered]]]] = LateRule()
"""What an argument is that comes as a declaration without ``out``."""


def argument(low: Lowering, node: Node) -> Lowered:
    """A bare expression where there is neither a name nor a ``ref``."""
    children = node.children
    if len(children) == 1:
        return low.expression(children[0])
    offset, name, ref_kind = node.start_byte, "", 0
    value: Node | None = None
    for child in children:
        kind = child.kind_id
        if kind in _REF_KINDS:
            ref_kind = _REF_KINDS[kind]
        elif kind == TOKEN_COLON:
            name = low.name(value) if value is not None else ""
            value = None
        elif kind != COMMENT:
            value = child
    lowered = low.expression(value) if value is not None else [_UNKNOWN, offset, []]
    return [_ARGUMENT, offset, name, ref_kind, lowered] if name or ref_kind else lowered
