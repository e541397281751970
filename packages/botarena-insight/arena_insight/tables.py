"""The table of insight. It refers to matches by value alone, so that arena can delete these."""

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
