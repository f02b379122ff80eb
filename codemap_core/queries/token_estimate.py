"""How many tokens an answer saved: an estimate that can be checked.

    tokens(text)  = characters / 4, rounded up
    tokens_saved  = max(0, tokens of the files that hold the answer − tokens of the answer)

The files that hold the answer are those an agent without an index would have read to find it: the files of the
symbols or lines shown, each once. Files are counted by their size in bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_core.queries.snapshot import Snapshot

CHARACTERS_PER_TOKEN: Final = 4


def tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def tokens_saved(snapshot: Snapshot, answer_files: Iterable[str], answer_characters: int) -> int:
    """``answer_files``: paths of the files that hold the answer; others than indexed ones count nothing."""
    read = sum(content.size for content in snapshot.reader.contents.of(answer_files).values())
    return max(0, tokens(read) - tokens(answer_characters))
