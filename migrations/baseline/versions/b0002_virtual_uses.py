"""References say whether the member is chosen at run time.

Revision: b0002_virtual_uses, after b0001_initial. Only the binder knows it: older files are built again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b0002_virtual_uses"
down_revision = "b0001_initial"
branch_labels = None
depends_on = None
requires_rebuild = True
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.add_column("refs", sa.Column("is_virtual", sa.Boolean(), server_default=sa.text("0"), nullable=False))
