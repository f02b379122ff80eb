"""What metadata says of symbols of libraries that the repository refers to.

Revision: b0003_library_symbols, after b0002_virtual_uses. Only the binder knows it: older files are built again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b0003_library_symbols"
down_revision = "b0002_virtual_uses"
branch_labels = None
depends_on = None
requires_rebuild = True
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.create_table(
        "library_symbols",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(collation="NOCASE"), nullable=False),
        sa.Column("fully_qualified_name", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("container", sa.Integer(), nullable=True),
        sa.Column("assembly", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_library_symbols")),
    )
    op.create_index(op.f("ix_library_symbols_name"), "library_symbols", ["name"], unique=False)
    op.create_table(
        "library_bases",
        sa.Column("symbol", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("symbol", "ordinal", name=op.f("pk_library_bases")),
        sqlite_with_rowid=False,
    )
