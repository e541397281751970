"""When versions of bots were received, before their checks."""

from alembic import op
from sqlalchemy import Column, String

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Add the column; of earlier versions only the end of their check is known."""
    op.add_column("submissions", Column("received", String(32), nullable=False, server_default=""))
    op.execute("UPDATE submissions SET received = created")
