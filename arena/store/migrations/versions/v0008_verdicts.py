"""What ended tournaments early; and summaries that know who met whom."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, Text

revision = "0008"
down_revision = "0007"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the table of verdicts, and throw the summaries away: they are made again from the matches."""
    op.create_table(
        "verdicts",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("rounds", Integer, nullable=False),
        Column("matches", Long, nullable=False),
        Column("sentence", Text, nullable=False),
        Column("code", Integer, nullable=False),
    )
    op.execute("DELETE FROM summaries")
    op.execute("DELETE FROM loose")
    op.execute(
        "INSERT INTO loose SELECT matches.id FROM matches JOIN events ON events.id = matches.event_id "
        "WHERE events.tournament IS NOT NULL AND matches.id > 0"
    )
