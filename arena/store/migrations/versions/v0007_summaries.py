"""Sums of many matches, for rankings."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary

revision = "0007"
down_revision = "0006"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables of summaries and of matches that are in none: all that tournaments have so far."""
    op.create_table(
        "summaries",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("part", Integer, primary_key=True),
        Column("matches", Long, nullable=False),
        Column("packed", LargeBinary, nullable=False),
    )
    op.create_table(
        "loose",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO loose SELECT matches.id FROM matches JOIN events ON events.id = matches.event_id "
        "WHERE events.tournament IS NOT NULL"
    )
