"""Hand-ins whose check found the server too busy, and when each is tried again."""

from alembic import op
from sqlalchemy import Column, Integer, String

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("hand_ins", Column("busy", Integer, nullable=False, server_default="0"))
    op.add_column("hand_ins", Column("not_before", String(32)))
