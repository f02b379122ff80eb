"""The parse floor: every C# file of a commit parsed once with py-tree-sitter, in one process and nothing else done.

python tests/benchmarks/parse_floor.py REPO [COMMIT]        prints one JSON object
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec
import tree_sitter_c_sharp
from msgspec import Struct
from tree_sitter import Language, Parser

from codemap_core.repository import CommitFiles, Repository


class Floor(Struct, frozen=True):
    """``seconds``: processor time of the parses alone, which is their wall time on an idle machine; reading the files is not in it."""

    seconds: float
    files: int
    bytes: int
    lines: int


def measure(repository: Path, commit: str = "") -> Floor:
    opened = Repository.open(repository)
    with CommitFiles(opened, opened.resolve_commit(commit)) as files:
        sources = [content for _, content in files.read_many([p for p in files.paths if p.lower().endswith(".cs")])]
    parser = Parser(Language(tree_sitter_c_sharp.language()))
    started = time.process_time()
    for source in sources:
        parser.parse(source)
    elapsed = time.process_time() - started
    return Floor(elapsed, len(sources), sum(map(len, sources)), sum(source.count(b"\n") for source in sources))


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(measure(Path(sys.argv[1]), *sys.argv[2:])))
