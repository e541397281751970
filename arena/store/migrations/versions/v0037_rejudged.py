"""Hand-ins that organisers had checked again, and why."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text

Long = BigInteger().with_variant(Integer, "sqlite")

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Add the column, and make the table."""
    op.add_column("hand_ins", Column("rejudged", String(32)))
    op.create_table(
        "hand_in_log",
        Column("hand_in", Long, ForeignKey("hand_ins.id"), primary_key=True, autoincrement=False),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("created", String(32), nullable=False),
        Column("who", String(80), nullable=False),
        Column("reason", Text, nullable=False),
        Column("before", Text, nullable=False),
        sqlite_with_rowid=False,
    )
