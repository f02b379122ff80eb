"""What the rows of each document came from: its unit, what it shows to other documents, notes of extractors, and digests of concluded rows.

Revision: b0006_document_records, after b0005_library_places. An older index keeps no records: the next commit takes nothing over.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b0006_document_records"
down_revision = "b0005_library_places"
branch_labels = None
depends_on = None
requires_rebuild = False
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.create_table(
        "document_records",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_document_records_file_id_files")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_records")),
    )
    op.create_index(op.f("ix_document_records_file_id"), "document_records", ["file_id"], unique=False)
    op.create_table(
        "conclusions",
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_conclusions_file_id_files")),
        sa.PrimaryKeyConstraint("file_id", name=op.f("pk_conclusions")),
    )
