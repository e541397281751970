"""The versions of the tables of packages.

The tables of webhooks, which are those of a package now, go where they are empty; others are of its version 1.
"""

from alembic import op
from sqlalchemy import Column, Integer, String, text

revision = "0026"
down_revision = "0025"

TABLES = ("webhook_deliveries", "webhooks", "entry_rivals")


def upgrade() -> None:
    """Make the table, and hand those of webhooks over."""
    op.create_table(
        "feature_tables",
        Column("name", String(64), primary_key=True),
        Column("version", Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    if any(connection.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first() for table in TABLES):
        op.execute("INSERT INTO feature_tables (name, version) VALUES ('webhooks', 1)")
    else:
        for table in TABLES:
            op.drop_table(table)
