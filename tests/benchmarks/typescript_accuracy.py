"""How often references of TypeScript agree with TypeScript's own language service, on checkouts without their installed packages.

    npm install typescript
    python -m tests.benchmarks.typescript_accuracy node_modules/typescript/lib/typescript.js CHECKOUT... [--show N]

The service is asked for the definition of every identifier of every file that CodeMap analyses. Counted are those whose definition is a
symbol of CodeMap: no local variables, no members of objects that are only written out. ``precision``: of the references that CodeMap
resolves with confidence high, the share whose target is a definition that the service gives. ``recall``: of the identifiers that the
service leads to a symbol, the share that CodeMap leads to the same one. Neither side sees what a library declares.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, ReferenceRow, RefKind, ResolutionState
from codemap_core.repository import decode_text
from codemap_plugins.typescript.front_end import Declared, TypeScriptFrontEnd
from codemap_plugins.typescript.left_out import SUFFIXES, is_left_out
from codemap_plugins.typescript.packages import PackageLoader

SERVICE = Path(__file__).with_name("typescript_definitions.mjs")
HEAD = (
    "| repository | files | identifiers | precision of high | recall | unconfirmed |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: |\n"
)
Place = tuple[str, int, int]


class CheckoutFiles:
    """The files of a checkout that git lists."""

    def __init__(self, root: Path) -> None:
        self._root = root
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
        self.paths = tuple(sorted(path for path in listed.decode().split("\0") if path and (root / path).is_file()))
        self.all_paths = self.paths
        self._known = frozenset(self.paths)

    def exists(self, path: str) -> bool:
        return path in self._known

    def read(self, path: str) -> bytes:
        if path not in self._known:
            raise KeyError(path)
        return (self._root / path).read_bytes()


def bound(files: CheckoutFiles) -> tuple[TypeScriptFrontEnd, Declared, list[UnitKey]]:
    """The front end's table over a checkout, and the keys of its files."""
    graph = PackageLoader().load(files, None)
    project_of = {path: project.project_path for project in graph.projects for path in project.files}
    front_end = TypeScriptFrontEnd()
    units = {}
    for path in files.paths:
        if path.endswith(SUFFIXES) and not is_left_out(path):
            dialect = front_end.dialects["." + path.rpartition(".")[2]]
            source = decode_text(files.read(path)).source
            unit = front_end.analyse(source, AnalysisSettings(dialect=dialect)).unit
            if unit:
                units[UnitKey(project_of.get(path, ""), path)] = unit
    return front_end, front_end.declare(Universe(graph, units)), sorted(units)


def spans_of(table: Declared, keys: list[UnitKey]) -> dict[str, list[tuple[str, int, int]]]:
    """The lines of each symbol's declarations."""
    found: dict[str, list[tuple[str, int, int]]] = {}
    for key in keys:
        module = table.table.module(key)
        for index, declared in enumerate(module.unit.declarations):
            if not declared.is_local:
                spans = [(key.file_path, part.line_start, part.line_end) for part in declared.parts]
                found.setdefault(module.symbol(index).id, []).extend(spans)
    return found


def is_default(spans: list[tuple[str, int, int]], symbol: str, said: list[tuple[Place, str]]) -> bool:
    """Whether the service names the beginning of the ``export default`` that a symbol is."""
    return symbol.endswith(".default") and any(
        where == (path, first, 1) for where, _ in said for path, first, _ in spans
    )


def holds_function(spans: list[tuple[str, int, int]], said: list[tuple[Place, str]]) -> bool:
    """Whether the service names the function that a symbol is initialised with, in place of the symbol."""
    return any(
        kind == "function" and path == where[0] and first <= where[1] <= last
        for where, kind in said
        for path, first, last in spans
    )


def symbols_at(table: Declared, keys: list[UnitKey]) -> dict[Place, str]:
    """Every place of a name that declares a symbol."""
    found = {}
    for key in keys:
        module = table.table.module(key)
        for index, declared in enumerate(module.unit.declarations):
            if not declared.is_local:
                for part in declared.parts:
                    found[(key.file_path, part.line, part.column)] = module.symbol(index).id
                    if not declared.name.isidentifier():  # the service counts the quotation mark
                        found.setdefault((key.file_path, part.line, part.column - 1), module.symbol(index).id)
    return found


def definitions(service: Path, root: Path, keys: list[UnitKey]) -> Iterator[tuple[Place, list[tuple[Place, str]]]]:
    given = "\n".join(key.file_path for key in keys)
    command = ["node", "--max-old-space-size=4096", str(SERVICE), str(service), str(root)]
    answer = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    for line in answer.stdout.splitlines():
        path, row, column, said = json.loads(line)
        yield (path, row, column), [((each[0], each[1], each[2]), each[3]) for each in said]


def measure(service: Path, root: Path, show: int) -> dict[str, float]:
    started = time.process_time()
    front_end, table, keys = bound(CheckoutFiles(root))
    rows: dict[Place, ReferenceRow] = {}
    for key in keys:
        for row in front_end.bind(table, key, Interests()).references:
            if row.kind not in (RefKind.OVERRIDE, RefKind.IMPLEMENTATION):
                rows.setdefault((row.file_path, row.line, row.column), row)
    seconds = time.process_time() - started
    declared, spans = symbols_at(table, keys), spans_of(table, keys)
    counts: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    seen: set[Place] = set()
    for place, said in definitions(service, root, keys):
        if any(where == place for where, _ in said):
            continue
        seen.add(place)
        targets = {declared[where] for where, _ in said if where in declared}
        found = rows.get(place)
        resolved = found is not None and found.resolution_state is ResolutionState.RESOLVED
        is_module = (
            resolved and found is not None and found.to_symbol is not None and found.to_symbol.endswith(SUFFIXES)
        )
        if is_module and any(kind == "module" or where[1:] == (1, 1) for where, kind in said):
            continue
        if found is not None and found.to_symbol in spans and holds_function(spans[found.to_symbol], said):
            targets.add(found.to_symbol)
        if found is not None and found.to_symbol in spans and is_default(spans[found.to_symbol], found.to_symbol, said):
            targets.add(found.to_symbol)
        if not targets:
            counts["elsewhere"] += 1
            if any(kind == "alias" for _, kind in said):  # the service goes no further than the import
                continue
            if resolved and found is not None and found.confidence is Confidence.HIGH:
                counts["wrong"] += 1
                _show(shown, show, "not a symbol", place, found, said)
            continue
        counts["true"] += 1
        if not resolved or found is None:
            counts["missed"] += 1
            reason = (found.reason if found is not None else None) or "no row"
            missed[reason] += 1
            _show(shown, show, reason, place, found, said)
        elif found.to_symbol in targets or found.constructor in targets:
            counts["right"] += 1
            counts["right_high"] += found.confidence is Confidence.HIGH
        else:
            counts["wrong"] += found.confidence is Confidence.HIGH
            _show(shown, show, "wrong", place, found, said)
    unknown = [
        place for place, row in rows.items() if row.resolution_state is ResolutionState.RESOLVED and place not in seen
    ]
    counts["unconfirmed"] = sum(
        rows[place].confidence is Confidence.HIGH and rows[place].kind not in (RefKind.CTOR_INITIALIZER, RefKind.IMPORT)
        for place in unknown
    )
    for place in unknown:
        if rows[place].kind not in (RefKind.CTOR_INITIALIZER, RefKind.IMPORT):
            _show(shown, show, "unconfirmed", place, rows[place], [])
    if show:
        sys.stderr.write(f"{dict(counts)} {dict(missed)}\n")
    high = counts["right_high"] + counts["wrong"]
    return {
        "files": len(keys),
        "identifiers": counts["true"],
        "precision": counts["right_high"] / high if high else 1.0,
        "recall": counts["right"] / counts["true"] if counts["true"] else 1.0,
        "unconfirmed": counts["unconfirmed"],
        "seconds": seconds,
    }


def _show(shown: Counter[str], most: int, why: str, place: Place, row: ReferenceRow | None, said: object) -> None:
    shown[why] += 1
    if shown[why] <= most:
        target = (row.to_symbol or row.reason) if row is not None else None
        name = row.to_name if row is not None else ""
        sys.stderr.write(f"{why}: {place} {name} → {target}; said {said}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("service", type=Path, help="typescript.js of an installed package typescript")
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--show", type=int, default=0, help="how many differences of each sort to print")
    given = parser.parse_args()
    sys.stdout.write(HEAD)
    for root in given.checkouts:
        found = measure(given.service, root, given.show)
        sys.stdout.write(
            f"| {root.name} | {found['files']:,.0f} | {found['identifiers']:,.0f} | {found['precision']:.4f} "
            f"| {found['recall']:.4f} | {found['unconfirmed']:,.0f} |\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
