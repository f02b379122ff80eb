from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_plugins.csharp.metadata.doc_ids import parameter_type
from codemap_plugins.csharp.metadata.type_reference import (
    ArrayType,
    DynamicType,
    FunctionPointerType,
    MetadataName,
    NamedType,
    PointerType,
    TypeParameterReference,
    TypeRef,
    parse_type,
    split_metadata_name,
)

INT = NamedType("System.Int32")
PRINTED: list[tuple[str, TypeRef, str]] = [
    ("System.Int32", INT, "System.Int32"),
    ("Global", NamedType("Global"), "Global"),
    ("!0", TypeParameterReference(0, False), "`0"),
    ("!!12", TypeParameterReference(12, True), "``12"),
    ("dynamic", DynamicType(), "System.Object"),
    ("System.Int32[,][]", ArrayType(ArrayType(INT, 2)), "System.Int32[0:,0:][]"),
    ("System.Int32**", PointerType(PointerType(INT)), "System.Int32**"),
    ("=(System.Int32,dynamic)", FunctionPointerType(INT, (DynamicType(),)), ""),
    ("A.B`1<System.Int32>[]", ArrayType(NamedType("A.B`1", (INT,))), "A.B{System.Int32}[]"),
    ("A.B`1+C", NamedType("A.B`1+C"), "A.B`1.C"),
    (
        "A.B`1+C`2<!0,!1,System.Int32>",
        NamedType("A.B`1+C`2", (TypeParameterReference(0, False), TypeParameterReference(1, False), INT)),
        "A.B{`0}.C{`1,System.Int32}",
    ),
    (
        "A.B`1+C<!!0>",
        NamedType("A.B`1+C", (TypeParameterReference(0, True),)),
        "A.B{``0}.C",
    ),
    (
        "System.ValueTuple`2<System.Int32,System.Int32>{a,}",
        NamedType("System.ValueTuple`2", (INT, INT), ("a", None)),
        "System.ValueTuple{System.Int32,System.Int32}",
    ),
]


@pytest.mark.parametrize(("text", "tree", "printed"), PRINTED)
def test_texts_and_trees(text: str, tree: TypeRef, printed: str) -> None:
    assert parse_type(text) == tree
    assert parameter_type(text) == printed


@given(st.text("ab.+`1<>[]*,{}()=!", max_size=20))
def test_other_texts_raise_value_error(text: str) -> None:
    try:
        parse_type(text)
    except ValueError:
        pass


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("System.Collections.Generic.Dictionary`2+Enumerator", ("System.Collections.Generic", "Dictionary", 2)),
        ("Program", ("", "Program", 0)),
        ("N.Odd`x", ("N", "Odd`x", 0)),
    ],
)
def test_metadata_names(name: str, expected: tuple[str, str, int]) -> None:
    found = split_metadata_name(name)
    assert (found.namespace, *found.path[0]) == expected
    assert isinstance(found, MetadataName)
