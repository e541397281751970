"""Invitations to a team."""

from alembic import op
from sqlalchemy import Column, String

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Add the column."""
    op.add_column("account_invitations", Column("team", String(80)))
