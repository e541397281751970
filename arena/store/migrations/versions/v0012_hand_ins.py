"""What owners hand in, until it is checked and after."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, String, Text

revision = "0012"
down_revision = "0011"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Add the table; earlier hand-ins were in memory only."""
    op.create_table(
        "hand_ins",
        Column("id", Long, primary_key=True),
        Column("owner", String(80), nullable=False),
        Column("name", String(80), nullable=False),
        Column("games", Text, nullable=False),
        Column("league", Integer),
        Column("file", Text, nullable=False),
        Column("source", LargeBinary),
        Column("state", String(16), nullable=False),
        Column("attempt", Integer, nullable=False),
        Column("died", Integer, nullable=False),
        Column("abandoned", Integer, nullable=False),
        Column("worker", Text),
        Column("lease", String(32)),
        Column("steps", Text, nullable=False),
        Column("sentence", Text, nullable=False),
        Column("report", LargeBinary),
        Column("submission", Integer, ForeignKey("submissions.id")),
        Column("created", String(32), nullable=False),
        Column("started", String(32)),
        Column("ended", String(32)),
        Column("duration_ms", Long),
    )
    op.create_index("hand_ins_by_state", "hand_ins", ["state"])
    op.create_index("hand_ins_by_owner", "hand_ins", ["owner"])
