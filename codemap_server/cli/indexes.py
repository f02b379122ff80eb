"""The index that a command asks, opened for it and closed after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository


@contextmanager
def asked_index(folder: Path | None, commit: str) -> Iterator[tuple[Repository, Snapshot]]:
    """The repository around ``folder`` and the index that answers for it, as the server finds them.
    Raises: InvalidArgumentError, NotFoundError, IndexNotAvailableError, StorageError."""
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_server.call_context import ServerCallContext
    from codemap_server.calls import CallControl
    from codemap_server.composition import Composition
    from codemap_server.serve import start_folder

    composition = Composition(load_settings(), load_plugins(), start_folder(folder))
    try:
        repository = composition.repository("")
        yield repository, ServerCallContext(composition, CallControl()).snapshot("", commit)
    finally:
        composition.close()
