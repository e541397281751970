"""The chances to win that were estimated throughout matches."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, String

revision = "0018"
down_revision = "0017"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "chances",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("perspective", Integer, primary_key=True),
        Column("behaviour", Integer, primary_key=True),
        Column("policy", String(64), primary_key=True),
        Column("playouts", Integer, primary_key=True),
        Column("seed", Long, nullable=False),
        Column("packed", LargeBinary, nullable=False),
        Column("created", String(32), nullable=False),
        sqlite_with_rowid=False,
    )
