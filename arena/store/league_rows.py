"""What the store takes and returns of leagues.

NewLeague   a league as defined, with its first season                -> Leagues.create
LeagueRow   a stored league                                           <- Leagues.named
SeasonRow   a season with its chain of secrets                        <- Leagues.seasons
Final       the final of a season                                     -> Seasons.freeze
NewEntry    a version of a submission that is to take part            -> Leagues.enter
EntryRow    an entry, by its number in the league                     <- Leagues.entries
LeagueEntry an entry of a bot, by the name of the league              <- Leagues.entries_of
NewBatch    a batch as drawn                                          -> Batches.add
BatchRow    a stored batch                                            <- Batches.of
Lease       a batch that a runner plays, under a fenced attempt       <- Batches.lease
BatchResult what an attempt brought                                   -> Batches.finish
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self

from arena.store.entry_grants import NOTHING, EntryGrants
from arena.store.failure_rows import ProcessFailureRow
from arena.store.rows import NO_LOG, LogEnd, MatchRow, NewEvent, OutputRow
from arena.store.stored_definition import StoredDefinition

LeagueState = Literal["open", "paused", "closed"]

EntryState = Literal["placing", "standing", "retired", "suspended"]

BatchKind = Literal["placement", "standing", "final", "trial", "challenge"]

SeasonPhase = Literal["open", "frozen", "final", "ended"]

BatchState = Literal["waiting", "leased", "stored", "void"]

Outcome = Literal["stored", "released", "expired", "failed"]
"""How an attempt ended: released, by a runner that stopped in good order; expired, as its lease ran out."""

ACTIVE: tuple[EntryState, ...] = ("placing", "standing")
"""The states of entries that are scheduled."""


@dataclass(frozen=True, slots=True)
class Final:
    """The final of a season: all tables of the finalists, in all rotations, cut into parts of some tables.

    Decided as the season is frozen: top: the most finalists. deals: of each table; 0: as many as are usual. closes:
    whether the league is closed after it, instead of a next season.

    Settled once all batches of the season are over: entries: the finalists, the best first; None before, and none
    where too few can play. snapshot: the number of the ratings by which they were chosen. tables: of a part.
    """

    top: int
    deals: int
    closes: bool
    entries: tuple[int, ...] | None = None
    snapshot: int = 0
    tables: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the final as JSON values that `from_json` reads."""
        entries = None if self.entries is None else list(self.entries)
        return {**{name: getattr(self, name) for name in self.__slots__}, "entries": entries}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the final that `to_json` wrote."""
        entries = values["entries"]
        return cls(**{**values, "entries": None if entries is None else tuple(entries)})


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season. number: from 1. first_day: UTC, ISO 8601 (2026-03-01). days: the length of its chain of secrets.

    secret: 32 bytes, the end of the chain, from which the secrets of all days follow. commitment: in hex, published at
    the start. entropy: the public value that is mixed into the secret of each day; may be empty. frozen: since when
    nothing enters any more, UTC, ISO 8601; None before. final: None before it is frozen. ended: UTC, ISO 8601; None
    while it goes on.
    """

    number: int
    first_day: str
    days: int
    secret: bytes
    commitment: str
    entropy: str = ""
    ended: str | None = None
    frozen: str | None = None
    final: Final | None = None

    @property
    def phase(self) -> SeasonPhase:
        """How far it is: open, frozen until what is under way is over, in its final, or ended."""
        if self.ended is not None or self.final is None:
            return "open" if self.ended is None else "ended"
        return "frozen" if self.final.entries is None else "final"


@dataclass(frozen=True, slots=True)
class NewLeague:
    """A league as defined, with its first season. definition: as `arena.league.plan.definition` writes it."""

    name: str
    game: str
    definition: StoredDefinition
    season: SeasonRow


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A stored league.

    id: its key in the database. results: the batches with a result so far. log_end: as it is noted beside the log.
    """

    id: int
    name: str
    game: str
    definition: StoredDefinition
    definition_hash: str
    state: LeagueState
    created: str
    results: int
    log_end: LogEnd = NO_LOG


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A version of a submission that is to take part.

    name: unique in the league, such as club/owl@3. submission: the name and version of the submission. owner: whose it
    is; empty: nobody's. is_anchor: whether it belongs to those whose mean is 0 of the scale.
    """

    name: str
    submission: tuple[str, int]
    owner: str
    is_anchor: bool = False


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry of a league.

    number: in the league, from 1. submission: name and version. reason: why it is suspended or retired. entered,
    placed: UTC, ISO 8601; placed is None while it is placed. grants: what the organiser grants it
    now. The rest as in `NewEntry`.
    """

    number: int
    name: str
    submission: tuple[str, int]
    owner: str
    is_anchor: bool
    state: EntryState
    reason: str
    entered: str
    placed: str | None
    grants: EntryGrants = NOTHING

    @property
    def title(self) -> str:
        """Name and version of the submission: club/owl@3."""
        return f"{self.submission[0]}@{self.submission[1]}"

    @property
    def is_active(self) -> bool:
        """Whether it is scheduled."""
        return self.state in ACTIVE


class LeagueEntry(NamedTuple):
    """An entry, by the name of its league and its number in it."""

    league: str
    number: int
    state: EntryState


@dataclass(frozen=True, slots=True)
class RatingsRow:
    """Ratings of a league. number: of the results in them. packed: as `arena.league.results.board` packs them.

    created: UTC, ISO 8601.
    """

    number: int
    packed: bytes
    created: str


@dataclass(frozen=True, slots=True)
class NewBatch:
    """A batch as drawn. event: its definition, secret and field. season, day: whose secret it follows from.

    snapshot: the number of the ratings from which it was drawn. entries: the number of the entry at each place of the
    field. part: of the final, from 0; None for other kinds.
    """

    event: NewEvent
    season: int
    day: int
    kind: BatchKind
    snapshot: int
    entries: tuple[int, ...]
    part: int | None = None


class PlayedBatch(NamedTuple):
    """A rated batch, as the pages need it of thousands at a time.

    number: in the league. ended: UTC, ISO 8601. event: its key. first_match, matches: the ids of its matches. result:
    its place among the rated batches. entries: at each place of its field.
    """

    number: int
    kind: str
    ended: str
    event: int
    first_match: int
    matches: int
    result: int
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A stored batch.

    league: the id of its league. number: in the league, from 1. event: the key of its event. first_match, matches: the
    ids of its matches. attempt: the last one, 0 before the first. failed: attempts that came to no result. runner,
    lease_until: who has the lease, and until when in milliseconds since 1970. seconds: of a core; None before it is
    stored. result: its place among the stored batches of the league, from 1. The rest as in `NewBatch`.
    """

    league: int
    number: int
    event: int
    first_match: int
    matches: int
    season: int
    day: int
    kind: BatchKind
    snapshot: int
    entries: tuple[int, ...]
    state: BatchState
    attempt: int
    failed: int
    runner: str
    lease_until: int
    created: str
    ended: str | None
    seconds: float | None
    result: int | None
    part: int | None = None


class Lease(NamedTuple):
    """A batch that a runner plays. attempt: the one that it plays; results of any other are refused."""

    league: int
    batch: int
    attempt: int


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt to play a batch, which anybody may see. ended, outcome: None while it goes on."""

    attempt: int
    runner: str
    began: str
    ended: str | None
    outcome: Outcome | None
    reason: str


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What an attempt brought. sums: of its results, as `arena.league.results.table_sums` packs them.

    seconds: of a core. withdrawn: by place in the field, why an entry was withdrawn in mid-batch.
    """

    rows: Sequence[MatchRow]
    sums: bytes
    seconds: float
    outputs: Sequence[OutputRow] = ()
    failures: Sequence[ProcessFailureRow] = ()
    withdrawn: Mapping[int, str] = field(default_factory=dict)
