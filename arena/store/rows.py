"""The values that the store takes and returns, as plain Python dataclasses.

    NewEvent        a tournament before its first match         -> Store.add_tournament, Store.add_single
    MatchRow        one finished match                          -> Store.add_matches
    OutputRow       what one bot process printed                -> Store.add_outputs
    TournamentRow   a stored tournament                         <- Store.tournament
    StoredMatch     a match with event, outputs and failures    <- Store.match
    DecisionRow     an entry of a tournament's log              <- Store.decisions
    ListedMatch     one line of a list of matches               <- Store.matches
    ResultRow       the result of one match                     <- Store.results
    SummedResults   the results of a tournament, summed         <- Store.rating_sums
    VerdictRow      what ended a tournament early               -> Store.save_verdict, <- Store.verdict
    SpeedRow        how fast a tournament was                   <- Store.tournament_speed

A match has a number in its tournament's schedule, from 0, and an id in the database: the first id of the
tournament's range plus the number. The ids are reserved when the tournament is added, so they do not depend
on the order in which matches end.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from math import ceil
from time import time
from typing import Any, NamedTuple

from arena.store.failure_rows import ProcessFailureRow
from arena.store.pseudonyms import ClosedNames
from arena.store.stored_definition import StoredDefinition, definition_text
from referee.engine.chance import mixed_secret
from referee.engine.record import Say

FAULT_KINDS = ("illegal", "timeout", "crash", "hung", "memory", "protocol", "start", "withdrawn")
"""The kinds of faults."""


def utc_now() -> str:
    """Return the current time in UTC as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def now_ms(later: float = 0.0) -> int:
    """Return the time in milliseconds since 1970. later: seconds."""
    return round((time() + later) * 1000)


class LogEnd(NamedTuple):
    """The end of a log, as it is noted beside it. entries: its length. digest: of its last entry; empty for none."""

    entries: int = 0
    digest: str = ""


NO_LOG = LogEnd()
"""The end of a log without entries."""


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """One bot of a tournament.

    name: as it is shown. command: the program and its arguments. folder: where it is started.
    sha256: the hash of its files at the start, in hex.
    withdrawn: why it was withdrawn; None if it was not.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    sha256: str
    withdrawn: str | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A tournament or a single match, as defined before the first match.

    game, options: the rules; options only where they differ from their defaults, as texts.
    behaviour: the version of the game's rules.
    definition: field, rounds, seats, block, schedule, time control and so on; enough to resume it. Its hash is
        published at the start.
    secret: 32 bytes from which every match seed follows (`referee.engine.chance.deal_seed`).
    seed: the text given with --seed (a development seed), otherwise None.
    versions: of the software that created it, by name: "arena", "chance", "python" ...
    entrants: the field; seats of matches name an entrant by its place here.
    matches: the number of matches in the schedule, for which ids are reserved.
    """

    game: str
    options: dict[str, str]
    behaviour: int
    definition: StoredDefinition
    secret: bytes
    seed: str | None
    versions: dict[str, str]
    entrants: tuple[EntrantRow, ...]
    matches: int

    @property
    def secret_hash(self) -> str:
        """The SHA-256 of the secret in hex, published at the start."""
        return sha256(self.secret).hexdigest()

    @property
    def definition_hash(self) -> str:
        """The hash of the definition in hex, published at the start."""
        return self.definition.hash


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """A stored tournament, or the event of a single match.

    key: its key in the database. first_match: the id of match number 0. created, finished: UTC, ISO 8601; finished is
        None while matches of the schedule are missing.
    secret_hash, definition_hash: as published at the start. entropy: the public value that was mixed into the secret;
        None if there is none, or while it is awaited. extended_rounds: the rounds that the organiser decided on since;
        None as defined. shown_names: by the names in its summaries, those under which bots are shown, where these
        differ (see `arena.store.versioned_names`). closed: the names that are not shown; its definition and its log
        hold them. log_end: as it is noted beside its log. The other fields as in `NewEvent`.
    """

    key: int
    game: str
    options: dict[str, str]
    behaviour: int
    definition: StoredDefinition
    definition_hash: str
    secret: bytes
    secret_hash: str
    seed: str | None
    versions: dict[str, str]
    entrants: tuple[EntrantRow, ...]
    first_match: int
    matches: int
    created: str
    finished: str | None
    entropy: str | None = None
    extended_rounds: int | None = None
    shown_names: dict[str, str] = field(default_factory=dict)
    closed: ClosedNames = field(default_factory=ClosedNames)
    log_end: LogEnd = NO_LOG

    @property
    def rounds(self) -> int:
        """The number of rounds: as defined, or as the organiser has extended it since."""
        return self.definition.rounds if self.extended_rounds is None else self.extended_rounds

    @property
    def mixed_secret(self) -> bytes:
        """The secret from which every match seed follows, with the entropy mixed in if there is any."""
        return self.secret if self.entropy is None else mixed_secret(self.secret, self.entropy)

    @property
    def awaited_entropy(self) -> str:
        """The public value, in words, that must be known before it can be played; empty if none is awaited."""
        return "" if self.entropy is not None else self.definition.entropy

    @property
    def names(self) -> list[str]:
        """The names of its field."""
        return [entrant.name for entrant in self.entrants]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRow(EventRow):
    """A stored tournament. id: its number, from 1."""

    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleMatchRow(EventRow):
    """The event of a match that belongs to no tournament."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEventRow(EventRow):
    """The event of a batch of a league. league: the name of the league. batch: its number there, from 1."""

    league: str
    batch: int


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a finished match.

    entrant: its place in the field. player: the process that held it, its place in the phase's players.
    score, rank: the result. decisions: the number of answers that the bot gave itself. charged_us: its
    time, in µs. forfeit: whether it ran out of strikes and was ranked last.
    """

    entrant: int
    player: int
    score: int
    rank: int
    decisions: int
    charged_us: int
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault of a seat.

    kind: one of `FAULT_KINDS`.
    ply: the answer that is missing, from 0 over the match. sentence: what happened.
    forfeit: whether this fault took the last strike.
    """

    seat: int
    ply: int
    kind: str
    sentence: str
    forfeit: bool = False


class NoteRow(NamedTuple):
    """A note that a bot sent with its move; ply as in `FaultRow`. There may be one for every move of every match."""

    seat: int
    ply: int
    text: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One finished match.

    number: its place in the schedule, from 0. phase: the set of processes that played it; no two sets
        of a tournament share a number (`Store.next_phase`).
    round, table, deal, rotation: from 0, as the schedule names them; `deal` is the one that
        `deal_seed(secret, deal)` turns into `seed`.
    answers, times, digest: as in `referee.engine.record` and `referee.engine.events.digest`.
    behaviour: the game's behaviour version in the referee that played it.
    duration_ms: from the first question to the last answer, without standstill_ms.
    standstill_ms: how long the machine stood still meanwhile; it is charged to nobody.
    says: table talk, in the order of the answers with which it was sent.
    """

    number: int
    phase: int
    round: int
    table: int
    deal: int
    rotation: int
    seed: bytes
    behaviour: int
    answers: bytes
    times: bytes
    digest: bytes
    duration_ms: int
    seats: tuple[SeatRow, ...]
    faults: tuple[FaultRow, ...] = ()
    notes: tuple[NoteRow, ...] = ()
    says: tuple[Say, ...] = ()
    standstill_ms: int = 0


@dataclass(frozen=True, slots=True)
class ContentionRow:
    """The CPU contention of a phase.

    phase: as in `MatchRow`. void: matches that did not count. lag_us: the longest time that the referee kept an answer
    waiting. waited_us: time that bots waited for a core with a question open, by place in the field.
    """

    phase: int
    void: int
    lag_us: int
    waited_us: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutputRow:
    """What the processes of one player of a phase printed.

    phase, player: as in `MatchRow` and `SeatRow`. entrant: whose it is. text: cleaned, at most the
    last 64 KiB. truncated: whether more was printed. name, version: what the bot called itself.
    """

    phase: int
    player: int
    entrant: int
    text: str
    truncated: bool = False
    name: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """An entry of a tournament's append-only log.

    number: from 1. created: UTC, ISO 8601. who: the person who decided it. kind: what was decided, in one word.
    details: of it, as JSON values. reason: in the words of that person. digest: in hex, binds the entry to all before
    it (`chained_digest`).
    """

    number: int
    created: str
    who: str
    kind: str
    details: dict[str, Any]
    reason: str
    digest: str

    @classmethod
    def chained(
        cls, previous: str, number: int, who: str, kind: str, details: dict[str, Any], reason: str
    ) -> "DecisionRow":
        """Return an entry of this moment that follows one with the digest `previous`."""
        row = cls(number, utc_now(), who, kind, details, reason, "")
        return replace(row, digest=row.chained_digest(previous))

    @classmethod
    def of(cls, row: Any) -> "DecisionRow":
        """Return an entry of the row of a log in the database."""
        return cls(row.number, row.created, row.who, row.kind, json.loads(row.details), row.reason, row.digest)

    def shown(self, closed: ClosedNames) -> "DecisionRow":
        """Return the entry for readers, in which closed accounts and their bots have pseudonyms.

        The digest is that of the stored entry.
        """
        bot = self.details.get("bot")
        if isinstance(bot, dict):  # the newcomer of a tournament
            names = {"name": closed.bot, "submission": closed.bot, "author": closed.owner}
            bot = bot | {key: shown(bot[key]) for key, shown in names.items() if key in bot}
        elif bot is not None:
            bot = closed.bot(bot)
        details = self.details if bot is None else self.details | {"bot": bot}
        return replace(self, who=closed.owner(self.who), reason=closed.text(self.reason), details=details)

    def values(self) -> dict[str, Any]:
        """Return its columns in the log of a database."""
        return {
            "number": self.number,
            "created": self.created,
            "who": self.who,
            "kind": self.kind,
            "details": definition_text(self.details),
            "reason": self.reason,
            "digest": self.digest,
        }

    def chained_digest(self, previous: str) -> str:
        """Compute its digest.

        previous: the digest of the entry before it, or the definition hash for the first entry.
        """
        content = [previous, self.number, self.created, self.who, self.kind, self.details, self.reason]
        return sha256(definition_text(content).encode()).hexdigest()


PROGRAM = "arena"
"""Who decides, in logs, where nobody but this program does."""

TOMORROW = "tomorrow, from 00:00 UTC"


def seconds_to_tomorrow(now: str) -> int:
    """Return the seconds until the next day begins. now: UTC, ISO 8601."""
    at = datetime.fromisoformat(now)
    midnight = datetime(at.year, at.month, at.day, tzinfo=at.tzinfo) + timedelta(days=1)
    return ceil((midnight - at).total_seconds())


def log_problems(log: Sequence[DecisionRow], definition_hash: str, end: LogEnd | None = None) -> Iterator[str]:
    """Yield a sentence for each entry of a log that is not as it was written: it is bound to all before it.

    end: as it is noted elsewhere; None if that is unknown.
    """
    found = LogEnd(len(log), log[-1].digest) if log else NO_LOG
    if end is not None and found != end:
        yield (
            f"its log ends with entry {found.entries}{_hashed(found)}, and was written up to entry "
            f"{end.entries}{_hashed(end)}"
        )
    before = definition_hash
    for number, entry in enumerate(log, 1):
        if entry.number != number or entry.digest != entry.chained_digest(before):
            yield f"entry {entry.number} of its log is not as it was written, or one before it is missing"
        before = entry.digest


def _hashed(end: LogEnd) -> str:
    return f" with the hash {end.digest}" if end.digest else ""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A stored match with its event, outputs and process failures.

    id: in the whole database. event: its tournament, the batch of its league, or that of the single match. row: the
    record.
    truncated_notes: the seats whose notes are not complete. outputs: by seat, if its process printed anything.
    failures: of processes that had a question of the match open; for a single match all.
    """

    id: int
    event: TournamentRow | SingleMatchRow | BatchEventRow
    row: MatchRow
    truncated_notes: frozenset[int] = frozenset()
    outputs: dict[int, OutputRow] = field(default_factory=dict)
    failures: tuple[ProcessFailureRow, ...] = ()

    @property
    def players(self) -> list[str]:
        """The names of the bots by seat."""
        return [self.event.entrants[seat.entrant].name for seat in self.row.seats]

    @property
    def tournament_id(self) -> int | None:
        """The number of its tournament; None for a single match."""
        return self.event.id if isinstance(self.event, TournamentRow) else None


class MatchVersion(NamedTuple):
    """The cache key of a stored match: it changes with the match, its tournament and the output of its processes.

    event: the key of the tournament's event. decisions: the number of entries in its log, which a match that is made
        void and played again increases. finished: when the tournament ended, None while it runs. outputs:
        the bytes of output stored for the processes of the match's phase. notes: the seats whose notes are stored,
        fewer once an account is closed. closed: the number of names that are not shown, as accounts are closed.
    """

    event: int
    decisions: int
    finished: str | None
    outputs: int
    notes: int
    closed: int


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One line of a list of matches; the tuples have one entry per seat.

    tournament: None for matches of none. faults: number by kind. batch: its league and number there; None for a match
    of none.
    """

    id: int
    tournament: int | None
    game: str
    deal: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[dict[str, int], ...]
    batch: tuple[str, int] | None = None

    def faults_text(self) -> str:
        """Return the faults of each seat as text: `seat 1: illegal 2, timeout 1; seat 3: crash 1`, or `-` if none."""
        seats = (
            f"seat {seat}: " + ", ".join(f"{kind} {count}" for kind, count in kinds.items())
            for seat, kinds in enumerate(self.faults)
            if kinds
        )
        return "; ".join(seats) or "-"


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of one match; the tuples have one entry per seat. entrants: places in the field."""

    deal: int
    entrants: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class LoggedResultRow(NamedTuple):
    """The result of one match. seed: of its deal. digest: of its log, as in `MatchRow`."""

    result: ResultRow
    seed: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class EffortRow:
    """The decisions and charged time of an entrant in a tournament. matches: the seats that it held."""

    matches: int
    decisions: int
    charged_us: int


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Why a tournament ended early.

    rounds, matches: the number of rounds and matches, from the first, that it is based on. sentence: the finding; empty
    if the tournament was played to its last round. code: the exit code of the command that played it.
    """

    rounds: int
    matches: int
    sentence: str
    code: int


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """How fast a tournament was.

    matches: the number stored. seconds: from start to end, including interruptions. playing: seconds of all phases
    together, without the starts of processes; None if it was not computed. starts: the number of bot processes started.
    """

    matches: int
    seconds: float
    playing: float | None = None
    starts: int = 1


@dataclass(frozen=True, slots=True)
class SummedResults:
    """The results of many matches, most of them in summaries.

    parts: the summaries. results, uncounted: of the unsummarised matches, those that the ranking counts and those that
    it does not. efforts, faults: of all unsummarised matches, by place in the field, as `Store.efforts` and
    `Store.fault_counts` return them.
    """

    parts: tuple[bytes, ...]
    results: tuple[ResultRow, ...]
    uncounted: tuple[ResultRow, ...]
    efforts: dict[int, EffortRow]
    faults: dict[int, dict[str, int]]
