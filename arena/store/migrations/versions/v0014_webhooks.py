"""Webhooks with their deliveries, and who is known to be ahead of an entry."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text

revision = "0014"
down_revision = "0013"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "webhooks",
        Column("id", Integer, primary_key=True),
        Column("account", String(80), ForeignKey("accounts.name"), nullable=False),
        Column("url", Text, nullable=False),
        Column("secret", String(120), nullable=False),
        Column("kinds", Text, nullable=False),
        Column("token", Integer),
        Column("created", String(32), nullable=False),
        Column("failing_since", String(32)),
        Column("disabled", String(32)),
        Column("reason", Text, nullable=False),
    )
    op.create_index("webhooks_by_account", "webhooks", ["account"])
    op.create_table(
        "webhook_deliveries",
        Column("id", Long, primary_key=True),
        Column("webhook_id", Integer, ForeignKey("webhooks.id"), nullable=False),
        Column("message", String(40), nullable=False),
        Column("kind", String(32), nullable=False),
        Column("body", Text, nullable=False),
        Column("created", String(32), nullable=False),
        Column("state", String(16), nullable=False),
        Column("attempt", Integer, nullable=False),
        Column("due", Long, nullable=False),
        Column("lease_until", Long, nullable=False),
        Column("tried", String(32)),
        Column("status", Integer),
        Column("error", Text, nullable=False),
    )
    op.create_index("webhook_deliveries_by_due", "webhook_deliveries", ["state", "due"])
    op.create_index("webhook_deliveries_by_webhook", "webhook_deliveries", ["webhook_id", "id"])
    op.create_table(
        "entry_rivals",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("entry", Integer, primary_key=True),
        Column("ratings", Integer, nullable=False),
        Column("ahead", Text, nullable=False),
    )
