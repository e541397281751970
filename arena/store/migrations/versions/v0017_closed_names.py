"""The pseudonyms of closed accounts and their bots."""

from alembic import op
from sqlalchemy import Column, String, Text

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the table; accounts that were closed before are in no table any more, so they stay as they are."""
    op.create_table(
        "closed_names",
        Column("name", Text, primary_key=True),
        Column("shown", String(80), nullable=False, unique=True),
    )
