"""The first tables."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, LargeBinary, String, Text

revision = "0001"
down_revision = None

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables of arena 0.1."""
    op.create_table(
        "events",
        Column("id", Long, primary_key=True),
        Column("tournament", Integer, unique=True),
        Column("game", String(64), nullable=False),
        Column("options", Text, nullable=False),
        Column("behaviour", Integer, nullable=False),
        Column("definition", Text, nullable=False),
        Column("definition_hash", String(64), nullable=False),
        Column("secret", String(64), nullable=False),
        Column("secret_hash", String(64), nullable=False),
        Column("seed", Text),
        Column("versions", Text, nullable=False),
        Column("first_match", Long, nullable=False, unique=True),
        Column("matches", Long, nullable=False),
        Column("created", String(32), nullable=False),
        Column("finished", String(32)),
    )
    op.create_table(
        "entrants",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("place", Integer, primary_key=True),
        Column("name", Text, nullable=False),
        Column("command", Text, nullable=False),
        Column("folder", Text, nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("withdrawn", Text),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "matches",
        Column("id", Long, primary_key=True, autoincrement=False),
        Column("event_id", Long, ForeignKey("events.id"), nullable=False),
        Column("phase", Integer, nullable=False),
        Column("round", Integer, nullable=False),
        Column("at_table", Integer, nullable=False),
        Column("deal", Long, nullable=False),
        Column("rotation", Integer, nullable=False),
        Column("seed", LargeBinary, nullable=False),
        Column("behaviour", Integer, nullable=False),
        Column("answers", LargeBinary, nullable=False),
        Column("times", LargeBinary, nullable=False),
        Column("digest", LargeBinary, nullable=False),
        Column("duration_ms", Long, nullable=False),
    )
    op.create_table(
        "seats",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("entrant", Integer, nullable=False),
        Column("player", Integer, nullable=False),
        Column("score", Long, nullable=False),
        Column("rank", Integer, nullable=False),
        Column("decisions", Integer, nullable=False),
        Column("charged_us", Long, nullable=False),
        Column("forfeit", Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "faults",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("place", Integer, primary_key=True),
        Column("seat", Integer, nullable=False),
        Column("ply", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("sentence", Text, nullable=False),
        Column("forfeit", Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notes",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("truncated", Boolean, nullable=False),
    )
    op.create_table(
        "says",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("packed", LargeBinary, nullable=False),
    )
    op.create_table(
        "outputs",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("phase", Integer, primary_key=True),
        Column("player", Integer, primary_key=True),
        Column("entrant", Integer, nullable=False),
        Column("text", LargeBinary, nullable=False),
        Column("truncated", Boolean, nullable=False),
        Column("name", Text, nullable=False),
        Column("version", Text, nullable=False),
    )
