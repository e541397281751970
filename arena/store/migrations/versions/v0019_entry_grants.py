"""What organisers of leagues grant entries."""

from alembic import op
from sqlalchemy import Column, Text

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the column; leagues granted nothing before."""
    op.add_column("entries", Column("grants", Text))
