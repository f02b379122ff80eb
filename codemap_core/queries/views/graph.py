"""Call graphs as they are answered: nodes in one fair sequence, the edges between those that are shown, and what is not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence, RefKind, SymbolKind
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import is_type_id
from codemap_core.queries.plain_lines import (
    SAME_SOURCE,
    SaidPlaces,
    around,
    called_name,
    name_under,
    overload_name,
    row,
    short_name,
)
from codemap_core.queries.rows_by_file import by_file_and_level
from codemap_core.queries.views.references import FindRefsResponse, doubts

_LIBRARY: Final = "[library]"


class CallSite(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Evidence for an edge of a call graph: the first place. One end is the node that it is told with, the other is given: ``from_symbol``
    calls that node, or it calls ``to_symbol``."""

    from_symbol: str | None = None
    to_symbol: str | None = None
    kind: RefKind
    file_path: str
    line: int
    column: int
    """1-based, in UTF-16 units."""
    excerpt: str | None = None
    count: int = 1
    """Places of this edge."""
    via: str | None = None
    """The interface or base member that is named there in place of the one that may run."""
    confidence: Confidence = Confidence.HIGH
    condition: str | None = None
    """What must hold for it to be compiled, where the primary configuration compiles no place of this edge."""


class CallGraphNode(Struct, frozen=True, omit_defaults=True, kw_only=True):
    symbol_id: str
    """``!:`` and the name as written for a call that was not resolved."""
    display_name: str
    kind: SymbolKind | None = None
    """Null for what was not resolved, and for library types without metadata."""
    depth: int
    file_path: str | None = None
    """Null for symbols of libraries; ``line`` is 0 then."""
    line: int = 0
    edges_to: tuple[str, ...] = ()
    """The nodes of this page that one further step from here reaches: of callers those that call it, of callees those it calls."""
    external: bool = False
    call_sites: tuple[CallSite, ...] = ()
    """One for each edge between this node and itself or those before it, on this page and earlier ones: the one of its place in the tree
    first. So every edge is on one page."""
    implementation_count: int = 0
    """For a callee that is called virtually, the number of members that implement or override it and may run in its place."""
    sole_implementation: str | None = None
    """The one there is."""
    unresolved_reason: str | None = None


class UnresolvedCall(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A name that a body calls and that could not be resolved."""

    name: str
    container_hint: str | None = None
    """The receiver as far as it is known."""
    reason: str | None = None
    count: int = 1
    file_path: str
    line: int
    """The first place."""


class InterfaceImplementationHint(Struct, frozen=True, omit_defaults=True, kw_only=True):
    implements: tuple[str, ...]
    """Interface and base members through which the root may be called."""
    additional_callers_via_interface: int
    """Distinct callers of those that do not call the root itself."""
    included: bool = False
    """They are among the nodes."""
    retry_hint: str


class CallGraphResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Rows are the nodes behind the roots."""

    root: str
    nodes: tuple[CallGraphNode, ...]
    """The root first, one for each overload that was asked for; then a round of every level and branch after the other, so that a cut
    leaves something of each. A node stands behind the one that leads to it."""
    root_count: int = 1
    total_nodes_found: int
    """Over all pages; roots not counted."""
    total_is_minimum: bool = False
    """A level is so large that not all of it was followed."""
    nodes_by_level: tuple[int, ...] = ()
    """``total_nodes_found`` by distance from the root, the nearest first."""
    truncated: bool = False
    interface_implementation_hint: InterfaceImplementationHint | None = None
    unresolved_count: int = 0
    """Calls in the root's body that could not be resolved."""
    unresolved_nodes: int = 0
    """Names that could not be resolved among ``total_nodes_found``, where they were asked for."""
    unresolved_calls: tuple[UnresolvedCall, ...] = ()
    """Their names, by place."""
    lacks_body: bool = False
    """The root is abstract, an interface's member that calls nothing itself, or a library's: the first level are its
    implementations."""
    implementation_count: int = 0
    """Members that implement or override the root."""
    possible_calls: FindRefsResponse | None = None
    """Of a member without known callers: the first places of its name that could not be resolved and may call it."""

    @property
    def row_count(self) -> int:
        return len(self.nodes) - self.root_count

    @property
    def rows(self) -> tuple[CallGraphNode, ...]:
        return self.nodes[self.root_count :]

    def cut(self, count: int) -> Self:
        kept = self.nodes[: self.root_count + count]
        known = {node.symbol_id for node in kept}
        nodes = tuple(replace(node, edges_to=tuple(each for each in node.edges_to if each in known)) for node in kept)
        return replace(self, nodes=nodes, truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        """Of the calls, and of what is declared."""
        calls = (site.file_path for node in self.nodes for site in node.call_sites[:1])
        possible = self.possible_calls.files if self.possible_calls is not None else ()
        return tuple(dict.fromkeys((*calls, *(node.file_path for node in self.nodes if node.file_path), *possible)))

    def lines(self) -> Iterator[str]:
        """A tree: every node once, indented under the one that leads to it, below the file of the calling line. Several roots have one
        tree together, as the calling lines tell overloads apart."""
        shown = {node.symbol_id for node in self.rows}
        roots = {node.symbol_id for node in self.nodes[: self.root_count]}
        children: dict[str, list[CallGraphNode]] = {}
        for node in self.rows:
            parent = _parent(node)
            above = self.root if parent in roots else parent if parent in shown else ""
            children.setdefault(above, []).append(node)
        names = _names(self.nodes)
        usual = self._usual_slot()
        direct = self._direct()
        if usual is not None and any(node.call_sites[0].via is None for node in direct):
            further = "" if len(direct) == len(self.rows) else "callers of the member itself: "
            yield f"{further}via {_through(usual, self.root)} where not marked otherwise:"
        yield from by_file_and_level(self._rows(children, names, usual))
        if self.possible_calls is not None:
            yield from self.possible_calls.lines()

    def _rows(
        self, children: dict[str, list[CallGraphNode]], names: dict[str, str], usual: str | None
    ) -> Iterator[tuple[str, int, str]]:
        """Path of the calling line, level and text of each node. What a callee calls in its turn stands under the path that the callee
        itself stands under, as it is called in the file that the callee names."""
        path, line, above = "", 0, ""
        said = SaidPlaces()

        def tree(parent: str, level: int, heading: str, body: str) -> Iterator[tuple[str, int, str]]:
            nonlocal path, line, above
            siblings = children.get(parent, ())
            for node in siblings:
                site = node.call_sites[0]
                under = heading if site.from_symbol is not None and site.file_path == body else site.file_path
                if _is_of_library(node):
                    continue
                is_same_place = (path, line) == (site.file_path, site.line)
                path, line = site.file_path, site.line
                said.path(path)
                source = around(site.excerpt or "", _called(node, site))
                shown = "" if is_same_place else SAME_SOURCE if source and source == above else source
                above = source
                name = names[node.symbol_id]
                yield (
                    under,
                    level,
                    row(
                        f"{line}",
                        name if site.from_symbol else name_under(path, name),
                        _declared(node, path, said) if site.from_symbol is not None else "",
                        shown,
                        *_unusual(node, site, usual if level == 1 and parent else None),
                        f"[{'from' if site.from_symbol else 'to'} {called_name(_parent(node))}]" if not parent else "",
                    ),
                )
                yield from tree(node.symbol_id, level + 1, under, node.file_path or "")
            yield from _of_libraries([node for node in siblings if _is_of_library(node)], level, heading, body, parent)

        yield from tree(self.root, 1, "", "")
        yield from tree("", 1, "", "")

    def _direct(self) -> list[CallGraphNode]:
        """The rows of the first level."""
        roots = {node.symbol_id for node in self.nodes[: self.root_count]}
        return [node for node in self.rows if _parent(node) in roots]

    def _usual_slot(self) -> str | None:
        """What more than half of those that call the root go through, which is said once; of the others those that do not are marked."""
        direct = self._direct()
        if self.interface_implementation_hint is None or not direct:
            return None
        via, count = Counter(node.call_sites[0].via for node in direct).most_common(1)[0]
        return via if 2 * count > len(direct) else None


def _parent(node: CallGraphNode) -> str:
    site = node.call_sites[0]
    return site.from_symbol or site.to_symbol or ""


def _called(node: CallGraphNode, site: CallSite) -> str:
    """The name that stands in the calling line."""
    called = site.via or (node.symbol_id if site.from_symbol else _parent(node))
    return short_name(called).rpartition(".")[2]


def _names(nodes: tuple[CallGraphNode, ...]) -> dict[str, str]:
    """Short names of the nodes; with parameters where two have the same, or ids where these are the same too."""
    short = {
        node.symbol_id: _short(node) for node in nodes if node.unresolved_reason is None and not _is_of_library(node)
    }
    same = {name for name, count in Counter(short.values()).items() if count > 1}
    told = {each: overload_name(each) if name in same else name for each, name in short.items()}
    still = {name for name, count in Counter(told.values()).items() if count > 1}
    clear = {each: each if name in still else name for each, name in told.items()}
    return clear | {node.symbol_id: node.display_name for node in nodes if node.unresolved_reason is not None}


def _short(node: CallGraphNode) -> str:
    name = called_name(node.symbol_id)
    is_created = any(site.kind is RefKind.INSTANTIATE and site.from_symbol for site in node.call_sites)
    return f"new {name}" if is_created and is_type_id(node.symbol_id) else name


def _through(via: str, symbol_id: str) -> str:
    """A slot, by its type alone where it is called as the member is."""
    container, _, name = short_name(via).rpartition(".")
    return container if name == short_name(symbol_id).rpartition(".")[2] else short_name(via)


def _is_of_library(node: CallGraphNode) -> bool:
    """Whether it is a callee that a line beside others tells enough of: that the library has it, and where it is called."""
    return node.external and node.unresolved_reason is None and node.call_sites[0].from_symbol is not None


def _of_libraries(
    nodes: list[CallGraphNode], level: int, heading: str, body: str, parent: str
) -> Iterator[tuple[str, int, str]]:
    """Callees that libraries have, of one caller: all those of a file in one row."""
    for path, several in groupby(nodes, key=lambda node: node.call_sites[0].file_path):
        called = ", ".join(
            " ".join(
                (
                    f"{node.call_sites[0].line}",
                    _short(node),
                    *(said for said in _unusual(node, node.call_sites[0], None) if said and said != _LIBRARY),
                    *((f"[from {called_name(_parent(node))}]",) if not parent else ()),
                )
            )
            for node in several
        )
        yield heading if path == body else path, level, row(called, _LIBRARY)


def _declared(node: CallGraphNode, path: str, said: SaidPlaces) -> str:
    """Where a callee is declared; nothing of what stands at its declaration, as an implementation does."""
    if node.file_path is None or (node.file_path, node.line) == (path, node.call_sites[0].line):
        return ""
    return f"({said.place(node.file_path, node.line, path)})"


def _unusual(node: CallGraphNode, site: CallSite, usual: str | None) -> Iterator[str]:
    """``usual``: the slot that calls go through unless they are marked."""
    if node.unresolved_reason is not None:
        yield f"[unresolved: {node.unresolved_reason}]"
    elif node.external:
        yield _LIBRARY
    if site.kind is RefKind.LINK:
        yield "[by a link]"
    if site.count > 1:
        yield f"[{site.count} times]"
    if site.via is not None and site.via != usual:
        yield f"[via {_through(site.via, site.to_symbol or node.symbol_id)}]"
    if site.via is not None and site.condition:
        yield f"[if {site.condition}]"
    elif site.via is None and node.unresolved_reason is None:
        said = ["direct"] if usual is not None else []
        said += doubts(site.confidence, site.condition)
        yield f"[{', '.join(said)}]" if said else ""
    if node.sole_implementation is not None:
        yield f"[implemented by {short_name(node.sole_implementation)}]"
    elif node.implementation_count:
        yield f"[{counted(node.implementation_count, 'implementation')}]"
