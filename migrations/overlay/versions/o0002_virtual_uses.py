"""References say whether the member is chosen at run time.

Revision: o0002_virtual_uses, after o0001_initial. Only the binder knows it: older files are built again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "o0002_virtual_uses"
down_revision = "o0001_initial"
branch_labels = None
depends_on = None
requires_rebuild = True
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    op.add_column("refs", sa.Column("is_virtual", sa.Boolean(), server_default=sa.text("0"), nullable=False))
