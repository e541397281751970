"""The ends of logs, stored beside them, so that an end that was cut off is missed."""

from alembic import op
from sqlalchemy import Column, Integer, String

revision = "0023"
down_revision = "0022"

_LOGS = (("events", "actions", "event_id"), ("leagues", "league_log", "league_id"))


def upgrade() -> None:
    """Add the columns, and fill them from the logs as they are."""
    for table, log, key in _LOGS:
        op.add_column(table, Column("log_entries", Integer, nullable=False, server_default="0"))
        op.add_column(table, Column("log_digest", String(64), nullable=False, server_default=""))
        of_row = f"FROM {log} WHERE {key} = {table}.id"
        op.execute(f"UPDATE {table} SET log_entries = (SELECT max(number) {of_row}) WHERE EXISTS (SELECT 1 {of_row})")
        op.execute(
            f"UPDATE {table} SET log_digest = "
            f"(SELECT digest {of_row} AND number = {table}.log_entries) WHERE log_entries > 0"
        )
