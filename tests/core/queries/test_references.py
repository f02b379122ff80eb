"""References, slots and call graphs over small sources, bound for real."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import RefKind, ResolutionState
from codemap_core.model.documentation_id import readable_name
from codemap_core.queries.dispatch.member_slots import slots_of
from codemap_core.queries.graph.call_graph import callees, callers
from codemap_core.queries.graph.references import ReferenceQuestion, find_references, parse_kinds
from codemap_core.queries.graph.type_hierarchy import get_hierarchy
from codemap_core.queries.names.symbol_targets import find_target
from codemap_core.queries.snapshot import Snapshot
from tests.core.queries.conftest import open_index, write_source_index

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
SHAPES = """namespace Shapes;

public interface IShape { double Area(); }

public abstract class Shape : IShape
{
    public virtual double Area() => 0;
    public static Shape operator +(Shape a, Shape b) => a;
}

public class Square : Shape
{
    private readonly double _side;
    public Square(double side) { _side = side; }
    public override double Area() => base.
        Area() + _side * _side;
    public Square Doubled() => new(2 * _side);
}
"""
USES = """using System;
using System.Collections.Generic;

namespace Shapes;

public static class Uses
{
    public static event Action? Changed;
    public static double Direct(Square square) => square.Area() + square.Area();
    public static double ByBase(Shape shape) => shape.Area();
    public static double ByInterface(IShape shape) => shape.Area();
    public static Func<double> Group(Square square) => square.Area;
    public static double Deep(IShape shape) { Changed?.Invoke(); return ByInterface(shape); }
    public static Shape Sum(Shape a, Shape b) => a + b;
    public static void Unknown(Missing thing) => thing.Area();
    public static List<int> Listed() { var list = new List<int>(); list.Add(1); return list; }
    public static void Subscribe() => Changed += () => { };
}
"""
FILES = {"src/Shapes.csproj": PROJECT, "src/Shapes.cs": SHAPES, "src/Uses.cs": USES}
SQUARE_AREA = "M:Shapes.Square.Area"


@pytest.fixture(scope="module")
def shapes_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_source_index(tmp_path_factory.mktemp("shapes") / "shapes.db", FILES)


@pytest.fixture
def shapes(shapes_path: Path) -> Iterator[Snapshot]:
    with open_index(shapes_path) as snapshot:
        yield snapshot


def caller_names(snapshot: Snapshot, symbol_id: str, depth: int = 1, follow_interface: bool = False) -> set[str]:
    found = callers(snapshot, find_target(snapshot, symbol_id), depth, 100, follow_interface)
    return {node.display_name.rpartition(".")[2] for node in found.nodes if node.depth}


def test_an_overrides_slots_are_the_base_member_and_what_that_implements(shapes: Snapshot) -> None:
    assert slots_of(shapes, SQUARE_AREA) == ("M:Shapes.Shape.Area", "M:Shapes.IShape.Area")
    assert slots_of(shapes, "M:Shapes.IShape.Area") == ()


def test_callers_directly_and_through_slots(shapes: Snapshot) -> None:
    assert caller_names(shapes, SQUARE_AREA, follow_interface=True) >= {"Direct", "ByBase", "ByInterface", "Group"}
    hint = callers(shapes, find_target(shapes, "M:Shapes.Shape.Area")).interface_implementation_hint
    assert hint is not None
    assert (hint.implements, hint.additional_callers_via_interface) == (("M:Shapes.IShape.Area",), 1)


def test_a_base_call_reaches_no_override(shapes: Snapshot) -> None:
    assert "Area" in caller_names(shapes, "M:Shapes.Shape.Area")
    found = callers(shapes, find_target(shapes, SQUARE_AREA), 1, 100, True)
    assert SQUARE_AREA not in [node.symbol_id for node in found.nodes if node.depth]
    assert SQUARE_AREA not in found.nodes[0].edges_to


def test_levels_follow_slots_too(shapes: Snapshot) -> None:
    assert "Deep" in caller_names(shapes, SQUARE_AREA, depth=2, follow_interface=True)
    assert "Deep" not in caller_names(shapes, SQUARE_AREA, depth=2)


def test_what_a_use_is_depends_on_the_symbol(shapes: Snapshot) -> None:
    assert caller_names(shapes, "M:Shapes.Square.#ctor(System.Double)") == {"Doubled"}
    assert caller_names(shapes, "E:Shapes.Uses.Changed") == {"Deep", "Subscribe"}
    operator = find_target(shapes, "M:Shapes.Shape.op_Addition(Shapes.Shape,Shapes.Shape)")
    assert [each.kind for each in find_references(shapes, operator).references] == [RefKind.OPERATOR]
    event = find_references(shapes, find_target(shapes, "E:Shapes.Uses.Changed"))
    assert {each.kind for each in event.references} == {RefKind.READ, RefKind.EVENT_SUBSCRIBE}


def test_callees_with_library_members_as_leaves(shapes: Snapshot) -> None:
    found = callees(shapes, find_target(shapes, "M:Shapes.Uses.Listed"), depth=3)
    nodes = {node.symbol_id: node for node in found.nodes}
    added = nodes["M:System.Collections.Generic.List`1.Add(`0)"]
    assert (added.external, added.file_path, added.line, added.display_name) == (
        True,
        None,
        0,
        "System.Collections.Generic.List<T>.Add",
    )
    created = callees(shapes, find_target(shapes, "M:Shapes.Square.Doubled"))
    assert [node.symbol_id for node in created.nodes][1:] == ["M:Shapes.Square.#ctor(System.Double)"]
    reads = callees(shapes, find_target(shapes, "M:Shapes.Square.Doubled"), kinds=(RefKind.READ,))
    assert [node.symbol_id for node in reads.nodes][1:] == ["F:Shapes.Square._side"]


def test_places_of_one_edge_are_counted(shapes: Snapshot) -> None:
    found = callers(shapes, find_target(shapes, SQUARE_AREA))
    (direct,) = [node for node in found.nodes if node.display_name.endswith("Direct")]
    (site,) = direct.call_sites
    assert (site.count, site.excerpt) == (
        2,
        "public static double Direct(Square square) => square.Area() + square.Area();",
    )


def test_unresolved_places_are_counted_and_shown_on_demand(shapes: Snapshot) -> None:
    target = find_target(shapes, SQUARE_AREA)
    resolved = find_references(shapes, target, ReferenceQuestion(states=(ResolutionState.RESOLVED,)))
    assert resolved.unresolved_count == 1
    assert all(each.resolution_state is ResolutionState.RESOLVED for each in resolved.references)
    (unresolved,) = find_references(shapes, target, ReferenceQuestion(states=(ResolutionState.UNRESOLVED,))).references
    assert (unresolved.to_name, unresolved.from_symbol) == ("Area", "M:Shapes.Uses.Unknown(Missing)")
    assert unresolved.reason


def test_a_member_of_an_enum_is_not_one_of_another_that_is_not_known(tmp_path: Path) -> None:
    code = """namespace Paint;

public enum Tint { None, Full }
public class Uses
{
    public object Known() => Tint.None;
    public object Other() => Keys.None;
    public object OfKeys(Missing thing) => thing.Keys.None;
    public object Unknown(Missing thing) => thing.Inner().None;
}
"""
    with open_index(write_source_index(tmp_path / "paint.db", {"Paint.csproj": PROJECT, "Paint.cs": code})) as snapshot:
        found = find_references(snapshot, find_target(snapshot, "Tint.None"), ReferenceQuestion())
    assert [(each.from_symbol, each.resolution_state) for each in found.references] == [
        ("M:Paint.Uses.Known", ResolutionState.RESOLVED),
        ("M:Paint.Uses.Unknown(Missing)", ResolutionState.UNRESOLVED),
    ]


def test_overloads_of_a_type_that_has_no_part_in_it_are_not_a_members(tmp_path: Path) -> None:
    code = """namespace Paint;

public class Brush
{
    public void Draw(string text) { }
    public void Draw(int width) { }
}
public class Thin : Brush { }
public class Pen
{
    public void Draw(string text) { }
    public void Draw(int width) { }
}
public static class Drawing
{
    public static void Draw(this Uses uses, string text) { }
}
public class Uses
{
    public void Known(Brush brush) => brush.Draw("");
    public void OfThin(Thin thin, Missing thing) => thin.Draw(thing.Part);
    public void OfPen(Pen pen, Missing thing) => pen.Draw(thing.Part);
    public void OfUnknown(Missing thing) => thing.Part.Draw("");
}
"""
    with open_index(write_source_index(tmp_path / "paint.db", {"Paint.csproj": PROJECT, "Paint.cs": code})) as snapshot:

        def users(name: str) -> list[str | None]:
            found = find_references(snapshot, find_target(snapshot, name), ReferenceQuestion())
            assert found.total_count == len(found.references)
            return [each.from_symbol for each in found.references]

        assert users("Brush.Draw(string)") == [
            "M:Paint.Uses.Known(Paint.Brush)",
            "M:Paint.Uses.OfThin(Paint.Thin,Missing)",
            "M:Paint.Uses.OfUnknown(Missing)",
        ]
        assert users("Pen.Draw(string)") == ["M:Paint.Uses.OfPen(Paint.Pen,Missing)", "M:Paint.Uses.OfUnknown(Missing)"]
        assert len(users("Drawing.Draw")) == 3


def test_hierarchies_reach_over_levels(shapes: Snapshot) -> None:
    square = get_hierarchy(shapes, find_target(shapes, "T:Shapes.Square"))
    assert square.base_type is not None
    assert (square.base_type.symbol_id, square.interfaces) == ("T:Shapes.Shape", ())
    assert [each.symbol_id for each in square.inherited] == ["T:Shapes.IShape"]
    shape = get_hierarchy(shapes, find_target(shapes, "T:Shapes.IShape"))
    assert ([each.symbol_id for each in shape.derived_types], shape.indirect_derived_count) == (["T:Shapes.Shape"], 1)


@pytest.mark.parametrize(
    ("symbol_id", "name"),
    [
        ("M:System.Linq.Enumerable.Where``1(System.Int32)", "System.Linq.Enumerable.Where<T>"),
        ("T:System.Collections.Generic.Dictionary`2", "System.Collections.Generic.Dictionary<T1,T2>"),
        ("M:System.Collections.Generic.List`1.#ctor(System.Int32)", "System.Collections.Generic.List<T>.List"),
        ("P:System.String.Chars(System.Int32)", "System.String.Chars"),
        ("P:System.Collections.IList.Item(System.Int32)", "System.Collections.IList.this[]"),
        ("M:System.Decimal.op_Explicit(System.Decimal)~System.Int32", "System.Decimal.op_Explicit"),
    ],
)
def test_library_ids_are_readable(symbol_id: str, name: str) -> None:
    assert readable_name(symbol_id) == name


def test_kinds_are_understood_as_written() -> None:
    assert parse_kinds(["Call, methodGroup", "ctor_initializer"]) == (
        RefKind.CALL,
        RefKind.METHOD_GROUP,
        RefKind.CTOR_INITIALIZER,
    )
    assert parse_kinds(["all"]) == tuple(RefKind)
    assert parse_kinds([""]) == ()
    with pytest.raises(InvalidArgumentError, match="Kinds: call, read"):
        parse_kinds(["calls"])
