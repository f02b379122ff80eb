"""The baseline schema: everything visible of one (repository, commit). Written once by ``BaselineWriter``, then read
only.

Schema changes: edit here and add a revision, then write ``baseline.sql`` again (``schema_text``); tests compare them.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from codemap_core.storage.schema.row_tables import (
    NAMING_CONVENTION,
    TYPE_ANNOTATION_MAP,
    FactRows,
    FileProjectRows,
    FileRows,
    FileTextRows,
    LibraryBaseRows,
    LibrarySymbolRows,
    ProjectRows,
    RefRows,
    RelationRows,
    SolutionRows,
    StringRows,
    SymbolIdRows,
    SymbolPartRows,
    SymbolRows,
)


class BaselineBase(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map = TYPE_ANNOTATION_MAP


class Info(BaselineBase):
    """One row about the file itself."""

    __tablename__ = "info"
    __table_args__ = (CheckConstraint("id = 1", name="single_row"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str]
    """``incomplete`` until the closing transaction, then ``complete``."""
    codemap_version: Mapped[str]
    fingerprint: Mapped[str]
    """A digest of everything that decides what is extracted: program, grammar, plug-ins."""
    repo_id: Mapped[str]
    commit_sha: Mapped[str]
    subtree: Mapped[str]
    solution: Mapped[str]
    created_at: Mapped[str]
    """ISO 8601, UTC."""
    semantic_level: Mapped[str]
    project_diagnostics: Mapped[str]
    """JSON array of objects, contract 2.5."""
    project_problems: Mapped[str]
    """JSON array of [project_path, message]."""
    library_places: Mapped[str] = mapped_column(server_default="{}")
    """JSON object: path on this machine → state, ``library_places.place_states``."""
    unsettled: Mapped[str] = mapped_column(server_default="[]")
    """JSON array: the labels of extractors that failed while they concluded."""
    file_count: Mapped[int]
    symbol_count: Mapped[int]
    reference_count: Mapped[int]
    relation_count: Mapped[int]
    fact_count: Mapped[int]
    project_count: Mapped[int]


class Project(ProjectRows, BaselineBase):
    pass


class Solution(SolutionRows, BaselineBase):
    pass


class File(FileRows, BaselineBase):
    pass


class FileProject(FileProjectRows, BaselineBase):
    pass


class FileText(FileTextRows, BaselineBase):
    pass


class SymbolId(SymbolIdRows, BaselineBase):
    pass


class String(StringRows, BaselineBase):
    pass


class Symbol(SymbolRows, BaselineBase):
    pass


class SymbolPart(SymbolPartRows, BaselineBase):
    pass


class Ref(RefRows, BaselineBase):
    pass


class Relation(RelationRows, BaselineBase):
    pass


class Fact(FactRows, BaselineBase):
    pass


class LibrarySymbol(LibrarySymbolRows, BaselineBase):
    pass


class LibraryBase(LibraryBaseRows, BaselineBase):
    pass


class DocumentRecord(BaselineBase):
    """What the rows of a document came from, as one project compiles it. ``project_id``: 0 where none does."""

    __tablename__ = "document_records"
    __table_args__ = (Index(None, "file_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"))
    project_id: Mapped[int]
    data: Mapped[bytes]
    """As ``document_records`` encodes it."""


class Conclusion(BaselineBase):
    """The rows of a document that one extractor concluded from notes, and their digest."""

    __tablename__ = "conclusions"

    file_id: Mapped[int] = mapped_column(ForeignKey("files.id"), primary_key=True)
    extractor: Mapped[str] = mapped_column(primary_key=True)
    digest: Mapped[bytes]
    data: Mapped[bytes]
    """As ``document_records`` packs the rows."""
