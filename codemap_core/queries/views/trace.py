"""A feature's trace as it is answered: a tree in which every member stands once, with what facts say of it.

Invariants: nodes have ranks in the order of their relevance, over all pages, and a node's rank is behind its parent's; children stand in
the order of the source. A page holds nodes of consecutive ranks; those whose parent is on an earlier page stand beside the root.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence, FactKind
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import is_constructor_id
from codemap_core.queries.dispatch.implementations import Basis
from codemap_core.queries.plain_lines import SaidPlaces, called_name, overload_name, row, short_name
from codemap_core.storage.reading.fact_lookup import HANDLER

_VALUES_SHOWN: Final = 4
_QUOTED_SHOWN: Final = 2
_VALUE_CHARACTERS: Final = 60
EFFECT: Final = "effect"
"""The kind of annotations that say what a call of a library does, and do not come from facts."""
_LABELS: Final[dict[str, str]] = {
    FactKind.EXCEPTION: "throws",
    FactKind.DB_TABLE: "table",
    FactKind.DI_REGISTRATION: "registers",
    FactKind.RETRY_POLICY: "retry",
    EFFECT: "",
}
"""How a kind is called in text, where that is not its name."""
_MAIN: Final = ".{Main}$"
"""Ends the id of top-level statements."""
_QUOTED: Final = frozenset({str(FactKind.LOG)})


class TraceAnnotation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    kind: str
    value: str
    """Without metadata."""
    confidence: Confidence = Confidence.HIGH
    line: int = 0
    """In the file of the member: where the fact stands, or where it is reached."""
    through: str | None = None
    """The field or property that owns the fact, which the member reads or writes."""


class TraceNode(Struct, frozen=True, omit_defaults=True, kw_only=True):
    symbol_id: str
    stable_id: str = ""
    display_name: str
    depth: int
    annotations: tuple[TraceAnnotation, ...] = ()
    children: tuple[TraceNode, ...] = ()
    file_path: str = ""
    line: int = 0
    """Of the declared name; of an endpoint whose body is a lambda, where it is mapped."""
    called_at: int = 0
    """The line in the parent's file; 0 for what implements an entry point without a body."""
    via: str | None = None
    """The interface or base member that is called there, or the message that this member handles."""
    basis: Basis | None = None
    """Why this member is taken for what the call through ``via`` runs; null for a handler."""
    implementation_count: int = 0
    """Of a member that is called, those that implement or override it and were not followed, being too many."""
    leads_further: bool = False
    """It calls members that are beyond the depth."""
    also: tuple[str, ...] = ()
    """Members that it leads to as well and that stand under another node."""
    parent: str | None = None
    """Of a node that stands beside the root: the member that leads to it, on an earlier page."""
    confidence: Confidence = Confidence.HIGH
    """Of the step from the parent."""
    rank: int = 0


class FeatureTraceResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    entry_point: str
    entry_point_name: str
    entry_point_route: str | None = None
    nodes: tuple[TraceNode, ...]
    """The entry points (of several overloads, or methods of a hub, each), then what continues an earlier page."""
    root_count: int = 1
    total_nodes_traversed: int
    """Over all pages, entry points included."""
    depth: int
    truncated: bool = False
    total_is_minimum: bool = False
    """A level was too wide to be followed whole."""
    annotation_counts: dict[str, int] = {}
    """Different values of facts by kind, over all pages."""
    unresolved_count: int = 0
    """Calls of the traced members that could not be resolved."""
    leads_further_count: int = 0
    """Members that call others beyond the depth."""

    @property
    def row_count(self) -> int:
        return sum(1 for node in self._all() if node.rank)

    @property
    def rows(self) -> tuple[TraceNode, ...]:
        """The nodes that are rows, all but the entry points, by rank."""
        return tuple(sorted((node for node in self._all() if node.rank), key=lambda node: node.rank))

    def cut(self, count: int) -> Self:
        last = self.rows[count - 1].rank
        kept = (_pruned(node, last) for node in self.nodes if node.rank <= last)
        return replace(self, nodes=tuple(kept), truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(node.file_path for node in self._all() if node.file_path))

    def lines(self) -> Iterator[str]:
        """A tree: the line of the call, the member, where it is declared if that is another file, and its facts. Members without facts
        that lead nowhere share a line; constructors of exceptions that a member is said to throw are left out."""
        return _Drawing(tuple(self._all())).lines(self.nodes)

    def _all(self) -> Iterator[TraceNode]:
        for node in self.nodes:
            yield from _with_descendants(node)


def _with_descendants(node: TraceNode) -> Iterator[TraceNode]:
    yield node
    for child in node.children:
        yield from _with_descendants(child)


def _pruned(node: TraceNode, last: int) -> TraceNode:
    return replace(node, children=tuple(_pruned(child, last) for child in node.children if child.rank <= last))


class _Drawing:
    """Writes a page once. Members by short names, with parameter types where two have the same and differ in those."""

    def __init__(self, nodes: Sequence[TraceNode]) -> None:
        spelt: dict[str, set[str]] = {}
        for node in nodes:
            spelt.setdefault(called_name(node.symbol_id), set()).add(overload_name(node.symbol_id))
        self._same: Final = {name for name, overloads in spelt.items() if len(overloads) > 1}
        self._shown: Final = {node.symbol_id for node in nodes}
        self._drawn: Final[set[str]] = set()
        self._said: Final = SaidPlaces()

    def lines(self, nodes: Sequence[TraceNode]) -> Iterator[str]:
        continued: dict[str, list[TraceNode]] = {}
        for node in nodes:
            if node.parent is None:
                yield from self._node(node, "", 0)
            else:
                continued.setdefault(node.parent, []).append(node)
        for parent, below in continued.items():
            yield f"from {called_name(parent)}"
            yield from self._below(below, (), "", 1)

    def _node(self, node: TraceNode, path: str, level: int) -> Iterator[str]:
        self._drawn.add(node.symbol_id)
        place = f"({self._said.place(node.file_path, node.line, path)})" if node.line else ""
        called = f"{node.called_at}" if node.called_at else ""
        yield "  " * level + row(called, self._name(node.symbol_id), place, *marks_of(node), *facts_said(node))
        thrown = {each.value for each in node.annotations if each.kind == FactKind.EXCEPTION}
        also = [each for each in node.also if not _makes(each, thrown)]
        children = [each for each in node.children if not (_is_plain(each) and _makes(each.symbol_id, thrown))]
        yield from self._below(children, also, node.file_path, level + 1)

    def _below(self, nodes: Sequence[TraceNode], also: Sequence[str], path: str, level: int) -> Iterator[str]:
        plain = [node for node in nodes if _is_plain(node)]
        for node in nodes:
            if not _is_plain(node):
                yield from self._node(node, path, level)
        self._drawn.update(node.symbol_id for node in plain)
        named = [f"{called or ''} {name}".lstrip() for called, name in self._plainly(plain)]
        named += [f"{self._name(each)} {self._where(each)}" for each in also]
        if named:
            yield "  " * level + f"also: {', '.join(named)}"

    def _plainly(self, nodes: Sequence[TraceNode]) -> Iterator[tuple[int, str]]:
        """Lines of calls and names; several that may run for one call by the member that it names."""
        several: dict[tuple[int, str], int] = {}
        for node in nodes:
            if node.via is not None and node.basis is Basis.ONE_OF_SEVERAL:
                call = (node.called_at, node.via)
                several[call] = several.get(call, 0) + 1
        for node in nodes:
            count = several.get((node.called_at, node.via or ""), 1)
            if count == 1 or node.basis is not Basis.ONE_OF_SEVERAL:
                yield node.called_at, self._name(node.symbol_id)
        for (called, via), count in several.items():
            if count > 1:
                yield called, f"{short_name(via)} ({counted(count, 'implementation')})"

    def _name(self, symbol_id: str) -> str:
        name = called_name(symbol_id).removesuffix(_MAIN)
        return overload_name(symbol_id) if name in self._same else name

    def _where(self, symbol_id: str) -> str:
        if symbol_id in self._drawn:
            return "(above)"
        return "(below)" if symbol_id in self._shown else "(on another page)"


def _makes(symbol_id: str, types: Collection[str]) -> bool:
    """Whether it is a constructor of one of some types, given by their simple names."""
    return is_constructor_id(symbol_id) and short_name(symbol_id).rpartition(".")[2] in types


def _is_plain(node: TraceNode) -> bool:
    """Whether a node says nothing but its name."""
    return not (node.children or node.annotations or node.also or node.leads_further or node.implementation_count)


def marks_of(node: TraceNode) -> Iterator[str]:
    """What is unusual about how a member is reached, in brackets."""
    if node.via is not None and node.basis is None:
        yield f"[handles {short_name(node.via)}]"
    elif node.via is not None and node.basis is Basis.AROUND:
        yield f"[around {short_name(node.via)}]"
    elif node.basis is Basis.REQUESTED:
        yield "[over HTTP]"
    elif node.via is not None:
        through = _through(node.via, node.symbol_id)
        yield (
            f"[via {through}]" if node.basis is Basis.SOLE else f"[via {through}, {str(node.basis).replace('_', ' ')}]"
        )
    if node.confidence is not Confidence.HIGH and node.basis not in (Basis.ONE_OF_SEVERAL, Basis.MADE_HERE):
        yield f"[{node.confidence.value}]"
    if node.implementation_count:
        yield f"[{counted(node.implementation_count, 'implementation')}, not followed]"
    if node.leads_further:
        yield "…"


def _through(via: str, symbol_id: str) -> str:
    """A slot, by its type alone where it is called as the member is."""
    container, _, name = short_name(via).rpartition(".")
    return container if name == short_name(symbol_id).rpartition(".")[2] else short_name(via)


def facts_said(node: TraceNode) -> Iterator[str]:
    """``table Orders, Buyers``, a kind at a time; without what the marks of the node or the sentence above the tree say."""
    by_kind: dict[str, dict[str, str]] = {}
    for each in node.annotations:
        doubt = "" if each.confidence is Confidence.HIGH else f" [{each.confidence.value}]"
        by_kind.setdefault(each.kind, {}).setdefault(each.value, doubt)
    if node.via is not None and node.basis is None:
        by_kind.pop(HANDLER, None)
    for kind, values in by_kind.items():
        if kind == FactKind.ROUTE and len(values) == 1 and not node.depth:
            continue
        shown = [(_clipped(value), doubt) for value, doubt in values.items()][
            : _QUOTED_SHOWN if kind in _QUOTED else _VALUES_SHOWN
        ]
        said = ", ".join(f'"{value}"{doubt}' if kind in _QUOTED else f"{value}{doubt}" for value, doubt in shown)
        more = f" +{len(values) - len(shown)}" if len(values) > len(shown) else ""
        yield f"{label_of(kind)} {said}{more}".lstrip()


def label_of(kind: str) -> str:
    """A kind of facts as text calls it in front of its values."""
    return _LABELS.get(kind, kind.replace("_", " "))


def _clipped(value: str) -> str:
    bare = " ".join(value.split())
    return bare if len(bare) <= _VALUE_CHARACTERS else f"{bare[: _VALUE_CHARACTERS - 1]}…"
