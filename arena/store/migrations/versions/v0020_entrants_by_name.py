"""An index of the names of bots that have played."""

from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the index."""
    op.create_index("entrants_by_name", "entrants", ["name"], postgresql_ops={"name": "text_pattern_ops"})
