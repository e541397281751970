"""From when results of a season are hidden from visitors."""

from alembic import op
from sqlalchemy import Column, String

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    """Add the column."""
    op.add_column("seasons", Column("hides", String(32)))
