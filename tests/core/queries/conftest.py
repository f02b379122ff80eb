"""A snapshot of the sample index, and one of a few hundred generated symbols to search in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_core.model import (
    Documentation,
    DocumentRow,
    FactRow,
    Project,
    ProjectGraph,
    ReferenceRow,
    SymbolKind,
    SymbolRow,
    Visibility,
)
from codemap_core.model.meanings import Meanings
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.writing.writer import BaselineWriter
from codemap_core.testing import tool_calls
from codemap_core.testing.sample_index import write_sample_index

SHOP = "src/Shop/Shop.csproj"
TOOLS = "tools/Tools.csproj"


def make_symbol(full_name: str, kind: SymbolKind, file_path: str, summary: str = "", **fields: Any) -> SymbolRow:
    """``Ns.Sub:Type.Member``: what stands before the colon is the namespace."""
    namespace, _, path = full_name.partition(":")
    container, _, name = path.rpartition(".")
    prefix = "T" if kind.is_type else {SymbolKind.PROPERTY: "P", SymbolKind.FIELD: "F"}.get(kind, "M")
    id_name = "#ctor" if kind is SymbolKind.CONSTRUCTOR else name
    known: dict[str, Any] = {
        "symbol_id": f"{prefix}:{'.'.join(filter(None, [namespace, container, id_name]))}",
        "stable_id": f"sym_{abs(hash(full_name)):016x}"[:20],
        "kind": kind,
        "name": name,
        "fully_qualified_name": f"{namespace}.{path}",
        "signature": f"public {kind} {name}",
        "documentation": Documentation(summary) if summary else None,
        "namespace": namespace,
        "containing_type": container or None,
        "container_id": f"T:{namespace}.{container}" if container else None,
        "file_path": file_path,
        "span_start": 1,
        "span_end": 3,
        "name_line": 2,
        "name_column": 1,
        "visibility": Visibility.PUBLIC,
        "project": SHOP,
        "content_hash": "0" * 16,
    }
    return SymbolRow(**{**known, **fields})


def declared(snapshot: Snapshot, symbol_id: str) -> SymbolRow:
    """The first declaration of an id."""
    return snapshot.reader.symbols_with_id(symbol_id)[0]


@cache
def built_in_meanings() -> Meanings:
    return load_plugins(blocked=()).meanings


def open_index(path: Path) -> Snapshot:
    """An index, to be asked as the server asks one."""
    return Snapshot.open(path, meanings=built_in_meanings())


def write_source_index(
    path: Path, files: Mapping[str, str], facts: Iterable[FactRow] = (), links: Iterable[ReferenceRow] = ()
) -> Path:
    """The index of sources and projects by path, bound for real; with the facts of the built-in plug-ins, ``facts`` and ``links``."""
    return tool_calls.write_source_index(path, files, load_plugins(blocked=()), facts, links)


SYMBOLS = [
    make_symbol("Shop.Ordering:Order", SymbolKind.CLASS, "src/Shop/Order.cs", "What a customer asked for."),
    make_symbol("Shop.Ordering:Order.Order", SymbolKind.CONSTRUCTOR, "src/Shop/Order.cs"),
    make_symbol("Shop.Ordering:Order.Submit", SymbolKind.METHOD, "src/Shop/Order.cs"),
    make_symbol(
        "Shop.Ordering:OrderService", SymbolKind.CLASS, "src/Shop/OrderService.cs", "Takes care of every order."
    ),
    make_symbol("Shop.Ordering:OrderService.OrderService", SymbolKind.CONSTRUCTOR, "src/Shop/OrderService.cs"),
    make_symbol(
        "Shop.Ordering:OrderService.Submit", SymbolKind.METHOD, "src/Shop/OrderService.cs", "Hands an order over."
    ),
    make_symbol("Shop.Ordering:IOrderService", SymbolKind.INTERFACE, "src/Shop/OrderService.cs"),
    make_symbol("Shop.Ordering:OrderProcessingService", SymbolKind.CLASS, "src/Shop/Processing.cs"),
    make_symbol("Shop.Orders:OrderLine", SymbolKind.RECORD, "src/Shop/OrderLine.cs"),
    make_symbol("Shop.Text:CamelCaseStringHelper", SymbolKind.CLASS, "src/Shop/Text.cs"),
    make_symbol("Shop.Text:HTMLParser2", SymbolKind.CLASS, "src/Shop/Text.cs"),
    make_symbol("Shop.Text:HTMLParser2._logger", SymbolKind.FIELD, "src/Shop/Text.cs"),
    make_symbol("Tools:Order", SymbolKind.STRUCT, "tools/Order.cs", project=TOOLS),
    make_symbol("Tools:Ordering", SymbolKind.CLASS, "tools/Ordering.cs", project=TOOLS),
]


@pytest.fixture(scope="session")
def catalogue_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("catalogue") / "catalogue.db"
    documents = [
        DocumentRow(
            file_path=file_path,
            sha256="0" * 64,
            blob_id="0" * 40,
            language="csharp",
            projects=(TOOLS,) if file_path.startswith("tools/") else (SHOP,),
            line_count=3,
            size=78,
            text=f"class C\n{'a' * 64}!\nend\n",
        )
        for file_path in sorted({symbol.file_path for symbol in SYMBOLS})
    ]
    projects = tuple(
        Project(project_path=project, name=name, assembly_name=f"{name}.Assembly")
        for project, name in ((SHOP, "Shop"), (TOOLS, "Tools"))
    )
    with (
        build_lock(path) as lock,
        BaselineWriter.create(lock, IndexInfo(repo_id="r", commit_sha="c", fingerprint="f")) as writer,
    ):
        writer.add_projects(ProjectGraph(projects))
        writer.add_documents(documents)
        writer.add_symbols(SYMBOLS)
        writer.publish()
    return path


@pytest.fixture
def catalogue(catalogue_path: Path) -> Iterator[Snapshot]:
    with open_index(catalogue_path) as snapshot:
        yield snapshot


@pytest.fixture(scope="session")
def sample_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "sample.db"
    write_sample_index(path)
    return path


@pytest.fixture
def sample(sample_path: Path) -> Iterator[Snapshot]:
    with open_index(sample_path) as snapshot:
        yield snapshot
