"""``find_similar`` and the vectors behind it: what is alike is found, in any index, and the file beside the index is safe to lose."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.config import Settings
from codemap_core.errors import CancelledError
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_core.storage.data_directory import index_files, leftovers, removable, remove
from codemap_core.storage.files.beside import vectors_beside
from codemap_core.storage.reading.bulk_rows import row_of
from codemap_plugins.codeagent.failures import EngineUnavailableError
from codemap_plugins.codeagent.similarity import Similarity
from codemap_plugins.codeagent.sqlite_vectors import is_available
from codemap_plugins.codeagent.structural_model import StructuralModel
from codemap_plugins.codeagent.vector_process import make_vectors
from tests.plugins.codeagent.conftest import Ask
from tests.server.raw_client import RawClient
from tests.server.shop import commit, git

SIMILARITY = Similarity(StructuralModel())
MODEL = StructuralModel.name
PROJECT = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>'
BODY = """using System.Collections.Generic;

namespace {ns};

public class {cls} : {base}
{{
    private readonly Dictionary<string, int> {store} = new();

    public int {method}(string {a}, int {b})
    {{
        if (!{store}.TryGetValue({a}, out var {c}))
        {{
            throw new KeyNotFoundException({a});
        }}
        while ({c} > {b})
        {{
            {c} -= {b};
        }}
        {store}[{a}] = {c};
        return {c};
    }}
}}
"""
LEDGER = {
    "ns": "Bank",
    "cls": "Ledger",
    "base": "IBook",
    "store": "_sums",
    "method": "Withdraw",
    "a": "name",
    "b": "sum",
    "c": "left",
}
CLONE = {
    "ns": "Zoo",
    "cls": "Feeder",
    "base": "IKeeper",
    "store": "_bowls",
    "method": "Drain",
    "a": "animal",
    "b": "spoon",
    "c": "rest",
}
FILES = {
    "App.csproj": PROJECT,
    "Ledger.cs": BODY.format(**LEDGER),
    "Feeder.cs": BODY.format(**CLONE),
    "Bases.cs": "namespace Bank { public interface IBook { } }\nnamespace Zoo { public interface IKeeper { } }\n",
    "Others.cs": """using System;
using System.Text;

namespace Shop;

public interface IShape { double Area(); }
public class Circle : IShape { public double Radius; public double Area() => Math.PI * Radius * Radius; }
public class Square : IShape { public double Side; public double Area() => Side * Side; }
public class Invoice { public string Print(string name) { var text = new StringBuilder(); text.Append(name); return text.ToString(); } }
public class Receipt { public string Show(int[] numbers) { foreach (var each in numbers) { Console.WriteLine(each); } return ""; } }
public class OrderHandler { public void Handle(string order) { Console.WriteLine(order); } }
public class PaymentHandler { public void Handle(int payment) { Console.Write(payment); } }
""",
}


@pytest.fixture(scope="module", params=["sqlite-vec", "mapped"])
def kept_in(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What vectors are kept in: with the extension, and as on a machine that lacks it: here and in the processes that are started."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "mapped":
            folder = tmp_path_factory.mktemp("without")
            (folder / "sqlite_vec.py").write_text("raise ImportError('It is not installed.')", encoding="utf-8")
            patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
            patch.setitem(sys.modules, "sqlite_vec", None)
        assert is_available() == (request.param == "sqlite-vec")
        yield str(request.param)


@pytest.fixture(scope="module")
def snapshot(kept_in: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    folder = tmp_path_factory.mktemp("alike")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    commit(folder, "First")
    settings = Settings(data_directory=tmp_path_factory.mktemp("data"))
    made = ensure_baseline(Repository.open(folder), load_plugins(), settings, jobs=1)
    with Snapshot.open(made.path) as opened:
        yield opened


def likest(snapshot: Snapshot, symbol_id: str, limit: int = 1) -> list[str]:
    vectors = SIMILARITY.build(snapshot)
    (symbol,) = snapshot.reader.symbols_with_id(symbol_id)
    row = row_of(snapshot.reader, symbol.stable_id)
    assert row is not None
    found = vectors.nearest(row, limit)
    assert found is not None
    assert [each.similarity for each in found] == sorted((each.similarity for each in found), reverse=True)
    return [each.symbol_id for each in snapshot.reader.symbols_numbered([each.number for each in found])]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("M:Bank.Ledger.Withdraw(System.String,System.Int32)", "M:Zoo.Feeder.Drain(System.String,System.Int32)"),
        ("M:Zoo.Feeder.Drain(System.String,System.Int32)", "M:Bank.Ledger.Withdraw(System.String,System.Int32)"),
        ("T:Bank.Ledger", "T:Zoo.Feeder"),
        ("T:Shop.Circle", "T:Shop.Square"),
        ("M:Shop.Circle.Area", "M:Shop.Square.Area"),
        ("T:Shop.OrderHandler", "T:Shop.PaymentHandler"),
    ],
    ids=["renamed", "renamed back", "renamed type", "siblings", "sibling members", "role"],
)
def test_the_likest_is_first(snapshot: Snapshot, asked: str, expected: str) -> None:
    assert likest(snapshot, asked) == [expected]


def test_types_are_compared_with_types_and_nothing_with_itself(snapshot: Snapshot) -> None:
    found = likest(snapshot, "T:Shop.Circle", 50)
    assert "T:Shop.Circle" not in found
    assert {each[:2] for each in found} == {"T:"}
    assert len(found) == 10


def test_the_same_index_gives_the_same_vectors(snapshot: Snapshot, kept_in: str) -> None:
    SIMILARITY.build(snapshot)
    path = vectors_beside(snapshot.reader.path)
    content = path.read_bytes()
    assert content.startswith(b"SQLite format 3") == (kept_in == "sqlite-vec")
    path.unlink()
    SIMILARITY.build(snapshot)
    assert path.read_bytes() == content


def test_a_file_that_cannot_be_used_is_made_again(snapshot: Snapshot) -> None:
    SIMILARITY.build(snapshot)
    path = vectors_beside(snapshot.reader.path)
    content = path.read_bytes()
    for wrong in (b"", content[:-1], b"x" * len(content), content.replace(MODEL.encode(), b"x" * len(MODEL)), b"{}\n"):
        path.write_bytes(wrong)
        assert SIMILARITY.vectors(snapshot) is None
        SIMILARITY.build(snapshot)
        assert path.read_bytes() == content


def test_nothing_is_left_when_the_making_stops(snapshot: Snapshot) -> None:
    path = vectors_beside(snapshot.reader.path)
    path.unlink(missing_ok=True)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SIMILARITY.build(snapshot, check=stop)
    assert not list(path.parent.glob("*.vectors*"))


def test_another_process_makes_the_same(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Standing in a folder whose modules it must not import."""
    (tmp_path / "numpy.py").write_text("raise SystemExit(3)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    SIMILARITY.build(snapshot)
    path = vectors_beside(snapshot.reader.path)
    content = path.read_bytes()
    path.unlink()
    make_vectors(snapshot, None, lambda: None)
    assert path.read_bytes() == content


def test_a_cancelled_call_ends_the_process(snapshot: Snapshot) -> None:
    path = vectors_beside(snapshot.reader.path)
    path.unlink(missing_ok=True)

    def stop() -> None:
        raise CancelledError("The call was cancelled.")

    with pytest.raises(CancelledError):
        make_vectors(snapshot, None, stop)
    assert not path.exists()


def test_an_index_that_cannot_be_read_has_no_vectors(snapshot: Snapshot, tmp_path: Path) -> None:
    index = tmp_path / "a.db"
    shutil.copy(snapshot.reader.path, index)
    with Snapshot.open(index) as opened:
        index.unlink()
        with pytest.raises(EngineUnavailableError):
            make_vectors(opened, None, lambda: None)


def test_the_vectors_go_with_their_index(snapshot: Snapshot, tmp_path: Path) -> None:
    SIMILARITY.build(snapshot)
    own = Settings(data_directory=tmp_path)
    folder = own.baselines_directory / "repo"
    folder.mkdir(parents=True)
    index, beside = folder / "a.db", folder / "a.db.vectors"
    shutil.copy(snapshot.reader.path, index)
    beside.write_bytes(b"x")
    assert leftovers(own) == ()
    remove(removable(index_files(own, ""), leftovers(own), keep=0))
    assert not index.exists()
    assert not beside.exists()
    folder.mkdir(exist_ok=True)
    beside.write_bytes(b"x")
    assert [each.path for each in leftovers(own)] == [beside]


def names(rows: list[dict[str, str]]) -> list[str]:
    return [row["qualified_name"] for row in rows]


@pytest.mark.usefixtures("kept_in")
def test_edits_are_compared_with_everything(environment: dict[str, str], tmp_path: Path) -> None:
    """What is new, edited, moved into another file or deleted, without making the vectors of the commit again."""
    folder = tmp_path / "alike"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    commit(folder, "First")
    path = os.environ.get("PYTHONPATH", "")  # where ``kept_in`` may hide a library
    own = {**environment, "PYTHONPATH": path, "CODEMAP_HOME": str(tmp_path / "data")}
    with RawClient(own, 'toolsets=("codeagent",), live=False', str(folder)) as server:
        server.initialize()

        def similar(symbol_id: str, limit: int = 50) -> list[str]:
            found, is_error = server.call_json("find_similar", {"node_id": symbol_id, "limit": limit})
            assert not is_error, found
            return names(found)

        def index(*paths: str) -> None:
            found, _ = server.call_json("index_files", {"paths": list(paths)})
            assert found["indexed"] == len(paths), found

        index("Ledger.cs")
        drain = "M:Zoo.Feeder.Drain(System.String,System.Int32)"
        assert similar(drain, 1) == ["Bank.Ledger.Withdraw"]
        count = server.call_json("get_status")[0]["embeddings_count"]
        made = {path: path.read_bytes() for path in (tmp_path / "data").rglob("*.vectors")}
        assert len(made) == 2, "of the index and of the workspace"

        third = CLONE | {
            "ns": "Lake",
            "cls": "Pump",
            "base": "System.IDisposable",
            "method": "Empty",
            "store": "_basins",
        }
        (folder / "Pump.cs").write_text(BODY.format(**third), encoding="utf-8")
        circle = FILES["Others.cs"].replace("class Circle : IShape", "class Disc : IShape").replace("Receipt", "Slip")
        (folder / "Others.cs").write_text(circle, encoding="utf-8")
        index("Pump.cs", "Others.cs")
        empty = "M:Lake.Pump.Empty(System.String,System.Int32)"
        assert set(similar(empty, 2)) == {"Zoo.Feeder.Drain", "Bank.Ledger.Withdraw"}
        assert "Lake.Pump.Empty" in similar(drain, 2)
        assert similar("T:Shop.Disc", 1) == ["Shop.Square"]
        types = similar("T:Shop.Square")
        assert {"Shop.Disc", "Shop.Slip", "Lake.Pump", "Bank.Ledger"} <= set(types)
        assert not {"Shop.Circle", "Shop.Receipt"} & set(types)
        assert len(types) == len(set(types)) == 11
        status = server.call_json("get_status")[0]
        assert status["embeddings_count"] == status["indexed_symbols"] > count
        assert sum(path.read_bytes() == content for path, content in made.items()) == 1, "the commit's are kept"

        os.rename(folder / "Pump.cs", folder / "Sump.cs")  # noqa: PTH104
        index("Pump.cs", "Sump.cs")
        (folder / "Feeder.cs").write_text("namespace Zoo { class Empty { } }\n", encoding="utf-8")
        index("Feeder.cs")
        assert "Zoo.Feeder.Drain" not in similar(empty)
        assert server.call_json("find_similar", {"node_id": drain})[0]["error"]["code"] == "not_found"


def test_similar_symbols_have_scores(ask: Ask) -> None:
    service = ask("get_symbol", node_id="T:MyApp.Auth.AuthService")["node_id"]
    rows = ask("find_similar", node_id=service, limit=3)
    assert len(rows) == 3
    assert service not in {row["node_id"] for row in rows}
    assert [row["similarity"] for row in rows] == sorted((row["similarity"] for row in rows), reverse=True)
    assert {"node_id", "name", "qualified_name", "node_type", "file_path", "line_start", "similarity"} <= set(rows[0])
    assert {row["node_type"] for row in rows} <= {"class", "interface", "type"}
    status = ask("get_status")
    assert status["embedding_model"] == MODEL
    assert status["embeddings_count"] == status["indexed_symbols"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"node_id": "T:MyApp.Nothing"}, "not_found"),
        ({"node_id": "T:System.String"}, "invalid_parameter"),
        ({"node_id": "file:notes.txt"}, "invalid_parameter"),
        ({"node_id": "T:MyApp.Auth.AuthService", "limit": 51}, "invalid_parameter"),
        ({"node_id": "T:MyApp.Auth.AuthService", "limit": 0}, "invalid_parameter"),
    ],
)
def test_what_cannot_be_compared_is_refused(ask: Ask, arguments: dict[str, object], code: str) -> None:
    assert ask("find_similar", **arguments)["error"]["code"] == code
