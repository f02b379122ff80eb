"""The parts of declarations: names, modifiers, parameters, type parameters, attributes, header text.

Every function takes the ORIGINAL bytes of the document and nodes of a tree parsed from bytes of equal length, so texts come out as the
user wrote them wherever a repair or the preprocessor changed what was parsed.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.lowering.types import lower_type
from codemap_plugins.csharp.source_text import LineIndex, cut
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.type_syntax import identifier_text as token_text
from codemap_plugins.csharp.unit import AttributeArgument, AttributeSyntax, Modifiers, Parameter, TypeParameter

_MODIFIERS: Final = {
    member.name.lower().encode(): member.value
    for member in Modifiers
    if member is not Modifiers.NONE and member.name is not None
}

_COMMENT: Final = re.compile(rb"//[^\r\n]*|/\*.*?\*/|(\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*')", re.DOTALL)

_COMMENT_OR_TEXT: Final = re.compile(
    rb"""
    //[^\r\n]*+ | /\*(?:.*?\*/|.*)                      # comments; an open one ends with the text
    | @\$?"[^"]*+(?:""[^"]*+)*+"?                      # verbatim
    | "(?P<quotes>"{2,}).*?(?:"(?P=quotes)(?!")|\Z)    # raw
    | "[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+"? | '[^'\\\r\n]*+(?:\\.[^'\\\r\n]*+)*+'?
    """,
    re.DOTALL | re.VERBOSE,
)
"""Comments, and the literals in which a comment is none (ECMA-334 §6.3.3, §6.4.5.5 f.). Every alternative begins with a literal
character: only then does the search skip to the next of these instead of trying all alternatives at every place."""

_PARAMETER_TYPES: Final = frozenset(
    {
        grammar.IDENTIFIER,
        grammar.PREDEFINED_TYPE,
        grammar.GENERIC_NAME,
        grammar.QUALIFIED_NAME,
        grammar.ALIAS_QUALIFIED_NAME,
        grammar.ARRAY_TYPE,
        grammar.NULLABLE_TYPE,
        grammar.POINTER_TYPE,
        grammar.FUNCTION_POINTER_TYPE,
        grammar.TUPLE_TYPE,
        grammar.REF_TYPE,
        grammar.SCOPED_TYPE,
        grammar.IMPLICIT_TYPE,
    }
)


def identifier_text(source: bytes, node: Node) -> str:
    """The identifier's name, as ``type_syntax.identifier_text`` has it."""
    return token_text(source[node.start_byte : node.end_byte])


def node_text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def modifier_bits(source: bytes, node: Node) -> int:
    """The value of a modifier: added up as an integer, as each ``|`` of two flags costs several calls."""
    return _MODIFIERS.get(source[node.start_byte : node.end_byte], 0)


@cache
def modifiers_of(bits: int) -> Modifiers:
    """The modifiers of these values."""
    return Modifiers(bits)


_OPENING: Final = frozenset(b"([<")
_CLOSING: Final = frozenset(b")]>")


def header_text(source: bytes, start: int, end: int) -> str:
    """Source text on one line: comments left out, white space folded, none left where a list was broken after its opening bracket or
    before its closing one. String and character literals keep their text."""
    raw = cut(source, start, end)
    if b"/" in raw:
        raw = _COMMENT.sub(lambda m: m.group(1) or b" ", raw)
    if b"\n" in raw:
        raw = _unbroken(raw)
    return " ".join(raw.decode("utf-8", "replace").split())


def _unbroken(raw: bytes) -> bytes:
    """The lines as one, with a space between two of them unless a list was broken there."""
    lines = [line for line in [each.strip() for each in raw.split(b"\n")] if line]
    joined = lines[:1]
    for number in range(1, len(lines)):
        line = lines[number]
        if lines[number - 1][-1] not in _OPENING and line[0] not in _CLOSING:
            joined.append(b" ")
        joined.append(line)
    return b"".join(joined)


def content_hash(source: bytes, start: int, end: int) -> str:
    """First 16 hex digits of SHA-256 over the text without its comments, white space folded."""
    raw = cut(source, start, end)
    if b"/" in raw and (b"//" in raw or b"/*" in raw):  # a single byte is sought much faster than two
        raw = _COMMENT_OR_TEXT.sub(lambda found: b" " if found[0][:1] == b"/" else found[0], raw)
    return hashlib.sha256(b" ".join(raw.split())).hexdigest()[:16]


def literal_value(source: bytes, node: Node) -> tuple[str | int | float | bool | None, bool]:
    """The value of a literal expression, and whether it is one. ``nameof(A.B)`` is the constant ``B``."""
    kind = node.kind_id
    if kind == grammar.STRING_LITERAL:
        return _string_value(node_text(source, node)), True
    if kind == grammar.VERBATIM_STRING_LITERAL:
        return node_text(source, node)[2:-1].replace('""', '"'), True
    if kind == grammar.INTEGER_LITERAL:
        text = node_text(source, node).replace("_", "").rstrip("uUlL")
        try:
            return int(text, 0) if text[:2].lower() in ("0x", "0b") else int(text), True
        except ValueError:
            return None, False
    if kind == grammar.REAL_LITERAL:
        try:
            return float(node_text(source, node).replace("_", "").rstrip("fFdDmM")), True
        except ValueError:
            return None, False
    if kind == grammar.BOOLEAN_LITERAL:
        return node_text(source, node) == "true", True
    if kind == grammar.NULL_LITERAL:
        return None, True
    if kind == grammar.BINARY_EXPRESSION:
        return _concatenation(source, node)
    if kind == grammar.PARENTHESIZED_EXPRESSION and node.named_child_count == 1:
        return literal_value(source, node.named_children[0])
    if kind == grammar.INVOCATION_EXPRESSION:
        text = header_text(source, node.start_byte, node.end_byte)
        if text.startswith("nameof(") and text.endswith(")"):
            return re.sub(r"<.*>$", "", text[7:-1].strip()).rpartition(".")[2].strip(), True
    return None, False


def _concatenation(source: bytes, node: Node) -> tuple[str | None, bool]:
    """``"a" + "b"``, a constant of any length."""
    pieces: list[str] = []
    while node.kind_id == grammar.BINARY_EXPRESSION:
        left, right = node.child_by_field_id(grammar.FIELD_LEFT), node.child_by_field_id(grammar.FIELD_RIGHT)
        operator = node.child_by_field_id(grammar.FIELD_OPERATOR)
        if left is None or right is None or operator is None or source[operator.start_byte : operator.end_byte] != b"+":
            return None, False
        value, constant = literal_value(source, right)
        if not constant or not isinstance(value, str):
            return None, False
        pieces.append(value)
        node = left
    value, constant = literal_value(source, node)
    if not constant or not isinstance(value, str):
        return None, False
    return value + "".join(reversed(pieces)), True


def _string_value(text: str) -> str:
    body = text.removesuffix("u8").removesuffix("U8")
    if "\\" not in body:
        return body[1:-1]
    try:
        value = ast.literal_eval(body.replace("\\0", "\\x00").replace("\\e", "\\x1b"))
    except (ValueError, SyntaxError):
        return body[1:-1]
    if not isinstance(value, str):
        return body[1:-1]
    # A lone surrogate (`"\ud800"`) is a legal C# string and no legal text: it becomes the replacement character.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def attributes_of(source: bytes, lines: LineIndex, lists: Iterable[Node]) -> tuple[AttributeSyntax, ...]:
    """The attributes of ``attribute_list`` (or ``global_attribute``) nodes, in order."""
    found: list[AttributeSyntax] = []
    for attribute_list in lists:
        target = ""
        for child in attribute_list.children:
            kind = child.kind_id
            if kind == grammar.ATTRIBUTE_TARGET_SPECIFIER:
                target = node_text(source, child).rstrip(": \t\r\n")
            elif kind == grammar.ATTRIBUTE:
                found.append(_attribute(source, lines, child, target))
            elif child.type in ("assembly", "module"):
                target = node_text(source, child)
    return tuple(found)


def _attribute(source: bytes, lines: LineIndex, node: Node, target: str) -> AttributeSyntax:
    arguments: list[AttributeArgument] = []
    name: Node | None = None
    for child in node.named_children:
        if child.kind_id == grammar.ATTRIBUTE_ARGUMENT_LIST:
            arguments.extend(
                _attribute_argument(source, a) for a in child.named_children if a.kind_id == grammar.ATTRIBUTE_ARGUMENT
            )
        elif name is None:
            name = child
    return AttributeSyntax(
        name=lower_type(name if name is not None else node, source),
        target=target,
        arguments=tuple(arguments),
        line_start=lines.line(node.start_byte),
        line_end=lines.last_line(node.start_byte, node.end_byte),
    )


def _attribute_argument(source: bytes, node: Node) -> AttributeArgument:
    name = ""
    value_node: Node | None = None
    children = node.children
    for index, child in enumerate(children):
        if child.kind_id == grammar.IDENTIFIER and index + 1 < len(children) and children[index + 1].type in (":", "="):
            name = identifier_text(source, child)
        elif child.is_named and child.kind_id != grammar.COMMENT:
            value_node = child
    if value_node is None:
        return AttributeArgument(name, None, False, "")
    value, constant = literal_value(source, value_node)
    return AttributeArgument(name, value, constant, header_text(source, value_node.start_byte, value_node.end_byte))


def parameters_of(source: bytes, lines: LineIndex, node: Node) -> tuple[Parameter, ...]:
    """The parameters of a ``parameter_list`` or ``bracketed_parameter_list``. The grammar leaves a ``params`` array without a node of its
    own: its pieces stand directly in the list."""
    found: list[Parameter] = []
    loose: list[Node] = []
    for child in node.children:
        kind = child.kind_id
        if kind == grammar.PARAMETER:
            found.append(_parameter(source, lines, child.children, child.start_byte, child.end_byte))
        elif not child.is_named and child.type in ("(", "[", ",", ")", "]"):
            if loose:
                found.append(_parameter(source, lines, loose, loose[0].start_byte, loose[-1].end_byte))
                loose = []
        elif kind != grammar.COMMENT:
            loose.append(child)
    if loose:
        found.append(_parameter(source, lines, loose, loose[0].start_byte, loose[-1].end_byte))
    return tuple(found)


def _parameter(source: bytes, lines: LineIndex, children: Sequence[Node], start: int, end: int) -> Parameter:
    modifiers: list[str] = []
    attribute_lists: list[Node] = []
    type_node: Node | None = None
    name_node: Node | None = None
    default: str | None = None
    after_equals = False
    for child in children:
        kind = child.kind_id
        if after_equals:
            if default is None and kind != grammar.COMMENT:
                default = header_text(source, child.start_byte, child.end_byte)
        elif kind == grammar.MODIFIER or child.type == "params":
            modifiers.append(node_text(source, child))
        elif kind == grammar.ATTRIBUTE_LIST:
            attribute_lists.append(child)
        elif child.type == "=":
            after_equals = True
        elif kind == grammar.IDENTIFIER and type_node is not None:
            name_node = child
        elif kind in _PARAMETER_TYPES:
            type_node = child
    if name_node is None and type_node is not None and type_node.kind_id == grammar.IDENTIFIER:
        name_node = type_node  # mypyc would take it for null in one assignment with the next
        type_node = None
    name = identifier_text(source, name_node) if name_node is not None else ""
    syntax: TypeSyntax | None = None
    if type_node is not None:
        while type_node.kind_id in (grammar.SCOPED_TYPE, grammar.REF_TYPE):
            modifiers.append("scoped" if type_node.kind_id == grammar.SCOPED_TYPE else "ref")
            inner = type_node.child_by_field_id(grammar.FIELD_TYPE)
            if inner is None:
                break
            type_node = inner
        syntax = lower_type(type_node, source)
    return Parameter(
        name=name,
        type=syntax,
        modifiers=tuple(modifiers),
        offset=name_node.start_byte if name_node is not None else start,
        default=default,
        span=(start, end),
        attributes=attributes_of(source, lines, attribute_lists) if attribute_lists else (),
    )


def type_parameters_of(source: bytes, node: Node | None, clauses: Sequence[Node]) -> tuple[TypeParameter, ...]:
    """Type parameters of a ``type_parameter_list`` with the constraints of the ``where`` clauses."""
    if node is None:
        return ()
    constraints: dict[str, tuple[list[TypeSyntax], list[str]]] = {}
    for clause in clauses:
        owner = ""
        types: list[TypeSyntax] = []
        keywords: list[str] = []
        for child in clause.named_children:
            if child.kind_id == grammar.IDENTIFIER and not owner:
                owner = identifier_text(source, child)
            elif child.kind_id == grammar.TYPE_PARAMETER_CONSTRAINT:
                _constraint(source, child, types, keywords)
        constraints[owner] = (types, keywords)
    found: list[TypeParameter] = []
    for child in node.named_children:
        if child.kind_id != grammar.TYPE_PARAMETER:
            continue
        name_node: Node | None = None
        variance = ""
        for part in child.children:
            if part.kind_id == grammar.IDENTIFIER:
                name_node = part
            elif part.type in ("in", "out"):
                variance = part.type
        if name_node is None:
            continue
        name = identifier_text(source, name_node)
        types, keywords = constraints.get(name, ([], []))
        found.append(TypeParameter(name, name_node.start_byte, variance, tuple(types), tuple(keywords)))
    return tuple(found)


def _constraint(source: bytes, node: Node, types: list[TypeSyntax], keywords: list[str]) -> None:
    text = header_text(source, node.start_byte, node.end_byte)
    if text in ("class", "class?", "struct", "notnull", "unmanaged", "default", "allows ref struct") or text.startswith(
        "new"
    ):
        keywords.append("new()" if text.startswith("new") else text)
        return
    for child in node.named_children:
        if child.kind_id in _PARAMETER_TYPES:
            types.append(lower_type(child, source))
            return
