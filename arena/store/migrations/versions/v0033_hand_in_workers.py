"""Who checks hand-ins, as each program that does tells it."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Integer, String, Text

Long = BigInteger().with_variant(Integer, "sqlite")

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "hand_in_workers",
        Column("worker", Text, primary_key=True),
        Column("is_server", Boolean, nullable=False),
        Column("began", String(32), nullable=False),
        Column("heard", String(32), nullable=False),
        Column("jobs", Integer, nullable=False),
        Column("equipment", Text, nullable=False),
        Column("start_ms", Long, nullable=False),
        Column("ready_ms", Long, nullable=False),
        Column("problem", Text, nullable=False),
        sqlite_with_rowid=False,
    )
