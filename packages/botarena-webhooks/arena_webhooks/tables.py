"""The tables of webhooks, and how they came to be.

They refer to accounts and tokens by value alone, so that these can be removed while the package is not installed.
"""

from sqlalchemy import Column, ForeignKey, Index, MetaData, String, Table, Text

from arena.store.engine.feature_tables import FeatureTables
from arena.store.engine.schema import Long, Short, leagues

metadata = MetaData()

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Short, primary_key=True),
    Column("account", String(80), nullable=False),
    Column("url", Text, nullable=False),
    Column("secret", String(120), nullable=False, comment="whsec_ and base64: with which deliveries are signed"),
    Column("kinds", Text, nullable=False, comment="of events, with a space between"),
    Column("token", Short, comment="the token with scopes that added it or last switched it on; null for none"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("failing_since", String(32), comment="UTC, ISO 8601; null if the last delivery arrived"),
    Column("disabled", String(32), comment="UTC, ISO 8601: when it was switched off; null while it is on"),
    Column("reason", Text, nullable=False, comment="why it was switched off"),
    Index("webhooks_by_account", "account"),
)

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", Long, primary_key=True),
    Column("webhook_id", Short, ForeignKey("webhooks.id"), nullable=False),
    Column("message", String(40), nullable=False, comment="the webhook-id, the same for all webhooks and attempts"),
    Column("kind", String(32), nullable=False, comment="of the event"),
    Column("body", Text, nullable=False, comment="JSON, as it is sent"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("state", String(16), nullable=False, comment="waiting, delivered or failed"),
    Column("attempt", Short, nullable=False, comment="the last one, from 1; 0: none"),
    Column("due", Long, nullable=False, comment="milliseconds since 1970, UTC: the next attempt"),
    Column("lease_until", Long, nullable=False, comment="milliseconds since 1970, UTC; 0: nobody tries it"),
    Column("tried", String(32), comment="UTC, ISO 8601: the end of the last attempt"),
    Column("status", Short, comment="the HTTP status of the last answer; null without one"),
    Column("error", Text, nullable=False, comment="why the last attempt failed"),
    Index("webhook_deliveries_by_due", "state", "due"),
    Index("webhook_deliveries_by_webhook", "webhook_id", "id"),
)

entry_rivals = Table(
    "entry_rivals",
    metadata,
    Column("league_id", Short, ForeignKey(leagues.c.id), primary_key=True),
    Column("entry", Short, primary_key=True, comment="whose owner has a webhook for it"),
    Column("ratings", Short, nullable=False, comment="the number of the ratings to which it belongs"),
    Column("ahead", Text, nullable=False, comment="JSON list: the entries that its owner knows to be ahead of it"),
)


TABLES = FeatureTables("webhooks", metadata)
"""A change of a table comes with a step to the next version."""
