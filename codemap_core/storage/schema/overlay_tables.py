"""What the file of a workspace holds beside the rows: which baseline it came from, its revisions, and the files that it shows otherwise.

The rows themselves are those of the baseline schema: the file begins as a copy of the baseline, and each refresh replaces whole documents
in it (docs/adr/0104). Schema changes: as for the baseline.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from codemap_core.storage.schema.row_tables import NAMING_CONVENTION, TYPE_ANNOTATION_MAP, WITHOUT_ROWID


class OverlayBase(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map = TYPE_ANNOTATION_MAP


class Workspace(OverlayBase):
    """One row about the workspace itself. The baseline's commit and scope are in ``info``."""

    __tablename__ = "workspace"
    __table_args__ = (CheckConstraint("id = 1", name="single_row"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    root: Mapped[str]
    """The working tree whose files it shows."""
    follows: Mapped[bool]
    """It shows every edit of the working tree; otherwise what it was told to show."""
    revision: Mapped[int]
    """The newest of ``revisions``; 0 for none."""
    created_at: Mapped[str]
    """ISO 8601, UTC, as all times here."""
    refreshed_at: Mapped[str]


class Revision(OverlayBase):
    """One refresh that changed something."""

    __tablename__ = "revisions"

    revision: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[str]
    files_reindexed: Mapped[int]
    symbols_updated: Mapped[int]


class ReplacedFile(OverlayBase):
    """A file that the workspace shows otherwise than its baseline."""

    __tablename__ = "replaced_files"
    __table_args__ = (WITHOUT_ROWID,)

    path: Mapped[str] = mapped_column(primary_key=True)
    blob_id: Mapped[str | None]
    """Null for a file that does not exist any more."""
    size: Mapped[int]
    revision: Mapped[int]
    """The one that brought it in."""
