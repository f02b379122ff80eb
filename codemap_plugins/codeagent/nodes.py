"""Nodes: what the contract's tools name and link. A symbol's node id is its stable id; other nodes have ids that say what they are.

======================  =========================================================
``sym_0123456789abcdef``  a declared symbol; its documentation-comment id is accepted too
``T:System.String``       a library's symbol, by its documentation-comment id
``file:src/Order.cs``     a file
``N:Shop.Ordering``       a namespace, of node type ``module``; one of a library where a file imports it
======================  =========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_core.model import LibrarySymbolRow, SymbolKind, SymbolRow
from codemap_core.model.documentation_id import ID_PREFIXES, is_type_id
from codemap_core.repository import language_of
from codemap_plugins.codeagent import typescript
from codemap_plugins.codeagent.signatures import parameter_signature, return_type

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

FILE: Final = "file:"
NAMESPACE: Final = "N:"
STABLE: Final = "sym_"
_NUMBER: Final = re.compile(r"[-+]?\d[\d.eE+-]*")
"""What a client sends that takes an id for a number."""


class NodeType(StrEnum):
    CLASS = "class"
    METHOD = "method"
    INTERFACE = "interface"
    PROPERTY = "property"
    """Fields, events, constants and indexers too."""
    COMPONENT = "component"
    FILE = "file"
    MODULE = "module"
    """A namespace; of TypeScript a file too."""
    TYPE = "type"
    """Every other type: structs, enums, delegates, and what a plug-in declares."""
    CONSTRUCTOR = "constructor"


class Language(StrEnum):
    CSHARP = "csharp"
    TYPESCRIPT = "typescript"


_KINDS: Final = {
    NodeType.CLASS: (SymbolKind.CLASS, SymbolKind.RECORD),
    NodeType.METHOD: (SymbolKind.METHOD, SymbolKind.OPERATOR, SymbolKind("function")),
    NodeType.INTERFACE: (SymbolKind.INTERFACE,),
    NodeType.PROPERTY: (
        SymbolKind.PROPERTY,
        SymbolKind.FIELD,
        SymbolKind.EVENT,
        SymbolKind.CONSTANT,
        SymbolKind.INDEXER,
        SymbolKind("variable"),
    ),
    NodeType.COMPONENT: (SymbolKind("component"),),
    NodeType.TYPE: (SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.DELEGATE, SymbolKind("type"), SymbolKind("message")),
    NodeType.MODULE: (typescript.MODULE, SymbolKind("namespace")),
    NodeType.CONSTRUCTOR: (SymbolKind.CONSTRUCTOR,),
}
_TYPES: Final = {kind: node_type for node_type, kinds in _KINDS.items() for kind in kinds}


class Node(Struct, frozen=True, kw_only=True):
    """A node that was found. Of ``symbols``, ``library``, ``file`` and ``namespace`` one is given. ``symbols``: the declarations of one
    id, the primary one first; more than one where several projects declare it."""

    node_id: str
    symbols: tuple[SymbolRow, ...] = ()
    library: LibrarySymbolRow | None = None
    file: str = ""
    namespace: str = ""

    @property
    def symbol_id(self) -> str:
        """Of a declared symbol or of a library's; else empty."""
        if self.symbols:
            return self.symbols[0].symbol_id
        return self.library.symbol_id if self.library is not None else ""


def find_node(snapshot: Snapshot, node_id: str) -> Node:
    """The node of an id. Raises: NotFoundError; InvalidArgumentError for a number; AmbiguousError for a documentation-comment id that
    several projects declare."""
    asked = node_id.strip()
    if _NUMBER.fullmatch(asked):
        raise InvalidArgumentError(
            f"node_id '{asked}' is a number. Node ids come from search_symbols and lookup_symbol."
        )
    found: Node | None = None
    if asked.startswith(FILE):
        path = asked.removeprefix(FILE)
        found = Node(node_id=asked, file=path) if snapshot.reader.document(path) is not None else None
    elif asked.startswith(NAMESPACE):
        found = _namespace(snapshot, asked)
    elif asked.startswith(STABLE):
        rows = snapshot.reader.symbols_with_stable_id(asked)
        found = Node(node_id=asked, symbols=rows) if rows else None
    elif asked.startswith(ID_PREFIXES):
        found = _documented(snapshot, asked)
    if found is None:
        raise NotFoundError(
            f"No symbol found with node_id '{node_id}'. Node ids come from search_symbols and lookup_symbol."
        )
    return found


def _documented(snapshot: Snapshot, symbol_id: str) -> Node | None:
    from codemap_core.queries.names.declaring_projects import declaration_of

    declared = declaration_of(snapshot, symbol_id)
    if declared is not None:
        return Node(node_id=declared.symbol.stable_id, symbols=(declared.symbol, *declared.others))
    library = snapshot.reader.library_symbol(symbol_id)
    return Node(node_id=symbol_id, library=library) if library is not None else None


def _namespace(snapshot: Snapshot, node_id: str) -> Node | None:
    """One that the repository declares, or one of a library that a file imports."""
    from codemap_plugins.codeagent.imports import importing_files

    name = node_id.removeprefix(NAMESPACE)
    is_known = bool(name) and (is_declared(snapshot, name) or bool(importing_files(snapshot, name)))
    return Node(node_id=node_id, namespace=name) if is_known else None


def is_declared(snapshot: Snapshot, namespace: str) -> bool:
    """Whether this repository declares a type in a namespace or one within it."""
    from codemap_core.storage.reading.symbol_search import SymbolFilter

    page = snapshot.reader.browse_symbols(SymbolFilter(namespace=namespace), 1)
    return any(f"{symbol.namespace}.".startswith(f"{namespace}.") for symbol, _ in page.symbols)


def is_type(node: Node) -> bool:
    return is_type_id(node.symbol_id)


def is_data(node: Node) -> bool:
    """Whether it is a property or the like."""
    kind = node.symbols[0].kind if node.symbols else node.library.kind if node.library is not None else None
    return kind is not None and node_type(kind) is NodeType.PROPERTY


def node_type(kind: SymbolKind | None) -> NodeType:
    if kind is None:
        return NodeType.TYPE
    return _TYPES.get(kind, NodeType.TYPE)


def kinds_of(name: str) -> tuple[SymbolKind, ...]:
    """The kinds of symbols of a node type; empty for files. Raises: InvalidArgumentError listing them."""
    if name not in {each.value for each in NodeType}:
        raise InvalidArgumentError(f"There is no node_type '{name}'. There are: {', '.join(NodeType)}.")
    return _KINDS.get(NodeType(name), ())


def language_named(name: str) -> Language:
    """Raises: InvalidArgumentError for another one."""
    if name not in {each.value for each in Language}:
        raise InvalidArgumentError(f"There is no language '{name}'. There are: {', '.join(Language)}.")
    return Language(name)


def described(symbol: SymbolRow) -> dict[str, Any]:
    """A symbol as a search result has it, without rank."""
    language = language_of(symbol.file_path)
    signature = _typescript_signature if language == Language.TYPESCRIPT else _signature
    return {
        "node_id": symbol.stable_id,
        "name": symbol.name,
        "qualified_name": symbol.fully_qualified_name,
        "node_type": node_type(symbol.kind),
        "language": language,
        "file_path": symbol.file_path,
        "line_start": symbol.span_start,
        "line_end": symbol.span_end,
        "access_modifier": symbol.visibility,
        **signature(symbol.kind, symbol.signature),
    }


def described_file(path: str, line_count: int) -> dict[str, Any]:
    return {
        "node_id": f"{FILE}{path}",
        "name": path.rpartition("/")[2],
        "qualified_name": path,
        "node_type": NodeType.FILE,
        "language": language_of(path),
        "file_path": path,
        "line_start": 1 if line_count else 0,
        "line_end": line_count,
    }


def described_namespace(name: str, *, is_library: bool = False) -> dict[str, Any]:
    return {
        "node_id": f"{NAMESPACE}{name}",
        "name": name.rpartition(".")[2],
        "qualified_name": name,
        "node_type": NodeType.MODULE,
        "language": Language.CSHARP,
        **({"external": True} if is_library else {}),
    }


def described_library(library: LibrarySymbolRow) -> dict[str, Any]:
    """A library's symbol: it has no file here."""
    return {
        "node_id": library.symbol_id,
        "name": library.name,
        "qualified_name": library.fully_qualified_name,
        "node_type": node_type(library.kind),
        "language": Language.CSHARP,
        **_signature(library.kind, library.signature),
        "external": True,
    }


def _signature(kind: SymbolKind | None, signature: str) -> dict[str, str]:
    """What a symbol is called with and gives, where it has such a thing."""
    parts = {"parameter_signature": parameter_signature(kind, signature), "return_type": return_type(kind, signature)}
    return {name: part for name, part in parts.items() if part}


def _typescript_signature(kind: SymbolKind, signature: str) -> dict[str, str]:
    parts = {
        "parameter_signature": typescript.parameter_signature(kind, signature),
        "return_type": typescript.return_type(kind, signature),
    }
    return {name: part for name, part in parts.items() if part}


def described_link(node: dict[str, Any]) -> dict[str, Any]:
    """A node as the end of an edge: its name with that of its type."""
    names = str(node["qualified_name"]).rsplit(".", 2)[-2:]
    is_member = node["node_type"] in (NodeType.METHOD, NodeType.PROPERTY, NodeType.CONSTRUCTOR)
    return {
        "node_id": node["node_id"],
        "name": ".".join(names) if is_member else node["name"],
        "qualified_name": node["qualified_name"],
        "node_type": node["node_type"],
        **{key: node[key] for key in ("file_path", "line_start", "external") if key in node},
    }


def linked_nodes(snapshot: Snapshot, symbol_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """By documentation-comment id, the ends of edges: declared symbols, and those of libraries."""
    wanted: Sequence[str] = sorted(set(symbol_ids))
    declared = snapshot.reader.first_declarations(wanted)
    found = {each: described_link(described(row)) for each, row in declared.items()}
    libraries = snapshot.reader.library_symbols(each for each in wanted if each not in found)
    return found | {each: described_link(described_library(row)) for each, row in libraries.items()}
