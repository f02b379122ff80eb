"""The baseline schema: everything visible of one (repository, commit). Written once by ``BaselineWriter``, then read
only.

Schema changes: edit here, then add a revision (migrations/NOTES.md) and set ``HEAD_REVISION``; a test compares the
two.
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

HEAD_REVISION: Final = "b0001_initial"
VERSION_TABLE: Final = "baseline_schema_version"


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
    """Of everything that decides what is extracted: program, grammar, plug-ins."""
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
    file_count: Mapped[int]
    symbol_count: Mapped[int]
    reference_count: Mapped[int]
    relation_count: Mapped[int]
    fact_count: Mapped[int]
    project_count: Mapped[int]


class Project(ProjectColumns, BaselineBase):
    __tablename__ = "projects"
    __table_args__ = (Index(None, "project_path", unique=True),)


class Solution(SolutionColumns, BaselineBase):
    __tablename__ = "solutions"
    __table_args__ = (Index(None, "path", unique=True),)


class File(FileColumns, BaselineBase):
    __tablename__ = "files"
    __table_args__ = (Index(None, "path", unique=True),)


class FileProject(FileProjectColumns, BaselineBase):
    __tablename__ = "file_projects"
    __table_args__ = (Index(None, "project_id"), WITHOUT_ROWID)


class FileText(FileTextColumns, BaselineBase):
    __tablename__ = "file_texts"


class SymbolId(SymbolIdColumns, BaselineBase):
    __tablename__ = "symbol_ids"
    __table_args__ = (Index(None, "symbol_id", unique=True),)


class String(StringColumns, BaselineBase):
    __tablename__ = "strings"
    __table_args__ = (Index(None, "value", unique=True),)


class Symbol(SymbolColumns, BaselineBase):
    __tablename__ = "symbols"
    __table_args__ = (
        Index(None, "symbol"),
        Index(None, "container"),
        Index(None, "stable_id"),
        Index(None, "file_id"),
        Index("ix_symbols_name", text("name COLLATE NOCASE")),
        Index(None, "kind", "fully_qualified_name"),
    )


class SymbolPart(SymbolPartColumns, BaselineBase):
    __tablename__ = "symbol_parts"
    __table_args__ = (Index(None, "file_id"), WITHOUT_ROWID)


class Ref(RefColumns, BaselineBase):
    __tablename__ = "refs"
    __table_args__ = (
        Index(None, "to_symbol", "kind"),
        Index(None, "from_symbol", "kind"),
        Index(None, "constructor", sqlite_where=text("constructor IS NOT NULL")),
        Index(None, "to_name", sqlite_where=text("to_symbol IS NULL")),
    )


class Relation(RelationColumns, BaselineBase):
    __tablename__ = "relations"
    __table_args__ = (Index(None, "from_symbol"), Index(None, "to_symbol"))


class Fact(FactColumns, BaselineBase):
    __tablename__ = "facts"
    __table_args__ = (Index(None, "symbol"), Index(None, "kind", "value"))
