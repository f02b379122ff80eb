"""What a name means: every spelling of what exists, nothing for what does not, and candidates where there are several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import SymbolKind
from codemap_core.queries.cards.library_card import library_card
from codemap_core.queries.graph.call_graph import callees
from codemap_core.queries.graph.references import find_references
from codemap_core.queries.names.symbol_candidates import Candidate, displayed
from codemap_core.queries.names.symbol_targets import find_target
from codemap_core.queries.names.wanted import Wanted
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.core.queries.conftest import open_index, write_source_index

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
STORE = """using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Store.Stock;

[AttributeUsage(AttributeTargets.All)]
public sealed class TrackedAttribute : Attribute { public int Level { get; set; } }

public interface IHas { string Label { get; } }
public interface ICount : IHas { int Count(); }

public abstract class Entity : IHas
{
    public int Key { get; set; }
    public abstract string Label { get; }
    public virtual void Touch() { }
}

[Tracked]
public class Shelf : Entity, ICount
{
    public Shelf() { }
    public Shelf(int width, string? label = null) { }
    static Shelf() { }
    ~Shelf() { }
    public override string Label => "";
    public string this[int place] => "";
    public string this[string name, int place] => "";
    public void Put(int count) { }
    public void Put(int count, string what) { }
    public void Put(Box<int> box, List<string[]> names) { }
    public void Put<TItem>(TItem item, Dictionary<string, TItem> all) { }
    public void Swap(ref int one, out string? two) { two = null; }
    public int? Find((int Id, string Name) pair, int? other) => other;
    int ICount.Count() => 0;
    public void Mix(int one) { }
    public void Mix<TOne>(int one) { }
    public static Shelf operator +(Shelf a, Shelf b) => a;
    public static Shelf operator -(Shelf a) => a;
    public static bool operator ==(Shelf a, Shelf b) => true;
    public static bool operator !=(Shelf a, Shelf b) => false;
    public static implicit operator int(Shelf a) => 1;
    public static explicit operator Box<int>(Shelf a) => new();
    public enum Kind { Low, High }
    public class Part { public class Screw { public int Size; } }
}

public static class Kiln { static Kiln() { } }
public class Box { public void Open() { } }
public class Box<T> { public void Open() { } public T Get(T other) => other; public class Lid { public void Lift() { } } }
public class Pair<TOne, TTwo> { }
public class Pair<TOne> { }
public class Crate<TOne, TTwo> { public void Fill() { } }
public class Sub : Shelf { public Task<int> Wait(Func<int> f) => Task.Run(f); public bool Empty => string.IsNullOrEmpty(Label); }
public class Uses
{
    public Shelf Shelf { get; set; } = new(3);
    public event Action? Changed;
    public void All(Shelf s) { s.Put(1); s.Put(1, ""); s.Put<int>(1, new()); s.ToString(); new List<int>().Add(1); Changed?.Invoke(); }
}
public static class String { }
"""
OTHER = """namespace Store.Sales;
public class Shelves { public int lower; public void Lower() { } }
public class Desk { public void Put(int count) { } }
public class Label { public void Print() { } public class Ink { } }
public class Crane { void Lift(Missing other) { other.Hoist(1); other.Hoist(2); other.desk(); } }
public class Slot { public System.Collections.Generic.IComparer<int>? Order; public System.Collections.IComparer? Any; }
"""
WRAPPED = """namespace Store.Wrapped;
public class Label<T> { public void Print() { } public void Peel() { } public class Ink { } }
public class IEnumerable<T> { System.Collections.IEnumerable? _all; }
"""
FILES = {"src/Store.csproj": PROJECT, "src/Stock.cs": STORE, "src/Sales.cs": OTHER, "src/Wrapped.cs": WRAPPED}
SHELF = "Store.Stock.Shelf"


@pytest.fixture(scope="module")
def store_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_source_index(tmp_path_factory.mktemp("store") / "store.db", FILES)


@pytest.fixture
def store(store_path: Path) -> Iterator[Snapshot]:
    with open_index(store_path) as snapshot:
        yield snapshot


@pytest.mark.parametrize(
    ("spelling", "symbol_id"),
    [
        # ids, whole, without prefix, without outer names
        (f"T:{SHELF}", f"T:{SHELF}"),
        (f" {SHELF} ", f"T:{SHELF}"),
        ("T:Shelf", f"T:{SHELF}"),
        (f"M:{SHELF}.Put(System.Int32)", f"M:{SHELF}.Put(System.Int32)"),
        (f"{SHELF}.Put(System.Int32)", f"M:{SHELF}.Put(System.Int32)"),
        ("M:Shelf.Put(System.Int32)", f"M:{SHELF}.Put(System.Int32)"),
        ("M:Entity.Touch", "M:Store.Stock.Entity.Touch"),
        ("M:Uses.All", f"M:Store.Stock.Uses.All({SHELF})"),
        # types
        ("Shelf", f"T:{SHELF}"),
        ("Stock.Shelf", f"T:{SHELF}"),
        ("global::Store.Stock.Shelf", f"T:{SHELF}"),
        ("shelf", f"T:{SHELF}"),
        ("@Shelf", f"T:{SHELF}"),
        ("Tracked", "T:Store.Stock.TrackedAttribute"),
        ("TrackedAttribute", "T:Store.Stock.TrackedAttribute"),
        ("tracked", "T:Store.Stock.TrackedAttribute"),
        ("Tracked.Level", "P:Store.Stock.TrackedAttribute.Level"),
        ("Shelf.Kind", f"T:{SHELF}.Kind"),
        ("Shelf+Part+Screw", f"T:{SHELF}.Part.Screw"),
        ("Part.Screw.Size", f"F:{SHELF}.Part.Screw.Size"),
        ("Kind.High", f"F:{SHELF}.Kind.High"),
        # arity
        ("Box", "T:Store.Stock.Box"),
        ("Box<T>", "T:Store.Stock.Box`1"),
        ("Box<int>", "T:Store.Stock.Box`1"),
        ("Box<>", "T:Store.Stock.Box`1"),
        ("Box`1", "T:Store.Stock.Box`1"),
        ("Box{T}", "T:Store.Stock.Box`1"),
        ("Pair<,>", "T:Store.Stock.Pair`2"),
        ("Pair<TKey, TValue>", "T:Store.Stock.Pair`2"),
        ("Crate", "T:Store.Stock.Crate`2"),
        ("Crate.Fill", "M:Store.Stock.Crate`2.Fill"),
        ("Box.Open", "M:Store.Stock.Box.Open"),
        ("Box<T>.Open", "M:Store.Stock.Box`1.Open"),
        ("Box<T>.Get(T)", "M:Store.Stock.Box`1.Get(`0)"),
        ("Box.Get", "M:Store.Stock.Box`1.Get(`0)"),
        ("Box<T>.Lid.Lift()", "M:Store.Stock.Box`1.Lid.Lift"),
        # parameters
        ("Shelf.Put(int)", f"M:{SHELF}.Put(System.Int32)"),
        ("Shelf.Put(int count)", f"M:{SHELF}.Put(System.Int32)"),
        ("Shelf.Put(Int32, String)", f"M:{SHELF}.Put(System.Int32,System.String)"),
        ("Shelf.Put(int count, string what = null)", f"M:{SHELF}.Put(System.Int32,System.String)"),
        (
            "Shelf.Put(Box<int>, List<string[]>)",
            f"M:{SHELF}.Put(Store.Stock.Box{{System.Int32}},System.Collections.Generic.List{{System.String[]}})",
        ),
        (
            "Put(Stock.Box<int>, System.Collections.Generic.List<System.String[]>)",
            f"M:{SHELF}.Put(Store.Stock.Box{{System.Int32}},System.Collections.Generic.List{{System.String[]}})",
        ),
        (
            "Shelf.Put<TItem>(TItem, Dictionary<string, TItem>)",
            f"M:{SHELF}.Put``1(``0,System.Collections.Generic.Dictionary{{System.String,``0}})",
        ),
        ("Shelf.Mix(int)", f"M:{SHELF}.Mix(System.Int32)"),
        ("Shelf.Mix<TOne>(int)", f"M:{SHELF}.Mix``1(System.Int32)"),
        (
            "Shelf.Put<TItem>",
            f"M:{SHELF}.Put``1(``0,System.Collections.Generic.Dictionary{{System.String,``0}})",
        ),
        ("Shelf.Swap(ref int, out string?)", f"M:{SHELF}.Swap(System.Int32@,System.String@)"),
        ("Shelf.Swap(int, string)", f"M:{SHELF}.Swap(System.Int32@,System.String@)"),
        (
            "Shelf.Find((int Id, string Name), int?)",
            f"M:{SHELF}.Find(System.ValueTuple{{System.Int32,System.String}},System.Nullable{{System.Int32}})",
        ),
        ("Entity.Touch()", "M:Store.Stock.Entity.Touch"),
        # constructors and what else has no plain name
        ("new Shelf()", f"M:{SHELF}.#ctor"),
        ("Shelf.Shelf()", f"M:{SHELF}.#ctor"),
        ("Shelf..ctor(int, string)", f"M:{SHELF}.#ctor(System.Int32,System.String)"),
        ("Shelf.#ctor()", f"M:{SHELF}.#ctor"),
        ("new Shelf(int, string)", f"M:{SHELF}.#ctor(System.Int32,System.String)"),
        ("Shelf..cctor", f"M:{SHELF}.#cctor"),
        ("Kiln.Kiln", "M:Store.Stock.Kiln.#cctor"),
        ("Shelf.~Shelf", f"M:{SHELF}.Finalize"),
        ("Shelf.Finalize", f"M:{SHELF}.Finalize"),
        ("Shelf.this[int]", f"P:{SHELF}.Item(System.Int32)"),
        ("Shelf.this[string name, int place]", f"P:{SHELF}.Item(System.String,System.Int32)"),
        ("Shelf.Item(int)", f"P:{SHELF}.Item(System.Int32)"),
        ("Shelf.operator +", f"M:{SHELF}.op_Addition({SHELF},{SHELF})"),
        ("Shelf.operator+", f"M:{SHELF}.op_Addition({SHELF},{SHELF})"),
        ("Shelf.operator -(Shelf)", f"M:{SHELF}.op_UnaryNegation({SHELF})"),
        ("Shelf.op_Equality", f"M:{SHELF}.op_Equality({SHELF},{SHELF})"),
        ("Shelf.operator ==(Shelf, Shelf)", f"M:{SHELF}.op_Equality({SHELF},{SHELF})"),
        ("Shelf.implicit operator int", f"M:{SHELF}.op_Implicit({SHELF})~System.Int32"),
        ("Shelf.operator Box<int>", f"M:{SHELF}.op_Explicit({SHELF})~Store.Stock.Box{{System.Int32}}"),
        ("Shelf.op_Explicit", f"M:{SHELF}.op_Explicit({SHELF})~Store.Stock.Box{{System.Int32}}"),
        ("Shelf.ICount.Count", f"M:{SHELF}.Store#Stock#ICount#Count"),
        ("Shelf.Count", f"M:{SHELF}.Store#Stock#ICount#Count"),
        (f"{SHELF}.Store#Stock#ICount#Count", f"M:{SHELF}.Store#Stock#ICount#Count"),
        (f"{SHELF}.op_Implicit({SHELF})~System.Int32", f"M:{SHELF}.op_Implicit({SHELF})~System.Int32"),
        ("ICount.Count", "M:Store.Stock.ICount.Count"),
        # inherited
        ("Shelf.Key", "P:Store.Stock.Entity.Key"),
        ("Sub.Touch()", "M:Store.Stock.Entity.Touch"),
        ("Sub.Label", f"P:{SHELF}.Label"),
        ("ICount.Label", "P:Store.Stock.IHas.Label"),
        # libraries
        ("System.String.IsNullOrEmpty", "M:System.String.IsNullOrEmpty(System.String)"),
        ("string.IsNullOrEmpty(string)", "M:System.String.IsNullOrEmpty(System.String)"),
        ("List<T>", "T:System.Collections.Generic.List`1"),
        ("List", "T:System.Collections.Generic.List`1"),
        ("List<int>.Add", "M:System.Collections.Generic.List`1.Add(`0)"),
        ("AttributeUsage", "T:System.AttributeUsageAttribute"),
        ("Task", "T:System.Threading.Tasks.Task"),
        ("T:System.Action", "T:System.Action"),
        ("Sub.ToString", "M:System.Object.ToString"),
        ("string", "T:System.String"),
        ("new Box<T>", "M:Store.Stock.Box`1.#ctor"),
        ("IEnumerable", "T:Store.Wrapped.IEnumerable`1"),
        ("Sales.Label", "T:Store.Sales.Label"),
        ("Label<T>", "T:Store.Wrapped.Label`1"),
        ("Label.Peel", "M:Store.Wrapped.Label`1.Peel"),
    ],
)
def test_every_spelling_of_a_symbol_finds_it(store: Snapshot, spelling: str, symbol_id: str) -> None:
    target = find_target(store, spelling)
    assert (target.symbol_id, target.overloads) == (symbol_id, ())


@pytest.mark.parametrize(
    "spelling",
    [
        "Shel", "Shelv", "helf", "Stock.Shel", "Shelf.Pu", "Sales.Shelf", "Shelf.Put(long)", "Shelf.Put()", "Shelf<T>", "Box<,>",
        "Shelf.Put<A,B>", "T:Store.Shelf", f"M:{SHELF}.Put", "M:Shelf.Put", f"M:{SHELF}.Put(System.Int64)", "F:Shelf", "new Kind()",
        "Shelf.operator *", "Shelf.this[long]", "Shelf.Touched", "Uses.Add", "List<A, B>", "System.Nothing", "Trac", "TrackedAttr",
        "IHas.Count", "Item", "Main", "Desk.Label", "ICount.Shelf", "Entity.ICount.Count", "sym_0000000000000000",
    ],
)  # fmt: skip
def test_what_does_not_exist_is_never_answered_for_another(store: Snapshot, spelling: str) -> None:
    with pytest.raises(NotFoundError):
        find_target(store, spelling)


@pytest.mark.parametrize(
    "text", ["", " ", "!", "foo bar", "Shelf.", ".Shelf", "Shelf.Put(", "Shelf.Put(int,)", "Box<", "a b(c)"]
)
def test_what_is_not_a_name_is_refused(store: Snapshot, text: str) -> None:
    with pytest.raises(InvalidArgumentError):
        find_target(store, text)


def test_overloads_of_a_type_are_one_target(store: Snapshot) -> None:
    target = find_target(store, "Shelf.Put")
    assert target.display_name == f"{SHELF}.Put (4 overloads)"
    assert target.symbol_ids == tuple(sorted(target.symbol_ids))
    assert find_references(store, target).total_count == 3
    assert len(find_target(store, "new Shelf").symbol_ids) == 2
    assert len(find_target(store, "Shelf.this[]").symbol_ids) == 2


def test_where_one_is_needed_overloads_are_candidates_that_can_be_asked_for(store: Snapshot) -> None:
    with pytest.raises(AmbiguousError) as caught:
        find_target(store, "Shelf.Put", wanted=Wanted.ONE)
    candidates: tuple[Candidate, ...] = caught.value.details["candidates"]
    assert [each.display for each in candidates] == [
        f"{SHELF}.Put(int)",
        f"{SHELF}.Put(int, string)",
        f"{SHELF}.Put(Box<int>, List<string[]>)",
        f"{SHELF}.Put<TItem>(TItem, Dictionary<string, TItem>)",
    ]
    for each in candidates:
        assert find_target(store, each.display, wanted=Wanted.ONE).symbol_id == each.symbol_id
        assert each.symbol_id not in caught.value.message
    assert str(candidates[0]).endswith("src/Stock.cs:30")


def test_a_static_constructor_is_shown_in_a_spelling_of_its_own(store: Snapshot) -> None:
    named = store.reader.symbols_called(("Shelf",), SymbolFilter())
    (static,) = (each for each in named if each.symbol_id == f"M:{SHELF}.#cctor")
    assert displayed(static) == f"{SHELF}..cctor()"
    assert find_target(store, displayed(static), wanted=Wanted.ONE).symbol_id == static.symbol_id


def test_members_of_several_types_are_candidates(store: Snapshot) -> None:
    with pytest.raises(AmbiguousError) as caught:
        find_target(store, "Put(int)")
    assert [each.symbol_id for each in caught.value.details["candidates"]] == [
        "M:Store.Sales.Desk.Put(System.Int32)",
        f"M:{SHELF}.Put(System.Int32)",
    ]
    with pytest.raises(AmbiguousError):
        find_target(store, "Pair")


@pytest.mark.parametrize(
    ("spelling", "candidates"),
    [
        ("Label", ["T:Store.Sales.Label", "T:Store.Wrapped.Label`1"]),
        ("Label.Print", ["M:Store.Sales.Label.Print", "M:Store.Wrapped.Label`1.Print"]),
        ("Label.Ink", ["T:Store.Sales.Label.Ink", "T:Store.Wrapped.Label`1.Ink"]),
        ("IComparer", ["T:System.Collections.Generic.IComparer`1", "T:System.Collections.IComparer"]),
    ],
)
def test_generic_types_of_other_namespaces_are_candidates(
    store: Snapshot, spelling: str, candidates: list[str]
) -> None:
    """A name without type arguments is how people ask about both; only beside it does the one without parameters win, as ``Box`` does."""
    with pytest.raises(AmbiguousError) as caught:
        find_target(store, spelling)
    assert sorted(each.symbol_id for each in caught.value.details["candidates"]) == candidates


def test_tools_are_asked_about_what_they_can_answer(store: Snapshot) -> None:
    assert find_target(store, "Shelf", wanted=Wanted.TYPE).symbol_id == f"T:{SHELF}"
    assert find_target(store, "Shelf", wanted=Wanted.MEMBER).symbol_id == "P:Store.Stock.Uses.Shelf"
    assert find_target(store, "String", wanted=Wanted.TYPE).symbol_id == "T:Store.Stock.String"


def test_case_as_written_wins(store: Snapshot) -> None:
    assert find_target(store, "Shelves.lower").symbol_id == "F:Store.Sales.Shelves.lower"
    assert find_target(store, "Shelves.Lower").symbol_id == "M:Store.Sales.Shelves.Lower"
    assert find_target(store, "desk.put").note == "'desk.put' is taken as Store.Sales.Desk.Put."


def test_of_library_symbols_metadata_is_known(store: Snapshot) -> None:
    target = find_target(store, "List.Add")
    assert target.is_external
    assert target.library is not None
    assert target.library.signature == "public void Add(T item)"
    assert (target.library.assembly, target.kind) == ("System.Collections", SymbolKind.METHOD)
    assert target.library.container_id == "T:System.Collections.Generic.List`1"
    of_type = find_target(store, "List<T>").library
    assert of_type is not None
    assert of_type.signature.startswith("public class List<T> : ")
    assert "T:System.Collections.Generic.IList`1" in of_type.bases
    assert find_target(store, "Func").display_name == "System.Func<TResult>"


def test_an_implicit_constructor_is_not_a_librarys(store: Snapshot) -> None:
    target = find_target(store, "new Box<T>")
    assert (target.is_implicit, target.is_external, target.symbol) == (True, False, None)


def test_a_name_that_is_used_and_could_not_be_resolved_is_said(store: Snapshot) -> None:
    """What has no declaration at hand may well be called."""
    with pytest.raises(NotFoundError) as caught:
        find_target(store, "Missing.Hoist")
    assert "2 references of that name could not be resolved: code.search_text finds them." in caught.value.message
    assert caught.value.details["unresolved_count"] == 2
    with pytest.raises(NotFoundError) as unused:
        find_target(store, "Hoists")
    assert "unresolved_count" not in unused.value.details
    assert find_target(store, "desk").note == (
        "'desk' is taken as Store.Sales.Desk; 1 reference spelt as asked could not be resolved."
    )


def test_a_type_that_is_not_at_hand_is_not_a_member_of_that_name(tmp_path: Path) -> None:
    """Neither one spelt in other case nor, where types alone can be answered about, one spelt so."""
    source = "class Frame { Raster raster; Canvas Canvas { get; } }\n"
    with open_index(write_source_index(tmp_path / "frame.db", {"Frame.cs": source})) as frame:
        with pytest.raises(NotFoundError) as caught:
            find_target(frame, "Raster")
        assert caught.value.message.startswith("There is no symbol 'Raster'. 1 reference of that name could not be")
        assert [each.symbol_id for each in caught.value.details["candidates"]] == ["F:Frame.raster"]
        with pytest.raises(NotFoundError, match="There is no type 'Canvas'"):
            find_target(frame, "Canvas", wanted=Wanted.TYPE)
        assert find_target(frame, "Canvas").symbol_id == "P:Frame.Canvas"
        assert find_target(frame, "Frame.Raster").symbol_id == "F:Frame.raster"


def test_a_name_alone_stands_for_no_symbol(tmp_path: Path) -> None:
    """Only a simple name that nothing known has in the same case, and only where it may."""
    source = "class Frame { Raster raster; Canvas Canvas { get; } }\n"
    with open_index(write_source_index(tmp_path / "frame.db", {"Frame.cs": source})) as frame:
        alone = find_target(frame, "Raster", or_name=True)
        assert (alone.symbol_id, alone.simple_name, alone.symbol_ids) == ("!:Raster", "Raster", ("!:Raster",))
        assert (alone.is_name_alone, alone.is_external, alone.symbol, alone.library) == (True, False, None, None)
        for asked, wanted in [("Canvas", Wanted.TYPE), ("Nowhere", Wanted.ANY), ("T:Raster", Wanted.ANY)]:
            with pytest.raises(NotFoundError):
                find_target(frame, asked, wanted=wanted, or_name=True)
        with pytest.raises(NotFoundError):
            find_target(frame, "Raster", SymbolFilter(kinds=(SymbolKind.CLASS,)), or_name=True)
        assert not find_target(frame, "raster", or_name=True).is_name_alone


def test_in_brackets_a_name_means_an_attribute_before_what_is_called_so(tmp_path: Path) -> None:
    source = (
        "namespace A { class Part { } class PartAttribute : System.Attribute { } class Plain : System.Attribute { } }"
    )
    with open_index(write_source_index(tmp_path / "index.db", {"a.cs": source})) as snapshot:
        assert find_target(snapshot, "Part").symbol_id == "T:A.Part"
        assert find_target(snapshot, "Part", wanted=Wanted.ATTRIBUTE).symbol_id == "T:A.PartAttribute"
        assert find_target(snapshot, "Plain", wanted=Wanted.ATTRIBUTE).symbol_id == "T:A.Plain"


def test_what_was_taken_is_said(store: Snapshot) -> None:
    assert find_target(store, "Shelf").note == ""
    assert find_target(store, "T:Shelf").note == f"'T:Shelf' is T:{SHELF}."
    assert find_target(store, "Tracked").note == ""
    assert find_target(store, "tracked").note == "'tracked' is taken as Store.Stock.TrackedAttribute."
    assert find_target(store, "Shelf.Key").note == "'Shelf.Key' is inherited: it is Store.Stock.Entity.Key."


@pytest.mark.parametrize(
    ("asked", "candidate"),
    [
        ("Shlef", f"T:{SHELF}"),
        ("Shelff", f"T:{SHELF}"),
        ("TrackAttribute", "T:Store.Stock.TrackedAttribute"),
        ("Shelf.Tuch", "M:Store.Stock.Entity.Touch"),
        (
            "Shelf.Fnid",
            f"M:{SHELF}.Find(System.ValueTuple{{System.Int32,System.String}},System.Nullable{{System.Int32}})",
        ),
        ("T:Store.Shelf", f"T:{SHELF}"),
        ("M:Wrong.Place.Touch", "M:Store.Stock.Entity.Touch"),
        ("new Shefl(int)", f"T:{SHELF}"),
        ("TA", "T:Store.Stock.TrackedAttribute"),
        ("trackAttr", "T:Store.Stock.TrackedAttribute"),
        ("Shelf.Put(long)", f"M:{SHELF}.Put(System.Int32)"),
    ],
)
def test_what_is_spelt_alike_is_suggested_first(store: Snapshot, asked: str, candidate: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        find_target(store, asked)
    candidates = caught.value.details["candidates"]
    assert candidate == candidates[0].symbol_id
    assert len(candidates) <= 5


def test_nothing_is_suggested_for_what_resembles_nothing(store: Snapshot) -> None:
    with pytest.raises(NotFoundError) as caught:
        find_target(store, "Zyzzyva")
    assert caught.value.details["candidates"] == ()


def test_a_filter_decides(catalogue: Snapshot) -> None:
    assert find_target(catalogue, "Tools.Order").symbol_id == "T:Tools.Order"
    assert find_target(catalogue, "Order", SymbolFilter(project="Tools")).symbol_id == "T:Tools.Order"
    assert find_target(catalogue, "Order", SymbolFilter(namespace="Shop")).symbol_id == "T:Shop.Ordering.Order"
    assert (
        find_target(catalogue, "Order.Order", SymbolFilter(kinds=(SymbolKind.CONSTRUCTOR,))).symbol_id
        == "M:Shop.Ordering.Order.#ctor"
    )
    with pytest.raises(AmbiguousError):
        find_target(catalogue, "Order")


def test_an_id_that_two_projects_compile_from_one_file_is_one_symbol(sample: Snapshot) -> None:
    target = find_target(sample, "Order")
    assert target.symbol_id == "T:Shop.Ordering.Order"
    assert [other.project for other in target.others] == ["tests/Shop.Tests/Shop.Tests.csproj"]
    assert target.symbol is not None
    assert find_target(sample, target.symbol.stable_id).symbol == target.symbol


TWO_PROJECTS = {
    "web/Web.csproj": PROJECT,
    "web/Program.cs": "class Program { static void Main() { Go(); } public static void Go() { } }",
    "api/Api.csproj": PROJECT,
    "api/Program.cs": "class Program { static void Main() { Go(); Go(); Missing(); } public static void Go() { } }",
}


@pytest.fixture(scope="module")
def two_projects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path = write_source_index(tmp_path_factory.mktemp("two") / "two.db", TWO_PROJECTS)
    with open_index(path) as snapshot:
        yield snapshot


@pytest.mark.parametrize("name", ["Program", "T:Program", "Program.Go", "M:Program.Go"])
def test_projects_that_declare_one_id_are_never_mixed(two_projects: Snapshot, name: str) -> None:
    with pytest.raises(AmbiguousError, match="Api, Web") as caught:
        find_target(two_projects, name)
    assert [each.project for each in caught.value.details["candidates"]] == ["api/Api.csproj", "web/Web.csproj"]


def test_a_project_decides_and_its_references_alone_count(two_projects: Snapshot) -> None:
    web = find_target(two_projects, "Program.Go", SymbolFilter(project="Web"))
    assert web.symbol is not None
    assert (web.symbol.project, web.projects) == ("web/Web.csproj", ("web/Web.csproj",))
    assert find_references(two_projects, web).total_count == 1
    main = find_target(two_projects, "Program.Main", SymbolFilter(project="Web"))
    called = callees(two_projects, main)
    assert (called.total_nodes_found, called.unresolved_count) == (1, 0)
    other = find_target(two_projects, "Program.Main", SymbolFilter(project="Api"))
    assert callees(two_projects, other).unresolved_count == 1
    api = find_target(two_projects, "M:Program.Go", SymbolFilter(project="api/Api.csproj"))
    assert find_references(two_projects, api).total_count == 2
    with pytest.raises(InvalidArgumentError, match="Similar: Web"):
        find_target(two_projects, "M:Program.Go", SymbolFilter(project="Webb"))


def test_a_stable_id_means_the_declaration_of_its_project(two_projects: Snapshot) -> None:
    for row in two_projects.reader.symbols_with_id("M:Program.Go"):
        assert find_target(two_projects, row.stable_id).symbol == row


def test_a_file_that_no_project_compiles_makes_no_id_ambiguous(tmp_path: Path) -> None:
    sources = {
        "web/Web.csproj": PROJECT.replace(
            "</Project>", '<ItemGroup><Compile Remove="Made/**" /></ItemGroup></Project>'
        ),
        "web/Color.cs": "partial struct Color { } class User { Color Red; }",
        "web/Made/Color.g.cs": "partial struct Color { Color Blue; }",
    }
    with open_index(write_source_index(tmp_path / "colors.db", sources)) as colors:
        for asked in ("Color", "T:Color"):
            target = find_target(colors, asked)
            assert target.symbol is not None
            assert (target.symbol.file_path, target.others) == ("web/Color.cs", ())
            assert find_references(colors, target).total_count == 1


def test_a_compiled_declaration_of_an_id_comes_before_others_in_path_order(tmp_path: Path) -> None:
    sources = {
        "app/App.csproj": PROJECT.replace(
            "</Project>", '<ItemGroup><Compile Remove="Made/**" /></ItemGroup></Project>'
        ),
        "app/Zoo.cs": "class Zoo { void Feed() { } } class Keeper { void Work() { } }",
        "app/Made/Zoo.cs": "class Zoo { void Feed() { } }",
    }
    with open_index(write_source_index(tmp_path / "zoo.db", sources)) as zoo:
        assert zoo.reader.first_declarations(["T:Zoo"])["T:Zoo"].file_path == "app/Zoo.cs"
        assert [each.file_path for each in zoo.reader.symbols_with_id("M:Zoo.Feed")] == [
            "app/Zoo.cs",
            "app/Made/Zoo.cs",
        ]
        (number,) = zoo.reader.edges.numbers_of(["T:Zoo"]).values()
        declared = zoo.reader.declared_names([number])[number]
        assert declared.project_id in zoo.reader.edges.project_paths


def test_the_card_of_a_library_type_lists_what_is_used_of_it(store: Snapshot) -> None:
    card = library_card(store, find_target(store, "List<T>"))
    assert (card.origin, card.assembly) == ("metadata", "System.Collections")
    assert {member.signature for member in card.members} >= {"public void Add(T item)", "public List()"}
    assert "from metadata of System.Collections" in "\n".join(card.lines())
    assert library_card(store, find_target(store, "new Box<T>")).origin == "implicit"


def test_a_type_without_the_member_that_is_asked_of_it_is_named(tmp_path: Path) -> None:
    source = "class Tree { int Height; } class Stone { int Weight; } class Pair<T> { } class Pair { }\n"
    with open_index(write_source_index(tmp_path / "yard.db", {"Yard.cs": source})) as yard:
        for asked, said in (
            ("Tree.Weight", "There is no symbol 'Tree.Weight': class Tree declares no such member. Did you mean"),
            ("Cloud.Weight", "There is no symbol 'Cloud.Weight'. Did you mean"),
        ):
            with pytest.raises(NotFoundError) as caught:
                find_target(yard, asked)
            assert caught.value.message.startswith(said)


@pytest.mark.parametrize(
    ("asked", "namespace"), [("Yard.Tools", "Yard.Tools"), ("Tools.Sharp", "Yard.Tools.Sharp"), ("Yard", "Yard")]
)
def test_a_namespace_is_said_to_be_one(tmp_path: Path, asked: str, namespace: str) -> None:
    source = "namespace Yard.Tools.Sharp { class Axe { } class YardTools { } }"
    with (
        open_index(write_source_index(tmp_path / "yard.db", {"Yard.cs": source})) as yard,
        pytest.raises(NotFoundError) as caught,
    ):
        find_target(yard, asked)
    assert caught.value.message == (
        f"'{asked}' is a namespace, not a symbol: symbols.search with namespace='{namespace}' lists what it declares."
    )
    assert caught.value.details["namespace"] == namespace
