"""Edges between nodes, by the contract's types, from the references, relations and declarations of an index.

============== ==========================================================================================
``calls``      invocations, creations, constructor initialisers, applied operators
``overrides``  a member to the member it overrides
``implements`` a type to an interface that its base list names; a member to the interface member it fills
``extends``    a class to its base class
``inherits``   a type to the type whose members it inherits: its base class, or an interface its base interfaces
``accepts``    a member to the types that its parameters mention
``contains``   a file or namespace to its types, a type to its members
``imports``    a file to what its ``using`` directives name
``references`` every other mention: types, reads, writes, attributes, method groups, names in ``nameof`` and ``cref``; from the file
               where no symbol owns it, as in an attribute of the assembly
============== ==========================================================================================

Where no type is asked for, the edge to a base class is ``extends`` alone. An edge is one row whatever the number of its places; its
confidence is that of its surest place. A member that several projects declare in files of their own has the edges of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from codemap_core.errors import BudgetExceededError, InvalidArgumentError
from codemap_core.model import Confidence, RefKind, RelationKind, SymbolKind, SymbolRow
from codemap_core.model.documentation_id import is_type_id
from codemap_core.repository import language_of
from codemap_core.storage.reading.symbol_conditions import IdContains
from codemap_core.storage.reading.symbol_scan import SymbolScan
from codemap_core.storage.schema.codes import CONFIDENCES, REF_KINDS
from codemap_plugins.codeagent.imports import imported_names, importing_files
from codemap_plugins.codeagent.nodes import (
    Language,
    Node,
    described_file,
    described_link,
    described_namespace,
    is_declared,
    linked_nodes,
)
from codemap_plugins.codeagent.signatures import accepted_types
from codemap_plugins.codeagent.typescript import MODULE, accepted_names, module_of

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.storage.reading.edge_lookup import Edge

MAX_LINKS: Final = 2_000
"""Edges of one answer; the contract has no pages."""
_PAGE: Final = 1_000


class EdgeType(StrEnum):
    CALLS = "calls"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    IMPORTS = "imports"
    OVERRIDES = "overrides"
    REFERENCES = "references"
    CONTAINS = "contains"
    ACCEPTS = "accepts"
    EXTENDS = "extends"


class Direction(StrEnum):
    INCOMING = "incoming"
    OUTGOING = "outgoing"


class Sureness(StrEnum):
    """How an edge is known: bound with all types known; decided by number of arguments or the like; guessed from syntax."""

    EXACT = "exact"
    PROBABLE = "probable"
    SYNTACTIC = "syntactic"


_OF_KIND: Final = {
    RefKind.CALL: EdgeType.CALLS,
    RefKind.INSTANTIATE: EdgeType.CALLS,
    RefKind.CTOR_INITIALIZER: EdgeType.CALLS,
    RefKind.OPERATOR: EdgeType.CALLS,
    RefKind.OVERRIDE: EdgeType.OVERRIDES,
    RefKind.IMPLEMENTATION: EdgeType.IMPLEMENTS,
    RefKind.IMPORT: EdgeType.IMPORTS,
}
_KINDS: Final = {
    edge_type: tuple(kind for kind in RefKind if _OF_KIND.get(kind, EdgeType.REFERENCES) is edge_type)
    for edge_type in EdgeType
}
_SURENESS: Final = {
    Confidence.HIGH: Sureness.EXACT,
    Confidence.MEDIUM: Sureness.PROBABLE,
    Confidence.LOW: Sureness.SYNTACTIC,
}
_RANKS: Final = {confidence: rank for rank, confidence in enumerate(Confidence)}
_OF_TYPES: Final = frozenset({EdgeType.IMPLEMENTS, EdgeType.EXTENDS, EdgeType.INHERITS})


class Link(Struct, frozen=True):
    """``end``: the other node, described; ``edge_type`` and ``sureness`` of the edge to or from it."""

    end: dict[str, Any]
    edge_type: EdgeType
    sureness: Sureness = Sureness.EXACT

    def row(self) -> dict[str, Any]:
        return {**self.end, "confidence": self.sureness}


def edge_type_named(name: str) -> EdgeType:
    """Raises: InvalidArgumentError listing them."""
    if name not in {each.value for each in EdgeType}:
        raise InvalidArgumentError(f"There is no edge_type '{name}'. There are: {', '.join(EdgeType)}.")
    return EdgeType(name)


def links(snapshot: Snapshot, node: Node, direction: Direction, wanted: Iterable[EdgeType] = ()) -> list[Link]:
    """Edges of a node of the types that are wanted, of all where none is named; by type, then by the other node's place.

    Raises: BudgetExceededError for more than ``MAX_LINKS``, before they are described."""
    types = tuple(wanted) or tuple(EdgeType)
    found = [*_Edges(snapshot, node, direction, narrow=not wanted).of(types)]
    found.sort(key=lambda link: (types.index(link.edge_type), *_place(link.end)))
    return found


def _place(end: dict[str, Any]) -> tuple[bool, str, int, str]:
    """Declared nodes by file and line, then libraries' by name."""
    return "external" in end, end.get("file_path", ""), end.get("line_start", 0), end["qualified_name"]


class _Edges:
    """``narrow``: an edge that two types stand for is said once, by the narrower of them."""

    def __init__(self, snapshot: Snapshot, node: Node, direction: Direction, *, narrow: bool) -> None:
        self._snapshot: Final = snapshot
        self._node: Final = node
        self._incoming: Final = direction is Direction.INCOMING
        self._narrow: Final = narrow
        self._counted = 0

    def of(self, types: tuple[EdgeType, ...]) -> Iterator[Link]:
        if self._node.symbol_id:
            yield from self._references(types)
            yield from self._relations(types)
            if EdgeType.ACCEPTS in types:
                yield from self._accepts()
        if EdgeType.CONTAINS in types:
            yield from self._contains()
        if EdgeType.IMPORTS in types:
            yield from self._imports()

    def _count(self, further: int) -> None:
        self._counted += further
        if self._counted > MAX_LINKS:
            raise BudgetExceededError(
                f"There are more than {MAX_LINKS:,} such edges, which is what an answer holds. Ask get_dependents or get_dependencies for "
                "one edge_type, or refs.find, which answers in pages."
            )

    def _references(self, types: tuple[EdgeType, ...]) -> Iterator[Link]:
        kinds = tuple(kind for each in types for kind in _KINDS[each])
        if not kinds:
            return
        edges = self._snapshot.reader.edges
        numbers = list(edges.numbers_of([self._node.symbol_id]).values())
        rows = edges.edges_to(numbers, kinds) if self._incoming else edges.edges_from(numbers, kinds, conditional=True)
        surest: dict[tuple[int, EdgeType], Confidence] = {}
        for row in rows:
            key = (self._other(row), _OF_KIND.get(REF_KINDS[row.kind], EdgeType.REFERENCES))
            confidence = CONFIDENCES[row.confidence]
            if _RANKS[confidence] <= _RANKS[surest.get(key, Confidence.LOW)]:
                surest[key] = confidence
        self._count(len(surest))
        ids = edges.ids_of({number for number, _ in surest})
        ends = linked_nodes(self._snapshot, ids.values())
        for (number, edge_type), confidence in surest.items():
            end = ends.get(ids.get(number, ""))
            if end is not None:
                yield Link(end, edge_type, _SURENESS[confidence])
        if self._incoming:
            yield from self._from_files(numbers, kinds)

    def _from_files(self, numbers: list[int], kinds: tuple[RefKind, ...]) -> Iterator[Link]:
        """References that no symbol owns."""
        edges = self._snapshot.reader.edges
        surest: dict[tuple[int, EdgeType], Confidence] = {}
        for file_id, kind, code in edges.edges_outside(numbers, kinds):
            key = (file_id, _OF_KIND.get(REF_KINDS[kind], EdgeType.REFERENCES))
            surest[key] = min(surest.get(key, Confidence.LOW), CONFIDENCES[code], key=_RANKS.__getitem__)
        for (file_id, edge_type), confidence in surest.items():
            yield Link(self._file(edges.paths[file_id]), edge_type, _SURENESS[confidence])

    def _other(self, row: Edge) -> int:
        return row.source if self._incoming else row.target

    def _relations(self, types: tuple[EdgeType, ...]) -> Iterator[Link]:
        if not _OF_TYPES.intersection(types) or not is_type_id(self._node.symbol_id):
            return
        reader = self._snapshot.reader
        numbers = list(reader.edges.numbers_of([self._node.symbol_id]).values())
        found = reader.derived(numbers) if self._incoming else reader.bases(numbers)
        self._count(len(found))
        ids = reader.edges.ids_of({number for row in found for number in (row.derived, row.base)})
        derived = reader.first_declarations(ids[row.derived] for row in found if row.derived in ids)
        others = {ids[row.derived if self._incoming else row.base] for row in found}
        ends = linked_nodes(self._snapshot, others)
        for row in dict.fromkeys((each.derived, each.base, each.kind) for each in found):
            low, high, kind = row
            declared = derived.get(ids[low])
            end = ends.get(ids[low if self._incoming else high])
            if declared is None or end is None:
                continue  # of two libraries
            for edge_type in self._of_relation(kind, is_interface=declared.kind is SymbolKind.INTERFACE):
                if edge_type in types:
                    yield Link(end, edge_type)

    def _of_relation(self, kind: RelationKind, *, is_interface: bool) -> tuple[EdgeType, ...]:
        if kind is RelationKind.BASE_TYPE:
            return (EdgeType.EXTENDS,) if self._narrow else (EdgeType.EXTENDS, EdgeType.INHERITS)
        return (EdgeType.INHERITS,) if is_interface else (EdgeType.IMPLEMENTS,)

    def _accepts(self) -> Iterator[Link]:
        symbol_id = self._node.symbol_id
        yield from self._accepts_by_signature()
        if not self._incoming:
            yield from (
                Link(end, EdgeType.ACCEPTS) for end in linked_nodes(self._snapshot, accepted_types(symbol_id)).values()
            )
            return
        if not is_type_id(symbol_id):
            return
        # Ids are asked, not references: there is none to a keyword such as int, and those in a primary constructor are the type's.
        named = SymbolScan(condition=IdContains(symbol_id[2:].partition("`")[0]))
        ids = {each.symbol_id for each in self._snapshot.reader.scans.page(named)}
        takers = [each for each in ids if symbol_id in accepted_types(each)]
        self._count(len(takers))
        yield from (Link(end, EdgeType.ACCEPTS) for end in linked_nodes(self._snapshot, takers).values())

    def _accepts_by_signature(self) -> Iterator[Link]:
        """Of TypeScript, whose ids have no parameters: the types that are mentioned among them."""
        reader = self._snapshot.reader
        if not self._incoming:
            for row in self._node.symbols:
                names = accepted_names(row.kind, row.signature) if _is_typescript(row) else frozenset()
                mentioned = reader.references_from(row.symbol_id, (RefKind.TYPE,), _PAGE) if names else ()
                accepted = {each.to_symbol for each in mentioned if each.to_symbol and each.to_name in names}
                yield from (Link(end, EdgeType.ACCEPTS) for end in linked_nodes(self._snapshot, accepted).values())
            return
        if not any(map(_is_typescript, self._node.symbols)):
            return
        name = self._node.symbols[0].name
        edges = reader.edges
        rows = edges.edges_to(list(edges.numbers_of([self._node.symbol_id]).values()), (RefKind.TYPE,))
        sources = reader.first_declarations(edges.ids_of({row.source for row in rows}).values())
        takers = [each.symbol_id for each in sources.values() if name in accepted_names(each.kind, each.signature)]
        yield from (Link(end, EdgeType.ACCEPTS) for end in linked_nodes(self._snapshot, takers).values())

    def _contains(self) -> Iterator[Link]:
        ends = self._containers() if self._incoming else self._contents()
        for end in ends:
            self._count(1)
            yield Link(end, EdgeType.CONTAINS)

    def _containers(self) -> Iterator[dict[str, Any]]:
        if not self._node.symbols:
            return
        symbol = self._node.symbols[0]
        if symbol.container_id is not None:
            yield from linked_nodes(self._snapshot, [symbol.container_id]).values()
            return
        module = module_of(self._snapshot, symbol.file_path) if _is_typescript(symbol) else None
        if module is not None and symbol.kind != MODULE:
            yield from linked_nodes(self._snapshot, [module.symbol_id]).values()
        elif symbol.namespace and module is None:
            yield described_link(described_namespace(symbol.namespace))
        own = {row.file_path for row in self._node.symbols}
        for path in sorted(own | {part.file_path for row in self._node.symbols for part in row.other_parts}):
            yield self._file(path)

    def _contents(self) -> Iterator[dict[str, Any]]:
        reader = self._snapshot.reader
        if self._node.file:
            rows = (row for row in reader.symbols_in_file(self._node.file) if row.container_id is None)
            yield from linked_nodes(self._snapshot, (row.symbol_id for row in rows)).values()
        elif self._node.symbols and self._node.symbols[0].kind == MODULE:
            rows = (row for row in reader.symbols_in_file(self._node.symbols[0].file_path) if row.container_id is None)
            held = (row.symbol_id for row in rows if row.kind != MODULE)
            yield from linked_nodes(self._snapshot, held).values()
        elif self._node.namespace:
            yield from linked_nodes(self._snapshot, self._types_of_namespace()).values()
        elif is_type_id(self._node.symbol_id) and self._node.symbols:
            members = (row.symbol_id for row in reader.members_of(self._node.symbol_id))
            yield from linked_nodes(self._snapshot, members).values()

    def _types_of_namespace(self) -> Iterator[str]:
        from codemap_core.storage.reading.symbol_search import SymbolFilter

        offset = 0
        while True:
            page = self._snapshot.reader.browse_symbols(SymbolFilter(namespace=self._node.namespace), _PAGE, offset)
            for symbol, _ in page.symbols:
                if symbol.namespace == self._node.namespace and symbol.container_id is None:
                    yield symbol.symbol_id
            offset += len(page.symbols)
            if len(page.symbols) < _PAGE:
                return

    def _imports(self) -> Iterator[Link]:
        """Of files and namespaces; a type's are references. A file of TypeScript imports what its module does."""
        module = module_of(self._snapshot, self._node.file) if self._node.file else None
        if module is not None:
            as_module = Node(node_id=module.stable_id, symbols=(module,))
            direction = Direction.INCOMING if self._incoming else Direction.OUTGOING
            yield from _Edges(self._snapshot, as_module, direction, narrow=False).of((EdgeType.IMPORTS,))
            return
        if not self._incoming:
            if self._node.file:
                yield from (Link(end, EdgeType.IMPORTS) for end in self._imported(self._node.file))
        elif self._node.namespace:
            for path in importing_files(self._snapshot, self._node.namespace):
                yield Link(self._file(path), EdgeType.IMPORTS)

    def _imported(self, path: str) -> Iterator[dict[str, Any]]:
        """Types where a type is so called, else namespaces, including those of libraries."""
        names = imported_names(self._snapshot.reader.file_text(path) or "")
        types = linked_nodes(self._snapshot, (f"T:{name}" for name in names))
        for name in names:
            end = types.get(f"T:{name}")
            if end is None:
                end = described_link(described_namespace(name, is_library=not is_declared(self._snapshot, name)))
            yield end

    def _file(self, path: str) -> dict[str, Any]:
        return described_link(described_file(path, 1))


def _is_typescript(symbol: SymbolRow) -> bool:
    return language_of(symbol.file_path) == Language.TYPESCRIPT
