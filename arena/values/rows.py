"""The values that the store takes and returns, as plain Python dataclasses.

    NewEvent        a tournament before its first match         -> Store.add_tournament, Store.add_single
    MatchRow        one finished match                          -> Store.add_matches
    OutputRow       what one bot process printed                -> Store.add_outputs
    TournamentRow   a stored tournament                         <- Store.tournament
    StoredMatch     a match with event, outputs and failures    <- Store.match
    DecisionRow     an entry of a tournament's log              <- Store.decisions
    ListedMatch     one line of a list of matches               <- Store.matches
    ResultRow       the result of one match                     <- Store.results, Store.logged_results
    SummedResults   the results of a tournament, summed         <- Store.rating_sums
    VerdictRow      what ended a tournament early               -> Store.save_verdict, <- Store.verdict
    SpeedRow        how fast a tournament was                   <- Store.tournament_speed

A match has a number in its tournament's schedule, from 0, and an id in the database: the first id of the
tournament's range plus the number. The ids are reserved when the tournament is added, so they do not depend
on the order in which matches end.

A finished match is a `MatchRow`; all else that shows one is a view of it, with no value of its own:

    MatchRow.result, ResultRow     what ratings and sums need of it, which is read without the rest
    StoredMatch                    with the event around it, for replays
    ListedMatch                    a line of a list, with the names of bots
    store.matches.seat_results     its seats, one after another, for tables and files of columns
    values.result                  what is rated: teams by name, also of matches that were played elsewhere

Three have another form, as others read them: the record of the referee and the lines of archives (`protos/`), and the
schemas of the API (`arena.server.api.match_values`). What is added up (`SummedResults`, sums of leagues) is no match.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from math import ceil
from time import time
from typing import Any, NamedTuple

from arena.values.canonical_json import canonical_json, hash_of_definition
from arena.values.definition import Definition, Entrant
from arena.values.failure_rows import ProcessFailureRow
from referee.engine.chance import mixed_secret
from referee.engine.record import Say

FAULT_KINDS = ("illegal", "timeout", "crash", "hung", "memory", "protocol", "start", "withdrawn")
"""The kinds of faults."""


def utc_now() -> str:
    """Return the current time in UTC as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def now_ms(later: float = 0.0) -> int:
    """Return the time in milliseconds since 1970.

    later: seconds to add.
    """
    return round((time() + later) * 1000)


class LogEnd(NamedTuple):
    """The end of a log, as it is noted beside it."""

    entries: int = 0
    """The length of the log."""
    digest: str = ""
    """The digest of its last entry; empty for none."""


NO_LOG = LogEnd()
"""The end of a log without entries."""


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """One bot of a tournament."""

    name: str
    """Its name as shown."""
    command: tuple[str, ...]
    """The program and its arguments."""
    folder: str
    """The folder in which it is started."""
    sha256: str
    """The hash of its files at the start, in hex."""
    withdrawn: str | None = None
    """Why it was withdrawn; None if it was not."""


@dataclass(frozen=True)
class NewEvent:
    """A tournament or a single match, as defined before the first match.

    game, options: the rules; options only where they differ from their defaults, as texts.
    """

    game: str
    options: dict[str, str]
    behaviour: int
    """The behaviour version of the game."""
    definition_text: str
    """The field, rounds, seats, block, schedule, time control and so on, as canonical JSON; enough to resume it. Its
    hash is published at the start.
    """
    secret: bytes
    """The 32 bytes from which every match seed follows (`referee.engine.turns.match_seed`)."""
    seed: str | None
    """The text given with --seed (a development seed); None if there is none."""
    versions: dict[str, str]
    """The versions of the software that created it, by name: `"arena"`, `"chance"`, `"python"` ..."""
    entrants: tuple[EntrantRow, ...]
    """The field; seats of matches name an entrant by its place here."""
    matches: int
    """The number of matches in the schedule, for which ids are reserved."""

    @cached_property
    def definition(self) -> Definition:
        """The definition, as `Definition.read` reads it. Raises PlanError as that."""
        return Definition.read(json.loads(self.definition_text))

    @property
    def secret_hash(self) -> str:
        """The SHA-256 of the secret in hex, published at the start."""
        return sha256(self.secret).hexdigest()

    @property
    def definition_hash(self) -> str:
        """The hash of the definition in hex, published at the start."""
        return hash_of_definition(json.loads(self.definition_text))


@dataclass(frozen=True, kw_only=True)
class EventRow:
    """A stored tournament, or the event of a single match; what is not explained here is as in `NewEvent`.

    created, finished: times in UTC, ISO 8601; finished is None while matches of the schedule are missing.
    secret_hash, definition_hash: as published at the start.
    """

    key: int
    """Its key in the database."""
    game: str
    options: dict[str, str]
    behaviour: int
    definition_text: str
    definition_hash: str
    secret: bytes
    secret_hash: str
    seed: str | None
    versions: dict[str, str]
    entrants: tuple[EntrantRow, ...]
    first_match: int
    """The id of match number 0."""
    matches: int
    created: str
    finished: str | None
    entropy: str | None = None
    """The public value that was mixed into the secret; None if there is none, or while it is awaited."""
    extended_rounds: int | None = None
    """The number of rounds that the organiser decided on since; None while it is as defined."""
    shown_names: dict[str, str] = field(default_factory=dict)
    """The names of its field by those that its summaries have for them, where these are others."""
    signed_text: str | None = None
    """The definition as it was hashed, where that has other names than `definition_text`."""
    log_end: LogEnd = NO_LOG
    """The end of its log, as it is noted beside the log."""

    @cached_property
    def definition(self) -> Definition:
        """The definition, as `Definition.read` reads it. Raises PlanError as that."""
        return Definition.read(json.loads(self.definition_text))

    @property
    def hashed_text(self) -> str:
        """The definition whose hash was published."""
        return self.definition_text if self.signed_text is None else self.signed_text

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


@dataclass(frozen=True, kw_only=True)
class TournamentRow(EventRow):
    """A stored tournament."""

    id: int
    """The number of the tournament, from 1."""


@dataclass(frozen=True, kw_only=True)
class SingleMatchRow(EventRow):
    """The event of a match that belongs to no tournament."""


@dataclass(frozen=True, kw_only=True)
class BatchEventRow(EventRow):
    """The event of a batch of a league."""

    league: str
    """The name of the league."""
    batch: int
    """The number of the batch in the league, from 1."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a finished match.

    score, rank: the result of the seat.
    """

    entrant: int
    """The bot's place in the field."""
    player: int
    """The process that held the seat, by its place among the players of the phase."""
    score: int
    rank: int
    decisions: int
    """The number of answers that the bot gave itself."""
    charged_us: int
    """The time that it was charged for all its answers, in µs."""
    forfeit: bool = False
    """Whether the seat ran out of strikes and was ranked last."""


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault of a seat."""

    seat: int
    ply: int
    """The number of the answer that is missing, from 0 over the match."""
    kind: str
    """The kind of the fault, one of `FAULT_KINDS`."""
    sentence: str
    """What happened, in words."""
    forfeit: bool = False
    """Whether this fault took the last strike."""


class NoteRow(NamedTuple):
    """A note that a bot sent with its move; ply as in `FaultRow`. There may be one for every move of every match."""

    seat: int
    ply: int
    text: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One finished match.

    round, table, deal, rotation: from 0, as the schedule names them; `deal` is the one that `match_seed(secret, deal)`
        turns into `seed`.
    answers, times, digest: as in `referee.engine.record` and `referee.engine.events.digest`.
    """

    number: int
    """The place of the match in the schedule, from 0."""
    phase: int
    """The number of the set of processes that played it; no two sets of a tournament share one (`Store.next_phase`)."""
    round: int
    table: int
    deal: int
    rotation: int
    seed: bytes
    behaviour: int
    """The game's behaviour version in the referee that played it."""
    answers: bytes
    times: bytes
    digest: bytes
    duration_ms: int
    """The time from the first question to the last answer, without `standstill_ms`, in milliseconds."""
    seats: tuple[SeatRow, ...]
    faults: tuple[FaultRow, ...] = ()
    notes: tuple[NoteRow, ...] = ()
    says: tuple[Say, ...] = ()
    """The table talk, in the order of the answers with which it was sent."""
    standstill_ms: int = 0
    """How long the machine stood still during the match, in milliseconds; it is charged to nobody."""

    @property
    def result(self) -> "ResultRow":
        """Its result."""
        entrants, scores, ranks = zip(*[(seat.entrant, seat.score, seat.rank) for seat in self.seats], strict=True)
        return ResultRow(self.deal, entrants, scores, ranks, self.table, self.seed, self.digest)


@dataclass(frozen=True, slots=True)
class ContentionRow:
    """The CPU contention of a phase."""

    phase: int
    """The number of the phase, as in `MatchRow`."""
    void: int
    """The number of matches that did not count."""
    lag_us: int
    """The longest time that the referee kept an answer waiting, in µs."""
    waited_us: dict[int, int] = field(default_factory=dict)
    """The time that bots waited for a core with a question open, in µs, by place in the field."""


@dataclass(frozen=True, slots=True)
class OutputRow:
    """What the processes of one player of a phase printed.

    phase, player: as in `MatchRow` and `SeatRow`.
    name, version: what the bot called itself.
    """

    phase: int
    player: int
    entrant: int
    """The bot that printed it, by place in the field."""
    text: str
    """What was printed, cleaned, at most the last 64 KiB."""
    truncated: bool = False
    """Whether more was printed."""
    name: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """An entry of a tournament's append-only log."""

    number: int
    """The number of the entry, from 1."""
    created: str
    """When it was made, UTC, ISO 8601."""
    who: str
    """The person who decided it."""
    kind: str
    """What was decided, in one word."""
    details: dict[str, Any]
    """The details of the decision, as JSON values."""
    reason: str
    """The reason, in the words of the person who decided it."""
    digest: str
    """A digest in hex that binds the entry to all before it (`chained_digest`)."""

    @classmethod
    def chained(
        cls, previous: str, number: int, who: str, kind: str, details: dict[str, Any], reason: str
    ) -> "DecisionRow":
        """Return an entry of this moment that follows one with the digest `previous`."""
        row = cls(number, utc_now(), who, kind, details, reason, "")
        return replace(row, digest=row.chained_digest(previous))

    def chained_digest(self, previous: str) -> str:
        """Compute its digest.

        previous: the digest of the entry before it, or the definition hash for the first entry.
        """
        content = [previous, self.number, self.created, self.who, self.kind, self.details, self.reason]
        return sha256(canonical_json(content).encode()).hexdigest()


def late_entrants(log: Iterable[DecisionRow]) -> Iterator[Entrant]:
    """Yield the bots that entered a tournament after its start, in this order."""
    return (Entrant.from_json(entry.details["bot"]) for entry in log if entry.kind == "enter")


PROGRAM = "arena"
"""Who decides, in logs, where nobody but this program does."""

TOMORROW = "tomorrow, from 00:00 UTC"


def seconds_to_tomorrow(now: str) -> int:
    """Return the seconds until the next day begins.

    now: UTC, ISO 8601.
    """
    at = datetime.fromisoformat(now)
    midnight = datetime(at.year, at.month, at.day, tzinfo=at.tzinfo) + timedelta(days=1)
    return ceil((midnight - at).total_seconds())


def log_problems(log: Sequence[DecisionRow], definition_hash: str, end: LogEnd) -> Iterator[str]:
    """Yield a sentence for each entry of a log that is not as it was written: it is bound to all before it.

    end: as it is noted elsewhere.
    """
    found = LogEnd(len(log), log[-1].digest) if log else NO_LOG
    if found != end:
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
    """A stored match with its event, outputs and process failures."""

    id: int
    """The id of the match in the whole database."""
    event: TournamentRow | SingleMatchRow | BatchEventRow
    """Its tournament, the batch of its league, or that of the single match."""
    row: MatchRow
    """The record of the match."""
    truncated_notes: frozenset[int] = frozenset()
    """The seats whose notes are not complete."""
    outputs: dict[int, OutputRow] = field(default_factory=dict)
    """What the processes printed, by seat, for those that printed anything."""
    failures: tuple[ProcessFailureRow, ...] = ()
    """The failures of processes that had a question of the match open; for a single match, all failures."""

    @property
    def players(self) -> list[str]:
        """The names of the bots by seat."""
        return [self.event.entrants[seat.entrant].name for seat in self.row.seats]

    @property
    def tournament_id(self) -> int | None:
        """The number of its tournament; None for a single match."""
        return self.event.id if isinstance(self.event, TournamentRow) else None


class MatchVersion(NamedTuple):
    """The cache key of a stored match: it changes with the match, its tournament and the output of its processes."""

    event: int
    """The key of the tournament's event."""
    decisions: int
    """The number of entries in its log, which a match that is made void and played again increases."""
    finished: str | None
    """When the tournament ended; None while it runs."""
    outputs: int
    """The number of bytes of output stored for the processes of the match's phase."""
    notes: int
    """The number of seats whose notes are stored; fewer once an account is closed."""
    closed: int
    """The number of names that are not shown, as their accounts are closed."""


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One line of a list of matches; the tuples have one entry per seat."""

    id: int
    tournament: int | None
    """The number of the tournament; None for a match of none."""
    game: str
    deal: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[dict[str, int], ...]
    """How many faults the seat has of each kind."""
    batch: tuple[str, int] | None = None
    """The name of the league and the number of the batch in it; None for a match of none."""

    def faults_text(self) -> str:
        """Return the faults of each seat as text: `seat 1: illegal 2, timeout 1; seat 3: crash 1`, or `-` if none."""
        seats = (
            f"seat {seat}: " + ", ".join(f"{kind} {count}" for kind, count in kinds.items())
            for seat, kinds in enumerate(self.faults)
            if kinds
        )
        return "; ".join(seats) or "-"


class ResultRow(NamedTuple):
    """The result of one match; the tuples have one entry per seat."""

    deal: int
    entrants: tuple[int, ...]
    """The place in the field of the bot in each seat, or in a league the number of its entry."""
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    table: int = 0
    """The number of the table; 0 where deals are not numbered by table, as they are in batches of leagues."""
    seed: bytes = b""
    """The seed of its deal; empty where nobody asks."""
    digest: bytes = b""
    """The digest of its log, as in `MatchRow`; empty where nobody asks."""


@dataclass(frozen=True, slots=True)
class EffortRow:
    """The decisions and charged time of an entrant in a tournament."""

    matches: int
    """The number of seats that it held."""
    decisions: int
    charged_us: int


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Why a tournament ended early.

    rounds, matches: the number of rounds and matches, from the first, that it is based on.
    """

    rounds: int
    matches: int
    sentence: str
    """The finding in words; empty if the tournament was played to its last round."""
    code: int
    """The exit code of the command that played it."""


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """How fast a tournament was."""

    matches: int
    """The number of matches stored."""
    seconds: float
    """The time from start to end in seconds, including interruptions."""
    playing: float | None = None
    """The seconds of all phases together, without the starts of processes; None if it was not computed."""
    starts: int = 1
    """The number of bot processes started."""


@dataclass(frozen=True, slots=True)
class SummedResults:
    """The results of many matches, most of them in summaries.

    results, uncounted: the results of the unsummarised matches that the ranking counts, and of those that it does not.
    efforts, faults: of all unsummarised matches, by place in the field, as `Store.efforts` and `Store.fault_counts`
        return them.
    """

    parts: tuple[bytes, ...]
    """The summaries, packed."""
    results: tuple[ResultRow, ...]
    uncounted: tuple[ResultRow, ...]
    efforts: dict[int, EffortRow]
    faults: dict[int, dict[str, int]]
