"""Lambdas, anonymous methods and local functions, with their parameters, type parameters and attributes."""

from __future__ import annotations

from typing import Any, Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import ConstraintFlag, FunctionFlag, Lowered, Op, RefKind
from codemap_plugins.csharp.grammar import (
    ANONYMOUS_METHOD_EXPRESSION,
    ARROW_EXPRESSION_CLAUSE,
    ATTRIBUTE,
    ATTRIBUTE_ARGUMENT,
    ATTRIBUTE_ARGUMENT_LIST,
    ATTRIBUTE_LIST,
    BLOCK,
    COMMENT,
    FIELD_NAME,
    FIELD_TYPE,
    IDENTIFIER,
    IMPLICIT_PARAMETER,
    LAMBDA_EXPRESSION,
    LOCAL_FUNCTION_STATEMENT,
    MODIFIER,
    PARAMETER,
    PARAMETER_LIST,
    REF_TYPE,
    SCOPED_TYPE,
    TOKEN_ARROW,
    TOKEN_COLON,
    TOKEN_COMMA,
    TOKEN_EQUALS,
    TOKEN_OPEN_PAREN,
    TOKEN_PARAMS,
    TYPE_PARAMETER,
    TYPE_PARAMETER_CONSTRAINT,
    TYPE_PARAMETER_CONSTRAINTS_CLAUSE,
    TYPE_PARAMETER_LIST,
)
from codemap_plugins.csharp.lowering.context import Lowering, expression_rule, significant, statement_rule
from codemap_plugins.csharp.lowering.end_points import never_returns
from codemap_plugins.csharp.source_text import cut

_ANONYMOUS_METHOD_FLAG: Final = FunctionFlag.ANONYMOUS_METHOD.value
_ARGUMENT: Final = Op.ARGUMENT.value
_ASYNC_FLAG: Final = FunctionFlag.ASYNC.value
_ATTRIBUTE: Final = Op.ATTRIBUTE.value
_CONSTRAINT: Final = Op.CONSTRAINT.value
_IN_KIND: Final = RefKind.IN.value
_LAMBDA: Final = Op.LAMBDA.value
_LOCAL_FUNCTION: Final = Op.LOCAL_FUNCTION.value
_MEMBER_INITIALIZER: Final = Op.MEMBER_INITIALIZER.value
_NEVER_RETURNS_FLAG: Final = FunctionFlag.NEVER_RETURNS.value
_NO_PARAMETER_LIST_FLAG: Final = FunctionFlag.NO_PARAMETER_LIST.value
_OUT_KIND: Final = RefKind.OUT.value
_PARAMS_FLAG: Final = FunctionFlag.PARAMS.value
_REF_KIND: Final = RefKind.REF.value
_REF_READONLY_KIND: Final = RefKind.REF_READONLY.value
_STATIC_FLAG: Final = FunctionFlag.STATIC.value
_THIS_FLAG: Final = FunctionFlag.THIS.value
_TYPE_PARAMETER: Final = Op.TYPE_PARAMETER.value

_PARAMETER: Final = Op.PARAMETER.value
_FLAGS: Final = {
    "async": _ASYNC_FLAG,
    "static": _STATIC_FLAG,
    "this": _THIS_FLAG,
}
_CONSTRAINTS: Final = {
    b"class": ConstraintFlag.CLASS.value,
    b"struct": ConstraintFlag.STRUCT.value,
    b"unmanaged": ConstraintFlag.STRUCT.value,
    b"new": ConstraintFlag.NEW.value,
    b"notnull": 0,
    b"default": 0,
}
_REF_KINDS: Final = {b"ref": _REF_KIND, b"out": _OUT_KIND, b"in": _IN_KIND}
_MODIFYING_TYPES: Final = (REF_TYPE, SCOPED_TYPE)
"""What the grammar reads of a lambda's ``(ref T x)``: a modifier before a type."""


@expression_rule(LAMBDA_EXPRESSION)
def lambda_expression(low: Lowering, node: Node) -> Lowered:
    flags, offset = 0, node.start_byte
    parameter_list: list[Lowered] = []
    attributes: list[Lowered] = []
    type_: list[Any] | None = None
    body: Lowered | None = None
    after_arrow = False
    for child in node.children:
        kind = child.kind_id
        if kind == COMMENT:
            continue
        if after_arrow:
            body = low.embedded(child) if kind == BLOCK else low.expression(child)
            flags |= _NEVER_RETURNS_FLAG if kind == BLOCK and never_returns(child) else 0
        elif kind == TOKEN_ARROW:
            offset, after_arrow = child.start_byte, True
        elif kind == IMPLICIT_PARAMETER:
            parameter_list = [[_PARAMETER, child.start_byte, low.name(child), None, 0, 0, None, []]]
        elif kind == PARAMETER_LIST:
            parameter_list = parameters(low, child)
        elif kind == MODIFIER:
            flags |= _FLAGS.get(low.text(child), 0)
        elif kind == ATTRIBUTE_LIST:
            attributes += attribute_list(low, child)
        else:
            type_ = low.type(child)
    return [_LAMBDA, offset, flags, parameter_list, type_, body, attributes]


@expression_rule(ANONYMOUS_METHOD_EXPRESSION)
def anonymous_method(low: Lowering, node: Node) -> Lowered:
    flags = _ANONYMOUS_METHOD_FLAG | _NO_PARAMETER_LIST_FLAG
    parameter_list: list[Lowered] = []
    body: Lowered | None = None
    for child in node.children:
        kind = child.kind_id
        if kind == PARAMETER_LIST:
            parameter_list = parameters(low, child)
            flags &= ~_NO_PARAMETER_LIST_FLAG
        elif kind == BLOCK:
            body = low.embedded(child)
            flags |= _NEVER_RETURNS_FLAG if never_returns(child) else 0
        elif kind == MODIFIER:
            flags |= _FLAGS.get(low.text(child), 0)
    return [_LAMBDA, node.start_byte, flags, parameter_list, None, body, []]


@statement_rule(LOCAL_FUNCTION_STATEMENT)
def local_function(low: Lowering, node: Node) -> Lowered:
    flags = 0
    type_: list[Any] | None = None
    body: Lowered | None = None
    parameter_list: list[Lowered] = []
    type_parameters: list[Lowered] = []
    constraints: list[Lowered] = []
    attributes: list[Lowered] = []
    name = node.child_by_field_id(FIELD_NAME)
    returns = node.child_by_field_id(FIELD_TYPE)
    for child in node.children:
        kind = child.kind_id
        if kind == PARAMETER_LIST:
            parameter_list = parameters(low, child)
        elif kind == BLOCK:
            body = low.embedded(child)
        elif kind == ARROW_EXPRESSION_CLAUSE:
            body = low.expression(significant(child.children)[-1])
        elif kind == TYPE_PARAMETER_LIST:
            parts = [part for part in child.children if part.kind_id == TYPE_PARAMETER]
            type_parameters = [_type_parameter(low, part) for part in parts]
            lists = (each for part in parts for each in part.children if each.kind_id == ATTRIBUTE_LIST)
            attributes += [attribute for each in lists for attribute in attribute_list(low, each)]
        elif kind == TYPE_PARAMETER_CONSTRAINTS_CLAUSE:
            constraints.append(_constraint(low, child))
        elif kind == MODIFIER:
            flags |= _FLAGS.get(low.text(child), 0)
        elif kind == ATTRIBUTE_LIST:
            attributes += attribute_list(low, child)
    if returns is not None:
        type_ = low.type(returns)
    offset, text = (name.start_byte, low.name(name)) if name is not None else (node.start_byte, "")
    return [
        _LOCAL_FUNCTION,
        offset,
        text,
        type_,
        flags,
        type_parameters,
        parameter_list,
        constraints,
        body,
        attributes,
    ]


def parameters(low: Lowering, node: Node) -> list[Lowered]:
    """The parameters of a list; a ``params`` one has no node of its own in the grammar."""
    lowered: list[Lowered] = []
    previous_end = node.start_byte + 1
    params: list[Node] | None = None
    attributes: list[Lowered] = []
    for child in node.children:
        kind = child.kind_id
        if kind == PARAMETER:
            lowered.append(_parameter(low, child, cut(low.source, previous_end, child.start_byte)))
        elif kind == TOKEN_PARAMS:
            params = []
        elif kind in (TOKEN_COMMA, TOKEN_OPEN_PAREN):
            previous_end = child.end_byte
        elif kind == COMMENT:
            continue
        elif kind == ATTRIBUTE_LIST:
            attributes += attribute_list(low, child)  # of a `params` parameter: `[A] params T[] x`
        elif params is not None:
            params.append(child)
            if len(params) == 2:
                type_, name = params
                flag = _PARAMS_FLAG
                lowered.append(
                    [_PARAMETER, name.start_byte, low.name(name), low.type(type_), 0, flag, None, attributes]
                )
                params, attributes = None, []
        elif child.child_count:
            # What a syntax error left: a parameter without a name, whose default names what stands there.
            lowered.append([_PARAMETER, child.start_byte, "", None, 0, 0, low.unknown(child), []])
    return lowered


def _parameter(low: Lowering, node: Node, before: bytes) -> Lowered:
    """``before``: the source between the parameter and the punctuation before it, where a repair has blanked
    modifiers."""
    flags, words = 0, before.split()
    attributes: list[Lowered] = []
    written: Node | None = None
    default: Lowered | None = None
    name: Node | None = None
    after_equals = False
    for child in node.children:
        kind = child.kind_id
        if kind == COMMENT:
            continue
        if after_equals:
            default = low.expression(child)
        elif kind == TOKEN_EQUALS:
            after_equals = True
        elif kind == MODIFIER:
            words.append(low.source[child.start_byte : child.end_byte])
        elif kind == ATTRIBUTE_LIST:
            attributes += attribute_list(low, child)
        else:
            written, name = name, child
    if name is None:
        return low.unknown(node)
    type_: list[Any] | None = None
    if written is not None:
        type_ = low.type(written)
        while written.kind_id in _MODIFYING_TYPES:
            inner = written.children[-1]
            words += low.source[written.start_byte : inner.start_byte].split()
            written = inner
    flags |= _THIS_FLAG if b"this" in words else 0
    ref_kind = next((_REF_KINDS[word] for word in words if word in _REF_KINDS), 0)
    if ref_kind == _REF_KIND and b"readonly" in words:
        ref_kind = _REF_READONLY_KIND
    return [_PARAMETER, name.start_byte, low.name(name), type_, ref_kind, flags, default, attributes]


def _type_parameter(low: Lowering, node: Node) -> Lowered:
    name = next(child for child in reversed(node.children) if child.kind_id != COMMENT)
    return [_TYPE_PARAMETER, name.start_byte, low.name(name)]


def _constraint(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    name = children[1]
    types: list[list[Any]] = []
    flags = 0
    for child in children[2:]:
        if child.kind_id != TYPE_PARAMETER_CONSTRAINT:
            continue
        word = low.source[child.start_byte : child.end_byte].split(b"(")[0].rstrip(b"? ")
        type_ = child.child_by_field_id(FIELD_TYPE)
        if word in _CONSTRAINTS:
            flags |= _CONSTRAINTS[word]
        elif type_ is not None and not low.source.startswith(b"allows", type_.start_byte):
            types.append(low.type(type_))
    return [_CONSTRAINT, name.start_byte, low.name(name), types, flags]


def attribute_list(low: Lowering, node: Node) -> list[Lowered]:
    """The attributes of one ``[…]``."""
    return [_attribute(low, child) for child in node.children if child.kind_id == ATTRIBUTE]


def _attribute(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    lowered: list[Lowered] | None = None
    for child in children[1:]:
        if child.kind_id == ATTRIBUTE_ARGUMENT_LIST:
            lowered = attribute_arguments(low, child)
    return [_ATTRIBUTE, low.type(children[0]), lowered]


def attribute_arguments(low: Lowering, node: Node) -> list[Lowered]:
    """The arguments of an attribute."""
    return [_attribute_argument(low, child) for child in node.children if child.kind_id == ATTRIBUTE_ARGUMENT]


def _attribute_argument(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    value = low.expression(children[-1])
    if len(children) < 3 or children[0].kind_id != IDENTIFIER:
        return value
    name = children[0]
    if children[1].kind_id == TOKEN_COLON:
        return [_ARGUMENT, name.start_byte, low.name(name), 0, value]
    return [_MEMBER_INITIALIZER, name.start_byte, low.name(name), value, node.end_byte]
