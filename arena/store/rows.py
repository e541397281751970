"""What goes into the store and comes out of it, as plain Python values.

    NewEvent        what is fixed before the first match        -> Store.add_tournament, Store.add_single
    MatchRow        one finished match                          -> Store.add_matches
    OutputRow       what one bot process printed                -> Store.add_outputs
    TournamentRow   a stored tournament                         <- Store.tournament
    StoredMatch     a stored match with all that belongs to it  <- Store.match
    ActionRow       what an organiser decided                   <- Store.decisions
    Listed          one line of a list of matches               <- Store.matches
    Result          what the ratings need of one match          <- Store.results
    Summed          what they need of a whole tournament        <- Store.rating_sums
    VerdictRow      what ended a tournament early               -> Store.save_verdict, <- Store.verdict
    PaceRow         how fast a tournament was                   <- Store.tournament_speed

A match is known inside its tournament by its number in the schedule (from 0), and in the whole
database by its id: the first id of the tournament's range plus the number. The ids are reserved when
the tournament is added, so they do not depend on the order in which matches end.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

from arena.store.failure_rows import ProcessFailureRow
from arena.store.stored_definition import StoredDefinition, definition_text
from referee.engine.chance import mixed_secret
from referee.engine.record import Say

FAULT_KINDS = ("illegal", "timeout", "crash", "hung", "memory", "protocol", "start", "withdrawn")
"""The kinds of faults."""


def utc_now() -> str:
    """Return the current time in UTC as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """One bot of a tournament.

    name: as it is shown. command: the program and its arguments. folder: where it is started.
    sha256: the fingerprint of its files at the start, in hex.
    withdrawn: why it was withdrawn; None while it was not.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    sha256: str
    withdrawn: str | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """What is fixed of a tournament, or of a single match, before the first match.

    game, options: the rules; options only where they differ from their defaults, as texts.
    behaviour: the version of the game's rules.
    definition: field, rounds, seats, block, schedule, time control and so on: enough to resume it. Its hash is
        published at the start.
    secret: 32 bytes from which every match seed follows (`referee.engine.chance.deal_seed`).
    seed: the text after --seed where it was given (a development seed), otherwise None.
    versions: of whatever made it, by name: "arena", "chance", "python" ...
    entrants: the field; seats of matches name an entrant by its place here.
    matches: how many matches the schedule has; so many ids are reserved.
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
    """What matches belong to: a stored tournament or the event of a single match.

    key: its key in the database. first_match: the id of match number 0. created, finished: UTC, ISO 8601; finished is
        None while matches of the schedule are missing.
    secret_hash, definition_hash: as published at the start. entropy: the public value that was mixed into the secret;
        None where none was, or while it is awaited. The other fields as in `NewEvent`.
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

    @property
    def mixed_secret(self) -> bytes:
        """What every match seed follows from: the secret, with the entropy mixed in where there is any."""
        return self.secret if self.entropy is None else mixed_secret(self.secret, self.entropy)

    @property
    def awaited_entropy(self) -> str:
        """Which public value must be known before it can be played; empty where none is awaited."""
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


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a finished match.

    entrant: its place in the field. player: the process that held it, its place in the phase's players.
    score, rank: the result. decisions: the answers the bot gave itself. charged_us: its time, in µs.
    forfeit: True where it ran out of strikes and was ranked last.
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
    """Something that went wrong at a seat.

    kind: one of `FAULT_KINDS`.
    ply: the answer that is missing, from 0 over the match. sentence: what happened.
    forfeit: True where this fault took the last strike.
    """

    seat: int
    ply: int
    kind: str
    sentence: str
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A bot's thought beside its move; ply as in `FaultRow`."""

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
    duration_ms: from the first question to the last answer.
    says: table talk, in the order of the answers it came with.
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


@dataclass(frozen=True, slots=True)
class ContentionRow:
    """What the machine could not give a phase in time.

    phase: as in `MatchRow`. void: matches that did not count. lag_us: the longest that the referee kept an answer
    waiting. waited_us: what bots waited for a core with a question open, by their place in the field.
    """

    phase: int
    void: int
    lag_us: int
    waited_us: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutputRow:
    """What the processes of one player of a phase printed.

    phase, player: as in `MatchRow` and `SeatRow`. entrant: whose it is. text: cleaned, at most the
    last 64 KiB. truncated: more was printed. name, version: what the bot called itself.
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
    """An entry of a tournament's log, to which is only ever added.

    number: from 1. created: UTC, ISO 8601. who: did it. kind: what, in one word. details: to what, as JSON values.
    reason: in the words of who did it. digest: in hex, binds it to all entries before it (`chained`).
    """

    number: int
    created: str
    who: str
    kind: str
    details: dict[str, Any]
    reason: str
    digest: str

    def chained(self, before: str) -> str:
        """Return what its digest must be; before: the digest of the entry before it, at first the definition hash."""
        content = [before, self.number, self.created, self.who, self.kind, self.details, self.reason]
        return sha256(definition_text(content).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A stored match with all that belongs to it.

    id: in the whole database. event: what it belongs to. row: the record.
    cut: the seats some of whose notes were not kept. outputs: by seat, where its process printed anything.
    failures: of processes that had a question of the match open; of a single match all.
    """

    id: int
    event: TournamentRow | SingleMatchRow
    row: MatchRow
    cut: frozenset[int] = frozenset()
    outputs: dict[int, OutputRow] = field(default_factory=dict)
    failures: tuple[ProcessFailureRow, ...] = ()

    @property
    def players(self) -> list[str]:
        """The names of the bots by seat."""
        return [self.event.entrants[seat.entrant].name for seat in self.row.seats]

    @property
    def tournament_id(self) -> int | None:
        """The number of its tournament; None of a single match."""
        return self.event.id if isinstance(self.event, TournamentRow) else None


class MatchVersion(NamedTuple):
    """The cache key of a stored match: it changes with the match, its tournament and the output of its processes.

    event: the key of the tournament's event. decided: the number of decisions in its log; a match that was made void
        and played again follows one more decision. finished: when the tournament ended, None while it runs. outputs:
        the bytes of output stored for the processes of the match's phase.
    """

    event: int
    decided: int
    finished: str | None
    outputs: int


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One line of a list of matches: tournament is None for a single match; the tuples go by seat.

    faults: how many of each kind.
    """

    id: int
    tournament: int | None
    game: str
    deal: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[dict[str, int], ...]

    def faults_text(self) -> str:
        """Return whose faults there were: `seat 1: illegal 2, timeout 1; seat 3: crash 1`, or `-`."""
        told = (
            f"seat {seat}: " + ", ".join(f"{kind} {count}" for kind, count in kinds.items())
            for seat, kinds in enumerate(self.faults)
            if kinds
        )
        return "; ".join(told) or "-"


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What the ratings need of one match: the tuples go by seat, entrants by their place in the field."""

    deal: int
    entrants: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EffortRow:
    """What one entrant did in a tournament: matches counts its seats."""

    matches: int
    decisions: int
    charged_us: int


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Why a tournament ended early.

    rounds, matches: on which it rests, from the first. sentence: what was found; empty where the tournament was played
    to its last round. code: the exit code of the command that played it.
    """

    rounds: int
    matches: int
    sentence: str
    code: int


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """How fast a tournament was.

    matches: that are stored. seconds: from its beginning to its end, interruptions included. playing: seconds that its
    phases would have taken one after the other, starts of processes left out; None where it was not looked at. starts:
    of bot processes.
    """

    matches: int
    seconds: float
    playing: float | None = None
    starts: int = 1


@dataclass(frozen=True, slots=True)
class SummedResults:
    """What the ratings need of many matches, most of them added up.

    parts: the summaries that were made. results, aside: of the matches that are in none of them, those that count in
    the ranking and those that do not. efforts, faults: of both, by place in the field, as `Store.efforts` and
    `Store.fault_counts` return them.
    """

    parts: tuple[bytes, ...]
    results: tuple[ResultRow, ...]
    aside: tuple[ResultRow, ...]
    efforts: dict[int, EffortRow]
    faults: dict[int, dict[str, int]]
