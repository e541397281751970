"""Which processes play tournaments at the moment, so that none is played twice."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text

revision = "0024"
down_revision = "0023"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "runs",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("worker", Text, nullable=False),
        Column("began", String(32), nullable=False),
        Column("heard_ms", BigInteger, nullable=False),
    )
