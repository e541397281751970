"""Tokens of remote bots."""

from alembic import op
from sqlalchemy import Column, String

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of tokens."""
    op.create_table(
        "tokens",
        Column("name", String(80), primary_key=True),
        Column("sha256", String(64), nullable=False),
        Column("created", String(32), nullable=False),
    )
