"""``get_symbol``, ``get_source_spans`` and ``get_file_outline``: one node, and what a file declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from codemap_core.errors import NotFoundError
from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.engine import snapshot_of

if TYPE_CHECKING:
    from codemap_core.model import SymbolRow
    from codemap_core.queries.snapshot import Snapshot
    from codemap_plugins.codeagent.nodes import Node

NodeId = Annotated[str, Meta(description="The symbol's node ID, or its documentation-comment ID.", min_length=1)]
_OBSOLETE: Final = "Obsolete"
_OUTLINED: Final = (
    *("node_id", "name", "qualified_name", "node_type", "line_start", "line_end", "access_modifier"),
    *("parameter_signature", "return_type"),
)
"""What an outline says of a symbol."""


class NodeArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of the tools that answer about one node."""

    node_id: NodeId


class OutlineArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``get_file_outline``."""

    path: Annotated[str, Meta(description="Repo-relative file path.", min_length=1)]


def get_symbol(context: ToolContext, arguments: NodeArguments) -> ToolResult:
    from codemap_plugins.codeagent.nodes import (
        described_file,
        described_library,
        described_namespace,
        find_node,
        is_declared,
    )

    snapshot = snapshot_of(context)
    node = find_node(snapshot, arguments.node_id)
    if node.symbols:
        data = _whole(snapshot, node)
    elif node.library is not None:
        data = {**described_library(node.library), "reference_count": _reference_count(snapshot, node)}
    elif node.file:
        document = snapshot.reader.document(node.file)
        data = described_file(node.file, document.line_count if document is not None else 0)
    else:
        data = described_namespace(node.namespace, is_library=not is_declared(snapshot, node.namespace))
    return ToolResult(answer="", data=data, snapshot=snapshot)


def _whole(snapshot: Snapshot, node: Node) -> dict[str, Any]:
    from codemap_core.model import Visibility
    from codemap_core.storage.reading.declared_attributes import attribute_names
    from codemap_plugins.codeagent.nodes import NodeType, described

    symbol = node.symbols[0]
    shown = described(symbol)
    is_abstract = "abstract" in symbol.modifiers or shown["node_type"] == NodeType.INTERFACE
    return {
        **shown,
        "is_public_api": all(each.visibility is Visibility.PUBLIC for each in (symbol, *_containers(snapshot, symbol))),
        "is_static": symbol.is_static,
        "is_abstract": is_abstract,
        "is_async": "async" in symbol.modifiers,
        "is_override": "override" in symbol.modifiers,
        "is_deprecated": _OBSOLETE in attribute_names(snapshot.reader, [symbol.symbol_id]).get(symbol.symbol_id, ()),
        "has_doc_comment": symbol.documentation is not None or _has_comment(snapshot, symbol),
        "parse_status": _parse_status(snapshot, symbol.file_path),
        "parameter_count": _parameter_count(symbol, shown["language"]),
        "reference_count": _reference_count(snapshot, node),
    }


def _has_comment(snapshot: Snapshot, symbol: SymbolRow) -> bool:
    """Whether the text has a documentation comment from which the index has no summary: ``<inheritdoc/>``, or remarks alone."""
    from codemap_core.queries.cards.source_text import split_lines
    from codemap_core.repository import language_of
    from codemap_plugins.codeagent.doc_comments import is_commented

    reader = snapshot.reader
    parts = ((symbol.file_path, symbol.span_start), *((each.file_path, each.span_start) for each in symbol.other_parts))
    texts = reader.file_texts({path for path, _ in parts})
    return any(
        is_commented(split_lines(texts[path]), start, language_of(path))
        for path, start in parts
        if path in texts and not _shares_line(snapshot, symbol, path, start)
    )


def _shares_line(snapshot: Snapshot, symbol: SymbolRow, path: str, start: int) -> bool:
    """Whether another declaration begins before it on the line on which it begins, and so has what stands above."""
    return any(
        row.span_start == start and row.name_line == symbol.name_line and row.name_column < symbol.name_column
        for row in snapshot.reader.symbols_in_file(path)
    )


def _parameter_count(symbol: SymbolRow, language: str) -> int:
    from codemap_core.model.documentation_id import parse_id
    from codemap_plugins.codeagent.nodes import Language
    from codemap_plugins.codeagent.typescript import parameter_count

    if language == Language.TYPESCRIPT:
        return parameter_count(symbol.kind, symbol.signature)
    return len(parse_id(symbol.symbol_id).parameters or ())


def _containers(snapshot: Snapshot, symbol: SymbolRow) -> list[SymbolRow]:
    """The types around it, the innermost first."""
    found: list[SymbolRow] = []
    inner = symbol
    while inner.container_id is not None:
        outer = snapshot.reader.first_declarations([inner.container_id]).get(inner.container_id)
        if outer is None:
            break
        found.append(outer)
        inner = outer
    return found


def _parse_status(snapshot: Snapshot, path: str) -> str:
    """``full``, ``partial`` where syntax errors remain, else ``failed``."""
    from codemap_core.model import DocumentStatus

    document = snapshot.reader.document(path)
    if document is None or document.status in (DocumentStatus.FAILED, DocumentStatus.SKIPPED):
        return "failed"
    return "partial" if document.status is DocumentStatus.FALLBACK else "full"


def _reference_count(snapshot: Snapshot, node: Node) -> int:
    from codemap_core.storage.reading.reference_lookup import Meaning

    return sum(each.count for each in snapshot.reader.count_references(Meaning((node.symbol_id,))))


def get_source_spans(context: ToolContext, arguments: NodeArguments) -> ToolResult:
    from codemap_plugins.codeagent.nodes import find_node

    snapshot = snapshot_of(context)
    node = find_node(snapshot, arguments.node_id)
    if node.file:
        document = snapshot.reader.document(node.file)
        spans = [_span(node.file, 1, document.line_count if document is not None else 1, is_primary=True)]
    elif node.symbols:
        spans = _spans(node.symbols)
    else:
        raise NotFoundError(f"'{arguments.node_id}' has no source in this repository.")
    return ToolResult(answer="", data=spans, snapshot=snapshot)


def _spans(symbols: tuple[SymbolRow, ...]) -> list[dict[str, Any]]:
    primary = symbols[0]
    first = (primary.file_path, primary.span_start, primary.span_end)
    others = {(row.file_path, row.span_start, row.span_end) for row in symbols}
    others |= {(part.file_path, part.span_start, part.span_end) for row in symbols for part in row.other_parts}
    return [_span(*first, is_primary=True), *(_span(*each, is_primary=False) for each in sorted(others - {first}))]


def _span(path: str, start: int, end: int, *, is_primary: bool) -> dict[str, Any]:
    return {"file_path": path, "line_start": start, "line_end": end, "is_primary": is_primary}


def get_file_outline(context: ToolContext, arguments: OutlineArguments) -> ToolResult:
    from codemap_core.queries.cards.outline import why_unread
    from codemap_plugins.codeagent.checkout import components
    from codemap_plugins.codeagent.nodes import described

    path = "/".join(components(arguments.path))
    snapshot = snapshot_of(context)
    document = snapshot.reader.document(path)
    if document is None:
        raise NotFoundError(
            f"'{arguments.path}' is not a file of the index. Paths are relative to the repository's root."
        )
    rows = []
    for symbol, start, end in _declared_in(snapshot, path):
        shown = {**described(symbol), "line_start": start, "line_end": end}
        rows.append({key: shown[key] for key in _OUTLINED if key in shown})
    notes = () if rows else (why_unread(snapshot, path) or f"'{path}' declares no symbols.",)
    return ToolResult(answer="", data=rows, notes=notes, snapshot=snapshot)


def _declared_in(snapshot: Snapshot, path: str) -> list[tuple[SymbolRow, int, int]]:
    """Symbols with the lines that they have in a file, in their order; parts of types whose first part is elsewhere too."""
    own = snapshot.reader.symbols_in_file(path)
    places = {row.symbol_id: (row, row.span_start, row.span_end) for row in own}
    outside = {row.container_id for row in own if row.container_id is not None and row.container_id not in places}
    for symbol_id in outside:
        for row in snapshot.reader.symbols_with_id(symbol_id):  # one for each project that declares it
            for part in row.other_parts:
                if part.file_path == path:
                    places.setdefault(symbol_id, (row, part.span_start, part.span_end))
    return sorted(places.values(), key=lambda place: (place[1], -place[2], place[0].name_column, place[0].symbol_id))


SYMBOL_TOOLS: Final = (
    Tool(
        name="get_symbol",
        title="Get a symbol",
        description="Full metadata for a single symbol by node ID.",
        arguments=NodeArguments,
        run=get_symbol,
    ),
    Tool(
        name="get_source_spans",
        title="Source spans",
        description="All source locations of a symbol: every part of a partial one, the primary first.",
        arguments=NodeArguments,
        run=get_source_spans,
    ),
    Tool(
        name="get_file_outline",
        title="Outline of a file",
        description="All symbols that a file defines, in the order of their lines.",
        arguments=OutlineArguments,
        run=get_file_outline,
    ),
)
