"""${message}

Revision: ${up_revision}, after ${down_revision | comma,n}. Defines its own tables and imports no application code.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None
requires_rebuild = False
"""True when what older files hold must be extracted again instead of being upgraded."""


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
