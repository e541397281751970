"""The end of a season: its final and its final table."""

from alembic import op
from sqlalchemy import Column, Integer, LargeBinary, String, Text

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the columns; no season had a final before."""
    op.add_column("seasons", Column("frozen", String(32)))
    op.add_column("seasons", Column("final", Text))
    op.add_column("seasons", Column("standings", LargeBinary))
    op.add_column("batches", Column("part", Integer))
