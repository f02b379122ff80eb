"""Traces from routes and methods through interfaces, messages and tables, with the facts of each member."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import Confidence, FactRow
from codemap_core.queries.dispatch.implementations import Basis
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.trace.entry_points import find_entry
from codemap_core.queries.trace.feature_trace import trace_feature
from codemap_core.queries.views.trace import FeatureTraceResponse, TraceNode
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.core.queries.conftest import open_index, write_source_index

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
TESTS = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
  <ItemGroup><ProjectReference Include="../src/Shop.csproj" /></ItemGroup>
</Project>
"""
DESK = """namespace Shop;

public class Desk(IStore store, IBus bus, IClock clock, IRule rule)
{
    public void Take(int id)
    {
        Check(id);
        store.Save(new Parcel(id));
        bus.Send(new Taken(id));
    }
    public int Look(int id) => store.Load(id);
    private void Check(int id)
    {
        rule.Holds(id);
        clock.Now();
        Trim(id);
    }
    private static int Trim(int id) => id;
    public static void Map(object app)
    {
        app.Get("/first", () => Trim(1));
        app.Get("/second", () =>
            Count(2));
    }
    private static int Count(int id) => id + Trim(id);
}
public static class Maps { public static void Get(this object app, string path, System.Func<int> body) { } }
"""
STORES = """namespace Shop;

public interface IStore { void Save(Parcel parcel); int Load(int id); }
public class Parcel(int id) { public int Id { get; } = id; }
public class Shelves { public object Parcels { get; set; } = ""; }
public abstract class StoreBase : IStore
{
    public abstract void Save(Parcel parcel);
    public int Load(int id) => id;
}
public class SqlStore : StoreBase
{
    private readonly Shelves _shelves = new();
    public override void Save(Parcel parcel) { _ = _shelves.Parcels; }
}
public class MemoryStore : StoreBase
{
    public override void Save(Parcel parcel) { }
}
public interface IClock { int Now(); }
public class UtcClock : IClock { public int Now() => 0; }
public interface IRule { bool Holds(int id); }
"""
BUS = """namespace Shop;

public interface IBus { void Send(object message); }
public record Taken(int Id);
public class TakenHandler(Desk desk)
{
    public void Handle(Taken message) { desk.Look(message.Id); }
}
"""
RULES = "namespace Shop;\n" + "".join(
    f"public class Rule{n} : IRule {{ public bool Holds(int id) => true; }}\n" for n in range(9)
)
EVENTS = """namespace Shop;

public interface IEvent { }
public class Packed : IEvent { public Packed(int id) { } }
public class Notification<T> : IEvent { }
public class PackedNotification : Notification<Packed> { }
public class Asked : IEvent { }
public class Question<T> : IEvent { }
public class AskedQuestion : Question<Asked> { }
public class Packer
{
    public void Pack(int id) { _ = new Packed(id); _ = new Asked(); }
}
public class Once<T> : IEvent { public Once(T inner) { } }
public class OnceHandler { public void Handle(Once<Taken> message) { } }
public class Clerk { public void Pass(Taken taken) { _ = new Once<Taken>(taken); } }
public class PackedNotificationHandler { public void Handle(PackedNotification message) { } }
public class QuestionHandler { public int Handle(AskedQuestion message) => 0; }
public class Shifted : IEvent { }
public class Closed<T> : IEvent { }
public class ShiftedHandler { public void Handle(Closed<Shifted> message) { } }
public class CrateHandler { public void Handle(Closed<Crate> message) { } }
public class Shifter { public void Shift() { _ = new Shifted(); _ = new Crate(); } }
"""
REPOSITORIES = """namespace Shop;

public interface IRepository<T> { T Find(int id); }
public class Repository<T> : IRepository<T> { public T Find(int id) => default; }
public interface ILog<T> { void Write(); }
public class Crate { }
public class Label { }
public class Loader
{
    private readonly IRepository<Crate> _crates;
    private readonly ILog<Label> _log;
    private readonly System.Collections.Generic.List<Label> _labels;
    public Loader(IRepository<Crate> crates, ILog<Label> log) { _crates = crates; _log = log; }
    public void Load(int id) { _crates.Find(id); _log.Write(); _labels.Clear(); }
    public void Write() => _log.Write();
    public void Print(IRepository<Label> labels) => labels.Find(1);
    public void Pass(IRepository<Label> labels) => Print(labels);
}
public class Sorter(IRepository<Crate> crates)
{
    public Crate Sort(int id) => crates.Find(id);
    public int Count() => 0;
}
public class Mixer(IRepository<Crate> crates, IRepository<Label> labels)
{
    public Crate Mix(int id) => crates.Find(id);
}
"""
CHECKER = """namespace Shop;

public class Checker
{
    public void Check() => Ensure(new Rule3());
    private void Ensure(IRule rule) => rule.Holds(1);
}
"""
FAKES = """namespace Shop.Tests;

public class FakeClock : IClock { public int Now() => 1; }
public class DeskTests { public void Runs(IClock clock) => clock.Now(); }
"""
FILES = {
    "src/Shop.csproj": PROJECT,
    "src/Desk.cs": DESK,
    "src/Stores.cs": STORES,
    "src/Bus.cs": BUS,
    "src/Rules.cs": RULES,
    "src/Events.cs": EVENTS,
    "src/Checker.cs": CHECKER,
    "src/Repositories.cs": REPOSITORIES,
    "tests/Shop.Tests.csproj": TESTS,
    "tests/Fakes.cs": FAKES,
}
TAKE = "M:Shop.Desk.Take(System.Int32)"
LOOK = "M:Shop.Desk.Look(System.Int32)"
MAP = "M:Shop.Desk.Map(System.Object)"


def fact(kind: str, value: str, owner: str, file_path: str, line: int, **detail: object) -> FactRow:
    return FactRow(
        kind=kind,
        value=value,
        detail=detail,
        symbol_id=owner,
        file_path=file_path,
        line_start=line,
        line_end=int(str(detail.pop("to", line))),
        project="src/Shop.csproj",
    )


FACTS = [
    fact("route", "POST /parcels/{id:int}", TAKE, "src/Desk.cs", 5, handler=TAKE),
    fact("route", "GET /parcels/{id:int}", LOOK, "src/Desk.cs", 11, handler=LOOK),
    fact("route", "GET /first", MAP, "src/Desk.cs", 21, handler="lambda"),
    fact("route", "GET /second", MAP, "src/Desk.cs", 22, handler="lambda", to=23),
    fact("authorize", "policy:Clerk|Desk", "T:Shop.Desk", "src/Desk.cs", 3),
    fact("exception", "ParcelException|throw new", "M:Shop.Desk.Check(System.Int32)", "src/Desk.cs", 14),
    fact("log", "took | {Id}|Information", TAKE, "src/Desk.cs", 7),
    fact(
        "di_registration",
        "IStore → SqlStore|Scoped",
        MAP,
        "src/Desk.cs",
        20,
        service_id="T:Shop.IStore",
        implementation_id="T:Shop.SqlStore",
    ),
    fact("db_table", "desk.Parcels|DbSet<Parcel>", "P:Shop.Shelves.Parcels", "src/Stores.cs", 5),
    fact(
        "handler",
        "Taken → TakenHandler|Bus",
        "M:Shop.TakenHandler.Handle(Shop.Taken)",
        "src/Bus.cs",
        7,
        request_id="T:Shop.Taken",
        handler_id="T:Shop.TakenHandler",
    ),
    fact(
        "handler",
        "PackedNotification → PackedNotificationHandler|Bus",
        "M:Shop.PackedNotificationHandler.Handle(Shop.PackedNotification)",
        "src/Events.cs",
        17,
        request_id="T:Shop.PackedNotification",
    ),
    fact(
        "handler",
        "Closed<Shifted> → ShiftedHandler|Bus",
        "M:Shop.ShiftedHandler.Handle(Shop.Closed{Shop.Shifted})",
        "src/Events.cs",
        21,
        request="Closed<Shifted>",
        request_id="T:Shop.Closed`1",
    ),
    fact(
        "handler",
        "Closed<Crate> → CrateHandler|Bus",
        "M:Shop.CrateHandler.Handle(Shop.Closed{Shop.Crate})",
        "src/Events.cs",
        22,
        request="Closed<Crate>",
        request_id="T:Shop.Closed`1",
    ),
    fact(
        "handler",
        "Once<> → OnceHandler|Bus",
        "M:Shop.OnceHandler.Handle(Shop.Once{Shop.Taken})",
        "src/Events.cs",
        15,
        request_id="T:Shop.Once`1",
    ),
    fact(
        "handler",
        "AskedQuestion → QuestionHandler|Bus",
        "M:Shop.QuestionHandler.Handle(Shop.AskedQuestion)",
        "src/Events.cs",
        18,
        request_id="T:Shop.AskedQuestion",
        response_id="T:System.Int32",
    ),
    fact(
        "di_registration",
        "IRepository<> → Repository<>|Scoped",
        MAP,
        "src/Desk.cs",
        20,
        service_id="T:Shop.IRepository`1",
        implementation_id="T:Shop.Repository`1",
    ),
    fact("db_table", "Crates|DbSet<Crate>", "T:Shop.Crate", "src/Repositories.cs", 6, entity_id="T:Shop.Crate"),
    *(
        fact("db_table", value, "T:Shop.Label", "src/Repositories.cs", line, entity_id=entity, source=source)
        for value, line, entity, source in (
            ("labels_{?suffix}|ToTable", 7, "T:Shop.Label", "to_table"),
            ("FirstLabels|Snapshot", 8, "T:Shop.Label", "snapshot"),
            ("Labels|Snapshot", 9, "T:Shop.Label", "snapshot"),
            ("FormerCrates|Snapshot", 9, "T:Shop.Crate", "snapshot"),
        )
    ),
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    with open_index(write_source_index(tmp_path_factory.mktemp("trace") / "shop.db", FILES, FACTS)) as found:
        yield found


def traced(
    snapshot: Snapshot, entry_point: str, depth: int = 3, limit: int = 100, offset: int = 0, project: str = ""
) -> FeatureTraceResponse:
    entry = find_entry(snapshot, entry_point, SymbolFilter(project=project))
    return trace_feature(snapshot, entry, depth, limit, offset)


def drawn(found: FeatureTraceResponse) -> str:
    return "\n".join(found.lines())


def everything(nodes: tuple[TraceNode, ...]) -> Iterator[TraceNode]:
    for node in nodes:
        yield node
        yield from everything(node.children)


def test_a_request_is_followed_through_implementations_messages_and_tables(snapshot: Snapshot) -> None:
    found = traced(snapshot, "POST /parcels/5")
    assert (found.entry_point, found.entry_point_route) == (TAKE, "POST /parcels/{id:int}")
    assert drawn(found) == textwrap.dedent("""\
        Desk.Take  (src/Desk.cs:5)  authorize policy:Clerk  log "took | {Id}"
          7  Desk.Check  (:12)  throws ParcelException
            14  IRule.Holds  (Stores.cs:22)  [9 implementations, not followed]
            also: 15 UtcClock.Now, 16 Desk.Trim
          8  SqlStore.Save  (Stores.cs:14)  [via IStore, registered]  table desk.Parcels
          9  TakenHandler.Handle  (Bus.cs:7)  [handles Taken]  [medium]
            7  Desk.Look  (Desk.cs:11)  route GET /parcels/{id:int}
              also: 11 StoreBase.Load
          also: 8 new Parcel, 9 IBus.Send, 9 new Taken""")


def test_every_member_stands_once_and_is_named_where_it_is_shared(snapshot: Snapshot) -> None:
    found = traced(snapshot, "Desk.Map", depth=6)
    ids = [node.symbol_id for node in everything(found.nodes)]
    assert len(ids) == len(set(ids)) == found.total_nodes_traversed
    assert drawn(found) == textwrap.dedent("""\
        Desk.Map  (src/Desk.cs:19)  registers IRepository<> → Repository<>, IStore → SqlStore  route GET /first, GET /second
          23  Desk.Count  (:25)
            also: Desk.Trim (below)
          also: 21 Maps.Get, 21 Desk.Trim""")


def test_a_lambda_is_traced_without_its_neighbours(snapshot: Snapshot) -> None:
    first, second = traced(snapshot, "GET /first"), traced(snapshot, "/second")
    assert (first.entry_point, second.entry_point) == (MAP, MAP)
    assert [node.symbol_id for node in everything(first.nodes)][1:] == [
        "M:Shop.Maps.Get(System.Object,System.String,System.Func{System.Int32})",
        "M:Shop.Desk.Trim(System.Int32)",
    ]
    assert "M:Shop.Desk.Count(System.Int32)" in [node.symbol_id for node in everything(second.nodes)]
    assert [each.value for each in second.nodes[0].annotations] == ["GET /second"]


def test_a_message_and_its_handler_mean_the_method_that_handles(snapshot: Snapshot) -> None:
    handle = "M:Shop.TakenHandler.Handle(Shop.Taken)"
    assert traced(snapshot, "TakenHandler").entry_point == handle
    assert traced(snapshot, "Shop.Taken").entry_point == handle
    assert find_entry(snapshot, "Taken", SymbolFilter()).note == "Taken is a message; what handles it is traced."


def test_a_message_that_another_one_wraps_leads_to_the_handlers_of_that(snapshot: Snapshot) -> None:
    handler, *_ = [node for node in everything(traced(snapshot, "Packer.Pack").nodes) if node.via]
    assert handler.symbol_id == "M:Shop.PackedNotificationHandler.Handle(Shop.PackedNotification)"
    assert (handler.via, handler.confidence) == ("T:Shop.PackedNotification", Confidence.LOW)


def test_an_event_that_a_handled_message_is_closed_over_leads_to_its_handlers(snapshot: Snapshot) -> None:
    (handler,) = [node for node in everything(traced(snapshot, "Shifter.Shift").nodes) if node.via]
    assert handler.symbol_id == "M:Shop.ShiftedHandler.Handle(Shop.Closed{Shop.Shifted})"
    assert (handler.via, handler.confidence) == ("T:Shop.Closed`1", Confidence.LOW)


def test_a_message_that_is_carried_by_one_that_is_made_leads_to_its_handlers_too(snapshot: Snapshot) -> None:
    (root,) = traced(snapshot, "Clerk.Pass", depth=1).nodes
    assert {node.symbol_id: node.confidence for node in root.children if node.via} == {
        "M:Shop.OnceHandler.Handle(Shop.Once{Shop.Taken})": Confidence.MEDIUM,
        "M:Shop.TakenHandler.Handle(Shop.Taken)": Confidence.LOW,
    }


def test_the_type_argument_of_a_request_is_its_response_and_not_wrapped(snapshot: Snapshot) -> None:
    names = [node.display_name for node in everything(traced(snapshot, "Packer.Pack").nodes)]
    assert "Shop.QuestionHandler.Handle" not in names


@pytest.mark.parametrize(
    ("method", "tables"),
    [
        ("Loader.Load", [("Crates", "F:Shop.Loader._crates")]),
        ("Loader.Write", []),
        ("Loader.Print", [("Labels", "M:Shop.Loader.Print(Shop.IRepository{Shop.Label})")]),
        ("Loader.Pass", []),
        ("Sorter.Sort", [("Crates", "T:Shop.Sorter")]),
        ("Sorter.Count", []),
        ("Mixer.Mix", []),
    ],
)
def test_a_registered_service_of_an_entity_reaches_its_table(
    snapshot: Snapshot, method: str, tables: list[tuple[str, str]]
) -> None:
    """The table that the model names; what is put together while the program runs is known from the last snapshot of the model."""
    (root,) = traced(snapshot, method, depth=1).nodes
    found = [each for each in root.annotations if each.kind == "db_table"]
    assert [(each.value, each.through) for each in found] == tables
    assert all(each.confidence is Confidence.MEDIUM for each in found)


def test_an_interface_member_leads_to_what_is_registered(snapshot: Snapshot) -> None:
    (root,) = traced(snapshot, "IStore.Save").nodes
    (child,) = root.children
    assert (child.symbol_id, child.via) == ("M:Shop.SqlStore.Save(Shop.Parcel)", "M:Shop.IStore.Save(Shop.Parcel)")


def test_of_many_implementations_those_are_followed_that_the_trace_makes(snapshot: Snapshot) -> None:
    assert drawn(traced(snapshot, "Checker.Check")) == textwrap.dedent("""\
        Checker.Check  (src/Checker.cs:5)
          5  Checker.Ensure  (:6)
            also: 6 Rule3.Holds""")
    (rule,) = [node for node in everything(traced(snapshot, "Checker.Check").nodes) if node.via]
    assert (rule.basis, rule.confidence) == (Basis.MADE_HERE, Confidence.MEDIUM)


def test_fakes_of_tests_run_for_tests_alone(snapshot: Snapshot) -> None:
    def called(entry_point: str) -> list[str]:
        return [node.display_name for node in everything(traced(snapshot, entry_point).nodes)]

    assert "Shop.Tests.FakeClock.Now" not in called("Desk.Take")
    assert "Shop.Tests.FakeClock.Now" in called("DeskTests.Runs")


def test_what_is_beyond_the_depth_is_counted_and_marked(snapshot: Snapshot) -> None:
    found = traced(snapshot, "Desk.Take", depth=1)
    assert found.leads_further_count == 2
    assert [node.display_name for node in everything(found.nodes) if node.leads_further] == [
        "Shop.Desk.Check",
        "Shop.TakenHandler.Handle",
    ]


def tells(node: TraceNode) -> bool:
    """Whether it or what is below it has a fact or handles a message."""
    return bool(node.annotations or (node.via and node.basis is None)) or any(tells(each) for each in node.children)


def test_pages_hold_every_node_once_and_the_telling_ones_first(snapshot: Snapshot) -> None:
    whole = traced(snapshot, "Desk.Take", depth=4)
    ranked = sorted(everything(whole.nodes), key=lambda node: node.rank)
    shown: list[TraceNode] = []
    while True:
        page = traced(snapshot, "Desk.Take", depth=4, limit=2, offset=max(0, len(shown) - 1))
        shown += sorted(everything(page.nodes), key=lambda node: node.rank)
        if not page.truncated:
            break
    assert [node.symbol_id for node in shown] == [node.symbol_id for node in ranked]
    telling = [tells(node) for node in ranked[1:]]
    assert telling == sorted(telling, reverse=True)
    for count in range(1, whole.row_count + 1):
        kept = list(everything(whole.cut(count).nodes))
        assert [node.symbol_id for node in sorted(kept, key=lambda node: node.rank)] == [
            node.symbol_id for node in ranked[: count + 1]
        ]


def test_what_continues_an_earlier_page_says_what_leads_to_it(snapshot: Snapshot) -> None:
    later = traced(snapshot, "Desk.Take", limit=50, offset=4)
    assert drawn(later) == textwrap.dedent("""\
        from Desk.Check
          14  IRule.Holds  (src/Stores.cs:22)  [9 implementations, not followed]
          also: 15 UtcClock.Now, 16 Desk.Trim
        from Desk.Take
          also: 8 new Parcel, 9 IBus.Send, 9 new Taken
        from Desk.Look
          also: 11 StoreBase.Load""")


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        ("/parcels/5", AmbiguousError, "means 2 endpoints"),
        ("DELETE /parcels/5", NotFoundError, "Did you mean one of these?"),
        ("GET /parcel", NotFoundError, "No endpoint answers GET /parcel, of 4 routes."),
        ("Desk", AmbiguousError, "Shop.Desk has 2 entry points; say which."),
        ("Parcel", InvalidArgumentError, "Shop.Parcel is a class that answers no route and handles no message."),
        ("Desk.Tak", NotFoundError, "There is no symbol 'Desk.Tak'"),
        ("first", NotFoundError, "There is no symbol 'first', and a route begins with / or a verb. Did you mean"),
    ],
)
def test_what_is_no_entry_point_is_refused_with_the_next_step(
    snapshot: Snapshot, asked: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error) as raised:
        traced(snapshot, asked)
    assert said in str(raised.value)


def test_a_project_narrows_a_route(snapshot: Snapshot) -> None:
    assert traced(snapshot, "GET /first", project="Shop").entry_point == MAP
    with pytest.raises(NotFoundError):
        traced(snapshot, "GET /first", project="Shop.Tests")


def test_what_another_program_registers_does_not_run(tmp_path: Path) -> None:
    def app(name: str) -> dict[str, str]:
        return {
            f"{name}/{name}.csproj": TESTS.replace("../src/Shop.csproj", "../shared/Shared.csproj"),
            f"{name}/Code.cs": f"""namespace {name};

public class Sender : Shared.ISender {{ public void Send() {{ }} }}
public class Page {{ public void Show(Shared.ISender sender) => sender.Send(); }}
""",
        }

    files = {
        "shared/Shared.csproj": PROJECT,
        "shared/Sender.cs": "namespace Shared;\n\npublic interface ISender { void Send(); }\n"
        "public class Relay { public void Pass(ISender sender) => sender.Send(); }\n",
        **app("Shop"),
        **app("Desk"),
    }
    registrations = [
        FactRow(
            kind="di_registration",
            value="ISender → Sender|Scoped",
            detail={"service_id": "T:Shared.ISender", "implementation_id": f"T:{name}.Sender"},
            symbol_id=f"T:{name}.Page",
            file_path=f"{name}/Code.cs",
            line_start=4,
            line_end=4,
            project=f"{name}/{name}.csproj",
        )
        for name in ("Shop", "Desk")
    ]
    with open_index(write_source_index(tmp_path / "two.db", files, registrations)) as two:
        of_page = [node.display_name for node in everything(traced(two, "Shop.Page.Show").nodes)]
        of_library = [node.display_name for node in everything(traced(two, "Relay.Pass").nodes)]
    assert of_page == ["Shop.Page.Show", "Shop.Sender.Send"]
    assert of_library == ["Shared.Relay.Pass", "Desk.Sender.Send", "Shop.Sender.Send"]
