"""How well ``find_similar`` finds what is alike, beside BM25 over identifiers, and how fast.

    python -m tests.benchmarks.similarity FOLDER... [--document docs/codeagent.md]

For each repository (its HEAD is indexed if need be) three tasks, each as recall at 10, over at most ``SAMPLE`` questions:

- renamed clones: types are copied into a file of their own with every name that they declare changed; who asks for a method of the copy
  looks for the original;
- interface siblings: the types that implement the same interface of the repository;
- roles: the types whose names end in the same word, 3 to 30 of them.

BM25 ranks the same symbols by the words of their own name and of the names that they mention.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from codemap_core.config import load_settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.model import SymbolKind
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_core.storage.reading import bulk_rows
from codemap_core.storage.schema.fulltext import name_words
from codemap_plugins.codeagent.similarity import Similarity, model_of
from codemap_plugins.codeagent.vectors import Vectors
from tests.benchmarks.report import replace_figures, table

SAMPLE = 300
TOP = 10
TYPES = frozenset(kind.value for kind in SymbolKind if kind.is_type)
Rank = Callable[[int], list[int]]


class Corpus:
    """Symbols of an index as both methods see them, by the numbers of their rows."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.symbols = bulk_rows.declared(snapshot.reader)
        self.by_row = {symbol.row: symbol for symbol in self.symbols}
        self.by_number = {symbol.number: symbol for symbol in self.symbols}
        self.ids = bulk_rows.ids(snapshot.reader)
        self.bases = bulk_rows.base_types(snapshot.reader)
        self.words: dict[int, list[str]] = {symbol.row: name_words(symbol.name) for symbol in self.symbols}
        for source, target, _ in bulk_rows.mentions(snapshot.reader):
            symbol = self.by_number.get(source)
            if symbol is not None:
                bare = self.ids[target].partition("(")[0].partition("`")[0].rpartition(".")[2]
                words = name_words(bare)
                self.words[symbol.row] += words
                around = self.by_number.get(symbol.container or 0)
                if around is not None:
                    self.words[around.row] += words

    def ids_of(self, row: int) -> str:
        return self.ids[self.by_row[row].number]


class Bm25:
    """Ranks the symbols of a corpus by the words of one of them."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._rows = [symbol.row for symbol in corpus.symbols]
        self._is_type = np.array([symbol.kind in TYPES for symbol in corpus.symbols])
        self._postings: dict[str, dict[int, int]] = defaultdict(dict)
        for index, row in enumerate(self._rows):
            for word in corpus.words[row]:
                self._postings[word][index] = self._postings[word].get(index, 0) + 1
        lengths = np.array([len(corpus.words[row]) for row in self._rows], dtype=np.float32)
        self._length = 1.2 * (0.25 + 0.75 * lengths / max(1.0, float(lengths.mean())))
        self._places = {row: index for index, row in enumerate(self._rows)}

    def __call__(self, row: int) -> list[int]:
        scores = np.zeros(len(self._rows), dtype=np.float32)
        for word in set(self._corpus.words[row]):
            posting = self._postings[word]
            places = np.fromiter(posting.keys(), dtype=np.int64)
            counts = np.fromiter(posting.values(), dtype=np.float32)
            rarity = np.log(1 + (len(self._rows) - len(posting) + 0.5) / (len(posting) + 0.5))
            scores[places] += rarity * counts * 2.2 / (counts + self._length[places])
        own = self._places[row]
        scores[self._is_type != self._is_type[own]] = -1
        scores[own] = -1
        return [self._rows[index] for index in np.argsort(-scores, kind="stable")[:TOP]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--document", type=Path, help="a page whose figures are replaced")
    arguments = parser.parse_args()
    rows = []
    for folder in arguments.folders:
        snapshot = indexed(folder)
        started = time.perf_counter()
        similar = Similarity(model_of(load_settings())).build(snapshot)
        made = time.perf_counter() - started
        corpus = Corpus(snapshot)
        bm25 = Bm25(corpus)
        times: list[float] = []

        def ours(row: int, similar: Vectors = similar, times: list[float] = times) -> list[int]:
            before = time.perf_counter()
            found = nearest(similar, row)
            times.append(1000 * (time.perf_counter() - before))
            return found

        tasks = {"siblings": siblings(corpus), "roles": roles(corpus)}
        found = {name: (recall(ours, task), recall(bm25, task)) for name, task in tasks.items()}
        found["clones"] = clones(folder)
        p95 = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else 0.0
        cells = [
            f"{mine:.3f} / {theirs:.3f}" for mine, theirs in (found[name] for name in ("clones", "siblings", "roles"))
        ]
        rows.append([folder.name, f"{len(corpus.symbols):,}", *cells, f"{p95:.1f}", f"{made:.1f}"])
    text = table(["repository", "vectors", "clones", "siblings", "roles", "p95 ms", "made in s"], rows)
    sys.stdout.write(f"{text}\n")
    if arguments.document is not None:
        replace_figures(arguments.document, text, "similarity")


def nearest(similar: Vectors, row: int) -> list[int]:
    return [each.number for each in similar.nearest(row, TOP) or ()]


def indexed(folder: Path) -> Snapshot:
    made = ensure_baseline(Repository.open(folder), load_plugins(), load_settings())
    return Snapshot.open(made.path)


def recall(rank: Rank, task: dict[int, set[int]]) -> float:
    """Mean share of what was looked for among the first ten, of as many as ten can hold."""
    rows = sorted(task)
    random.Random(5).shuffle(rows)
    shares = [len(task[row].intersection(rank(row))) / min(TOP, len(task[row])) for row in rows[:SAMPLE]]
    return statistics.fmean(shares) if shares else float("nan")


def siblings(corpus: Corpus) -> dict[int, set[int]]:
    """Types that implement the same interface of the repository, 3 to 40 of them."""
    filling: dict[int, set[int]] = defaultdict(set)
    for number, base in corpus.bases:
        symbol, above = corpus.by_number.get(number), corpus.by_number.get(base)
        if (
            symbol is not None
            and above is not None
            and above.kind == SymbolKind.INTERFACE
            and symbol.kind != SymbolKind.INTERFACE
        ):
            filling[base].add(symbol.row)
    return _together(each for each in filling.values() if 3 <= len(each) <= 40)


def roles(corpus: Corpus) -> dict[int, set[int]]:
    named: dict[str, set[int]] = defaultdict(set)
    for symbol in corpus.symbols:
        if symbol.kind == SymbolKind.CLASS and len(words := name_words(symbol.name)) > 1:
            named[words[-1]].add(symbol.row)
    return _together(each for each in named.values() if 3 <= len(each) <= 30)


def _together(groups: Iterable[set[int]]) -> dict[int, set[int]]:
    task: dict[int, set[int]] = defaultdict(set)
    for group in groups:
        for row in group:
            task[row] |= group - {row}
    return task


def clones(folder: Path) -> tuple[float, float]:
    """Recall of ours and of BM25. The copies are made in a clone of the repository."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "clone"
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns("bin", "obj"))
        renamed = _copy_renamed(copy, indexed(folder))
        git = [
            "git",
            "-C",
            str(copy),
            "-c",
            "user.name=b",
            "-c",
            "user.email=b@example.com",
            "-c",
            "core.hooksPath=/dev/null",
        ]
        subprocess.run([*git, "add", "--all", "--force"], check=True, capture_output=True)
        subprocess.run([*git, "commit", "--quiet", "--message", "Clones"], check=True, capture_output=True)
        snapshot = indexed(copy)
        corpus = Corpus(snapshot)
        similar = Similarity(model_of(load_settings())).build(snapshot)
        rows = {corpus.ids_of(row): row for row in corpus.by_row}
        task = {rows[new]: {rows[old]} for new, old in renamed.items() if new in rows and old in rows}
        ours = recall(lambda row: nearest(similar, row), task)
        return ours, recall(Bm25(corpus), task)


def _copy_renamed(copy: Path, snapshot: Snapshot) -> dict[str, str]:
    """Copies files that declare one type, all names that the file declares changed; ids of methods of the copies, and of the originals."""
    chance = random.Random(7)
    found: dict[str, str] = {}
    documents = [each.file_path for each in snapshot.reader.documents() if each.language == "csharp" and each.projects]
    chance.shuffle(documents)
    for path in documents:
        declared = snapshot.reader.symbols_in_file(path)
        types = [symbol for symbol in declared if symbol.kind.is_type]
        methods = [s for s in declared if s.kind is SymbolKind.METHOD and s.span_end - s.span_start >= 5]
        if len(types) != 1 or types[0].other_parts or not methods or "<" in types[0].fully_qualified_name:
            continue
        names = {symbol.name for symbol in declared if symbol.name.isidentifier()}
        text = snapshot.reader.file_text(path) or ""
        names |= set(re.findall(r"\b(?:var|int|string|bool|[A-Z]\w*)\s+([a-z]\w*)\s*(?:=|;|,|\))", text))
        names -= {"value", "when", "var", "new", "return", "in", "is", "and", "or", "not"}
        changed = {name: f"{name[0]}{''.join(chance.choices('bdfgklmnprstvz', k=6))}" for name in sorted(names)}
        body = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: changed.get(word[0], word[0]), text)  # noqa: B023 - used at once
        target = copy / path
        target.with_name(f"Clone_{target.name}").write_text(body, encoding="utf-8")
        for method in methods:
            new = method.symbol_id
            for name, other in changed.items():
                new = re.sub(rf"\b{name}\b", other, new)
            found[new] = method.symbol_id
        if len(found) > 2 * SAMPLE:
            break
    return found


if __name__ == "__main__":
    main()
