"""Results that form a tree or a graph: with branches on a terminal, indented elsewhere, or as Mermaid, DOT or rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from codemap_server.cli.options import Format
from codemap_server.cli.rows import Row, cut, linked, print_rows, print_styled, two_spaces


class Node(Struct, kw_only=True):
    """``name``: short, ``full``: whole. ``kind``: of the place or, without one of its own, of the symbol. ``file_path``, ``line``,
    ``column``: the place to show, empty for what is a library's. ``text``: the source there. ``children`` hang below it; every node
    hangs in one place, further edges are in ``Graph``."""

    symbol_id: str
    name: str
    full: str
    kind: str = ""
    file_path: str = ""
    line: int = 0
    column: int = 0
    text: str = ""
    note: str = ""
    children: list[Node] = []

    @property
    def place(self) -> str:
        if not self.file_path:
            return ""
        return f"{self.file_path}:{self.line}:{self.column}" if self.column else f"{self.file_path}:{self.line}"


class Edge(Struct, frozen=True):
    """``label`` stands at the edge."""

    source: str
    target: str
    label: str = ""


class Graph(Struct, frozen=True):
    """``roots`` with what hangs below them, and all edges by symbol id, in the direction that an arrow points. ``lists_roots``: they are
    among the rows of a list too, as what was asked for says something of its own."""

    roots: tuple[Node, ...]
    edges: tuple[Edge, ...]
    lists_roots: bool = False

    def nodes(self) -> Iterator[tuple[Node, int]]:
        """All nodes with their level, each before what hangs below it."""

        def below(node: Node, level: int) -> Iterator[tuple[Node, int]]:
            yield node, level
            for child in node.children:
                yield from below(child, level + 1)

        for root in self.roots:
            yield from below(root, 0)


def print_graph(graph: Graph, format_: Format, root: Path) -> None:
    """``root``: the folder that paths are relative to."""
    if format_ in (Format.MERMAID, Format.DOT):
        sys.stdout.writelines(f"{line}\n" for line in (_mermaid if format_ is Format.MERMAID else _dot)(graph))
    elif format_ in (Format.TSV, Format.VIMGREP, Format.PLAIN):
        listed = [node for node, level in graph.nodes() if (level or graph.lists_roots) and node.file_path]
        print_rows([_row(node) for node in listed], format_, root)
    elif sys.stdout.isatty():
        _draw(graph, root)
    else:
        for node, level in graph.nodes():
            sys.stdout.write("  " * level + two_spaces(node.full, node.place, node.text, node.note) + "\n")


def _row(node: Node) -> Row:
    return Row(
        file_path=node.file_path,
        line=node.line,
        column=node.column,
        kind=node.kind,
        name=node.name,
        full=node.full,
        text=node.text,
        note=node.note,
        symbol_id=node.symbol_id,
    )


def _draw(graph: Graph, root: Path) -> None:
    from codemap_server.cli.terminal import console

    out = console()

    def draw(node: Node, before: str, branch: str, below: str) -> None:
        head = f"{before}{branch}"
        cells = [(head, "dim"), (node.name, "bold"), (f"  {node.note}" if node.note else "", "yellow")]
        place = [(node.place, linked(root, node.file_path, "magenta"))] if node.place else []
        under = before + below + ("│ " if node.children else "  ")
        if sum(len(text) for text, _ in (*cells, *place)) + 2 <= out.width:
            print_styled(out, [*cells, ("  ", ""), *place] if place else cells)
        else:
            print_styled(out, cells)
            print_styled(out, [(under, "dim"), *place])
        if node.text:
            print_styled(out, [(under, "dim"), (cut(node.text, out.width - len(under)), "")])
        for at, child in enumerate(node.children):
            last = at == len(node.children) - 1
            draw(child, before + below, "└─ " if last else "├─ ", "   " if last else "│  ")

    for each in graph.roots:
        draw(each, "", "", "")


def _mermaid(graph: Graph) -> Iterator[str]:
    yield "graph LR"
    numbers = _numbers(graph)
    for node, _ in graph.nodes():
        yield f'  n{numbers[node.symbol_id]}["{_escaped(node.name)}"]'
    for edge in _known(graph, numbers):
        label = f'|"{_escaped(edge.label)}"|' if edge.label else ""
        yield f"  n{numbers[edge.source]} -->{label} n{numbers[edge.target]}"


def _escaped(text: str) -> str:
    """For a quoted label of Mermaid."""
    for character, entity in (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return text


def _dot(graph: Graph) -> Iterator[str]:
    yield "digraph codemap {"
    yield "  rankdir=LR;"
    yield "  node [shape=box];"
    numbers = _numbers(graph)
    for node, _ in graph.nodes():
        yield f"  n{numbers[node.symbol_id]} [label={_quoted(node.name)}, tooltip={_quoted(node.place or node.symbol_id)}];"
    for edge in _known(graph, numbers):
        label = f" [label={_quoted(edge.label)}]" if edge.label else ""
        yield f"  n{numbers[edge.source]} -> n{numbers[edge.target]}{label};"
    yield "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _numbers(graph: Graph) -> dict[str, int]:
    return {node.symbol_id: number for number, (node, _) in enumerate(graph.nodes())}


def _known(graph: Graph, numbers: dict[str, int]) -> Sequence[Edge]:
    return [edge for edge in dict.fromkeys(graph.edges) if edge.source in numbers and edge.target in numbers]
