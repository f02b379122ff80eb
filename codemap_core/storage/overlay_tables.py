"""The overlay schema: whole documents that replace or hide those of one baseline, for one workspace.

Merging is by owning document, never by symbol id: a baseline row is visible unless its file is in ``replaced_files``;
every row of the overlay is visible. Schema changes: as for the baseline.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import CheckConstraint, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from codemap_core.storage.row_tables import (
    NAMING_CONVENTION,
    TYPE_ANNOTATION_MAP,
    WITHOUT_ROWID,
    FactRows,
    FileProjectRows,
    FileRows,
    FileTextRows,
    ProjectRows,
    RefRows,
    RelationRows,
    SolutionRows,
    StringRows,
    SymbolIdRows,
    SymbolPartRows,
    SymbolRows,
)

HEAD_REVISION: Final = "o0003_open_facts"
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


class Project(ProjectRows, OverlayBase):
    pass


class Solution(SolutionRows, OverlayBase):
    pass


class File(FileRows, OverlayBase):
    pass


class FileProject(FileProjectRows, OverlayBase):
    pass


class FileText(FileTextRows, OverlayBase):
    pass


class SymbolId(SymbolIdRows, OverlayBase):
    pass


class String(StringRows, OverlayBase):
    pass


class Symbol(SymbolRows, OverlayBase):
    pass


class SymbolPart(SymbolPartRows, OverlayBase):
    pass


class Ref(RefRows, OverlayBase):
    pass


class Relation(RelationRows, OverlayBase):
    pass


class Fact(FactRows, OverlayBase):
    pass
