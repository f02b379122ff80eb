"""Type text: what stands for a type as written, where its identifiers are, and the tree read back from it."""

from __future__ import annotations

import pytest

from codemap_core.syntax import Node
from codemap_plugins.csharp.grammar import CSHARP, FIELD_BODY, FIELD_RETURNS
from codemap_plugins.csharp.lowering.types import lower_type
from codemap_plugins.csharp.type_reader import parse_type
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.type_tree import (
    ArrayType,
    FunctionPointerType,
    NamedType,
    NullableType,
    PredefinedType,
    TupleType,
    TypeTree,
    UnknownType,
)

CASES = [
    ("int", "int", []),
    ("void*", "void*", []),
    ("Order", "Order", ["Order"]),
    ("A . B /* c */ < C , D[] > . E ?", "A.B<C,D[]>.E?", ["A", "B", "C", "D", "E"]),
    ("global::X.Y", "global::X.Y", ["X", "Y"]),
    ("lib::X<int>", "lib::X<int>", ["lib", "X"]),
    ("(int a,  List<(B, C)> b)[]", "(int a,List<(B,C)> b)[]", ["List", "B", "C"]),
    ("int[][ , ]", "int[][,]", []),
    ("string[]?[,]", "string[]?[,]", []),
    ("delegate*<ref int, A, void>", "delegate*<ref int,A,void>", ["A"]),
    ("delegate* unmanaged[Cdecl]<int, void>", "delegate*unmanaged[Cdecl]<int,void>", []),
    ("ref readonly A", "A", ["A"]),
    ("ref Span<byte>", "Span<byte>", ["Span"]),
    ("D<,>", "D<,>", ["D"]),
    ("@class", "class", ["@class"]),
    ("@int", "@int", ["@int"]),
    ("List<dynamic>", "List<dynamic>", ["List"]),
    ("Größe<Ünit>", "Größe<Ünit>", ["Größe", "Ünit"]),
    ("\\u0041bc", "Abc", ["\\u0041bc"]),
]


def return_type(text: str) -> tuple[Node, bytes]:
    source = f"class Q {{ {text} M() {{ }} }}\n".encode()
    body = CSHARP.parse(source).root_node.children[0].child_by_field_id(FIELD_BODY)
    assert body is not None
    node = body.children[1].child_by_field_id(FIELD_RETURNS)
    assert node is not None, text
    return node, source


@pytest.mark.parametrize(("written", "text", "identifiers"), CASES)
def test_text_and_offsets(written: str, text: str, identifiers: list[str]) -> None:
    node, source = return_type(written)
    lowered = lower_type(node, source)
    assert lowered.text == text
    assert len(lowered.offsets) == len(identifiers)
    for offset, identifier in zip(lowered.offsets, identifiers, strict=True):
        assert source[offset:].decode().startswith(identifier)


def ordinals(tree: TypeTree) -> list[int]:
    match tree:
        case NamedType():
            own = [tree.alias_ordinal] if tree.alias_ordinal >= 0 else []
            for part in tree.parts:
                own.append(part.ordinal)
                for argument in part.arguments:
                    own.extend(ordinals(argument))
            return own
        case TupleType():
            return [ordinal for element in tree.elements for ordinal in ordinals(element.type)]
        case FunctionPointerType():
            return [ordinal for parameter in tree.parameters for ordinal in ordinals(parameter.type)]
        case PredefinedType() | UnknownType():
            return []
        case _:
            return ordinals(tree.element)


@pytest.mark.parametrize("written", [case[0] for case in CASES])
def test_the_tree_numbers_identifiers_as_the_text_does(written: str) -> None:
    lowered = lower_type(*return_type(written))
    tree = parse_type(lowered.text)
    assert not isinstance(tree, UnknownType)
    assert ordinals(tree) == list(range(len(lowered.offsets)))


def test_array_ranks_read_from_left_to_right() -> None:
    assert parse_type("int[][,]") == ArrayType(ArrayType(PredefinedType("int"), 2), 1)
    assert parse_type("int[]?[,]") == ArrayType(NullableType(ArrayType(PredefinedType("int"), 1)), 2)


def test_the_generic_arity_of_an_unbound_name() -> None:
    tree = parse_type("Map<,>.Entry")
    assert isinstance(tree, NamedType)
    assert [(part.name, part.arity) for part in tree.parts] == [("Map", 2), ("Entry", 0)]


@pytest.mark.parametrize(
    "text", ["", "var", "A<", "A..B", "<>", "(A", "A B", "int[", "a::", "%", "(" * 5000, "A<" * 5000]
)
def test_what_is_no_type_is_unknown(text: str) -> None:
    assert parse_type(text) == UnknownType(text)


def test_deep_nesting_ends() -> None:
    depth = 3000
    node, source = return_type("A<" * depth + "B" + ">" * depth)
    assert isinstance(lower_type(node, source), TypeSyntax)
