"""The tables of the first release; those that a new database of today has are in `arena.store.engine.schema`."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)

revision = "0024"
down_revision = None

Long = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "events",
        Column("id", Long, primary_key=True),
        Column("tournament", Integer, unique=True),
        Column("game", String(64), nullable=False),
        Column("options", Text, nullable=False),
        Column("behaviour", Integer, nullable=False),
        Column("definition", Text, nullable=False),
        Column("definition_hash", String(64), nullable=False),
        Column("secret", String(64), nullable=False),
        Column("secret_hash", String(64), nullable=False),
        Column("seed", Text),
        Column("versions", Text, nullable=False),
        Column("first_match", Long, nullable=False, unique=True),
        Column("matches", Long, nullable=False),
        Column("created", String(32), nullable=False),
        Column("finished", String(32)),
        Column("entropy", Text),
        Column("log_entries", Integer, nullable=False, server_default="0"),
        Column("log_digest", String(64), nullable=False, server_default=""),
    )
    op.create_table(
        "entrants",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("place", Integer, primary_key=True),
        Column("name", Text, nullable=False),
        Column("command", Text, nullable=False),
        Column("folder", Text, nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("withdrawn", Text),
        sqlite_with_rowid=False,
    )
    op.create_index("entrants_by_name", "entrants", ["name"], postgresql_ops={"name": "text_pattern_ops"})
    op.create_table(
        "matches",
        Column("id", Long, primary_key=True, autoincrement=False),
        Column("event_id", Long, ForeignKey("events.id"), nullable=False),
        Column("phase", Integer, nullable=False),
        Column("round", Integer, nullable=False),
        Column("at_table", Integer, nullable=False),
        Column("deal", Long, nullable=False),
        Column("rotation", Integer, nullable=False),
        Column("seed", LargeBinary, nullable=False),
        Column("behaviour", Integer, nullable=False),
        Column("answers", LargeBinary, nullable=False),
        Column("times", LargeBinary, nullable=False),
        Column("digest", LargeBinary, nullable=False),
        Column("duration_ms", Long, nullable=False),
        Column("standstill_ms", Long, nullable=False, server_default="0"),
    )
    op.create_table(
        "seats",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("entrant", Integer, nullable=False),
        Column("player", Integer, nullable=False),
        Column("score", Long, nullable=False),
        Column("rank", Integer, nullable=False),
        Column("decisions", Integer, nullable=False),
        Column("charged_us", Long, nullable=False),
        Column("forfeit", Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "faults",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("place", Integer, primary_key=True),
        Column("seat", Integer, nullable=False),
        Column("ply", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("sentence", Text, nullable=False),
        Column("forfeit", Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notes",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("truncated", Boolean, nullable=False),
    )
    op.create_table(
        "says",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("packed", LargeBinary, nullable=False),
    )
    op.create_table(
        "chances",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        Column("perspective", Integer, primary_key=True),
        Column("behaviour", Integer, primary_key=True),
        Column("policy", String(64), primary_key=True),
        Column("playouts", Integer, primary_key=True),
        Column("seed", Long, nullable=False),
        Column("packed", LargeBinary, nullable=False),
        Column("created", String(32), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outputs",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("phase", Integer, primary_key=True),
        Column("player", Integer, primary_key=True),
        Column("entrant", Integer, nullable=False),
        Column("text", LargeBinary, nullable=False),
        Column("truncated", Boolean, nullable=False),
        Column("name", Text, nullable=False),
        Column("version", Text, nullable=False),
    )
    op.create_table(
        "process_failures",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("phase", Integer, primary_key=True),
        Column("player", Integer, primary_key=True),
        Column("time_us", Long, primary_key=True),
        Column("entrant", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("sentence", Text, nullable=False),
        Column("exit_code", Integer),
        Column("signal", Integer),
        Column("matches", Text, nullable=False),
        Column("guilty", Long),
        Column("output", LargeBinary, nullable=False),
        Column("truncated", Boolean, nullable=False),
    )
    op.create_table(
        "strains",
        Column("event_id", Integer, ForeignKey("events.id"), primary_key=True),
        Column("phase", Integer, primary_key=True),
        Column("void", Integer, nullable=False),
        Column("lag_us", BigInteger, nullable=False),
        Column("waited", Text, nullable=False),
    )
    op.create_table(
        "summaries",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("part", Integer, primary_key=True),
        Column("matches", Long, nullable=False),
        Column("packed", LargeBinary, nullable=False),
    )
    op.create_table(
        "loose",
        Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "verdicts",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("rounds", Integer, nullable=False),
        Column("matches", Long, nullable=False),
        Column("sentence", Text, nullable=False),
        Column("code", Integer, nullable=False),
    )
    op.create_table(
        "runs",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("worker", Text, nullable=False),
        Column("began", String(32), nullable=False),
        Column("heard_ms", BigInteger, nullable=False),
    )
    op.create_table(
        "packs",
        Column("sha256", String(64), primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("files", Integer, nullable=False),
        Column("bytes", Integer, nullable=False),
    )
    op.create_table(
        "submissions",
        Column("id", Integer, primary_key=True),
        Column("name", String(80), nullable=False),
        Column("version", Integer, nullable=False),
        Column("source", String(64), ForeignKey("packs.sha256"), nullable=False),
        Column("content", String(64), ForeignKey("packs.sha256"), nullable=False),
        Column("manifest", Text, nullable=False),
        Column("report", Text, nullable=False),
        Column("created", String(32), nullable=False),
        Column("retired", String(32)),
        UniqueConstraint("name", "version"),
    )
    op.create_table(
        "hand_ins",
        Column("id", Long, primary_key=True),
        Column("owner", String(80), nullable=False),
        Column("name", String(80), nullable=False),
        Column("games", Text, nullable=False),
        Column("league", Integer),
        Column("file", Text, nullable=False),
        Column("source", LargeBinary),
        Column("state", String(16), nullable=False),
        Column("attempt", Integer, nullable=False),
        Column("died", Integer, nullable=False),
        Column("abandoned", Integer, nullable=False),
        Column("worker", Text),
        Column("lease", String(32)),
        Column("steps", Text, nullable=False),
        Column("sentence", Text, nullable=False),
        Column("report", LargeBinary),
        Column("submission", Integer, ForeignKey("submissions.id")),
        Column("created", String(32), nullable=False),
        Column("started", String(32)),
        Column("ended", String(32)),
        Column("duration_ms", Long),
        Column("request_key", String(80)),
        Column("request_digest", String(64)),
    )
    op.create_index("hand_ins_by_owner", "hand_ins", ["owner", "ended"])
    op.create_index("hand_ins_by_request", "hand_ins", ["owner", "request_key"], unique=True)
    op.create_index("hand_ins_by_state", "hand_ins", ["state"])
    op.create_table(
        "tokens",
        Column("name", String(80), primary_key=True),
        Column("sha256", String(64), nullable=False),
        Column("created", String(32), nullable=False),
    )
    op.create_table(
        "accounts",
        Column("name", String(80), primary_key=True),
        Column("role", String(16), nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("created", String(32), nullable=False),
        Column("login", Text),
    )
    op.create_index("accounts_by_login", "accounts", ["login"], unique=True)
    op.create_table(
        "closed_names",
        Column("name", Text, primary_key=True),
        Column("shown", String(80), nullable=False, unique=True),
    )
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
        "actions",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("created", String(32), nullable=False),
        Column("who", Text, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("details", Text, nullable=False),
        Column("reason", Text, nullable=False),
        Column("digest", String(64), nullable=False),
    )
    op.create_table(
        "voids",
        Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
        Column("action", Integer, primary_key=True),
        Column("match_id", Long, ForeignKey("matches.id"), nullable=False),
    )
    op.create_table(
        "leagues",
        Column("id", Integer, primary_key=True),
        Column("name", String(80), nullable=False, unique=True),
        Column("game", String(64), nullable=False),
        Column("definition", Text, nullable=False),
        Column("definition_hash", String(64), nullable=False),
        Column("state", String(16), nullable=False),
        Column("created", String(32), nullable=False),
        Column("results", Integer, nullable=False),
        Column("log_entries", Integer, nullable=False, server_default="0"),
        Column("log_digest", String(64), nullable=False, server_default=""),
    )
    op.create_table(
        "seasons",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("first_day", String(10), nullable=False),
        Column("days", Integer, nullable=False),
        Column("secret", String(64), nullable=False),
        Column("commitment", String(64), nullable=False),
        Column("entropy", Text, nullable=False),
        Column("ended", String(32)),
        Column("frozen", String(32)),
        Column("final", Text),
        Column("standings", LargeBinary),
    )
    op.create_table(
        "league_log",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("created", String(32), nullable=False),
        Column("who", Text, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("details", Text, nullable=False),
        Column("reason", Text, nullable=False),
        Column("digest", String(64), nullable=False),
    )
    op.create_table(
        "entries",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("submission_id", Integer, ForeignKey("submissions.id"), nullable=False),
        Column("name", String(96), nullable=False),
        Column("owner", String(80), nullable=False),
        Column("is_anchor", Boolean, nullable=False),
        Column("state", String(16), nullable=False),
        Column("reason", Text, nullable=False),
        Column("entered", String(32), nullable=False),
        Column("placed", String(32)),
        Column("grants", Text),
        UniqueConstraint("league_id", "name"),
    )
    op.create_table(
        "batches",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("event_id", Long, ForeignKey("events.id"), nullable=False, unique=True),
        Column("season", Integer, nullable=False),
        Column("day", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("snapshot", Integer, nullable=False),
        Column("entries", Text, nullable=False),
        Column("state", String(16), nullable=False),
        Column("attempt", Integer, nullable=False),
        Column("failed", Integer, nullable=False),
        Column("runner", Text, nullable=False),
        Column("lease_until", Long, nullable=False),
        Column("created", String(32), nullable=False),
        Column("ended", String(32)),
        Column("seconds", Float),
        Column("result", Integer),
        Column("sums", LargeBinary),
        Column("part", Integer),
        UniqueConstraint("league_id", "result"),
    )
    op.create_index("batches_by_state", "batches", ["league_id", "state"])
    op.create_table(
        "batch_attempts",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("batch", Integer, primary_key=True),
        Column("attempt", Integer, primary_key=True),
        Column("runner", Text, nullable=False),
        Column("began", String(32), nullable=False),
        Column("ended", String(32)),
        Column("outcome", String(16)),
        Column("reason", Text, nullable=False),
    )
    op.create_table(
        "snapshots",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("created", String(32), nullable=False),
    )
    op.create_table(
        "league_ratings",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("packed", LargeBinary, nullable=False),
        Column("created", String(32), nullable=False),
    )
    op.create_table(
        "total_sums",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("results", Integer, nullable=False),
        Column("packed", LargeBinary, nullable=False),
    )
    op.create_table(
        "entry_rivals",
        Column("league_id", Integer, ForeignKey("leagues.id"), primary_key=True),
        Column("entry", Integer, primary_key=True),
        Column("ratings", Integer, nullable=False),
        Column("ahead", Text, nullable=False),
    )
