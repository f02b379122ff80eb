"""An index says which places of this machine decided what it was bound against.

Revision: b0005_library_places, after b0004_open_facts. An older index names none, so it notices no change of them until it is built again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b0005_library_places"
down_revision = "b0004_open_facts"
branch_labels = None
depends_on = None
requires_rebuild = False
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.add_column("info", sa.Column("library_places", sa.Text(), server_default=sa.text("'{}'"), nullable=False))
