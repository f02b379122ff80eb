"""The page of an index: one HTML file with everything in it, which asks no network for anything.

What a repository says is data there: it is encoded as JSON that cannot end its element, and the page's script sets it as text alone.
"""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import msgspec

from codemap_server.cli.project_layout import layout

if TYPE_CHECKING:
    from codemap_core.model import SymbolKind
    from codemap_core.queries.summary.overview import Overview, ProjectOverview, TypeOverview
    from codemap_core.queries.summary.overview_facts import FactsOverview
    from codemap_core.storage.reading.overview import DeclaredSymbol

_MARK: Final = "/*data*/"


def page(overview: Overview) -> str:
    """The HTML text."""
    template = files("codemap_server.cli").joinpath("page.html").read_text(encoding="utf-8")
    encoded = msgspec.json.encode(_data(overview)).decode()
    for character in "<>&\u2028\u2029":
        encoded = encoded.replace(character, f"\\u{ord(character):04x}")
    before, _, after = template.partition(_MARK)
    return before + encoded + after


def _data(overview: Overview) -> dict[str, Any]:
    numbers = {each.project_path: number for number, each in enumerate(overview.projects)}
    drawn = layout({each.project_path: each.references for each in overview.projects})
    places = {box.name: box for box in drawn.boxes}
    prefix = _shared_prefix([each.name for each in overview.projects])
    part = f"only {overview.subtree}" if overview.subtree else f"only {overview.solution}" if overview.solution else ""
    return {
        "repository": overview.repository,
        "commit": overview.commit_sha,
        "created_at": overview.created_at,
        "part": part,
        "counts": [
            (len(overview.projects), "project", "projects"),
            (overview.file_count, "file", "files"),
            (overview.symbol_count, "symbol", "symbols"),
            (overview.reference_count, "reference", "references"),
        ],
        "projects": [
            {
                "name": each.name,
                "label": each.name.removeprefix(prefix),
                "path": each.project_path,
                "framework": each.target_framework,
                "role": _role(each),
                "files": each.file_count,
                "symbols": each.symbol_count,
                "references": [numbers[path] for path in each.references],
                "column": places[each.project_path].column,
                "row": round(places[each.project_path].row, 3),
            }
            for each in overview.projects
        ],
        "edges": [
            {
                "source": numbers[edge.source],
                "target": numbers[edge.target],
                "points": [(column, round(row, 3)) for column, row in edge.points],
            }
            for edge in drawn.edges
        ],
        "columns": drawn.columns,
        "rows": drawn.rows,
        "used": [_type(each) for each in overview.most_used_types],
        "largest": [_type(each) for each in overview.largest_types],
        "symbol_count": overview.symbol_count,
        "left_out": overview.left_out,
        **_facts(overview.facts),
        **_symbols(overview.symbols),
    }


def _facts(found: FactsOverview) -> dict[str, Any]:
    return {
        "endpoints": [
            (
                each.verb,
                each.path,
                each.handler,
                each.authorization,
                each.place,
                [(line.depth, line.name, line.said, line.place) for line in each.trace],
            )
            for each in found.endpoints
        ],
        "untraced": found.untraced_count,
        "tables": [
            (
                each.name,
                each.entity,
                each.place,
                each.use_count,
                [(column.name, column.type, column.target) for column in each.columns],
                [(relation.sort, relation.to, relation.target) for relation in each.relations],
            )
            for each in found.tables
        ],
        "messages": [
            (
                each.name,
                each.framework,
                [(place.name, place.place) for place in each.handlers],
                [(place.name, place.place) for place in each.senders],
                each.sender_count,
            )
            for each in found.messages
        ],
        "jobs": [(each.name, each.framework, each.schedule, each.place) for each in found.jobs],
    }


def _shared_prefix(names: list[str]) -> str:
    """Leading parts, with their dot, that most of several names have in common; boxes leave them out."""
    prefix = ""
    while True:
        parts = Counter(
            name[len(prefix) :].partition(".")[0]
            for name in names
            if name.startswith(prefix) and "." in name[len(prefix) :]
        )
        part, count = parts.most_common(1)[0] if parts else ("", 0)
        if count < 3 or count <= len(names) / 2:
            return prefix
        prefix += f"{part}."


def _role(project: ProjectOverview) -> str:
    if project.is_test:
        return "test"
    return "application" if project.is_application else "library"


def _type(each: TypeOverview) -> dict[str, Any]:
    return {
        "id": each.symbol_id,
        "name": each.fully_qualified_name,
        "kind": each.kind.value,
        "place": f"{each.file_path}:{each.line}",
        "lines": each.line_count,
        "members": each.member_count,
        "uses": each.uses,
    }


def _symbols(symbols: tuple[DeclaredSymbol, ...]) -> dict[str, Any]:
    """Rows that name their kind, container and file by number, since these repeat."""
    kinds: dict[tuple[SymbolKind, bool], int] = {}  # by kind, and whether it is a type
    containers: dict[str, int] = {}
    paths: dict[str, int] = {}
    rows = []
    for each in symbols:
        container = each.fully_qualified_name.removesuffix(each.name).removesuffix(".")
        name = each.fully_qualified_name[len(container) :].removeprefix(".")
        rows.append(
            (
                kinds.setdefault((each.kind, each.is_type), len(kinds)),
                containers.setdefault(container, len(containers)),
                name,
                paths.setdefault(each.file_path, len(paths)),
                each.line,
            )
        )
    return {
        "kinds": [kind.value for kind, _ in kinds],
        "type_kinds": [number for (_, is_type), number in kinds.items() if is_type],
        "containers": list(containers),
        "files": list(paths),
        "symbols": rows,
    }
