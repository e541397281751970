"""The tables of runs. They refer to nothing of arena's."""

from sqlalchemy import Column, Float, ForeignKey, MetaData, String, Table, Text

from arena.store.engine.feature_tables import FeatureTables
from arena.store.engine.schema import Long, Short

metadata = MetaData()

tune_runs = Table(
    "tune_runs",
    metadata,
    Column("id", Short, primary_key=True),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("finished", String(32), comment="UTC, ISO 8601; null while iterations are missing"),
    Column("game", String(64), nullable=False),
    Column("definition", Text, nullable=False, comment="canonical JSON: that of a tournament of the two bots"),
    Column("plan", Text, nullable=False, comment="JSON: the parameters, the search and how long it takes"),
    Column("secret", String(64), nullable=False, comment="hex; every deal and every sign follows from it"),
    Column("seed", Text, comment="the number after --seed; null for none"),
    Column("worker", Text, nullable=False, comment="the process that plays it; empty for none"),
    Column("began", String(32), nullable=False, comment="when that began, UTC, ISO 8601"),
    Column("heard_ms", Long, nullable=False, comment="when it was last heard of, milliseconds since 1970"),
)

tune_iterations = Table(
    "tune_iterations",
    metadata,
    Column("run_id", Short, ForeignKey("tune_runs.id"), primary_key=True),
    Column("number", Short, primary_key=True, autoincrement=False, comment="from 0"),
    Column("signs", Text, nullable=False, comment="+ and - for each parameter; empty where the search has none"),
    Column("one", Text, nullable=False, comment="JSON list: the values that one bot played with"),
    Column("other", Text, nullable=False, comment="JSON list: those of the other one"),
    Column("first_deal", Long, nullable=False, comment="the number of the first deal: its seed follows from it"),
    Column("wins", Short, nullable=False, comment="matches won by the first bot"),
    Column("draws", Short, nullable=False),
    Column("losses", Short, nullable=False),
    Column("result", Float(53), nullable=False, comment="wins less losses, where more than two play by pairs of seats"),
    Column("faults", Short, nullable=False, comment="of both bots"),
    Column("ended", String(32), nullable=False, comment="UTC, ISO 8601"),
    sqlite_with_rowid=False,
)

TABLES = FeatureTables("tune", metadata)
"""A change of a table comes with a step to the next version."""
