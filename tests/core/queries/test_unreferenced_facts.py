"""What facts say of types that no code names: a scan that registers a type makes it used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codemap_core.model import FactRow
from codemap_core.queries.graph.unreferenced import find_unreferenced
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.unreferenced import Doubt, Sureness
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.core.queries.conftest import open_index, write_source_index

SOURCE = """namespace Shop;
interface IClock { }
class UtcClock : IClock { }
class OldClock : IClock { }
"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType></PropertyGroup>
</Project>"""
SCANNED = FactRow(
    kind="di_registration",
    value="IClock → UtcClock|Scoped",
    detail={"at": 1, "service_id": "T:Shop.IClock", "implementation_id": "T:Shop.UtcClock", "beyond": True},
    symbol_id=None,
    file_path="Shop.cs",
    line_start=1,
    line_end=1,
    project="Shop.csproj",
)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path = tmp_path_factory.mktemp("unreferenced") / "index.db"
    with open_index(write_source_index(path, {"Shop.csproj": PROJECT, "Shop.cs": SOURCE}, facts=[SCANNED])) as opened:
        yield opened


def test_what_a_scan_registers_is_doubtful(snapshot: Snapshot) -> None:
    found = find_unreferenced(snapshot, SymbolFilter(()), doubtful=True, limit=9)
    by_id = {each.symbol_id: each for each in found.rows}
    assert by_id["T:Shop.OldClock"].sureness is Sureness.PROBABLE
    assert by_id["T:Shop.UtcClock"].sureness is Sureness.DOUBTFUL
    assert by_id["T:Shop.UtcClock"].doubts == (Doubt.REGISTERED, Doubt.OWN_BASE)
    without = find_unreferenced(snapshot, SymbolFilter(()), limit=9)
    assert [each.symbol_id for each in without.rows] == ["T:Shop.OldClock"]
    assert without.doubtful_by == {Doubt.REGISTERED: 1}
