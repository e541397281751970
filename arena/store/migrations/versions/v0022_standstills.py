"""How long the machine stood still during a match."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer

revision = "0022"
down_revision = "0021"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Add the column; of earlier matches nothing is known."""
    op.add_column("matches", Column("standstill_ms", Long, nullable=False, server_default="0"))
