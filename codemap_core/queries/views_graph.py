"""The shapes of answers that go from symbol to symbol: call graphs and type hierarchies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence, RefKind, SymbolKind
from codemap_core.queries.plain_lines import row, short_name


class CallSite(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Evidence for an edge of a call graph: the first place. In the direction of the call: of a caller ``to_symbol``
    is what it calls, of a callee ``from_symbol`` is what calls it."""

    from_symbol: str | None = None
    to_symbol: str | None = None
    kind: RefKind
    file_path: str
    line: int
    column: int
    excerpt: str | None = None
    count: int = 1
    """Places of this edge."""
    via: str | None = None
    """The interface or base member that is named there in place of ``to_symbol``."""
    confidence: Confidence = Confidence.HIGH


class CallGraphNode(Struct, frozen=True, omit_defaults=True, kw_only=True):
    symbol_id: str
    display_name: str
    kind: SymbolKind | None = None
    """Null for types of libraries."""
    depth: int
    file_path: str | None = None
    """Null for symbols of libraries; ``line`` is 0 then."""
    line: int = 0
    edges_to: tuple[str, ...] = ()
    """The nodes that one further step from here reaches: of callers those that call it, of callees those it calls."""
    external: bool = False
    call_sites: tuple[CallSite, ...] = ()
    """One for each edge that leads to this node."""


class InterfaceImplementationHint(Struct, frozen=True, kw_only=True):
    implements: tuple[str, ...]
    """Interface and base members through which the root may be called."""
    additional_callers_via_interface: int
    """Distinct callers of those that do not call the root itself."""
    retry_hint: str


class CallGraphResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    root: str
    nodes: tuple[CallGraphNode, ...]
    """What was asked about, depth 0, then the rows: level by level, a round of each."""
    total_nodes_found: int
    """What was asked about is not counted."""
    truncated: bool = False
    interface_implementation_hint: InterfaceImplementationHint | None = None

    @property
    def row_count(self) -> int:
        return len(self.nodes) - len(self._roots)

    def cut(self, count: int) -> Self:
        kept = self.nodes[: count + len(self._roots)]
        known = {node.symbol_id for node in kept}
        nodes = tuple(replace(node, edges_to=tuple(each for each in node.edges_to if each in known)) for node in kept)
        return replace(self, nodes=nodes, truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(site.file_path for node in self.nodes for site in node.call_sites))

    def lines(self) -> Iterator[str]:
        """A tree: every node once, under the first node that leads to it, with the line that says so."""
        nodes = {node.symbol_id: node for node in self.nodes}
        children: dict[str, list[CallGraphNode]] = {}
        for node in self.nodes[len(self._roots) :]:
            parent = next(
                (each for each in map(_origin, node.call_sites) if each in nodes and nodes[each].depth < node.depth), ""
            )
            children.setdefault(parent, []).append(node)
        path = ""

        def tree(parent: str, level: int) -> Iterator[str]:
            nonlocal path
            for node in children.get(parent, ()):
                site = next((each for each in node.call_sites if _origin(each) == parent), node.call_sites[0])
                outgoing = site.from_symbol is not None
                shown = node.file_path if outgoing else site.file_path
                line = node.line if outgoing else site.line
                place = "" if shown is None else f":{line}" if shown == path else f"{shown}:{line}"
                path = shown or path
                yield "  " * level + row(
                    short_name(node.symbol_id),
                    place or "(library)",
                    f"called in line {site.line}" if outgoing else site.excerpt or "",
                    f"(+{site.count - 1} more)" if site.count > 1 else "",
                    f"[via {short_name(site.via)}]" if site.via else "",
                    f"[{site.confidence.value}]" if site.confidence is not Confidence.HIGH and not site.via else "",
                    f"[{'from' if outgoing else 'to'} {short_name(_origin(site))}]" if not parent else "",
                )
                yield from tree(node.symbol_id, level + 1)

        for root in self._roots:
            yield from tree(root.symbol_id, 0)
        yield from tree("", 0)

    @property
    def _roots(self) -> tuple[CallGraphNode, ...]:
        """Several where a name means all overloads of a type."""
        return tuple(node for node in self.nodes if not node.depth)


def _origin(site: CallSite) -> str:
    """The end of an edge that is nearer to the root."""
    return site.from_symbol or site.to_symbol or ""


class TypeRef(Struct, frozen=True, omit_defaults=True):
    symbol_id: str
    """``!:`` and the name as written for a type that was not found."""
    display_name: str
    external: bool = False


class TypeHierarchyResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Rows are the derived types."""

    target_type: str
    base_type: TypeRef | None = None
    """Null for interfaces and for what derives from System.Object alone."""
    interfaces: tuple[TypeRef, ...] = ()
    """Directly declared ones."""
    derived_types: tuple[TypeRef, ...]
    """Direct ones: classes that derive from it, types and interfaces that implement or extend it."""
    derived_count: int
    indirect_derived_count: int = 0
    inherited: tuple[TypeRef, ...] = ()
    """Further base types and interfaces, inherited through declared ones."""
    truncated: bool = False
    external: bool = False

    @property
    def row_count(self) -> int:
        return len(self.derived_types)

    def cut(self, count: int) -> Self:
        return replace(self, derived_types=self.derived_types[:count], truncated=True)

    def lines(self) -> Iterator[str]:
        if self.base_type is not None:
            yield f"base: {self.base_type.display_name}"
        if self.interfaces:
            yield f"implements: {', '.join(each.display_name for each in self.interfaces)}"
        if self.inherited:
            yield f"inherits: {', '.join(short_name(each.symbol_id) for each in self.inherited)}"
        if self.derived_types:
            yield "derived:"
            yield from (f"  {each.display_name}" for each in self.derived_types)
