"""Concludes which of the tables that migrations create are left once all of them have run.

The migrations of a context in a project run in the order of their ids, and what one does in the order of the text. What ``Down`` creates
is there only while a migration is undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from codemap_core.hooks.extractors import Note
from codemap_core.model import FactKind, FactRow
from codemap_plugins.db_table.model_notes import Does, Operation
from codemap_plugins.db_table.rows import shown, with_schema

_Key: TypeAlias = tuple[str, str]
"""Schema and name of a table, in lower case."""


def migration_conclusions(operations: Sequence[tuple[Note, Operation]]) -> Iterator[FactRow]:
    """A row for each table that is created, wherever that is."""
    histories: dict[tuple[str, str], _History] = {}
    for _, each in sorted(operations, key=lambda pair: (pair[1].migration, pair[1].span.at)):
        histories.setdefault((each.project, each.context), _History()).apply(each)
    for note, each in operations:
        if each.does in (Does.CREATES, Does.MAY_CREATE, Does.CREATES_AGAIN):
            yield _row(note.file_path, each, histories[each.project, each.context])


class _History:
    def __init__(self) -> None:
        self.left: Final[set[_Key]] = set()
        self.renamed: Final[dict[_Key, str]] = {}
        """What became of those that are not left, if they are called differently."""

    def apply(self, operation: Operation) -> None:
        key = _key(operation.schema, operation.table)
        match operation.does:
            case Does.CREATES:
                self._add(key)
            case Does.DROPS:
                self.left.discard(key)
            case Does.RENAMES:
                self.left.discard(key)
                self.renamed[key] = with_schema(operation.new_table, operation.new_schema)
                self._add(_key(operation.new_schema, operation.new_table))

    def _add(self, key: _Key) -> None:
        self.left.add(key)
        self.renamed.pop(key, None)


def _key(schema: str, table: str) -> _Key:
    return schema.lower(), table.lower()


def _row(file_path: str, operation: Operation, history: _History) -> FactRow:
    key, span = _key(operation.schema, operation.table), operation.span
    is_past = operation.does is Does.CREATES_AGAIN or (operation.does is Does.CREATES and key not in history.left)
    detail: dict[str, Any] = {
        "at": span.at,
        "table": operation.table,
        "schema": operation.schema or None,
        "source": "migration",
        "past": is_past or None,
        "renamed_to": history.renamed.get(key) if is_past else None,
    }
    return FactRow(
        kind=FactKind.DB_TABLE,
        value=shown(operation.table, operation.schema, "CreateTable"),
        detail={name: held for name, held in detail.items() if held is not None},
        symbol_id=span.owner,
        file_path=file_path,
        line_start=span.line_start,
        line_end=span.line_end,
        confidence=span.confidence,
    )
