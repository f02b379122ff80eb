"""The errors for what can be wrong with an index file. Each message ends with the command or the action that helps."""

from __future__ import annotations

from codemap_core.errors import StorageError


class CorruptIndexError(StorageError):
    """The file is not a database, is truncated, or has damaged pages: build it again."""


class NewerIndexError(StorageError):
    """The file was written by a newer CodeMap than this one."""


class RebuildRequiredError(StorageError):
    """The file cannot be brought up to date: what it holds must be extracted again."""
