"""The tables: those of a new database.

`arena/store/migrations` holds the steps that bring a database of an older release there; tests compare the two.

A match of 300 answers at 6 seats takes less than 2 KB with all its rows and indexes: integers, blobs, no row ids
where the key covers the row (in SQLite), and only those indexes that queries need.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

Long = BigInteger().with_variant(Integer, "sqlite")
"""64-bit integers. Every integer of SQLite has 64 bits, and only the type INTEGER can be a row id there."""


class Short(Integer):
    """32-bit integers, which are compared as 64-bit ones: a number that is too large is in no row."""


HEAD = "0041"
"""The schema's version: the last of `migrations/versions`."""

FIRST = "0024"
"""The schema's version in the first release: the first of `migrations/versions`, which makes all tables."""

metadata = MetaData()

alembic_version = Table(
    "alembic_version",
    MetaData(),  # not one of ours: it is alembic's, as alembic would create it
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The table in which alembic keeps the schema's version."""

events = Table(
    "events",
    metadata,
    Column("id", Long, primary_key=True),
    Column("tournament", Short, unique=True, comment="its number, from 1; null for a single match"),
    Column("game", String(64), nullable=False),
    Column("options", Text, nullable=False, comment="JSON object: options that differ from their defaults"),
    Column("behaviour", Short, nullable=False),
    Column("definition", Text, nullable=False, comment="canonical JSON"),
    Column("definition_hash", String(64), nullable=False, comment="SHA-256 in hex"),
    Column("secret", String(64), nullable=False, comment="hex; every match seed follows from it"),
    Column("secret_hash", String(64), nullable=False, comment="SHA-256 in hex"),
    Column("seed", Text, comment="the number given with --seed; null where the secret was drawn"),
    Column("versions", Text, nullable=False, comment="JSON object: name to version"),
    Column("first_match", Long, nullable=False, unique=True, comment="the id of match number 0"),
    Column("matches", Long, nullable=False, comment="ids reserved: the matches of the schedule"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("finished", String(32), comment="UTC, ISO 8601; null while matches are missing"),
    Column("entropy", Text, comment="the public value that was mixed into the secret; null where none was"),
    Column("log_entries", Short, nullable=False, server_default="0", comment="how many its log has"),
    Column("log_digest", String(64), nullable=False, server_default="", comment="of the last of them"),
)

entrants = Table(
    "entrants",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
    Column("place", Short, primary_key=True, comment="in the field, from 0"),
    Column("name", Text, nullable=False),
    Column("command", Text, nullable=False, comment="JSON list: program and arguments"),
    Column("folder", Text, nullable=False),
    Column("sha256", String(64), nullable=False, comment="of its files, in hex"),
    Column("withdrawn", Text, comment="why; null where it was not"),
    sqlite_with_rowid=False,
)

Index("entrants_by_name", entrants.c.name, postgresql_ops={"name": "text_pattern_ops"})

matches = Table(
    "matches",
    metadata,
    Column(
        "id", Long, primary_key=True, autoincrement=False, comment="first_match of the event + number in the schedule"
    ),
    Column("event_id", Long, ForeignKey("events.id"), nullable=False),
    Column("phase", Short, nullable=False),
    Column("round", Short, nullable=False),
    Column("at_table", Short, nullable=False),
    Column("deal", Long, nullable=False),
    Column("rotation", Short, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("behaviour", Short, nullable=False),
    Column("answers", LargeBinary, nullable=False, comment="compressed varints: index of each move in its legal list"),
    Column("times", LargeBinary, nullable=False, comment="compressed bytes: time of each answer, logarithmic"),
    Column("digest", LargeBinary, nullable=False, comment="fingerprint of the log"),
    Column("duration_ms", Long, nullable=False),
    Column("standstill_ms", Long, nullable=False, server_default="0", comment="how long the machine stood still"),
)

seats = Table(
    "seats",
    metadata,
    Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Short, primary_key=True),
    Column("entrant", Short, nullable=False, comment="place in the field"),
    Column("player", Short, nullable=False, comment="place in the players of the phase"),
    Column("score", Long, nullable=False),
    Column("rank", Short, nullable=False),
    Column("decisions", Short, nullable=False),
    Column("charged_us", Long, nullable=False),
    Column("forfeit", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

faults = Table(
    "faults",
    metadata,
    Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
    Column("place", Short, primary_key=True, comment="in the order of the match, from 0"),
    Column("seat", Short, nullable=False),
    Column("ply", Short, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("sentence", Text, nullable=False),
    Column("forfeit", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

notes = Table(
    "notes",
    metadata,
    Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Short, primary_key=True),
    Column("packed", LargeBinary, nullable=False, comment="compressed: ply, length, UTF-8 text of each note"),
    Column("truncated", Boolean, nullable=False),
)

says = Table(
    "says",
    metadata,
    Column("match_id", Long, ForeignKey("matches.id"), primary_key=True),
    Column("packed", LargeBinary, nullable=False, comment="compressed: seat, ply, length, UTF-8 text of each"),
)

outputs = Table(
    "outputs",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
    Column("phase", Short, primary_key=True),
    Column("player", Short, primary_key=True),
    Column("entrant", Short, nullable=False, comment="place in the field"),
    Column("text", LargeBinary, nullable=False, comment="compressed UTF-8"),
    Column("truncated", Boolean, nullable=False),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
)

process_failures = Table(
    "process_failures",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
    Column("phase", Short, primary_key=True),
    Column("player", Short, primary_key=True, comment="place in the players of the phase"),
    Column("time_us", Long, primary_key=True, comment="when: microseconds since 1970, UTC"),
    Column("entrant", Short, nullable=False, comment="place in the field"),
    Column("kind", String(16), nullable=False),
    Column("sentence", Text, nullable=False),
    Column("exit_code", Short, comment="null where it did not exit by itself"),
    Column("signal", Short, comment="the number of the signal that ended it; null where none did"),
    Column("matches", Text, nullable=False, comment="JSON list: numbers of the matches in which it was asked"),
    Column("guilty", Long, comment="number of the guilty match; null if there is none"),
    Column("output", LargeBinary, nullable=False, comment="compressed UTF-8: the end of what it printed"),
    Column("truncated", Boolean, nullable=False, comment="it had printed more"),
)

strains = Table(
    "strains",
    metadata,
    Column("event_id", Short, ForeignKey("events.id"), primary_key=True),
    Column("phase", Short, primary_key=True),
    Column("void", Short, nullable=False, comment="matches that did not count"),
    Column("lag_us", BigInteger, nullable=False, comment="the longest time that the referee kept an answer waiting"),
    Column("waited", Text, nullable=False, comment="JSON object: place in the field to microseconds without a core"),
)

summaries = Table(
    "summaries",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
    Column("part", Short, primary_key=True),
    Column("matches", Long, nullable=False, comment="how many are in it"),
    Column("packed", LargeBinary, nullable=False, comment="compressed, see arena.results.summary"),
)

unsummarised = Table(
    "loose",
    metadata,
    Column("match_id", Long, ForeignKey("matches.id"), primary_key=True, comment="of a tournament, and in no summary"),
    sqlite_with_rowid=False,
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True, comment="of a tournament that may end early"),
    Column("rounds", Short, nullable=False),
    Column("matches", Long, nullable=False, comment="so many from the first are rated"),
    Column("sentence", Text, nullable=False, comment="empty where it was played to its last round"),
    Column("code", Short, nullable=False, comment="the exit code of `arena tourney`"),
)

runs = Table(
    "runs",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True, comment="of a tournament that is being played"),
    Column("worker", Text, nullable=False, comment="the process that plays it (see arena.store.engine.worker_name)"),
    Column("began", String(32), nullable=False),
    Column("heard_ms", BigInteger, nullable=False, comment="when it last wrote, in milliseconds since 1970"),
)

packs = Table(
    "packs",
    metadata,
    Column("sha256", String(64), primary_key=True, comment="of the pack (see arena.packs.pack), in hex"),
    Column("packed", LargeBinary, nullable=False, comment="compressed tar archive"),
    Column("files", Short, nullable=False),
    Column("bytes", Short, nullable=False, comment="of all files together"),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", Short, primary_key=True),
    Column("name", String(80), nullable=False),
    Column("version", Short, nullable=False, comment="from 1, without a gap"),
    Column("source", String(64), ForeignKey("packs.sha256"), nullable=False, comment="the pack as submitted"),
    Column("content", String(64), ForeignKey("packs.sha256"), nullable=False, comment="the pack that plays"),
    Column("manifest", Text, nullable=False, comment="canonical JSON"),
    Column("report", Text, nullable=False, comment="JSON: the check that accepted it"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("retired", String(32), comment="UTC, ISO 8601; null while it may enter tournaments"),
    Column("received", String(32), nullable=False, server_default="", comment="UTC, ISO 8601: before its check"),
    Column("practice_only", Short, nullable=False, server_default="0", comment="1: it enters nothing, 0 for others"),
    UniqueConstraint("name", "version"),
)

hand_ins = Table(
    "hand_ins",
    metadata,
    Column("id", Long, primary_key=True),
    Column("owner", String(80), nullable=False, comment="the account whose bot it is"),
    Column("name", String(80), nullable=False, comment="of the bot"),
    Column("games", Text, nullable=False, comment="JSON list: what it must play; empty: what its manifest names"),
    Column("league", Short, comment="the league that it is to enter; null for none"),
    Column("file", Text, nullable=False, comment="the name of the file as sent"),
    Column("state", String(16), nullable=False, comment="see arena.bots.hand_ins"),
    Column("attempt", Short, nullable=False, comment="raised by every claim: an older attempt stores nothing"),
    Column("died", Short, nullable=False, comment="how many attempts ended with the process of the check"),
    Column("abandoned", Short, nullable=False, comment="how many attempts ended with their worker"),
    Column("worker", Text, comment="the process that checks it, see arena.store.engine.worker_name; null for none"),
    Column("lease", String(32), comment="UTC, ISO 8601: until then it is that worker's"),
    Column("steps", Text, nullable=False, comment="JSON lines: the finished steps of the present attempt"),
    Column("sentence", Text, nullable=False, comment="the result in words, to follow the name; empty before"),
    Column("report", LargeBinary, comment="compressed JSON: the check's report and its findings; null without one"),
    Column("submission", Short, ForeignKey("submissions.id"), comment="what it became; null unless accepted"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("started", String(32), comment="UTC, ISO 8601: the present attempt; null before the first"),
    Column("ended", String(32), comment="UTC, ISO 8601; null while it is unfinished"),
    Column("duration_ms", Long, comment="of the attempt that finished it; null where none did"),
    Column("request_key", String(80), comment="the Idempotency-Key of its request; null for none"),
    Column("request_digest", String(64), comment="SHA-256 in hex of that request; null for none"),
    Column("taken_ms", Long, comment="of the last attempt that gave way to quick ones; null where none did"),
    Column("busy", Short, nullable=False, server_default="0", comment="how many attempts found the server too busy"),
    Column("not_before", String(32), comment="UTC, ISO 8601: when it is tried again after that; null for at once"),
    Column("sent_by", String(80), comment="the account that sent it for the team that owns it; null: the owner"),
    Column("rejudged", String(32), comment="UTC, ISO 8601: when it was last to be checked again; null for never"),
    Column("practice_only", Short, nullable=False, server_default="0", comment="1: its version is to enter nothing"),
)

Index("hand_ins_by_state", hand_ins.c.state)
Index("hand_ins_by_owner", hand_ins.c.owner, hand_ins.c.ended)
Index("hand_ins_by_name", hand_ins.c.name, hand_ins.c.ended)
Index("hand_ins_by_request", hand_ins.c.owner, hand_ins.c.request_key, unique=True)

hand_in_files = Table(
    "hand_in_files",
    metadata,
    Column("hand_in", Long, ForeignKey("hand_ins.id"), primary_key=True, autoincrement=False),
    Column("bytes", Long, nullable=False, comment="of the content"),
    Column("content", LargeBinary, nullable=False, comment="the file as sent; the row goes once it is accepted"),
)
"""Apart from `hand_ins`: SQLite reads through all of a large value to reach the columns that stand after it."""

hand_in_phases = Table(
    "hand_in_phases",
    metadata,
    Column("hand_in", Long, ForeignKey("hand_ins.id"), primary_key=True, autoincrement=False),
    Column("key", String(64), primary_key=True, comment="SHA-256 in hex of all that it depends on"),
    Column("packed", LargeBinary, nullable=False, comment="compressed, see arena.bots.kept_phases"),
)
"""What long checks have played, until their hand-ins are finished."""

hand_in_log = Table(
    "hand_in_log",
    metadata,
    Column("hand_in", Long, ForeignKey("hand_ins.id"), primary_key=True, autoincrement=False),
    Column("number", Short, primary_key=True, autoincrement=False, comment="of the decision on it, from 1"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("who", String(80), nullable=False, comment="who had it checked again"),
    Column("reason", Text, nullable=False),
    Column("before", Text, nullable=False, comment="the result until then, in words"),
    sqlite_with_rowid=False,
)

hand_in_workers = Table(
    "hand_in_workers",
    metadata,
    Column("worker", Text, primary_key=True, comment="a process that checks them (see arena.store.engine.worker_name)"),
    Column("is_server", Boolean, nullable=False, comment="others must have its equipment"),
    Column("began", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("heard", String(32), nullable=False, comment="UTC, ISO 8601: when it last wrote"),
    Column("jobs", Short, nullable=False, comment="how many it checks side by side"),
    Column("equipment", Text, nullable=False, comment="JSON list: what it has that checks may need, in words"),
    Column("start_ms", Long, nullable=False, comment="how long bots may take to start, at least"),
    Column("ready_ms", Long, nullable=False, comment="how long bots may take to get ready, at least; 0: no limit"),
    Column("problem", Text, nullable=False, comment="why it checks nothing; empty where it does"),
    sqlite_with_rowid=False,
)

tokens = Table(
    "tokens",
    metadata,
    Column("name", String(80), primary_key=True, comment="of a remote bot"),
    Column("sha256", String(64), nullable=False, comment="of its token, in hex"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("name", String(80), primary_key=True, comment="who signs in to the pages"),
    Column("role", String(16), nullable=False, comment="author, organiser or team"),
    Column("sha256", String(64), nullable=False, comment="of its token, in hex"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("login", Text, comment="the name at the proxy that signs in for it; null for none"),
    Column("display_name", Text, comment="how people are to read who it is; null: its name"),
    Column("email", Text, comment="of the person; null where it is not known"),
    Column("id_number", String(80), comment="of a student, as in a gradebook; null where it is not known"),
    Column("group", String(80), comment="of a class, as a course or a section; null for none"),
    Column("team", String(80), comment="the account of the team for which the person acts; null for none"),
)

Index("accounts_by_login", accounts.c.login, unique=True)

closed_names = Table(
    "closed_names",
    metadata,
    Column("name", Text, primary_key=True, comment="of an account that was closed, or of a bot of it"),
    Column("shown", String(80), nullable=False, unique=True, comment="under which readers see it"),
)

account_tokens = Table(
    "account_tokens",
    metadata,
    Column("id", Short, primary_key=True),
    Column("account", String(80), ForeignKey("accounts.name"), nullable=False),
    Column("label", String(80), nullable=False, comment="what it is for"),
    Column("scopes", String(80), nullable=False, comment="read, submit, manage; with a space between"),
    Column("sha256", String(64), nullable=False, unique=True, comment="of the token, in hex"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("expires", String(32), comment="UTC, ISO 8601; null: never"),
    Column("used", String(32), comment="UTC, ISO 8601: the last time, to ten minutes; null: never"),
)

account_invitations = Table(
    "account_invitations",
    metadata,
    Column("id", Short, primary_key=True),
    Column("name", String(80), nullable=False, comment="of the account; empty: whoever accepts it chooses"),
    Column("role", String(16), nullable=False, comment="author, organiser or team"),
    Column("sha256", String(64), nullable=False, unique=True, comment="of the secret in its link, in hex"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("expires", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("accepted", String(80), comment="the account that it made; null while it is open"),
    Column("team", String(80), comment="for which the account acts; null for none"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Long, primary_key=True),
    Column("kind", String(32), nullable=False, comment="such as hand_in.checked"),
    Column("account", String(80), nullable=False, comment="whom it concerns"),
    Column("data", Text, nullable=False, comment="JSON object: what is told"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    sqlite_autoincrement=True,  # or the id of an event that was read and deleted would come again
)

outbox_cursors = Table(
    "outbox_cursors",
    metadata,
    Column("name", String(64), primary_key=True, comment="of a listener"),
    Column("position", Long, nullable=False, comment="the highest id that it has read"),
    Column("gaps", Text, nullable=False, comment="JSON list of [first, last, since]: ids that it passed unseen"),
    sqlite_with_rowid=False,
)

feature_tables = Table(
    "feature_tables",
    metadata,
    Column("name", String(64), primary_key=True, comment="of a feature whose package has tables of its own"),
    Column("version", Short, nullable=False, comment="of these tables"),
    sqlite_with_rowid=False,
)

actions = Table(
    "actions",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
    Column("number", Short, primary_key=True, comment="from 1, without a gap"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("who", Text, nullable=False),
    Column("kind", String(16), nullable=False, comment="what was done, in one word"),
    Column("details", Text, nullable=False, comment="canonical JSON"),
    Column("reason", Text, nullable=False),
    Column("digest", String(64), nullable=False, comment="SHA-256 in hex, over the entry and the digest before it"),
)

voids = Table(
    "voids",
    metadata,
    Column("event_id", Long, ForeignKey("events.id"), primary_key=True),
    Column("action", Short, primary_key=True, comment="the number of the action that made it void"),
    Column("match_id", Long, ForeignKey("matches.id"), nullable=False, comment="negative: it counts nowhere"),
)

leagues = Table(
    "leagues",
    metadata,
    Column("id", Short, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("game", String(64), nullable=False),
    Column("definition", Text, nullable=False, comment="canonical JSON"),
    Column("definition_hash", String(64), nullable=False, comment="SHA-256 in hex"),
    Column("state", String(16), nullable=False, comment="open, paused or closed"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("results", Short, nullable=False, comment="batches with a result so far"),
    Column("log_entries", Short, nullable=False, server_default="0", comment="how many its log has"),
    Column("log_digest", String(64), nullable=False, server_default="", comment="of the last of them"),
    Column("owner", String(80), comment="of a practice league, which others do not see; null: everybody's"),
    Column("seen", String(32), comment="UTC, ISO 8601: when its owner last looked at it; null: everybody's"),
    Column("removed", String(32), comment="UTC, ISO 8601: since when nobody sees a practice league; null while it is"),
)

practice_use = Table(
    "practice_use",
    metadata,
    Column("owner", String(80), primary_key=True, comment="of practice leagues"),
    Column("day", String(10), primary_key=True, comment="UTC, ISO 8601"),
    Column("begun", Short, nullable=False, comment="how many leagues were begun"),
    Column("used_ms", Long, nullable=False, comment="of a core, for their batches"),
)

seasons = Table(
    "seasons",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("number", Short, primary_key=True, comment="from 1"),
    Column("first_day", String(10), nullable=False, comment="UTC, ISO 8601"),
    Column("days", Short, nullable=False, comment="the most that its chain of secrets has"),
    Column("secret", String(64), nullable=False, comment="hex; the last of the chain, from which all others follow"),
    Column("commitment", String(64), nullable=False, comment="hex; published at the start, all days lead to it"),
    Column("entropy", Text, nullable=False, comment="the public value that is mixed into every day; may be empty"),
    Column("ended", String(32), comment="UTC, ISO 8601; null while it goes on"),
    Column("frozen", String(32), comment="UTC, ISO 8601: nothing enters any more; null before"),
    Column("final", Text, comment="canonical JSON, see arena.league.store.league_rows.Final; null before it is frozen"),
    Column("standings", LargeBinary, comment="compressed, see arena.league.results.season_table; null before its end"),
    Column("hides", String(32), comment="UTC, ISO 8601: later results are hidden until it is frozen; null: none are"),
)

league_log = Table(
    "league_log",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("number", Short, primary_key=True, comment="from 1, without a gap"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("who", Text, nullable=False),
    Column("kind", String(16), nullable=False, comment="what was decided, in one word"),
    Column("details", Text, nullable=False, comment="canonical JSON"),
    Column("reason", Text, nullable=False),
    Column("digest", String(64), nullable=False, comment="SHA-256 in hex, over the entry and the digest before it"),
)

entries = Table(
    "entries",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("number", Short, primary_key=True, comment="in the league, from 1"),
    Column("submission_id", Short, ForeignKey("submissions.id"), nullable=False),
    Column("name", String(96), nullable=False, comment="club/owl@3; unique in the league"),
    Column("owner", String(80), nullable=False, comment="empty: nobody's, as those of the scale"),
    Column("is_anchor", Boolean, nullable=False, comment="0 of the scale is the mean of these"),
    Column("state", String(16), nullable=False, comment="placing, standing, retired or suspended"),
    Column("reason", Text, nullable=False, comment="why it is suspended or retired"),
    Column("entered", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("placed", String(32), comment="UTC, ISO 8601; null while it is placed"),
    Column("grants", Text, comment="canonical JSON, see arena.league.store.entry_grants; null for none"),
    UniqueConstraint("league_id", "name"),
)

batches = Table(
    "batches",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("number", Short, primary_key=True, comment="in the league, from 1"),
    Column("event_id", Long, ForeignKey("events.id"), nullable=False, unique=True),
    Column("season", Short, nullable=False),
    Column("day", Short, nullable=False, comment="of the season, from 0"),
    Column("kind", String(16), nullable=False, comment="placement, standing, final, trial or challenge"),
    Column("snapshot", Short, nullable=False, comment="the ratings from which it was drawn"),
    Column("entries", Text, nullable=False, comment="JSON list: the number of the entry at each place of the field"),
    Column("state", String(16), nullable=False, comment="waiting, leased, stored or void"),
    Column("attempt", Short, nullable=False, comment="the last one, from 1; 0: none"),
    Column("failed", Short, nullable=False, comment="attempts that came to no result"),
    Column("runner", Text, nullable=False, comment="who has the lease"),
    Column("lease_until", Long, nullable=False, comment="milliseconds since 1970, UTC"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("ended", String(32), comment="UTC, ISO 8601; null while it is waiting or leased"),
    Column("seconds", Float, comment="of a core, from its first process to its last"),
    Column("result", Short, comment="its place among the stored batches of the league, from 1"),
    Column("sums", LargeBinary, comment="compressed, see arena.league.results.league_sums"),
    Column("part", Short, comment="of the final, from 0; null for other kinds"),
    UniqueConstraint("league_id", "result"),
    Index("batches_by_state", "league_id", "state"),
)

batch_attempts = Table(
    "batch_attempts",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("batch", Short, primary_key=True),
    Column("attempt", Short, primary_key=True, comment="from 1"),
    Column("runner", Text, nullable=False),
    Column("began", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("ended", String(32), comment="UTC, ISO 8601; null while it goes on"),
    Column("outcome", String(16), comment="stored, released, expired or failed"),
    Column("reason", Text, nullable=False, comment="why it failed"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("number", Short, primary_key=True, comment="from 1"),
    Column("packed", LargeBinary, nullable=False, comment="compressed, see arena.league.plan.matchmaking.snapshot"),
    Column("sha256", String(64), nullable=False, comment="hex"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
)

league_ratings = Table(
    "league_ratings",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("number", Short, primary_key=True, comment="of results: it holds the batches 1 to this one"),
    Column("packed", LargeBinary, nullable=False, comment="compressed, see arena.league.results.board"),
    Column("created", String(32), nullable=False, comment="UTC, ISO 8601"),
)

total_sums = Table(
    "total_sums",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("results", Short, nullable=False, comment="they are the sums of the batches 1 to this one"),
    Column("packed", LargeBinary, nullable=False, comment="compressed, see arena.league.results.league_sums"),
)

league_runs = Table(
    "league_runs",
    metadata,
    Column("league_id", Short, ForeignKey("leagues.id"), primary_key=True),
    Column("runner", Text, primary_key=True, comment="the process that runs it (see arena.store.engine.worker_name)"),
    Column("began", String(32), nullable=False, comment="UTC, ISO 8601"),
    Column("heard", String(32), nullable=False, comment="UTC, ISO 8601: when it last wrote"),
    Column("is_quiet", Boolean, nullable=False, comment="no batch begins, as these are its quiet hours"),
    Column("failing_since", String(32), comment="UTC, ISO 8601; null while it draws and plays, or has nothing to do"),
    Column("problem", Text, nullable=False, comment="why it could not draw or play last; empty where it could"),
    Column(
        "under_way",
        Text,
        nullable=False,
        server_default="[]",
        comment="JSON: how far the batches are that it plays, as arena.league.store.league_runs.BatchProgress",
    ),
    sqlite_with_rowid=False,
)
