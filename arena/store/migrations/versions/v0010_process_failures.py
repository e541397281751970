"""Processes of bots that failed."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, LargeBinary, String, Text

revision = "0010"
down_revision = "0009"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Add the table; nothing is known of the failures of earlier tournaments."""
    op.create_table(
        "process_failures",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("phase", Integer, primary_key=True),
        Column("player", Integer, primary_key=True),
        Column("time_us", Long, primary_key=True),
        Column("entrant", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("sentence", Text, nullable=False),
        Column("exit_code", Integer),
        Column("signal", Integer),
        Column("matches", Text, nullable=False),
        Column("guilty", Long),
        Column("output", LargeBinary, nullable=False),
        Column("truncated", Boolean, nullable=False),
    )
