"""How long interrupted checks of hand-ins have taken, and the last check of a bot by its name."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Add the column and the index."""
    op.add_column("hand_ins", Column("taken_ms", BigInteger().with_variant(Integer, "sqlite")))
    op.create_index("hand_ins_by_name", "hand_ins", ["name", "ended"])
