"""What facts say of declarations that no code names: what a scan registers and what a route, a message or a job leads to is used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codemap_core.model import FactRow, SymbolKind
from codemap_core.queries.graph.unreferenced import find_unreferenced
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.unreferenced import Doubt, Sureness
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.core.queries.conftest import open_index, write_source_index

SOURCE = """namespace Shop
{
    interface IClock { }
    class UtcClock : IClock { }
    class OldClock : IClock { }
}
namespace Desk
{
    class Asked
    {
        void Answer() { }
        void Handle() { }
        void Work() { }
        void Rest() { }
    }
    class Hub
    {
        public void Send() { }
        public static void Share() { }
        void Help() { }
    }
    class Uses { Asked asked = new(); Hub hub = new(); }
}
"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType></PropertyGroup>
</Project>"""


def _fact(kind: str, detail: dict[str, str | int], symbol_id: str | None) -> FactRow:
    return FactRow(
        kind=kind,
        value=kind,
        detail={"at": 5, **detail},
        symbol_id=symbol_id,
        file_path="Shop.cs",
        line_start=5,
        line_end=5,
        project="Shop.csproj",
    )


FACTS = [
    _fact(
        "di_registration", {"service_id": "T:Shop.IClock", "implementation_id": "T:Shop.UtcClock", "beyond": True}, None
    ),
    _fact("route", {"handler": "M:Desk.Asked.Answer"}, None),
    _fact("handler", {"handler_id": "T:Desk.Asked"}, "M:Desk.Asked.Handle"),
    _fact("job", {"method_id": "M:Desk.Asked.Work"}, None),
    _fact("route", {"handler": "lambda"}, "M:Desk.Asked.Rest"),
    _fact("route", {"handler": "T:Desk.Hub"}, None),
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path = tmp_path_factory.mktemp("unreferenced") / "index.db"
    with open_index(write_source_index(path, {"Shop.csproj": PROJECT, "Shop.cs": SOURCE}, facts=FACTS)) as opened:
        yield opened


def test_what_a_scan_registers_is_doubtful(snapshot: Snapshot) -> None:
    found = find_unreferenced(snapshot, SymbolFilter((), "Shop"), doubtful=True, limit=9)
    by_id = {each.symbol_id: each for each in found.rows}
    assert by_id["T:Shop.OldClock"].sureness is Sureness.PROBABLE
    assert by_id["T:Shop.UtcClock"].sureness is Sureness.DOUBTFUL
    assert by_id["T:Shop.UtcClock"].doubts == (Doubt.REGISTERED, Doubt.OWN_BASE)
    without = find_unreferenced(snapshot, SymbolFilter((), "Shop"), limit=9)
    assert [each.symbol_id for each in without.rows] == ["T:Shop.OldClock"]
    assert without.doubtful_by == {Doubt.REGISTERED: 1}


def test_what_a_route_a_message_or_a_job_leads_to_is_doubtful(snapshot: Snapshot) -> None:
    found = find_unreferenced(snapshot, SymbolFilter((SymbolKind.METHOD,), "Desk"), doubtful=True, limit=9)
    by_id = {each.symbol_id: (each.sureness, each.doubts) for each in found.rows}
    entered = (Sureness.DOUBTFUL, (Doubt.ENTRY_POINT,))
    assert by_id == {
        "M:Desk.Asked.Answer": entered,
        "M:Desk.Asked.Handle": entered,
        "M:Desk.Asked.Work": entered,
        "M:Desk.Asked.Rest": (Sureness.UNUSED, ()),
        "M:Desk.Hub.Send": (Sureness.DOUBTFUL, (Doubt.FRAMEWORK_TYPE,)),
        "M:Desk.Hub.Share": (Sureness.UNUSED, ()),
        "M:Desk.Hub.Help": (Sureness.UNUSED, ()),
    }
