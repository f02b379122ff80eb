"""The rows of a workspace are those of a copy of its baseline; the overlay's tables say what it shows otherwise.

Revision: o0004_copied_rows, after o0003_open_facts. No release wrote an overlay of an earlier revision.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0004_copied_rows"
down_revision = "o0003_open_facts"
branch_labels = None
depends_on = None
requires_rebuild = True
"""True when what older files hold must be extracted again instead of being upgraded."""

_ROW_TABLES = (
    "symbols_fts",
    "symbol_parts",
    "facts",
    "refs",
    "relations",
    "symbols",
    "file_projects",
    "file_texts",
    "files",
    "projects",
    "solutions",
    "strings",
    "symbol_ids",
    "info",
    "replaced_files",
)


def upgrade() -> None:
    for table in _ROW_TABLES:
        op.drop_table(table)
    op.create_table(
        "workspace",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("workspace_id", sa.Text(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False),
        sa.Column("follows", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("refreshed_at", sa.Text(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_workspace_single_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspace")),
    )
    op.create_table(
        "replaced_files",
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("blob_id", sa.Text(), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("path", name=op.f("pk_replaced_files")),
        sqlite_with_rowid=False,
    )
