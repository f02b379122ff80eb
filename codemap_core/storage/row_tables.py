"""Columns of the row tables, shared by the baseline and the overlay schema.

Identity: every symbol id that occurs anywhere, first-party or not, is one row of ``symbol_ids``; rows point at it by
number. Other repeated strings are rows of ``strings``. There is no foreign key on symbol ids: a reference may name a
symbol outside the index. Ownership: every row has the ``file_id`` of the one document that owns it. Numbers are
private to one database file.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Boolean, ForeignKey, Integer, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

NAMING_CONVENTION: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
TYPE_ANNOTATION_MAP: Final[dict[Any, Any]] = {str: Text, int: Integer, bool: Boolean, bytes: LargeBinary}
WITHOUT_ROWID: Final = {"sqlite_with_rowid": False}


class ProjectColumns:
    """A project as evaluated. Lists are JSON arrays, as in ``model.Project``; its files are ``file_projects`` rows.
    Numbered in path order."""

    id: Mapped[int] = mapped_column(primary_key=True)
    project_path: Mapped[str]
    name: Mapped[str]
    assembly_name: Mapped[str]
    sdk: Mapped[str | None]
    target_framework: Mapped[str | None]
    target_frameworks: Mapped[str]
    project_references: Mapped[str]
    packages: Mapped[str]
    """JSON array of [id, version or null]."""
    usings: Mapped[str]
    defines: Mapped[str]
    settings: Mapped[str]
    """JSON object: the remaining fields of ``model.Project`` by name."""


class SolutionColumns:
    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str]
    projects: Mapped[str]
    """JSON array of project paths, in file order."""


class FileColumns:
    """One document. ``id`` follows the order of insertion."""

    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str]
    sha256: Mapped[str]
    blob_id: Mapped[str]
    language: Mapped[str]
    line_count: Mapped[int]
    size: Mapped[int]
    generated: Mapped[bool]
    status: Mapped[str]
    problems: Mapped[str | None]
    """JSON array of [code, message, line]; null when there is none."""


class FileProjectColumns:
    """Which projects compile a file."""

    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"), primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)


class FileTextColumns:
    """The decoded text of a file: UTF-8 (lone surrogates passed through), zlib-compressed. No row for a skipped
    file."""

    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"), primary_key=True)
    text: Mapped[bytes]


class SymbolIdColumns:
    id: Mapped[int] = mapped_column(primary_key=True)
    symbol_id: Mapped[str]


class StringColumns:
    id: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[str]


class SymbolColumns:
    """One symbol of one project, at its first part in path order. ``id`` is also the rowid of ``symbols_fts``."""

    id: Mapped[int] = mapped_column(primary_key=True)
    symbol: Mapped[int]
    """``symbol_ids.id``."""
    container: Mapped[int | None]
    """``symbol_ids.id`` of the containing type."""
    stable_id: Mapped[str]
    kind: Mapped[str]
    name: Mapped[str]
    fully_qualified_name: Mapped[str]
    signature: Mapped[str]
    summary: Mapped[str | None]
    """Null: no documentation comment."""
    documentation: Mapped[str | None]
    """The sections other than the summary."""
    namespace: Mapped[str]
    containing_type: Mapped[str | None]
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))
    span_start: Mapped[int]
    span_end: Mapped[int]
    name_line: Mapped[int]
    name_column: Mapped[int]
    visibility: Mapped[str]
    is_static: Mapped[bool]
    modifiers: Mapped[str]
    """Space-separated."""
    confidence: Mapped[str]
    condition: Mapped[str | None]
    content_hash: Mapped[str]


class SymbolPartColumns:
    """Further declarations of a partial symbol. ``symbol_row`` is ``symbols.id``; ``ordinal`` counts from 0 in path
    order."""

    symbol_row: Mapped[int] = mapped_column(ForeignKey("symbols.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    span_start: Mapped[int]
    span_end: Mapped[int]


class RefColumns:
    """One reference. ``kind``, ``state``, ``confidence``: numbers of ``codes``; ``*_symbol`` and ``constructor``:
    ``symbol_ids.id``; ``to_name``, ``to_container_hint``, ``reason``, ``condition``: ``strings.id``. ``line_span``:
    further lines, mostly 0."""

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[int]
    from_symbol: Mapped[int | None]
    to_symbol: Mapped[int | None]
    constructor: Mapped[int | None]
    to_name: Mapped[int]
    to_container_hint: Mapped[int | None]
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    line: Mapped[int]
    column: Mapped[int]
    line_span: Mapped[int]
    state: Mapped[int]
    external: Mapped[bool]
    confidence: Mapped[int]
    reason: Mapped[int | None]
    condition: Mapped[int | None]
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))


class RelationColumns:
    """A base type or interface of a type. ``from_symbol``, ``to_symbol``: ``symbol_ids.id``; ``condition``:
    ``strings.id``."""

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    from_symbol: Mapped[int]
    to_symbol: Mapped[int]
    external: Mapped[bool]
    display_name: Mapped[str]
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))
    condition: Mapped[int | None]


class FactColumns:
    """``symbol``: ``symbol_ids.id``."""

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    value: Mapped[str]
    symbol: Mapped[int]
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    line_start: Mapped[int]
    line_end: Mapped[int]
    confidence: Mapped[str]
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))
