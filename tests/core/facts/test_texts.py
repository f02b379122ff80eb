"""Texts of bound values, and types as facts name them."""

from __future__ import annotations

import pytest

from codemap_core.facts import display_type, full_name, text_of, text_with_holes
from codemap_core.model.bound import BoundDocument, BoundType, Constant, Event, EventKind, TextPart, TypeForm, Value


def constant(value: str | int | bool | None, type_name: str = "String") -> Constant:
    return Constant(f"T:System.{type_name}" if value is not None else "", value)


def known(value: str | int | bool | None, type_name: str = "String") -> Value:
    return Value(constant=constant(value, type_name))


def joined(*pieces: str | Value) -> Value:
    return Value(parts=tuple(TextPart(each) if isinstance(each, str) else TextPart(hole=each) for each in pieces))


TENANT = Value(local="tenant")
ROOT = Value(symbol_id="F:Lib.Paths.Root", settled=constant("/api"))
TEXTS = [
    (known("/x"), "/x", "/x"),
    (known(None), None, None),
    (known(3, "Int32"), None, "3"),
    (ROOT, "/api", "/api"),
    (joined("a/", ROOT, known(None), known(2, "Int32"), known(True, "Boolean")), "a//api2True", "a//api2True"),
    (joined("a/", TENANT, "/b"), None, "a/{?tenant}/b"),
    (joined("a/", joined(ROOT, TENANT)), None, "a//api{?tenant}"),
    (joined(Value(symbol_id="P:Lib.Settings.Name")), None, "{?Name}"),
    (joined(Value(origin=0)), None, "{?KeyOf()}"),
    (joined(known(1, "Double")), None, "{?}"),
    (Value(parts=(TextPart(hole=Value(local="n", constant=constant(7, "Int32")), is_formatted=True),)), None, "{?n}"),
    (TENANT, None, "{?tenant}"),
    (Value(), None, "{?}"),
    (None, None, None),
]


@pytest.mark.parametrize(("value", "whole", "with_holes"), TEXTS)
def test_a_text_is_whole_or_shows_its_holes(value: Value | None, whole: str | None, with_holes: str | None) -> None:
    document = BoundDocument(events=(Event(kind=EventKind.INVOCATION, name="KeyOf", line=1, column=1),))
    assert text_of(value) == whole
    assert text_with_holes(value, document) == with_holes


def named(type_id: str, *arguments: BoundType) -> BoundType:
    return BoundType(
        TypeForm.NAMED, type_id.rpartition(".")[2].rpartition(":")[2].partition("`")[0], type_id, arguments
    )


def array(element: BoundType, rank: int = 1) -> BoundType:
    return BoundType(TypeForm.ARRAY, "Array", arguments=(element,), rank=rank)


INT = named("T:System.Int32")
STRING = named("T:System.String")
T = BoundType(TypeForm.TYPE_PARAMETER, "T")
TYPES = [
    (INT, "int", "System.Int32"),
    (named("T:System.Nullable`1", INT), "int?", "System.Nullable"),
    (
        named("T:Lib.Map`2", STRING, named("T:System.Nullable`1", named("T:Lib.Size"))),
        "Map<string, Size?>",
        "Lib.Map",
    ),
    (named("T:Lib.IRepo`1"), "IRepo<>", "Lib.IRepo"),
    (named("T:Lib.IMap`2"), "IMap<,>", "Lib.IMap"),
    (named("T:Lib.IRepo`1", T), "IRepo<T>", "Lib.IRepo"),
    (named("T:Lib.Outer`1.Inner", INT), "Inner", "Lib.Outer.Inner"),
    (named("T:Lib.Outer`1.Inner`1", INT, STRING), "Inner<string>", "Lib.Outer.Inner"),
    (named("T:System.ValueTuple`2", INT, array(STRING)), "(int, string[])", "System.ValueTuple"),
    (
        named("T:System.ValueTuple`8", *[INT] * 7, named("T:System.ValueTuple`1", STRING)),
        "(int, int, int, int, int, int, int, string)",
        "System.ValueTuple",
    ),
    (array(array(INT, 2)), "int[][,]", "Array"),
    (BoundType(TypeForm.POINTER, "Pointer", arguments=(INT,)), "int*", "Pointer"),
    (BoundType(TypeForm.DYNAMIC, "dynamic"), "dynamic", "dynamic"),
    (BoundType(TypeForm.UNRESOLVED, "IBus", arguments=(INT,)), "IBus<int>", "IBus"),
]


@pytest.mark.parametrize(("type_", "display", "full"), TYPES)
def test_a_type_is_named_short_and_in_full(type_: BoundType, display: str, full: str) -> None:
    assert display_type(type_) == display
    assert full_name(type_) == full
