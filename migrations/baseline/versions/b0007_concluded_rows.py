"""An index keeps the rows that extractors concluded, by document and extractor, and says which extractors failed while they concluded.

Revision: b0007_concluded_rows, after b0006_document_records. An older index keeps only digests of such rows, so that what it records of
documents is forgotten: the next commit takes nothing over.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b0007_concluded_rows"
down_revision = "b0006_document_records"
branch_labels = None
depends_on = None
requires_rebuild = False
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.add_column("info", sa.Column("unsettled", sa.Text(), server_default=sa.text("'[]'"), nullable=False))
    op.execute("DELETE FROM document_records")
    op.drop_table("conclusions")
    op.create_table(
        "conclusions",
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("extractor", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_conclusions_file_id_files")),
        sa.PrimaryKeyConstraint("file_id", "extractor", name=op.f("pk_conclusions")),
    )
