"""The overlay schema: whole documents that replace or hide those of one baseline, for one workspace.

Merging is by owning document, never by symbol id: a baseline row is visible unless its file is in ``replaced_files``;
every row of the overlay is visible. Schema changes: as for the baseline.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import CheckConstraint, Index, MetaData, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from codemap_core.storage.row_tables import (
    NAMING_CONVENTION,
    TYPE_ANNOTATION_MAP,
    WITHOUT_ROWID,
    FactColumns,
    FileColumns,
    FileProjectColumns,
    FileTextColumns,
    ProjectColumns,
    RefColumns,
    RelationColumns,
    SolutionColumns,
    StringColumns,
    SymbolColumns,
    SymbolIdColumns,
    SymbolPartColumns,
)

HEAD_REVISION: Final = "o0001_initial"
VERSION_TABLE: Final = "overlay_schema_version"


class OverlayBase(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map = TYPE_ANNOTATION_MAP


class Info(OverlayBase):
    """One row about the overlay itself."""

    __tablename__ = "info"
    __table_args__ = (CheckConstraint("id = 1", name="single_row"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    codemap_version: Mapped[str]
    fingerprint: Mapped[str]
    """Equal to the baseline's, or the overlay must be made again."""
    repo_id: Mapped[str]
    workspace_id: Mapped[str]
    baseline_commit_sha: Mapped[str]
    subtree: Mapped[str]
    solution: Mapped[str]
    revision: Mapped[int]
    """The newest of ``revisions``; 0 for none."""
    semantic_level: Mapped[str]
    project_diagnostics: Mapped[str]
    created_at: Mapped[str]
    last_accessed_at: Mapped[str]


class Revision(OverlayBase):
    """One refresh that changed something."""

    __tablename__ = "revisions"

    revision: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[str]
    files_reindexed: Mapped[int]
    symbols_updated: Mapped[int]


class ReplacedFile(OverlayBase):
    """A baseline document that this overlay hides. With a row in ``files`` of the same path it is replaced, without
    one it is deleted."""

    __tablename__ = "replaced_files"
    __table_args__ = (WITHOUT_ROWID,)

    path: Mapped[str] = mapped_column(primary_key=True)
    deleted: Mapped[bool]
    """A tombstone: the document no longer exists."""
    revision: Mapped[int]


class Project(ProjectColumns, OverlayBase):
    __tablename__ = "projects"
    __table_args__ = (Index(None, "project_path", unique=True),)


class Solution(SolutionColumns, OverlayBase):
    __tablename__ = "solutions"
    __table_args__ = (Index(None, "path", unique=True),)


class File(FileColumns, OverlayBase):
    __tablename__ = "files"
    __table_args__ = (Index(None, "path", unique=True),)


class FileProject(FileProjectColumns, OverlayBase):
    __tablename__ = "file_projects"
    __table_args__ = (Index(None, "project_id"), WITHOUT_ROWID)


class FileText(FileTextColumns, OverlayBase):
    __tablename__ = "file_texts"


class SymbolId(SymbolIdColumns, OverlayBase):
    __tablename__ = "symbol_ids"
    __table_args__ = (Index(None, "symbol_id", unique=True),)


class String(StringColumns, OverlayBase):
    __tablename__ = "strings"
    __table_args__ = (Index(None, "value", unique=True),)


class Symbol(SymbolColumns, OverlayBase):
    __tablename__ = "symbols"
    __table_args__ = (
        Index(None, "symbol"),
        Index(None, "container"),
        Index(None, "stable_id"),
        Index(None, "file_id"),
        Index("ix_symbols_name", text("name COLLATE NOCASE")),
        Index(None, "kind", "fully_qualified_name"),
    )


class SymbolPart(SymbolPartColumns, OverlayBase):
    __tablename__ = "symbol_parts"
    __table_args__ = (Index(None, "file_id"), WITHOUT_ROWID)


class Ref(RefColumns, OverlayBase):
    __tablename__ = "refs"
    __table_args__ = (
        Index(None, "to_symbol", "kind"),
        Index(None, "from_symbol", "kind"),
        Index(None, "constructor", sqlite_where=text("constructor IS NOT NULL")),
        Index(None, "to_name", sqlite_where=text("to_symbol IS NULL")),
        Index(None, "file_id"),
    )


class Relation(RelationColumns, OverlayBase):
    __tablename__ = "relations"
    __table_args__ = (Index(None, "from_symbol"), Index(None, "to_symbol"), Index(None, "file_id"))


class Fact(FactColumns, OverlayBase):
    __tablename__ = "facts"
    __table_args__ = (Index(None, "symbol"), Index(None, "kind", "value"), Index(None, "file_id"))
