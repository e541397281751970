"""How the runs of leagues get on, as each tells it, for whoever watches a server."""

from alembic import op
from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Text

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "league_runs",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("runner", Text, primary_key=True),
        Column("began", String(32), nullable=False),
        Column("heard", String(32), nullable=False),
        Column("is_quiet", Boolean, nullable=False),
        Column("failing_since", String(32)),
        Column("problem", Text, nullable=False),
        sqlite_with_rowid=False,
    )
