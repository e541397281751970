"""Accounts of the pages."""

from alembic import op
from sqlalchemy import Column, String

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table of accounts."""
    op.create_table(
        "accounts",
        Column("name", String(80), primary_key=True),
        Column("role", String(16), nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("created", String(32), nullable=False),
    )
