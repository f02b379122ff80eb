"""A small index made by hand: two projects, three files, every kind of row. For tests that need an index and no
language."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from codemap_core.model import (
    Confidence,
    Documentation,
    DocumentRow,
    DocumentStatus,
    FactRow,
    PackageReference,
    Problem,
    Project,
    ProjectGraph,
    ProjectProblem,
    ReferenceRow,
    RefKind,
    RelationKind,
    RelationRow,
    ResolutionState,
    SemanticLevel,
    Solution,
    SymbolKind,
    SymbolPart,
    SymbolRow,
    Visibility,
)
from codemap_core.storage.files.examine import IndexInfo, ProjectDiagnostic
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.writing.writer import BaselineWriter

INFO: Final = IndexInfo(
    repo_id="0123456789abcdef",
    commit_sha="c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00",
    fingerprint="sample",
    semantic_level=SemanticLevel.PARTIAL,
    project_diagnostics=(ProjectDiagnostic("Shop", True, 6, 3), ProjectDiagnostic("Shop.Tests", True, 1, 0)),
)
SHOP: Final = "src/Shop/Shop.csproj"
TESTS: Final = "tests/Shop.Tests/Shop.Tests.csproj"
ORDER_FILE: Final = "src/Shop/Order.cs"
LINES_FILE: Final = "src/Shop/Order.Lines.cs"
SERVICE_FILE: Final = "src/Shop/OrderService.cs"

TEXTS: Final = {
    ORDER_FILE: """namespace Shop.Ordering;

/// <summary>What a customer asked for.</summary>
public partial class Order
{
    public int Id { get; }
}
""",
    LINES_FILE: """namespace Shop.Ordering;

public partial class Order
{
    private readonly List<string> _lines = [];
}
""",
    SERVICE_FILE: """namespace Shop.Ordering;

public class OrderService : IOrderService
{
    public OrderService() { }

    /// <summary>Hands the order over.</summary>
    public bool Submit(Order order) => order.Id > 0 && Store(order);

    private bool Store(Order order) => throw new InvalidOperationException();
}
""",
}
GRAPH: Final = ProjectGraph(
    projects=(
        Project(
            project_path=SHOP,
            name="Shop",
            assembly_name="Shop",
            sdk="Microsoft.NET.Sdk",
            target_framework="net9.0",
            target_frameworks=("net9.0", "net48"),
            files=(LINES_FILE, ORDER_FILE, SERVICE_FILE),
            packages=(PackageReference("Dapper", "2.1.0"), PackageReference("Serilog")),
            usings=("System", "static System.Math", "Lines = System.Collections.Generic.List<string>"),
            defines=("DEBUG", "NET9_0"),
            internals_visible_to=("Shop.Tests",),
        ),
        Project(
            project_path=TESTS,
            name="Shop.Tests",
            assembly_name="Shop.Tests",
            files=(ORDER_FILE,),
            project_references=(SHOP,),
            is_test=True,
        ),
    ),
    solutions=(Solution("Shop.sln", (SHOP, TESTS)),),
    problems=(ProjectProblem(TESTS, "the import Missing.props does not exist"),),
)


def documents() -> list[DocumentRow]:
    """The three C# files and one that was skipped."""
    compiled = {ORDER_FILE: (SHOP, TESTS), LINES_FILE: (SHOP,), SERVICE_FILE: (SHOP,)}
    rows = [
        DocumentRow(
            file_path=path,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            blob_id=hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(),
            language="csharp",
            projects=compiled[path],
            line_count=text.count("\n"),
            size=len(text.encode()),
            status=DocumentStatus.FALLBACK if path == SERVICE_FILE else DocumentStatus.CLEAN,
            problems=(Problem("CM0001", "unexpected token", 8),) if path == SERVICE_FILE else (),
            text=text,
        )
        for path, text in TEXTS.items()
    ]
    skipped = DocumentRow(
        file_path="docs/huge.json",
        sha256="0" * 64,
        blob_id="0" * 40,
        language="json",
        projects=(),
        line_count=0,
        size=60_000_000,
        status=DocumentStatus.SKIPPED,
    )
    return [*rows, skipped]


def symbols() -> list[SymbolRow]:
    """Six symbols of ``Shop``; ``Order`` is declared by both projects."""
    order = _symbol(
        "T:Shop.Ordering.Order",
        SymbolKind.CLASS,
        "Order",
        "public class Order",
        ORDER_FILE,
        (4, 7),
        documentation=Documentation("What a customer asked for."),
        other_parts=(SymbolPart(LINES_FILE, 3, 6),),
    )
    return [
        order,
        _symbol("P:Shop.Ordering.Order.Id", SymbolKind.PROPERTY, "Id", "public int Id { get; }", ORDER_FILE, (6, 6)),
        _symbol(
            "F:Shop.Ordering.Order._lines",
            SymbolKind.FIELD,
            "_lines",
            "private readonly List<string> _lines",
            LINES_FILE,
            (5, 5),
            visibility=Visibility.PRIVATE,
        ),
        _symbol(
            "T:Shop.Ordering.OrderService",
            SymbolKind.CLASS,
            "OrderService",
            "public class OrderService",
            SERVICE_FILE,
            (3, 11),
        ),
        _symbol(
            "M:Shop.Ordering.OrderService.#ctor",
            SymbolKind.CONSTRUCTOR,
            "OrderService",
            "public OrderService()",
            SERVICE_FILE,
            (5, 5),
        ),
        _symbol(
            "M:Shop.Ordering.OrderService.Submit(Shop.Ordering.Order)",
            SymbolKind.METHOD,
            "Submit",
            "public bool Submit(Order order)",
            SERVICE_FILE,
            (8, 8),
            documentation=Documentation("Hands the order over.", "returns: whether it was taken"),
        ),
        _symbol(
            "M:Shop.Ordering.OrderService.Store(Shop.Ordering.Order)",
            SymbolKind.METHOD,
            "Store",
            "private bool Store(Order order)",
            SERVICE_FILE,
            (10, 10),
            visibility=Visibility.PRIVATE,
            confidence=Confidence.LOW,
        ),
        _symbol(
            "T:Shop.Ordering.Order", SymbolKind.CLASS, "Order", "public class Order", ORDER_FILE, (4, 7), project=TESTS
        ),
    ]


def references() -> list[ReferenceRow]:
    """Calls and a read in ``Submit``, a using without an owner."""
    submit = "M:Shop.Ordering.OrderService.Submit(Shop.Ordering.Order)"
    return [
        _reference(RefKind.READ, submit, "P:Shop.Ordering.Order.Id", "Id", (8, 46)),
        _reference(RefKind.CALL, submit, "M:Shop.Ordering.OrderService.Store(Shop.Ordering.Order)", "Store", (8, 56)),
        ReferenceRow(
            kind=RefKind.CALL,
            from_symbol="M:Shop.Ordering.OrderService.Store(Shop.Ordering.Order)",
            to_symbol=None,
            to_name="Vanish",
            to_container_hint="order",
            file_path=SERVICE_FILE,
            line=10,
            column=40,
            line_end=11,
            resolution_state=ResolutionState.UNRESOLVED,
            confidence=Confidence.LOW,
            reason="unknown_receiver",
            project=SHOP,
        ),
    ]


def relations() -> list[RelationRow]:
    return [
        RelationRow(
            kind=RelationKind.INTERFACE,
            from_symbol="T:Shop.Ordering.OrderService",
            to_symbol="!:IOrderService",
            external=False,
            display_name="IOrderService",
            file_path=SERVICE_FILE,
            project=SHOP,
        )
    ]


def facts() -> list[FactRow]:
    return [
        FactRow(
            kind="exception",
            value="InvalidOperationException|throw expression",
            symbol_id="M:Shop.Ordering.OrderService.Store(Shop.Ordering.Order)",
            file_path=SERVICE_FILE,
            line_start=10,
            line_end=10,
            project=SHOP,
        )
    ]


def write_sample_index(path: Path, info: IndexInfo = INFO) -> IndexInfo:
    """Publishes the sample at ``path`` and returns what the index says of itself."""
    with build_lock(path) as lock, BaselineWriter.create(lock, info) as writer:
        writer.add_projects(GRAPH)
        writer.add_documents(documents())
        writer.add_symbols(symbols())
        writer.add_references(references())
        writer.add_relations(relations())
        writer.add_facts(facts())
        return writer.publish()


def _symbol(
    symbol_id: str,
    kind: SymbolKind,
    name: str,
    signature: str,
    file_path: str,
    span: tuple[int, int],
    *,
    visibility: Visibility = Visibility.PUBLIC,
    confidence: Confidence = Confidence.HIGH,
    documentation: Documentation | None = None,
    project: str = SHOP,
    other_parts: tuple[SymbolPart, ...] = (),
) -> SymbolRow:
    full_name = symbol_id[2:].partition("(")[0]
    container = None if kind.is_type else full_name.rpartition(".")[0]
    digest = hashlib.sha256(f"{kind} {symbol_id} {project}".encode()).hexdigest()
    return SymbolRow(
        symbol_id=symbol_id,
        stable_id=f"sym_{digest[:16]}",
        kind=kind,
        name=name,
        fully_qualified_name=full_name.replace("#ctor", name),
        signature=signature,
        documentation=documentation,
        namespace="Shop.Ordering",
        containing_type=None if container is None else container.rpartition(".")[2],
        container_id=None if container is None else f"T:{container}",
        file_path=file_path,
        span_start=span[0],
        span_end=span[1],
        name_line=span[0],
        name_column=5,
        visibility=visibility,
        project=project,
        confidence=confidence,
        content_hash=digest[16:32],
        other_parts=other_parts,
    )


def _reference(kind: RefKind, source: str, target: str, name: str, place: tuple[int, int]) -> ReferenceRow:
    return ReferenceRow(
        kind=kind,
        from_symbol=source,
        to_symbol=target,
        to_name=name,
        file_path=SERVICE_FILE,
        line=place[0],
        column=place[1],
        line_end=place[0],
        resolution_state=ResolutionState.RESOLVED,
        project=SHOP,
    )
