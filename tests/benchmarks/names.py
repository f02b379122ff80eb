"""Whether names mean what they say, on any repository: what exists is found in every spelling, what does not is never answered for another.

    python -m tests.benchmarks.names REPO… [--count 500] [--seed 1]

Each REPO is indexed first if its commit is not. Symbols are drawn at random from all that the index declares, and from those of libraries
that it refers to; each is asked for in every spelling that means it. A spelling that other symbols share may be answered with candidates,
never for one of the others. Names that do not exist are made from ones that do: a word cut off or added, a letter lost, doubled, changed
or swapped.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from codemap_core.config import load_settings
from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.hooks.manager import load_plugins
from codemap_core.model.documentation_id import CONSTRUCTOR, STATIC_CONSTRUCTOR, parse_id
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.names.symbol_candidates import displayed
from codemap_core.queries.names.symbol_targets import Target, find_target
from codemap_core.queries.names.wanted import Wanted
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_core.storage.reading.symbol_names import NamedSymbol
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.benchmarks.report import table

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_UNIQUE: Final = frozenset({"id", "stable id", "qualified name", "with parameters"})
"""Spellings that hardly ever mean several symbols."""
_LIBRARY_SHARE: Final = 5
"""Every so many symbols drawn is a library's."""


_Item = TypeVar("_Item")


class Outcome(Struct, frozen=True):
    """``kind``: of the spelling, or of what was done to a name. ``result``: found, candidates, twin (the type of that name without type
    parameters, or its member, where the spelling gives none; the repository's own, where a library's bears the same name; a constructor
    of instances, where a static one is spelt as its type), not found, refused, or wrong."""

    kind: str
    text: str
    result: str
    milliseconds: float
    suggested: bool = False
    """The name it was made from is among the suggestions."""


def existing(snapshot: Snapshot, count: int, chance: random.Random) -> list[NamedSymbol]:
    """Symbols drawn from the index, the same for the same seed."""
    names = snapshot.reader.vocabulary.names.names
    declared = snapshot.reader.symbols_called(_some(names, count, chance), SymbolFilter(), with_operators=True)
    libraries = _library_names(snapshot)
    external = snapshot.reader.library_symbols_called(_some(libraries, count, chance)) if libraries else ()
    known = [each for each in external if snapshot.reader.library_symbols([each.symbol_id])[each.symbol_id].assembly]
    drawn = _some(declared, count - count // _LIBRARY_SHARE, chance) + _some(known, count // _LIBRARY_SHARE, chance)
    return list(drawn)


def _some(items: Sequence[_Item], count: int, chance: random.Random) -> list[_Item]:
    return chance.sample(list(items), min(count, len(items)))


def _library_names(snapshot: Snapshot) -> list[str]:
    with snapshot.reader.streaming() as connection:
        return sorted(connection.exec_driver_sql("SELECT DISTINCT name FROM library_symbols").scalars())


def spellings(symbol: NamedSymbol, stable_id: str) -> Iterator[tuple[str, str]]:
    """Every accepted spelling by its kind."""
    parsed = parse_id(symbol.symbol_id)
    yield "id", symbol.symbol_id
    yield "id without prefix", symbol.symbol_id[2:]
    if stable_id:
        yield "stable id", stable_id
    if not parsed.interface:
        yield "qualified name", symbol.full_name
    yield "with parameters", displayed(symbol)
    if parsed.interface or parsed.name.startswith(("op_", "<")) or symbol.name == "this[]":
        return
    yield "other case", symbol.full_name.swapcase()
    short = parsed.parts[-2:] if parsed.prefix != "T" else parsed.parts[-1:]
    if parsed.is_constructor:
        outer = ".".join(f"{part.name}`{part.arity}" if part.arity else part.name for part in parsed.parts[:-1])
        listed = displayed(symbol).partition("(")[2]
        if parsed.name == CONSTRUCTOR:
            yield "new Type", f"new {outer}({listed}"
        yield "Type..ctor", f"{outer}.{parsed.name.replace('#', '.')}({listed}"
        yield "Type.#ctor", f"{outer}.{parsed.name}({listed}"
        return
    yield "Type.Member", ".".join(part.name for part in short)
    yield "arity", ".".join(f"{part.name}`{part.arity}" if part.arity else part.name for part in parsed.parts)
    yield (
        "open generic",
        ".".join(part.name + (f"<{',' * (part.arity - 1)}>" if part.arity else "") for part in parsed.parts),
    )
    yield "nested with +", "+".join(part.name for part in short)
    if parsed.prefix == "T" and parsed.name.endswith("Attribute") and len(parsed.name) > len("Attribute"):
        yield "without Attribute", symbol.full_name.removesuffix("Attribute")


def ask_existing(snapshot: Snapshot, symbols: Sequence[NamedSymbol]) -> Iterator[Outcome]:
    for symbol in symbols:
        rows = snapshot.reader.symbols_with_id(symbol.symbol_id)
        where = SymbolFilter(project=symbol.project) if len({row.file_path for row in rows}) > 1 else SymbolFilter()
        for kind, text in spellings(symbol, rows[0].stable_id if rows else ""):
            yield _asked(snapshot, kind, text, symbol, where)


def _asked(snapshot: Snapshot, kind: str, text: str, symbol: NamedSymbol, where: SymbolFilter) -> Outcome:
    started = time.perf_counter()
    wanted = Wanted.ONE if kind in ("id", "stable id", "with parameters") else Wanted.ANY
    try:
        found = find_target(snapshot, text, where, wanted)
        result = "found" if symbol.symbol_id in found.symbol_ids else "wrong"
        if result == "wrong" and (_is_twin(found, symbol) or _is_spelt_so(found, text)):
            result = "twin"
    except AmbiguousError:
        result = "candidates"
    except (NotFoundError, InvalidArgumentError):
        result = "not found"
    return Outcome(kind, text, result, 1000 * (time.perf_counter() - started))


def _is_twin(found: Target, symbol: NamedSymbol) -> bool:
    """By the rules of names, the type without type parameters comes before one with them, a declaration before a library's symbol, and a
    constructor of instances before the static one."""
    found_parts, parts = _without_arity(found.symbol_id), _without_arity(symbol.symbol_id)
    if parts[-1] == STATIC_CONSTRUCTOR:
        parts = (*parts[:-1], CONSTRUCTOR)
    return found_parts == parts or (not found.is_external and not symbol.is_declared and found_parts[-1] == parts[-1])


def _is_spelt_so(found: Target, text: str) -> bool:
    """What is named exactly so comes before what differs by letter case or by the suffix ``Attribute``."""
    return _without_arity(found.symbol_id)[-1] == text.rpartition(".")[2]


def _without_arity(symbol_id: str) -> tuple[str, ...]:
    return tuple(part.name for part in parse_id(symbol_id).parts)


def made_up(snapshot: Snapshot, count: int, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Names that do not exist: what was done, the name, and the simple name that it was made from."""
    names = snapshot.reader.vocabulary.names.names
    known = {name.lower() for name in (*names, *_library_names(snapshot))}
    usable = [name for name in names if name.isidentifier() and len(name) > 4]
    containers = [name for name in usable if name[0].isupper()]
    made = 0
    for _ in range(100 * count):
        if made == count:
            return
        name = chance.choice(usable)
        what, changed = _changed(name, chance)
        lowered = changed.lower()
        if lowered in known or f"{lowered}attribute" in known or not changed.isidentifier():
            continue
        made += 1
        yield what, f"{chance.choice(containers)}.{changed}" if made % 3 == 0 else changed, name


def _changed(name: str, chance: random.Random) -> tuple[str, str]:
    place = chance.randrange(1, len(name) - 1)
    what = chance.choice(["cut", "added", "lost", "doubled", "changed", "swapped", "prefixed"])
    match what:
        case "cut":
            capitals = [n for n, letter in enumerate(name) if n and letter.isupper()]
            return what, name[: capitals[-1]] if capitals else name[:-2]
        case "added":
            return what, f"{name}Builder"
        case "lost":
            return what, name[:place] + name[place + 1 :]
        case "doubled":
            return what, name[:place] + name[place] + name[place:]
        case "changed":
            return what, name[:place] + chance.choice(_LETTERS) + name[place + 1 :]
        case "swapped":
            return what, name[:place] + name[place + 1] + name[place] + name[place + 2 :]
        case _:
            return what, f"Mock{name[0].upper()}{name[1:]}"


def ask_made_up(snapshot: Snapshot, count: int, chance: random.Random) -> Iterator[Outcome]:
    for what, text, origin in made_up(snapshot, count, chance):
        started = time.perf_counter()
        suggested = False
        try:
            find_target(snapshot, text)
            result = "wrong"
        except AmbiguousError:
            result = "wrong"
        except NotFoundError as error:
            result = "refused"
            suggested = any(origin in each.display for each in error.details["candidates"])
        yield Outcome(what, text, result, 1000 * (time.perf_counter() - started), suggested)


def report(name: str, found: Sequence[Outcome], refused: Sequence[Outcome]) -> str:
    rows: list[tuple[str, ...]] = []
    for kind in dict.fromkeys(each.kind for each in found):
        counts = Counter(each.result for each in found if each.kind == kind)
        rows.append((kind, *(str(counts[each]) for each in ("found", "candidates", "twin", "not found", "wrong"))))
    near = [each for each in refused if each.kind in ("lost", "doubled", "changed", "swapped") and "." not in each.text]
    times = sorted(each.milliseconds for each in refused)
    lines = [
        f"{name}: {len(found)} spellings of symbols that exist, {len(refused)} names that do not.",
        table(("spelling", "found", "candidates", "twin", "not found", "wrong"), rows),
        f"Names that do not exist: {sum(each.result == 'refused' for each in refused)} refused, "
        f"{sum(each.result == 'wrong' for each in refused)} answered; of {len(near)} misspelt by one letter "
        f"{sum(each.suggested for each in near)} have the right suggestion; "
        f"p50 {statistics.median(times):.0f} ms, p95 {times[int(0.95 * (len(times) - 1))]:.0f} ms.",
    ]
    lines += [f"  {each.result}: {each.kind}: {each.text}" for each in found if each.result in ("not found", "wrong")][
        :20
    ]
    lines += [
        f"  candidates: {each.kind}: {each.text}"
        for each in found
        if each.result == "candidates" and each.kind in _UNIQUE
    ][:10]
    lines += [f"  answered: {each.text}" for each in refused if each.result == "wrong"][:20]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    failed = False
    for path in options.repositories:
        host = load_plugins()
        baseline = ensure_baseline(Repository.open(path), host, load_settings())
        with Snapshot.open(baseline.path, meanings=host.meanings) as snapshot:
            chance = random.Random(options.seed)
            found = list(ask_existing(snapshot, existing(snapshot, options.count, chance)))
            refused = list(ask_made_up(snapshot, options.count, chance))
        failed = failed or any(each.result in ("not found", "wrong") for each in (*found, *refused))
        sys.stdout.write(report(path.name, found, refused) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
