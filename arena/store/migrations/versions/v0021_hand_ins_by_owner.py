"""An index of the hand-ins of each owner by when they ended, for the turns of owners in the queue."""

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Replace the index by owners alone."""
    op.drop_index("hand_ins_by_owner", "hand_ins")
    op.create_index("hand_ins_by_owner", "hand_ins", ["owner", "ended"])
