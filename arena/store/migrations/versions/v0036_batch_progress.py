"""How far the batches are that runs of leagues play."""

from alembic import op
from sqlalchemy import Column, Text

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Add the column."""
    op.add_column("league_runs", Column("under_way", Text, nullable=False, server_default="[]"))
