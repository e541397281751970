"""Matches and tournaments, as the API shows them."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from arena.ratings.ranking_output import ranking_json
from arena.store.rows import BatchEventRow, ListedMatch, StoredMatch, TournamentRow
from arena.web.ranking_cache import CachedRanking
from referee.engine.registry import in_units


class MatchItem(Struct, frozen=True):
    """A match in a list; the lists have one item per seat. faults: their number by kind. scores: in the game's unit."""

    match: int
    tournament: int | None
    game: str
    deal: int
    players: list[str]
    scores: list[float]
    ranks: list[int]
    faults: list[dict[str, int]]


class MatchList(Struct, frozen=True):
    """Matches, the newest first. next: the address of the following part; None for the last."""

    matches: list[MatchItem]
    next: str | None


class SeatValue(Struct, frozen=True):
    """A seat of a match. score: in the game's unit. charged_ms: for all its answers."""

    player: str
    rank: int
    score: float
    decisions: int
    charged_ms: float
    forfeit: bool


class FaultValue(Struct, frozen=True):
    """A fault of a seat, in words."""

    seat: int
    kind: str
    sentence: str
    forfeit: bool


class NoteValue(Struct, frozen=True):
    """A note that a bot sent with its answer, numbered from 0 over the match: for its owner alone."""

    seat: int
    ply: int
    text: str


class MatchValue(Struct, frozen=True):
    """A match. league, batch: where it belongs to one. options: that differ from their defaults.

    seed: of its deal, in hex: whoever has it can deal the match again. notes: those that the asker may read.
    duration_ms: from its first question to its last answer, without standstill_ms: how long the machine stood still.
    """

    match: int
    tournament: int | None
    league: str | None
    batch: int | None
    game: str
    options: dict[str, str]
    deal: int
    rotation: int
    seed: str
    duration_ms: int
    seats: list[SeatValue]
    faults: list[FaultValue]
    notes: list[NoteValue]
    standstill_ms: int


class OutputValue(Struct, frozen=True):
    """What a bot printed: empty for all but its owner and organisers. truncated: whether it had printed more."""

    text: str
    truncated: bool


class ClockValue(Struct, frozen=True):
    """The clock of a match, in milliseconds."""

    move: float
    bank: float


class ResultValue(Struct, frozen=True):
    """The result of a seat. score: in the game's unit."""

    rank: int
    score: float
    forfeit: bool


class FrameAnswerValue(Struct, frozen=True):
    """An answer in a frame. default: the default move was played. micros: its time. bank: what the bank gave."""

    seat: int
    move: str
    ply: int | UnsetType = UNSET
    default: bool | UnsetType = UNSET
    micros: float | UnsetType = UNSET
    bank: int | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET
    said: str | UnsetType = UNSET


class FrameValue(Struct, frozen=True):
    """A position of a replay, with the events before it. asked: seats. Empty values are left out."""

    events: list[str] | UnsetType = UNSET
    asked: list[int] | UnsetType = UNSET
    answers: list[FrameAnswerValue] | UnsetType = UNSET
    faults: list[FaultValue] | UnsetType = UNSET
    marks: list[str] | UnsetType = UNSET


class ReplayValue(Struct, frozen=True):
    """A match and its frames as a seat knew them, or all frames, as the player of the pages loads them.

    seat: None for all. teams: by seat. scores: by seat, with the number of each frame in which they change; empty where
    a seat does not know them. count: of all frames; first: the number of the first one here. part: so many frames have
    their tables in one part.
    """

    match: int
    tournament: int | None
    game: str
    options: dict[str, str]
    unit: str
    seat: int | None
    players: list[str]
    teams: list[int]
    clock: ClockValue | None
    remark: str | None
    result: list[ResultValue]
    scores: list[Any]
    part: int
    first: int
    count: int
    frames: list[FrameValue]


class TablesValue(Struct, frozen=True):
    """The tables of some frames from the frame `first` on: what lies where. docs/viewer.md describes scenes.

    between: for each frame the tables of the events before it. moved: the items that moved to make it. legal: the legal
    moves of each answer of each frame. sections: the id of the part of the rules that each frame is about. pieces:
    places, zones and items, to which scenes and movements refer by index.
    """

    first: int
    scenes: list[Any]
    between: list[Any]
    moved: list[Any]
    legal: list[list[list[str]]]
    sections: list[str]
    pieces: list[dict[str, Any]]


class TournamentItem(Struct, frozen=True):
    """A tournament in a list. planned: matches of its schedule."""

    tournament: int
    game: str
    options: dict[str, str]
    bots: list[str]
    planned: int
    created: str
    finished: str | None


class TournamentList(Struct, frozen=True):
    """Tournaments, the newest first. next: the address of the following part; None for the last."""

    tournaments: list[TournamentItem]
    next: str | None


class RankedBot(Struct, frozen=True):
    """A row of a ranking. bar, score_bar: half the width of 95 % intervals. bound: as on boards of leagues.

    separated: from the one above, with 95 % confidence. group: of bots that can be compared.
    """

    rank: int
    bot: str
    elo: float
    bound: str
    bar: float | None
    separated: bool | None
    group: int
    score: float
    score_bar: float | None
    expected_place: float
    matches: int
    deals: int
    faults: dict[str, int]
    ms_per_decision: float | None
    ms_waited: float | None
    process_failures: dict[str, int]
    grants: list[str] = []


class RepeatsValue(Struct, frozen=True):
    """Sets of matches of one line-up with a deal. repeated: how many repeat others. openings: they begin from; or 0."""

    sets: int
    repeated: int
    openings: int


class TournamentValue(Struct, frozen=True):
    """A tournament with its ranking. matches: in the ranking. secret: in hex, once it is finished.

    ended_early: why, in words; empty if it was not. notes: how to read the ranking. repeats: what was found of matches
    that repeat others, in games in which they may.
    """

    tournament: int
    game: str
    options: dict[str, str]
    bots: list[str]
    planned: int
    matches: int
    created: str
    finished: str | None
    definition_hash: str
    secret_hash: str
    secret: str | None
    ended_early: str
    ranking: list[RankedBot]
    notes: list[str]
    repeats: RepeatsValue | None


def match_item(row: ListedMatch) -> MatchItem:
    """Return a match for a list."""
    scores = [in_units(row.game, score) for score in row.scores]
    faults = [dict(kinds) for kinds in row.faults]
    return MatchItem(row.id, row.tournament, row.game, row.deal, list(row.players), scores, list(row.ranks), faults)


def match_value(stored: StoredMatch) -> MatchValue:
    """Return a match that was freed of what the asker may not see."""
    event, row = stored.event, stored.row
    batch = event if isinstance(event, BatchEventRow) else None
    seats = [
        SeatValue(
            player,
            seat.rank,
            in_units(event.game, seat.score),
            seat.decisions,
            seat.charged_us / 1000,
            seat.forfeit,
        )
        for player, seat in zip(stored.players, row.seats, strict=True)
    ]
    return MatchValue(
        match=stored.id,
        tournament=stored.tournament_id,
        league=None if batch is None else batch.league,
        batch=None if batch is None else batch.batch,
        game=event.game,
        options=event.options,
        deal=row.deal,
        rotation=row.rotation,
        seed=row.seed.hex(),
        duration_ms=row.duration_ms,
        seats=seats,
        faults=[FaultValue(fault.seat, fault.kind, fault.sentence, fault.forfeit) for fault in row.faults],
        notes=[NoteValue(note.seat, note.ply, note.text) for note in row.notes],
        standstill_ms=row.standstill_ms,
    )


def tournament_item(row: TournamentRow) -> TournamentItem:
    """Return a tournament for a list."""
    return TournamentItem(row.id, row.game, row.options, row.names, row.matches, row.created, row.finished)


def tournament_value(row: TournamentRow, ranked: CachedRanking) -> TournamentValue:
    """Return a tournament with its ranking."""
    standings = ranked.standings
    return TournamentValue(
        tournament=row.id,
        game=row.game,
        options=row.options,
        bots=row.names,
        planned=row.matches,
        matches=ranked.count,
        created=row.created,
        finished=row.finished,
        definition_hash=row.definition_hash,
        secret_hash=row.secret_hash,
        secret=row.secret.hex() if row.finished else None,
        ended_early="" if standings.verdict is None else standings.verdict.sentence,
        ranking=[RankedBot(**bot) for bot in ranking_json(standings.table, standings.conduct)],
        notes=list(standings.table.notes),
        repeats=RepeatsValue(**standings.table.repeats.to_json()) if standings.table.repeats else None,
    )
