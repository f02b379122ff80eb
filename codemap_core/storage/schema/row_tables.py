"""Columns and indexes of the row tables, shared by the baseline and the overlay schema.

Identity: every symbol id that occurs anywhere, first-party or not, is one row of ``symbol_ids``; rows point at it by
number. Other repeated strings are rows of ``strings``. There is no foreign key on symbol ids: a reference may name a
symbol outside the index. Ownership: every row has the ``file_id`` of the one document that owns it. Numbers are
private to one database file.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Boolean, ForeignKey, Index, Integer, LargeBinary, Text, text
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

NAMING_CONVENTION: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
TYPE_ANNOTATION_MAP: Final[dict[Any, Any]] = {str: Text, int: Integer, bool: Boolean, bytes: LargeBinary}
WITHOUT_ROWID: Final[dict[str, Any]] = {"sqlite_with_rowid": False}

TableArguments = tuple[Any, ...]


class ProjectRows:
    """A project as evaluated. Lists are JSON arrays, as in ``model.Project``; its files are ``file_projects`` rows.
    Numbered in path order."""

    __tablename__ = "projects"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (Index(None, "project_path", unique=True),)

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


class SolutionRows:
    __tablename__ = "solutions"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (Index(None, "path", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str]
    projects: Mapped[str]
    """JSON array of project paths, in file order."""


class FileRows:
    """One document. ``id`` follows the order of insertion."""

    __tablename__ = "files"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (Index(None, "path", unique=True),)

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


class FileProjectRows:
    """Which projects compile a file."""

    __tablename__ = "file_projects"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (
            Index(None, "project_id"),
            WITHOUT_ROWID,
        )

    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"), primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id"), primary_key=True)


class FileTextRows:
    """The decoded text of a file: UTF-8 (lone surrogates passed through), zlib-compressed. No row for a skipped
    file."""

    __tablename__ = "file_texts"

    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"), primary_key=True)
    text: Mapped[bytes]


class SymbolIdRows:
    __tablename__ = "symbol_ids"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (Index(None, "symbol_id", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    symbol_id: Mapped[str]


class StringRows:
    __tablename__ = "strings"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (Index(None, "value", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[str]


class SymbolRows:
    """One symbol of one project, at its first part in path order. ``id`` is also the rowid of ``symbols_fts``."""

    __tablename__ = "symbols"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (
            Index(None, "symbol"),
            Index(None, "container"),
            Index(None, "stable_id"),
            Index(None, "file_id"),
            Index(None, "name"),
            Index(None, "kind", "repeated", "fully_qualified_name"),
        )

    id: Mapped[int] = mapped_column(primary_key=True)
    symbol: Mapped[int]
    """``symbol_ids.id``."""
    container: Mapped[int | None]
    """``symbol_ids.id`` of the containing type."""
    stable_id: Mapped[str]
    kind: Mapped[str]
    name: Mapped[str] = mapped_column(Text(collation="NOCASE"))
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
    repeated: Mapped[bool]
    """An earlier row declares the same id in the same file, for another project or condition; left out of searches."""


class SymbolPartRows:
    """Further declarations of a partial symbol. ``symbol_row`` is ``symbols.id``; ``ordinal`` counts from 0 in path
    order."""

    __tablename__ = "symbol_parts"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (
            Index(None, "file_id"),
            WITHOUT_ROWID,
        )

    symbol_row: Mapped[int] = mapped_column(ForeignKey("symbols.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    span_start: Mapped[int]
    span_end: Mapped[int]


class RefRows:
    """One reference. ``kind``, ``state``, ``confidence``: numbers of ``codes``; ``*_symbol`` and ``constructor``:
    ``symbol_ids.id``; ``to_name``, ``to_container_hint``, ``reason``, ``condition``, ``role``: ``strings.id``. ``line_span``:
    further lines, mostly 0."""

    __tablename__ = "refs"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (
            Index(None, "to_symbol", "kind"),
            Index(None, "from_symbol", "kind"),
            Index(None, "constructor", sqlite_where=text("constructor IS NOT NULL")),
            Index(None, "to_name", sqlite_where=text("to_symbol IS NULL")),
            Index(None, "file_id"),
        )

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
    is_virtual: Mapped[bool] = mapped_column(server_default=text("0"))
    confidence: Mapped[int]
    reason: Mapped[int | None]
    condition: Mapped[int | None]
    role: Mapped[int | None]
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))


class RelationRows:
    """A base type or interface of a type. ``from_symbol``, ``to_symbol``: ``symbol_ids.id``; ``condition``:
    ``strings.id``."""

    __tablename__ = "relations"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (
            Index(None, "from_symbol"),
            Index(None, "to_symbol"),
            Index(None, "file_id"),
        )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    from_symbol: Mapped[int]
    to_symbol: Mapped[int]
    external: Mapped[bool]
    display_name: Mapped[str]
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    condition: Mapped[int | None]
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))


class LibrarySymbolRows:
    """A symbol that is not declared here, but named by a reference or a base list, by one of these, or a base of one of these. ``id``,
    ``container``: ``symbol_ids.id``. ``kind``: null where only the id is known, and it is a type's."""

    __tablename__ = "library_symbols"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (Index(None, "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str | None]
    name: Mapped[str] = mapped_column(Text(collation="NOCASE"))
    fully_qualified_name: Mapped[str]
    signature: Mapped[str]
    container: Mapped[int | None]
    assembly: Mapped[str]
    version: Mapped[str]


class LibraryBaseRows:
    """The base type and interfaces of a library's type, in order: the base type first. ``symbol``, ``base``: ``symbol_ids.id``."""

    __tablename__ = "library_bases"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (WITHOUT_ROWID,)

    symbol: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    base: Mapped[int]


class FactRows:
    """``symbol``: ``symbol_ids.id`` of the owner; null for what no symbol owns. ``detail``: a JSON object."""

    __tablename__ = "facts"

    @declared_attr.directive
    def __table_args__(cls) -> TableArguments:
        return (
            Index(None, "symbol"),
            Index(None, "kind", "value"),
            Index(None, "file_id"),
        )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    value: Mapped[str]
    detail: Mapped[str]
    symbol: Mapped[int | None]
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    line_start: Mapped[int]
    line_end: Mapped[int]
    confidence: Mapped[str]
    project_id: Mapped[int | None] = mapped_column(ForeignKey("projects.id"))
