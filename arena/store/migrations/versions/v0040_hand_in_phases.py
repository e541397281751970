"""What long checks of hand-ins have played, so that they go on after an interruption."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, String

Long = BigInteger().with_variant(Integer, "sqlite")

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "hand_in_phases",
        Column("hand_in", Long, ForeignKey("hand_ins.id"), primary_key=True, autoincrement=False),
        Column("key", String(64), primary_key=True),
        Column("packed", LargeBinary, nullable=False),
    )
