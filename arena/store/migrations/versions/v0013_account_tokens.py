"""Tokens with scopes, invitations, logins of a proxy, and keys by which repeated requests are recognised."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, String, Text

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the tables and columns."""
    op.create_table(
        "account_tokens",
        Column("id", Integer, primary_key=True),
        Column("account", String(80), ForeignKey("accounts.name"), nullable=False),
        Column("label", String(80), nullable=False),
        Column("scopes", String(80), nullable=False),
        Column("sha256", String(64), nullable=False, unique=True),
        Column("created", String(32), nullable=False),
        Column("expires", String(32)),
        Column("used", String(32)),
    )
    op.create_table(
        "account_invitations",
        Column("id", Integer, primary_key=True),
        Column("name", String(80), nullable=False),
        Column("role", String(16), nullable=False),
        Column("sha256", String(64), nullable=False, unique=True),
        Column("created", String(32), nullable=False),
        Column("expires", String(32), nullable=False),
        Column("accepted", String(80)),
    )
    op.add_column("accounts", Column("login", Text))
    op.create_index("accounts_by_login", "accounts", ["login"], unique=True)
    op.add_column("hand_ins", Column("request_key", String(80)))
    op.add_column("hand_ins", Column("request_digest", String(64)))
    op.create_index("hand_ins_by_request", "hand_ins", ["owner", "request_key"], unique=True)
