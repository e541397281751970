"""What is known of the person of an account, and the team for which they act and hand in."""

from alembic import op
from sqlalchemy import Column, String, Text

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("accounts", Column("display_name", Text))
    op.add_column("accounts", Column("email", Text))
    op.add_column("accounts", Column("id_number", String(80)))
    op.add_column("accounts", Column("group", String(80)))
    op.add_column("accounts", Column("team", String(80)))
    op.add_column("hand_ins", Column("sent_by", String(80)))
