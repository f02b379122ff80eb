"""The parse floor: every file of a commit that is analysed, C# and TypeScript, parsed once with py-tree-sitter, in one process and nothing
else done.

python tests/benchmarks/parse_floor.py REPO [COMMIT]        prints one JSON object
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final

import msgspec
import tree_sitter_c_sharp
import tree_sitter_typescript
from msgspec import Struct
from tree_sitter import Language, Parser

from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline.discover import suffix_of
from codemap_core.pipeline.file_questions import left_out
from codemap_core.repository import MAX_SOURCE_SIZE, CommitFiles, Repository

GRAMMARS: Final = {
    "csharp": tree_sitter_c_sharp.language,
    "typescript": tree_sitter_typescript.language_typescript,
    "tsx": tree_sitter_typescript.language_tsx,
}
"""By dialect of a front end."""


class Floor(Struct, frozen=True):
    """``seconds``: processor time of the parses alone, which is their wall time on an idle machine; reading the files is not in it."""

    seconds: float
    files: int
    bytes: int
    lines: int


def analysed(files: CommitFiles) -> dict[str, str]:
    """By path of each file that CodeMap parses as it is, its dialect."""
    host = load_plugins()
    found: dict[str, str] = {}
    for language in host.languages:
        paths = [
            blob.path
            for blob in files.blobs
            if language.dialects.get(suffix_of(blob.path)) in GRAMMARS and blob.size <= MAX_SOURCE_SIZE
        ]
        out, _ = left_out(language, host.owner_of(language), paths)
        found.update({path: language.dialects[suffix_of(path)] for path in paths if path not in out})
    return found


def measure(repository: Path, commit: str = "") -> Floor:
    opened = Repository.open(repository)
    with CommitFiles(opened, opened.resolve_commit(commit)) as files:
        dialects = analysed(files)
        sources = [(dialects[path], content) for path, content in files.read_many(list(dialects))]
    parsers = {dialect: Parser(Language(grammar())) for dialect, grammar in GRAMMARS.items()}
    started = time.process_time()
    for dialect, source in sources:
        parsers[dialect].parse(source)
    elapsed = time.process_time() - started
    contents = [source for _, source in sources]
    return Floor(elapsed, len(contents), sum(map(len, contents)), sum(source.count(b"\n") for source in contents))


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(measure(Path(sys.argv[1]), *sys.argv[2:])))
