"""Protocol buffers, whole and broken: names are those of ``protoc``, what is made of a file stands where the file has it, and nothing
raises."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.model import DocumentStatus
from codemap_core.testing.source_index import index_sources
from codemap_plugins.csharp.protobuf.compilation import parse_proto
from codemap_plugins.csharp.protobuf.names import descriptor_class, namespace_name, property_name, value_name
from codemap_plugins.csharp.protobuf.syntax import read_proto
from codemap_plugins.csharp.source_text import GeneratedLines
from tests.plugins.csharp.broken_pages import assert_linear, assert_mutated_pages_stand, pages_of

SUITE: Final = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp" / "references" / "protobuf.md"
_PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
<ItemGroup><Protobuf Include="**/*.proto" /></ItemGroup></Project>"""
_FRAGMENTS: Final = (
    *("message", "Order", "{", "}", "enum", "service", "rpc", "returns", "(", ")", "stream", "oneof", "map", "<", ">", ",", ";", "="),
    *("repeated", "optional", "int32", "string", "a", "1", "-", "0x1F", "package", "shop.v1", "option", "csharp_namespace", '"A.B"', '"'),
    *("'", "\\", "/*", "*/", "// said", "[", "]", "group", "reserved", "import", "extend", ".shop.v1.Order", "google.protobuf.Any", "\n"),
    *("ä", "\u2028", "class", "A.Types.B", "google.protobuf.Int32Value", "é: 1"),
)  # fmt: skip


@cache
def host() -> PluginHost:
    return load_plugins()


@pytest.mark.parametrize(
    ("field", "message", "name"),
    [
        ("product_id", "Order", "ProductId"),
        ("productId", "Order", "ProductId"),
        ("a_1b2c", "Order", "A1B2C"),
        ("other1thing", "Order", "Other1Thing"),
        ("_lead", "Order", "Lead"),
        ("HTTPCode", "Order", "HTTPCode"),
        ("order", "Order", "Order_"),
        ("types", "Order", "Types_"),
        ("descriptor", "Order", "Descriptor_"),
    ],
)
def test_properties_are_called_as_protoc_calls_them(field: str, message: str, name: str) -> None:
    assert property_name(field, message) == name


@pytest.mark.parametrize(
    ("value", "enumeration", "name"),
    [
        ("STATUS_KIND_UNKNOWN", "STATUS_kind", "Unknown"),
        ("STATUS_KIND_IN_STOCK", "StatusKind", "InStock"),
        ("StatusKindFoo", "STATUS_kind", "Foo"),
        ("STATUS_KIND_2X", "STATUS_kind", "_2X"),
        ("KIND_B_c", "Kind", "BC"),
        ("KIND", "Kind", "Kind"),
        ("KIND_", "Kind", "Kind"),
        ("KINDLY", "Kind", "Ly"),
        ("fooBar", "Kind", "FooBar"),
        ("V1_BETA2x", "Kind", "V1Beta2X"),
    ],
)
def test_values_are_called_as_protoc_calls_them(value: str, enumeration: str, name: str) -> None:
    assert value_name(value, enumeration) == name


def test_namespaces_and_descriptors_are_called_as_protoc_calls_them() -> None:
    assert namespace_name("shop.v1_beta.API") == "Shop.V1Beta.API"
    assert namespace_name("") == ""
    assert descriptor_class("protos/order-lines_v2.proto") == "OrderLinesV2Reflection"


def test_comments_are_documentation() -> None:
    text = """// A licence.

syntax = "proto3"; // of the syntax

// Far away.

/**
 * An order,
 * <of> lines.
 */
message Order { // of the message
  int32 a = 1; // behind a
  // before b
  // goes on
  int32 b = 2;
}
"""
    index = index_sources({"Shop/Shop.csproj": _PROJECT, "Shop/a.proto": text}, host())
    said = {row.name: row.documentation.summary for row in index.symbols if row.documentation is not None}
    assert said == {"Order": "An order, <of> lines.", "B": "before b goes on"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("message A { int32 a = 1; }", []),
        ("message A {\n int32 a = 1\n int32 b = 2; }", [2]),
        ("message A {\n int32 = 1; }", [2]),
        ("message A {\n\n", [1]),
        ("}\nmessage A { }", [1]),
        ("service A {\n rpc B C; }", [2]),
        ("enum A {\n B = x; }", [2]),
        ("message A { option (x) = { a: 1; b { } }; reserved 1 to 5; extensions 6; extend B { int32 c = 7; } }", []),
        ('import public "b.proto"; edition = "2023"; option java_package = "x"; ;', []),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, lines: list[int]) -> None:
    parsed = parse_proto(text.encode(), "a.proto").parsed
    assert [each.line for each in parsed.problems] == lines
    assert parsed.status is (DocumentStatus.FALLBACK if lines else DocumentStatus.CLEAN)


def test_messages_may_be_nested_deeply() -> None:
    depth = 5000
    file = read_proto(b"message A { oneof b { " * depth + b"}}" * depth)
    assert len(file.messages) == 1


@given(st.lists(st.sampled_from(_FRAGMENTS), max_size=40))
def test_every_piece_stands_in_the_file(fragments: list[str]) -> None:
    text = " ".join(fragments).encode()
    lines = parse_proto(text, "a.proto").parsed.line_index
    assert isinstance(lines, GeneratedLines)
    assert all(0 <= origin < len(text) for origin in lines.pieces.origins)


@given(st.binary(max_size=60))
def test_any_bytes_are_read(text: bytes) -> None:
    parse_proto(b"message A { int32 a = 1; " + text, "a.proto")


@pytest.mark.parametrize("seed", range(6))
def test_mutated_files(seed: int) -> None:
    pages = pages_of(SUITE.read_text(encoding="utf-8"), (".proto",))
    assert_mutated_pages_stand(
        seed, pages, _FRAGMENTS, lambda path, text: {"Shop/Shop.csproj": _PROJECT, path: text}, host()
    )


@pytest.mark.parametrize(
    "shape",
    [
        "message A { ",
        "message A { int32 a = 1; } ",
        "oneof a { ",
        "rpc A (B) returns (C); ",
        "int32 a = 1 ",
        '"\\"',
        "/* ",
        "a.b.",
        "a . ",
        "a",
        "[{",
        "map<a, b> c = 1; ",
        "// said\n",
        "\n",
    ],
)
def test_reading_takes_time_in_proportion_to_the_file(shape: str) -> None:
    assert_linear(lambda text: parse_proto(text, "a.proto"), "service S { } message M { ", shape)
