from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.metadata.doc_ids import type_id
from codemap_plugins.csharp.metadata.ecma335 import read_assembly
from codemap_plugins.csharp.metadata.image import BadImageFormatError
from codemap_plugins.csharp.metadata.surface import MemberFlags, RefKind, TypeFlags, TypeParameterFlags, TypeSurface
from tests.plugins.csharp.metadata.assembly_builder import (
    METHOD_PUBLIC,
    OBJECT,
    PUBLIC,
    AssemblyBuilder,
    generic_instance,
)
from tests.plugins.csharp.metadata.conftest import sample_assembly
from tests.plugins.csharp.metadata.member_ids import member_ids

SAMPLE_IDS = {
    "T:N.Box`1",
    "F:N.Box`1.Kept",
    "M:N.Box`1.#ctor",
    "M:N.Box`1.Convert``1(`0@,``0@,System.String[],System.Void*)",
    "M:N.Box`1.op_Implicit(`0)~System.Int32",
    "P:N.Box`1.Item(System.Int32)",
    "T:N.Box`1.Pair`1",
    "M:N.Box`1.Pair`1.#ctor",
    "M:N.Box`1.Pair`1.Same(N.Box{`0}.Pair{`1},System.Int32[0:,0:])",
    "T:N.Color",
    "F:N.Color.Red",
    "T:N.Done",
    "M:N.Done.Invoke(System.Object)",
    "T:N.IWatch",
    "E:N.IWatch.Changed",
    "T:N.More",
    "M:N.More.Split(System.ValueTuple{System.Int32,System.Object})",
}


def _types(data: bytes) -> dict[str, TypeSurface]:
    return {surface.name: surface for surface in read_assembly(data).types}


def test_ids_of_everything_public_or_protected(sample: bytes) -> None:
    surface = read_assembly(sample)
    ids = [i for t in surface.types for i in (type_id(t.name), *member_ids(t))]
    assert len(ids) == len(set(ids))
    assert set(ids) == SAMPLE_IDS


def test_assembly_facts(sample: bytes) -> None:
    surface = read_assembly(sample)
    assert (surface.name, surface.version) == ("Sample", (1, 2, 3, 4))
    assert surface.references == ("System.Runtime", "Zebra")
    assert surface.friends == ("Tests",)
    assert surface.forwarders == (("N.Moved", "Zebra"),)


def test_types(sample: bytes) -> None:
    types = _types(sample)
    assert {name: surface.kind for name, surface in types.items()} == {
        "N.Box`1": SymbolKind.CLASS,
        "N.Box`1+Pair`1": SymbolKind.STRUCT,
        "N.Color": SymbolKind.ENUM,
        "N.Done": SymbolKind.DELEGATE,
        "N.IWatch": SymbolKind.INTERFACE,
        "N.More": SymbolKind.CLASS,
    }
    box, pair = types["N.Box`1"], types["N.Box`1+Pair`1"]
    assert box.interfaces == ("System.Collections.Generic.IEnumerable`1<!0>",)
    assert box.default_member == "Item"
    assert [(p.name, p.flags) for p in box.type_parameters] == [("T", TypeParameterFlags.NEW)]
    assert [p.name for p in pair.type_parameters] == ["T", "V"]
    assert types["N.More"].flags == TypeFlags.STATIC | TypeFlags.HAS_EXTENSIONS
    assert types["N.Color"].underlying == "System.Byte"
    assert [(field.name, field.value) for field in types["N.Color"].fields] == [("Red", 7)]


def test_parameters(sample: bytes) -> None:
    convert = next(m for m in _types(sample)["N.Box`1"].methods if m.name == "Convert")
    assert [(p.name, p.ref_kind, p.is_optional, p.is_params) for p in convert.parameters] == [
        ("one", RefKind.REF, False, False),
        ("two", RefKind.OUT, False, False),
        ("rest", RefKind.NONE, False, True),
        ("raw", RefKind.NONE, True, False),
    ]


def test_tuple_names_and_dynamic(sample: bytes) -> None:
    (split,) = _types(sample)["N.More"].methods
    assert split.flags == MemberFlags.STATIC | MemberFlags.EXTENSION
    assert split.parameters[0].type == "System.ValueTuple`2<System.Int32,dynamic>{id,}"


def test_accessibility_of_accessors(sample: bytes) -> None:
    (item,) = _types(sample)["N.Box`1"].properties
    assert item.flags == MemberFlags.HAS_GETTER | MemberFlags.HAS_SETTER | MemberFlags.SETTER_PROTECTED
    assert [p.name for p in item.parameters] == ["index"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"MZ",
        b"MZ" + bytes(62),
        b"#!/bin/sh\n",
        b"\x7fELF" + bytes(200),
        b"MZ".ljust(0x3C, b"\0") + b"\xff\xff\xff\x7f" + bytes(100),
    ],
)
def test_what_is_no_assembly(content: bytes) -> None:
    with pytest.raises(BadImageFormatError):
        read_assembly(content)


SAMPLE = sample_assembly()


@given(st.integers(0, len(SAMPLE) - 1))
def test_truncated(length: int) -> None:
    with pytest.raises(BadImageFormatError):
        read_assembly(SAMPLE[:length])


@given(st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 255)), min_size=1, max_size=40))
def test_damaged(changes: list[tuple[int, int]]) -> None:
    content = bytearray(SAMPLE)
    for position, value in changes:
        content[position] = value
    try:
        read_assembly(bytes(content))
    except BadImageFormatError:
        pass


@pytest.mark.parametrize("refers_to_itself", [False, True])
def test_types_that_grow_exponentially(refers_to_itself: bool) -> None:
    b = AssemblyBuilder("Bomb")
    pair = b.type_ref("System.ValueTuple`2")
    previous = OBJECT
    for number in range(1, 25):
        b.row("TypeSpec", b.blob(generic_instance(pair, previous, previous)))
        previous = b"\x12" + bytes([(number + refers_to_itself) << 2 | 2])
    b.type_def(PUBLIC, "N.Bomb", b.type_ref("System.Object"))
    b.field(METHOD_PUBLIC, "Fuse", b"\x12\x0a" if refers_to_itself else previous)
    with pytest.raises(BadImageFormatError):
        read_assembly(b.build())
