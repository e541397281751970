"""The sums of all batches of a league, so that a run begins with them."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, LargeBinary

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "total_sums",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("results", Integer, nullable=False),
        Column("packed", LargeBinary, nullable=False),
    )
