"""The files of hand-ins, in a table of their own."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary

revision = "0028"
down_revision = "0027"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Move the files of unfinished hand-ins."""
    op.create_table(
        "hand_in_files",
        Column("hand_in", Long, ForeignKey("hand_ins.id"), primary_key=True, autoincrement=False),
        Column("bytes", Long, nullable=False),
        Column("content", LargeBinary, nullable=False),
    )
    op.execute(
        "INSERT INTO hand_in_files (hand_in, bytes, content) "
        "SELECT id, length(source), source FROM hand_ins WHERE source IS NOT NULL"
    )
    op.drop_column("hand_ins", "source")
