"""The tables of insight. They refer to matches by value alone, so that arena can delete these."""

from sqlalchemy import Column, LargeBinary, MetaData, String, Table

from arena.store.engine.feature_tables import FeatureTables
from arena.store.engine.schema import Long, Short

metadata = MetaData()

chances = Table(
    "chances",
    metadata,
    Column("match_id", Long, primary_key=True, autoincrement=False),
    Column("perspective", Short, primary_key=True, comment="0: the whole match; otherwise the seat + 1"),
    Column("behaviour", Short, primary_key=True, comment="the version of the rules that played on"),
    Column("policy", String(64), primary_key=True, comment="the sample bot that played on"),
    Column("playouts", Short, primary_key=True, comment="of each frame"),
    Column("seed", Long, nullable=False, comment="of the playouts"),
    Column("packed", LargeBinary, nullable=False, comment="compressed JSON"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("digest", LargeBinary, nullable=False, comment="that of the match when it was analysed"),
    sqlite_with_rowid=False,
)

TABLES = FeatureTables("insight", metadata)
"""A change of a table comes with a step to the next version."""

idle_metadata = MetaData()

opened = Table(
    "insight_opened",
    idle_metadata,
    Column("match_id", Long, primary_key=True, autoincrement=False),
    Column("opened", String(32), nullable=False, comment="when somebody opened its page, UTC, ISO 8601"),
    Column("failed", Short, nullable=False, comment="1: its analysis failed, and is not tried again"),
    sqlite_with_rowid=False,
)

idle_use = Table(
    "insight_idle_use",
    idle_metadata,
    Column("day", String(10), primary_key=True, comment="UTC, ISO 8601"),
    Column("used_ms", Long, nullable=False, comment="of a core, by analyses in idle time"),
    sqlite_with_rowid=False,
)

IDLE_TABLES = FeatureTables("insight-idle", idle_metadata)
"""By themselves, so that chances of before can be read before anything is written."""
