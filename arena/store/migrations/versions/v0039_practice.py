"""Practice leagues, and what each owner has used for them."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, String

Long = BigInteger().with_variant(Integer, "sqlite")

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Add the columns, and make the table."""
    op.add_column("leagues", Column("owner", String(80)))
    op.add_column("leagues", Column("seen", String(32)))
    op.add_column("leagues", Column("removed", String(32)))
    op.create_table(
        "practice_use",
        Column("owner", String(80), primary_key=True),
        Column("day", String(10), primary_key=True),
        Column("begun", Integer, nullable=False),
        Column("used_ms", Long, nullable=False),
    )
