"""The tables of mail.

They refer to accounts by value alone, so that these can be removed while the package is not installed. The address of
an account is not in them: it stands with the account, and goes with it.
"""

from sqlalchemy import Column, Index, MetaData, String, Table, Text

from arena.store.engine.feature_tables import FeatureTables
from arena.store.engine.schema import Long, Short

metadata = MetaData()

mail_owners = Table(
    "mail_owners",
    metadata,
    Column("account", String(80), primary_key=True),
    Column("kinds", Text, nullable=False, comment="of mail that it gets, with a space between"),
    Column("language", String(16), nullable=False, comment="of its mail; empty: that of the server"),
    Column("secret", String(64), nullable=False, unique=True, comment="in the links that end its mail"),
    Column("refused", String(64), comment="SHA-256 of the address that the mail server has refused; null for none"),
    Column("reason", Text, nullable=False, comment="what the mail server said of that"),
)

mails = Table(
    "mails",
    metadata,
    Column("id", Long, primary_key=True),
    Column("account", String(80), comment="whom it tells; null: whoever has the address"),
    Column("address", Text, comment="null: that of the account when it is sent; and once it is over"),
    Column("message", String(64), nullable=False, comment="the first part of the Message-ID, the same at all attempts"),
    Column("kind", String(32), nullable=False),
    Column("data", Text, nullable=False, comment="JSON: what its template shows; empty once it is over"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601: when that happened"),
    Column("state", String(16), nullable=False, comment="waiting, sent or failed"),
    Column("attempt", Short, nullable=False, comment="the last one, from 1; 0: none"),
    Column("due", Long, nullable=False, comment="milliseconds since 1970, UTC: the next attempt"),
    Column("lease_until", Long, nullable=False, comment="milliseconds since 1970, UTC; 0: nobody tries it"),
    Column("tried", String(32), comment="UTC, ISO 8601: the end of the last attempt"),
    Column("error", Text, nullable=False, comment="why the last attempt failed"),
    Index("mails_by_due", "state", "due"),
    Index("mails_by_account", "account", "id"),
)

mail_confirmations = Table(
    "mail_confirmations",
    metadata,
    Column("account", String(80), primary_key=True),
    Column("sha256", String(64), nullable=False, unique=True, comment="of the secret in the link, in hex"),
    Column("address", Text, nullable=False, comment="becomes that of the account once its owner opens the link"),
    Column("expires", String(32), nullable=False, comment="UTC, ISO 8601"),
)

TABLES = FeatureTables("mail", metadata)
"""A change of a table comes with a step to the next version."""
