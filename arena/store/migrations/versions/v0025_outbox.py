"""The outbox of events, which listeners read by cursors; webhooks refer to accounts by name alone.

Webhooks of before listen from the first event on. Without the foreign key an account can be removed where nobody knows
what webhooks are.
"""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, String, Text, text

revision = "0025"
down_revision = "0024"

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables of the outbox, and drop the foreign key."""
    op.create_table(
        "outbox",
        Column("id", Long, primary_key=True),
        Column("kind", String(32), nullable=False),
        Column("account", String(80), nullable=False),
        Column("data", Text, nullable=False),
        Column("created", String(32), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "outbox_cursors",
        Column("name", String(64), primary_key=True),
        Column("position", Long, nullable=False),
        Column("gaps", Text, nullable=False),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        _rebuild_webhooks()
    else:
        op.drop_constraint("webhooks_account_fkey", "webhooks", type_="foreignkey")
    if connection.execute(text("SELECT id FROM webhooks LIMIT 1")).first() is not None:
        op.execute("INSERT INTO outbox_cursors (name, position, gaps) VALUES ('webhooks', 0, '[]')")


def _rebuild_webhooks() -> None:
    """Make the table anew without the foreign key, as SQLite cannot drop one."""
    op.execute("CREATE TEMPORARY TABLE kept AS SELECT * FROM webhooks")
    op.drop_index("webhooks_by_account", "webhooks")
    op.drop_table("webhooks")
    op.create_table(
        "webhooks",
        Column("id", Integer, primary_key=True),
        Column("account", String(80), nullable=False),
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
    op.execute("INSERT INTO webhooks SELECT * FROM kept")
    op.execute("DROP TABLE kept")
