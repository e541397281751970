"""What organisers decided, and the matches that they made void."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text

revision = "0005"
down_revision = "0004"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables of actions and voids."""
    op.create_table(
        "actions",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("created", String(32), nullable=False),
        Column("who", Text, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("details", Text, nullable=False),
        Column("reason", Text, nullable=False),
        Column("digest", String(64), nullable=False),
    )
    op.create_table(
        "voids",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("action", Integer, primary_key=True),
        Column("match_id", Long, ForeignKey("matches.id"), nullable=False),
    )
