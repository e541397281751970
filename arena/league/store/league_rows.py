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
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from msgspec import Meta

from arena.league.store.entry_grants import NOTHING, EntryGrants
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import NO_LOG, LogEnd, MatchRow, NewEvent, OutputRow
from arena.values.settings import MOST, Stored

LeagueState = Literal["open", "paused", "closed"]

EntryState = Literal["placing", "standing", "retired", "suspended"]

BatchKind = Literal["placement", "standing", "final", "trial", "challenge"]

SeasonPhase = Literal["open", "frozen", "final", "ended"]

BatchState = Literal["waiting", "leased", "stored", "void"]

Outcome = Literal["stored", "released", "expired", "failed"]
"""How an attempt ended: released, by a runner that stopped in good order; expired, as its lease ran out."""

ACTIVE: tuple[EntryState, ...] = ("placing", "standing")
"""The states of entries that are scheduled."""


_Number = Annotated[int, Meta(ge=0, le=MOST)]


class Final(Stored, frozen=True, forbid_unknown_fields=True):
    """The final of a season: all tables of the finalists, in all rotations, cut into parts of some tables.

    How many play how much is decided as the season is frozen; who plays is settled once all batches of the season are
    over.
    """

    top: _Number
    """The most finalists."""
    deals: _Number
    """The number of deals of each table; 0: as many as are usual."""
    closes: bool
    """Whether the league is closed after the final, instead of a next season."""
    entries: tuple[_Number, ...] | None = None
    """The numbers of the finalists, the best first; None before it is settled, empty where too few can play."""
    snapshot: _Number = 0
    """The number of the ratings by which the finalists were chosen; 0 before."""
    tables: _Number = 0
    """The number of tables of a part; 0 before it is settled."""

    always_stored: ClassVar[frozenset[str]] = frozenset(("top", "deals", "closes", "entries", "snapshot", "tables"))

    def __post_init__(self) -> None:
        """Raise ValueError where finalists are to play parts without tables."""
        if self.entries and not self.tables:
            raise ValueError("a part of a final has no tables")


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season of a league."""

    number: int
    """The number of the season, from 1."""
    first_day: str
    """Its first day, UTC, ISO 8601 (2026-03-01)."""
    days: int
    """The length of its chain of secrets, in days."""
    secret: bytes
    """The end of the chain, 32 bytes from which the secrets of all days follow."""
    commitment: str
    """The commitment to the chain, in hex, published at the start."""
    entropy: str = ""
    """The public value that is mixed into the secret of each day; may be empty."""
    ended: str | None = None
    """When it ended, UTC, ISO 8601; None while it goes on."""
    frozen: str | None = None
    """Since when nothing enters it any more, UTC, ISO 8601; None before."""
    final: Final | None = None
    """Its final; None before the season is frozen."""

    @property
    def phase(self) -> SeasonPhase:
        """How far it is: open, frozen until what is under way is over, in its final, or ended."""
        if self.ended is not None or self.final is None:
            return "open" if self.ended is None else "ended"
        return "frozen" if self.final.entries is None else "final"


@dataclass(frozen=True, slots=True)
class NewLeague:
    """A league as defined, with its first season."""

    name: str
    game: str
    definition: Mapping[str, Any]
    """The definition in JSON, as `arena.league.plan.definition` writes it."""
    season: SeasonRow
    owner: str | None = None
    """Whose practice league it is; None: everybody's."""


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A stored league."""

    id: int
    """Its key in the database."""
    name: str
    game: str
    definition: Mapping[str, Any]
    definition_hash: str
    state: LeagueState
    created: str
    results: int
    """The number of batches with a result so far."""
    log_end: LogEnd = NO_LOG
    """The end of its log, as it is noted beside the log."""
    owner: str | None = None
    """Whose practice league it is, which others do not see; None: everybody's."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A version of a submission that is to take part."""

    name: str
    """Its name, unique in the league, such as club/owl@3."""
    submission: tuple[str, int]
    """The name and version of the submission."""
    owner: str
    """The owner of the submission; empty if nobody owns it."""
    is_anchor: bool = False
    """Whether it is one of the anchors, whose mean is 0 of the scale."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry of a league; what is not explained here is as in `NewEntry`.

    entered, placed: when it entered and was placed, UTC, ISO 8601; placed is None while it is in placement.
    """

    number: int
    """Its number in the league, from 1."""
    name: str
    submission: tuple[str, int]
    """The name and version of the submission."""
    owner: str
    is_anchor: bool
    state: EntryState
    reason: str
    """Why it is suspended or retired."""
    entered: str
    placed: str | None
    grants: EntryGrants = NOTHING
    """What the organiser grants it now."""

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
    """Ratings of a league."""

    number: int
    """The number of results that they follow from."""
    packed: bytes
    """The ratings, as `arena.league.results.board` packs them."""
    created: str
    """When they were computed, UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class NewBatch:
    """A batch as drawn.

    season, day: the season and the day from whose secret its own follows.
    """

    event: NewEvent
    """Its definition, secret and field."""
    season: int
    day: int
    kind: BatchKind
    snapshot: int
    """The number of the ratings from which it was drawn."""
    entries: tuple[int, ...]
    """The number of the entry at each place of the field."""
    part: int | None = None
    """The number of the part of the final, from 0; None for other kinds."""


class PlayedBatch(NamedTuple):
    """A rated batch, as the pages need it of thousands at a time.

    first_match, matches: the id of its first match, and how many it has.
    """

    number: int
    """Its number in the league."""
    kind: str
    ended: str
    """When it ended, UTC, ISO 8601."""
    event: int
    """The key of its event."""
    first_match: int
    matches: int
    result: int
    """Its place among the rated batches."""
    entries: tuple[int, ...]
    """The number of the entry at each place of its field."""


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A stored batch; what is not explained here is as in `NewBatch`.

    first_match, matches: the id of its first match, and how many it has.
    runner, lease_until: who has the lease, and until when in milliseconds since 1970.
    """

    league: int
    """The id of its league."""
    number: int
    """Its number in the league, from 1."""
    event: int
    """The key of its event."""
    first_match: int
    matches: int
    season: int
    day: int
    kind: BatchKind
    snapshot: int
    entries: tuple[int, ...]
    state: BatchState
    attempt: int
    """The number of the last attempt; 0 before the first."""
    failed: int
    """The number of attempts that came to no result."""
    runner: str
    lease_until: int
    created: str
    ended: str | None
    seconds: float | None
    """The core seconds that it took; None before it is stored."""
    result: int | None
    """Its place among the stored batches of the league, from 1; None before it is stored."""
    part: int | None = None
    is_hidden: bool = False
    """Whether it is stored, and its results are left out, as visitors do not see them yet."""

    @property
    def has_results(self) -> bool:
        """Whether its results can be read."""
        return self.state == "stored" and not self.is_hidden


class Lease(NamedTuple):
    """The lease of a batch that a runner plays."""

    league: int
    batch: int
    attempt: int
    """The number of the attempt that it is; results of any other are refused."""


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt to play a batch, which anybody may see.

    ended, outcome: None while it goes on.
    """

    attempt: int
    runner: str
    began: str
    ended: str | None
    outcome: Outcome | None
    reason: str


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The results of an attempt at a batch."""

    rows: Sequence[MatchRow]
    sums: bytes
    """The sums of its results, as `arena.league.results.table_sums` packs them."""
    seconds: float
    """The core seconds that it took."""
    outputs: Sequence[OutputRow] = ()
    failures: Sequence[ProcessFailureRow] = ()
    withdrawn: Mapping[int, str] = field(default_factory=dict)
    """Why entries were withdrawn in mid-batch, by place in the field."""
