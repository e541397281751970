"""Versions of bots that may practise, and enter neither leagues nor tournaments."""

from alembic import op
from sqlalchemy import Column, Integer

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    """Add the columns."""
    for table in ("submissions", "hand_ins"):
        op.add_column(table, Column("practice_only", Integer, nullable=False, server_default="0"))
