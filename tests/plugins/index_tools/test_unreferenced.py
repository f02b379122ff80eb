"""Dead-code candidates: what is one, how sure it is, and what speaks against it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codemap_core.model import SymbolKind
from codemap_core.queries.graph import unreferenced
from codemap_core.queries.graph.unreferenced import find_unreferenced
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.unreferenced import Doubt, Sureness, Unreferenced
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_core.storage.reading.unused_symbols import UnusedSymbol, unused_symbols
from tests.core.queries.conftest import open_index, write_source_index
from tests.plugins.index_tools.library import LEFTOVERS, SHELF


def find(books: Snapshot, *, doubtful: bool = False, **where: Any) -> Unreferenced:
    return find_unreferenced(books, SymbolFilter(**where), doubtful=doubtful, limit=100)


def verdicts(found: Unreferenced) -> dict[str, tuple[Sureness, tuple[Doubt, ...]]]:
    return {row.symbol_id: (row.sureness, row.doubts) for row in found.rows}


@pytest.mark.parametrize(
    ("symbol_id", "sureness", "doubts"),
    [
        ("T:Desk.Forgotten", Sureness.UNUSED, ()),
        ("M:Desk.Recursion.Down(System.Int32)", Sureness.UNUSED, ()),
        ("M:Books.Furniture.Creak", Sureness.UNUSED, ()),
        ("T:Desk.Entry", Sureness.UNUSED, ()),
        ("T:Books.Shelf.Row", Sureness.PROBABLE, (Doubt.PUBLIC_API,)),
        ("M:Desk.Recursion.Call", Sureness.PROBABLE, (Doubt.UNRESOLVED,)),
        ("M:Desk.Recursion.Checked", Sureness.PROBABLE, (Doubt.OTHER_TEXT,)),
        ("M:Desk.IGreeter.Wave", Sureness.PROBABLE, (Doubt.FILLED,)),
        ("M:Desk.Greeter.Wave", Sureness.PROBABLE, (Doubt.OWN_SLOT,)),
        ("F:Desk.Colour.Green", Sureness.PROBABLE, (Doubt.ENUM_MEMBER,)),
        ("P:Books.Furniture.Width", Sureness.PROBABLE, (Doubt.DATA_MEMBER, Doubt.PUBLIC_API)),
        ("M:Books.Furniture.Lift", Sureness.ONLY_TESTS, (Doubt.PUBLIC_API,)),
        ("M:Books.Shelf.Add(System.String)", Sureness.DOUBTFUL, (Doubt.IMPLIED, Doubt.PUBLIC_API)),
        ("M:Desk.Recursion.ToString", Sureness.DOUBTFUL, (Doubt.LIBRARY_SLOT,)),
        ("M:Desk.Recursion.GetEnumerator", Sureness.DOUBTFUL, (Doubt.IMPLIED,)),
        ("T:Desk.Recursion.Marked", Sureness.DOUBTFUL, (Doubt.ATTRIBUTE,)),
        ("M:Desk.Program.Main", Sureness.DOUBTFUL, (Doubt.ENTRY_POINT,)),
        ("T:Desk.Program", Sureness.DOUBTFUL, (Doubt.ENTRY_POINT,)),
    ],
)
def test_each_candidate_has_its_reasons(
    books: Snapshot, symbol_id: str, sureness: Sureness, doubts: tuple[Doubt, ...]
) -> None:
    assert verdicts(find(books, doubtful=True))[symbol_id] == (sureness, doubts)


@pytest.mark.parametrize(
    "symbol_id",
    [
        "M:Desk.Forgotten.Two",  # goes with its type
        "M:Desk.Recursion.#ctor",  # the only constructor of a type that is used
        "M:Desk.Recursion.#cctor",  # run by the runtime
        "M:Desk.Greeter.Greet",  # called through its interface
        "T:Desk.Palette",  # used through its member
        "P:Books.Shelf.Count",  # read in another part of its type
        "M:Books.Shelf.Put(System.String)",
        "F:Desk.Colour.Red",
    ],
)
def test_what_is_used_or_goes_without_saying_is_no_candidate(books: Snapshot, symbol_id: str) -> None:
    assert symbol_id not in verdicts(find(books, doubtful=True))


def test_doubtful_ones_are_counted_by_reason_unless_asked_for(books: Snapshot) -> None:
    found = find(books)
    assert Sureness.DOUBTFUL not in {row.sureness for row in found.rows}
    assert found.counts[Sureness.DOUBTFUL] == 7
    assert found.doubtful_by == {
        Doubt.IMPLIED: 3,
        Doubt.ENTRY_POINT: 2,
        Doubt.LIBRARY_SLOT: 1,
        Doubt.ATTRIBUTE: 1,
    }


def test_the_surest_come_first_then_by_place(books: Snapshot) -> None:
    rows = find(books, doubtful=True).rows
    order = list(Sureness)
    keys = [(order.index(row.sureness), row.file_path, row.line) for row in rows]
    assert keys == sorted(keys)


def test_a_file_and_a_kind_narrow_it(books: Snapshot) -> None:
    in_file = find(books, file_path=LEFTOVERS)
    assert {row.file_path for row in in_file.rows} == {LEFTOVERS}
    methods = find(books, file_path=LEFTOVERS, kinds=(SymbolKind.METHOD,))
    assert {row.kind for row in methods.rows} == {SymbolKind.METHOD}
    assert "M:Desk.Forgotten.Two" not in verdicts(methods)
    assert "M:Desk.Forgotten.One" in verdicts(methods)


def test_pages_follow_each_other(books: Snapshot) -> None:
    whole = find(books)
    pages = [
        find_unreferenced(books, SymbolFilter(), limit=4, offset=offset) for offset in range(0, whole.total_count, 4)
    ]
    assert [row for page in pages for row in page.rows] == list(whole.rows)


def test_the_pages_of_one_question_are_judged_once(books: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[SymbolFilter] = []

    def counting(reader: IndexReader, where: SymbolFilter, *further: Any) -> list[UnusedSymbol]:
        asked.append(where)
        return unused_symbols(reader, where, *further)

    monkeypatch.setattr(unreferenced, "unused_symbols", counting)
    one, other = SymbolFilter(), SymbolFilter(kinds=(SymbolKind.METHOD,))
    find_unreferenced(books, other, limit=4)
    asked.clear()
    for where, offset in ((one, 0), (one, 4), (other, 0), (other, 4)):
        find_unreferenced(books, where, limit=4, offset=offset)
    assert len(asked) == 2


def test_lines_are_grouped_by_sureness_and_file(books: Snapshot) -> None:
    lines = list(find(books, file_path=SHELF).lines())
    assert lines[:3] == ["unused:", SHELF, "  10  method Furniture.Creak()"]
    assert "  32  enum Shelf.Row (+2 members)  [public API]" in lines
    assert lines[-3:] == ["used by tests only:", SHELF, "  8  method Furniture.Lift()  [public API]"]


def test_type_parameters_tell_namesakes_apart(tmp_path: Path) -> None:
    source = (
        "class Twin { } class Used { Twin<int> twin; }\n"
        "class Twin<T> { void Grow<U>(U by) { } void Grow(int by) { } (int Up, T To) Grown<V>(V by) => default; }\n"
    )
    with open_index(write_source_index(tmp_path / "twins.db", {"Twins.cs": source})) as twins:
        named = {row.symbol_id: row.name for row in find(twins).rows}
    assert named["T:Twin"] == "Twin"
    assert named["M:Twin`1.Grow``1(``0)"] == "Twin<T>.Grow<U>(U by)"
    assert named["M:Twin`1.Grow(System.Int32)"] == "Twin<T>.Grow(int by)"
    assert named["M:Twin`1.Grown``1(``0)"] == "Twin<T>.Grown<V>(V by)"


def test_strings_name_what_reflection_and_debuggers_call(tmp_path: Path) -> None:
    source = """using System.Diagnostics;
[DebuggerDisplay("{Shown()}, {Total,nq}")]
class Kept
{
    string Shown() => "";
    int Total => 0;
    static void Built() { }
    static void Qualified() { }
    static void Left() { }
    static object Find() => ("Built", "Some.Kept.Qualified", "Left alone");
}
class Uses { Kept kept = new(); static object Found() => Kept.Find(); }
"""
    with open_index(write_source_index(tmp_path / "strings.db", {"Kept.cs": source})) as index:
        found = verdicts(find(index, file_path="Kept.cs", kinds=(SymbolKind.METHOD, SymbolKind.PROPERTY)))
    named = (Sureness.PROBABLE, (Doubt.STRING,))
    assert found["M:Kept.Shown"] == found["P:Kept.Total"] == found["M:Kept.Built"] == found["M:Kept.Qualified"] == named
    assert found["M:Kept.Left"] == (Sureness.UNUSED, ())


def test_an_explicit_implementation_of_an_unknown_interface_is_doubtful(tmp_path: Path) -> None:
    source = "class Answers : IUnknown { void IUnknown.Answer() { } } class Uses { Answers answers = new(); }"
    with open_index(write_source_index(tmp_path / "explicit.db", {"Answers.cs": source})) as index:
        found = verdicts(find(index, doubtful=True))
    assert found["M:Answers.IUnknown#Answer"] == (Sureness.DOUBTFUL, (Doubt.LIBRARY_SLOT,))


def test_an_engine_calls_private_messages_of_what_derives_from_its_types(tmp_path: Path) -> None:
    source = """using UnityEngine;
class Player : MonoBehaviour { void Update() { } void OnTriggerEnter2D(Collider2D other) { } void Help() { } }
class Boss : Player { void Awake() { } }
class Plain { void Update() { } }
class Uses { (Player, Boss, Plain) all; }
"""
    with open_index(write_source_index(tmp_path / "unity.db", {"Player.cs": source})) as index:
        found = verdicts(find(index, doubtful=True, kinds=(SymbolKind.METHOD,)))
    called = (Sureness.DOUBTFUL, (Doubt.FRAMEWORK_TYPE,))
    assert found == {
        "M:Player.Update": called,
        "M:Player.OnTriggerEnter2D(Collider2D)": called,
        "M:Boss.Awake": called,
        "M:Player.Help": (Sureness.UNUSED, ()),
        "M:Plain.Update": (Sureness.UNUSED, ()),
    }


def test_what_names_an_unknown_type_may_implement_what_is_not_known_of_a_library(tmp_path: Path) -> None:
    source = """using Microsoft.AspNetCore.Mvc.Filters;
class Filter : IFilterMetadata { public void Apply(Unknown of) { } public void Other(int of) { } }
class Plain { public void Apply(Unknown of) { } }
class Uses { (Filter, Plain) all; }
"""
    with open_index(write_source_index(tmp_path / "slots.db", {"Filter.cs": source})) as index:
        found = verdicts(find(index, doubtful=True, kinds=(SymbolKind.METHOD,)))
    assert found["M:Filter.Apply(Unknown)"] == (Sureness.DOUBTFUL, (Doubt.FRAMEWORK_TYPE,))
    assert found["M:Filter.Other(System.Int32)"] == found["M:Plain.Apply(Unknown)"] == (Sureness.UNUSED, ())


def test_an_unknown_base_may_ask_for_members_of_whatever_derives_from_it(tmp_path: Path) -> None:
    """ECMA-334 §18.6.6: a class maps the members of an interface's bases too, and of those none is known."""
    source = """interface ILauncher : IUnknown { }
interface INamed { }
class Launcher : ILauncher { public int Launch() => 0; private void Help() { } public static void Share() { } }
class Further : Launcher { public int Attach() => 0; }
class Plain : INamed { public int Launch() => 0; }
class Uses { (Launcher, Further, Plain) all; }
"""
    with open_index(write_source_index(tmp_path / "bases.db", {"Launcher.cs": source})) as index:
        found = verdicts(find(index, doubtful=True, kinds=(SymbolKind.METHOD,)))
    asked_for, unused = (Sureness.DOUBTFUL, (Doubt.UNKNOWN_BASE,)), (Sureness.UNUSED, ())
    assert found == {
        "M:Launcher.Launch": asked_for,
        "M:Launcher.Help": unused,
        "M:Launcher.Share": unused,
        "M:Further.Attach": asked_for,
        "M:Plain.Launch": unused,
    }


def test_what_reflection_looks_up_in_a_type_is_doubtful(tmp_path: Path) -> None:
    """``Type.GetMethods`` gives the members of the type, whatever file asks; ``GetMethod("Name")`` those of that name alone."""
    source = """static class Functions { public static int Low() => 0; static class Deep { } }
static class Commands { public static int Run() => 0; public static int Stop() => 0; }
class Row<T> { public int Total; }
static class Plain { public static int Low() => 0; }
static class Named { public static int Low() => 0; public static int High() => 0; }
"""
    asking = """using System.Reflection;
class Asking
{
    object[] found =
    {
        typeof(Functions)
            .GetMethods(BindingFlags.Public | BindingFlags.Static),
        typeof(Commands).GetMethod("Run"),
        typeof(global::Row<int>).GetTypeInfo().DeclaredFields,
        typeof(Plain).Name,
        typeof(Named).GetMethod(nameof(Named.High)),
    };
    static void Main() => new Asking().found.ToString();
}
"""
    with open_index(write_source_index(tmp_path / "asked.db", {"Asked.cs": source, "Asking.cs": asking})) as index:
        found = verdicts(find(index, doubtful=True, file_path="Asked.cs"))
    looked_up, unused = (Sureness.DOUBTFUL, (Doubt.REFLECTION,)), (Sureness.UNUSED, ())
    assert found == {
        "M:Functions.Low": looked_up,
        "T:Functions.Deep": unused,
        "M:Commands.Run": looked_up,
        "M:Commands.Stop": unused,
        "F:Row`1.Total": (Sureness.DOUBTFUL, (Doubt.REFLECTION, Doubt.DATA_MEMBER)),
        "M:Plain.Low": unused,
        "M:Named.Low": unused,
    }


def test_a_field_that_takes_its_place_in_memory_is_doubtful(tmp_path: Path) -> None:
    """``InlineArray`` repeats the only field of a struct, and ``StructLayout`` gives the fields their order: none needs to be named."""
    source = """using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
[InlineArray(10)] struct Buffer { private int _element0; }
[StructLayout(LayoutKind.Sequential)] struct Header { private int reserved; private static int count; private void Clear() { } }
struct Plain { private int reserved; }
class Uses { (Buffer, Header, Plain) all; }
"""
    with open_index(write_source_index(tmp_path / "layout.db", {"Layout.cs": source})) as index:
        found = verdicts(find(index, doubtful=True, kinds=(SymbolKind.METHOD, SymbolKind.FIELD)))
    placed, unused = (Sureness.DOUBTFUL, (Doubt.LAYOUT,)), (Sureness.UNUSED, ())
    del found["F:Uses.all"]
    assert found == {
        "F:Buffer._element0": placed,
        "F:Header.reserved": placed,
        "F:Header.count": unused,
        "M:Header.Clear": unused,
        "F:Plain.reserved": unused,
    }


def test_what_serializers_ask_by_its_name_is_doubtful(tmp_path: Path) -> None:
    """``ShouldSerialize`` and the name of a member: XmlSerializer, Json.NET and designers call such methods."""
    source = """
    class Link { public string Title; public bool ShouldSerializeTitle() { return true; } bool ShouldSerializeUrl() { return true; } }
    """
    with open_index(write_source_index(tmp_path / "asked.db", {"Link.cs": source})) as index:
        found = verdicts(find(index, doubtful=True, kinds=(SymbolKind.METHOD,)))
    assert found["M:Link.ShouldSerializeTitle"][0] is Sureness.DOUBTFUL
    assert Doubt.FRAMEWORK_TYPE in found["M:Link.ShouldSerializeTitle"][1]
    assert found["M:Link.ShouldSerializeUrl"] == (Sureness.UNUSED, ())


def test_a_file_that_no_project_compiles_is_a_reason_to_doubt(tmp_path: Path) -> None:
    project = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType></PropertyGroup>
</Project>"""
    files = {"app/App.csproj": project, "app/App.cs": "class App { }", "templates/Page.cs": "class Page { }"}
    with open_index(write_source_index(tmp_path / "outside.db", files)) as index:
        found = verdicts(find(index))
    assert found == {
        "T:App": (Sureness.UNUSED, ()),
        "T:Page": (Sureness.PROBABLE, (Doubt.NO_PROJECT,)),
    }


def test_a_type_around_tests_in_nested_types_is_as_doubtful_as_they_are(tmp_path: Path) -> None:
    source = """[System.AttributeUsage(System.AttributeTargets.Method)] class CaseAttribute : System.Attribute { }
class Scales
{
    class Weighing { class Nothing { [Case] void Is_zero() { } } }
    class Reset { [Case] void Is_quick() { } }
}
class Idle { class Inner { void Rest() { } } }"""
    with open_index(write_source_index(tmp_path / "nested.db", {"Scales.cs": source})) as index:
        listed = verdicts(find(index))
        every = verdicts(find(index, doubtful=True))
    assert listed == {"T:Idle": (Sureness.UNUSED, ())}
    for symbol_id in ("T:Scales", "T:Scales.Weighing", "T:Scales.Weighing.Nothing", "T:Scales.Reset"):
        assert every[symbol_id] == (Sureness.DOUBTFUL, (Doubt.ATTRIBUTE,))


def test_what_a_tool_wrote_comes_after_what_is_removed_by_hand(tmp_path: Path) -> None:
    files = {
        "Codes.cs": "// <auto-generated/>\nclass Codes { public int Size { get; set; } public static void Use() { } }",
        "Desk.cs": "class Desk { public int Width { get; set; } static Desk() { Codes.Use(); Use(); } static void Use() { } }",
        "Line.cs": "class Line { public Line(Desk desk) { } public static void Main() { } }",
    }
    with open_index(write_source_index(tmp_path / "written.db", files)) as index:
        found = [row.symbol_id for row in find(index).rows if row.sureness is Sureness.PROBABLE]
    assert found == ["P:Desk.Width", "P:Codes.Size"]
