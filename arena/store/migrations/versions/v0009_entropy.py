"""Public values that were mixed into secrets."""

from alembic import op
from sqlalchemy import Column, Text

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column; no tournament so far has any."""
    op.add_column("events", Column("entropy", Text))
