"""The running total of saved tokens, ``_savings.json`` in the data directory, shared by all processes.

Losing it harms nobody: a missing or damaged file counts as zero. Updates are serialised by a lock and put in place in
one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.storage.files.durable_files import temporary_file, unwritable
from codemap_core.storage.files.lock import file_lock

DOLLARS_PER_THOUSAND_TOKENS: Final[Mapping[str, float]] = {"claude_sonnet": 0.003, "claude_opus": 0.015, "gpt4": 0.01}


class SavingsTotal(Struct, frozen=True):
    tokens_saved_total: int = 0
    cost_avoided_total: Mapping[str, float] = msgspec.field(default_factory=dict)
    """US dollars by model."""
    last_updated: str = ""
    """ISO 8601, UTC."""


def cost_avoided(tokens: int) -> dict[str, float]:
    """The cost that the tokens would have had, in US dollars by model."""
    return {model: round(tokens / 1000 * rate, 6) for model, rate in DOLLARS_PER_THOUSAND_TOKENS.items()}


def read_savings(path: Path) -> SavingsTotal:
    """The total so far; zero when there is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavingsTotal)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return SavingsTotal()


def add_savings(path: Path, tokens: int) -> SavingsTotal:
    """Adds to the total and returns it. Raises: StorageError when the folder cannot be written."""
    with file_lock(path):
        total = read_savings(path).tokens_saved_total + tokens
        now = datetime.now(UTC).isoformat(timespec="seconds")
        savings = SavingsTotal(total, cost_avoided(total), now)
        temporary = temporary_file(path)
        try:
            temporary.write_bytes(msgspec.json.encode(savings))
            temporary.replace(path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise unwritable(path, error) from error
    return savings
