"""Leagues: their seasons, entries, batches and ratings."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)

revision = "0011"
down_revision = "0010"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Add the tables; a database had no leagues before."""
    op.create_table(
        "leagues",
        Column("id", Integer, primary_key=True),
        Column("name", String(80), nullable=False, unique=True),
        Column("game", String(64), nullable=False),
        Column("definition", Text, nullable=False),
        Column("definition_hash", String(64), nullable=False),
        Column("state", String(16), nullable=False),
        Column("created", String(32), nullable=False),
        Column("results", Integer, nullable=False),
    )
    op.create_table(
        "seasons",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("first_day", String(10), nullable=False),
        Column("days", Integer, nullable=False),
        Column("secret", String(64), nullable=False),
        Column("commitment", String(64), nullable=False),
        Column("entropy", Text, nullable=False),
        Column("ended", String(32)),
    )
    op.create_table(
        "league_log",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("created", String(32), nullable=False),
        Column("who", Text, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("details", Text, nullable=False),
        Column("reason", Text, nullable=False),
        Column("digest", String(64), nullable=False),
    )
    op.create_table(
        "entries",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("submission_id", Integer, ForeignKey("submissions.id"), nullable=False),
        Column("name", String(96), nullable=False),
        Column("owner", String(80), nullable=False),
        Column("is_anchor", Boolean, nullable=False),
        Column("state", String(16), nullable=False),
        Column("reason", Text, nullable=False),
        Column("entered", String(32), nullable=False),
        Column("placed", String(32)),
        UniqueConstraint("league_id", "name"),
    )
    op.create_table(
        "batches",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("event_id", Long, ForeignKey("events.id"), nullable=False, unique=True),
        Column("season", Integer, nullable=False),
        Column("day", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("snapshot", Integer, nullable=False),
        Column("entries", Text, nullable=False),
        Column("state", String(16), nullable=False),
        Column("attempt", Integer, nullable=False),
        Column("failed", Integer, nullable=False),
        Column("runner", Text, nullable=False),
        Column("lease_until", Long, nullable=False),
        Column("created", String(32), nullable=False),
        Column("ended", String(32)),
        Column("seconds", Float),
        Column("result", Integer),
        Column("sums", LargeBinary),
        UniqueConstraint("league_id", "result"),
    )
    op.create_index("batches_by_state", "batches", ["league_id", "state"])
    op.create_table(
        "batch_attempts",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("batch", Integer, primary_key=True),
        Column("attempt", Integer, primary_key=True),
        Column("runner", Text, nullable=False),
        Column("began", String(32), nullable=False),
        Column("ended", String(32)),
        Column("outcome", String(16)),
        Column("reason", Text, nullable=False),
    )
    op.create_table(
        "snapshots",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("created", String(32), nullable=False),
    )
    op.create_table(
        "league_ratings",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("created", String(32), nullable=False),
    )
