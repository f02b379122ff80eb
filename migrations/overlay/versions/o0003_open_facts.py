"""Facts have details and need not be owned by a symbol; references found by extractors say their role.

Revision: o0003_open_facts, after o0002_virtual_uses. Only extractors know both: older files are built again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0003_open_facts"
down_revision = "o0002_virtual_uses"
branch_labels = None
depends_on = None
requires_rebuild = True
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.drop_table("facts")
    op.create_table(
        "facts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("symbol", sa.Integer(), nullable=True),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("line_start", sa.Integer(), nullable=False),
        sa.Column("line_end", sa.Integer(), nullable=False),
        sa.Column("confidence", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_facts_file_id_files")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_facts_project_id_projects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_facts")),
    )
    op.create_index(op.f("ix_facts_file_id"), "facts", ["file_id"], unique=False)
    op.create_index(op.f("ix_facts_kind_value"), "facts", ["kind", "value"], unique=False)
    op.create_index(op.f("ix_facts_symbol"), "facts", ["symbol"], unique=False)
    op.add_column("refs", sa.Column("role", sa.Integer(), nullable=True))
