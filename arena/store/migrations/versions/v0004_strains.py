"""What the machine could not give bots in time."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, Text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table of strains."""
    op.create_table(
        "strains",
        Column("event_id", Integer, ForeignKey("events.id"), primary_key=True),
        Column("phase", Integer, primary_key=True),
        Column("void", Integer, nullable=False),
        Column("lag_us", BigInteger, nullable=False),
        Column("waited", Text, nullable=False),
    )
