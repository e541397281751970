"""Submitted bots and their files."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, Text, UniqueConstraint

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of packs and submissions."""
    op.create_table(
        "packs",
        Column("sha256", String(64), primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("files", Integer, nullable=False),
        Column("bytes", Integer, nullable=False),
    )
    op.create_table(
        "submissions",
        Column("id", Integer, primary_key=True),
        Column("name", String(80), nullable=False),
        Column("version", Integer, nullable=False),
        Column("source", String(64), ForeignKey("packs.sha256"), nullable=False),
        Column("content", String(64), ForeignKey("packs.sha256"), nullable=False),
        Column("manifest", Text, nullable=False),
        Column("report", Text, nullable=False),
        Column("created", String(32), nullable=False),
        Column("retired", String(32)),
        UniqueConstraint("name", "version"),
    )
