"""Matches and tournaments, as the API shows them."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from arena.language.message import Message
from arena.ratings.ranking_output import ranking_json
from arena.results.stage_names import StageNames
from arena.server.tournaments.ranking_cache import CachedRanking
from arena.values.rows import BatchEventRow, ListedMatch, StoredMatch, TournamentRow
from referee.engine.registry import in_units


class MatchItem(Struct, frozen=True):
    """A match in a list; the lists have one item per seat."""

    match: int
    tournament: int | None
    stage: str | None
    """What the stage of its tournament is called, such as "semi-final"; None in formats without stages."""
    game: str
    deal: int
    players: list[str]
    scores: list[float]
    """The score of each seat, in the game's unit."""
    ranks: list[int]
    faults: list[dict[str, int]]
    """The number of faults of each seat by kind."""


class MatchList(Struct, frozen=True):
    """Matches, the newest first."""

    matches: list[MatchItem]
    next: str | None
    """The address of the following part; None for the last."""


class SeatValue(Struct, frozen=True):
    """A seat of a match."""

    player: str
    rank: int
    score: float
    """The score in the game's unit."""
    decisions: int
    charged_ms: float
    """The time that all its answers were charged with, in milliseconds."""
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
    """A match as it was played.

    league, batch: where it was played for a league; None otherwise.
    """

    match: int
    tournament: int | None
    league: str | None
    batch: int | None
    stage: str | None
    """What the stage of its tournament is called, such as "semi-final"; None in formats without stages."""
    game: str
    options: dict[str, str]
    """The options that differ from their defaults."""
    deal: int
    rotation: int
    seed: str
    """The seed of its deal, in hex: whoever has it can deal the match again."""
    duration_ms: int
    """The time from its first question to its last answer in milliseconds, without `standstill_ms`."""
    seats: list[SeatValue]
    faults: list[FaultValue]
    notes: list[NoteValue]
    """The notes that the asker may read."""
    standstill_ms: int
    """How long the machine stood still, in milliseconds."""


class OutputValue(Struct, frozen=True):
    """What a bot printed: empty for all but its owner and organisers."""

    text: str
    truncated: bool
    """Whether the bot had printed more."""


class ClockValue(Struct, frozen=True):
    """The clock of a match, in µs."""

    move: float
    bank: float


class ResultValue(Struct, frozen=True):
    """The result of a seat."""

    rank: int
    score: float
    """The score in the game's unit."""
    forfeit: bool


class FrameAnswerValue(Struct, frozen=True):
    """An answer in a frame. Empty values are left out."""

    seat: int
    move: str
    ply: int | UnsetType = UNSET
    default: bool | UnsetType = UNSET
    """Whether the move is the default move."""
    micros: float | UnsetType = UNSET
    """The time of the answer in µs."""
    bank: int | UnsetType = UNSET
    """What the answer left of the seat's bank, in µs."""
    notes: list[str] | UnsetType = UNSET
    said: str | UnsetType = UNSET


class FrameValue(Struct, frozen=True):
    """A position of a replay, with the events before it. Empty values are left out."""

    events: list[str] | UnsetType = UNSET
    asked: list[int] | UnsetType = UNSET
    """The seats to move."""
    answers: list[FrameAnswerValue] | UnsetType = UNSET
    faults: list[FaultValue] | UnsetType = UNSET
    marks: list[str] | UnsetType = UNSET


class MomentValue(Struct, frozen=True):
    """A moment that decided a part of a match."""

    move: int
    """The number of the frame in which, or just before which, it is seen."""
    event: int | None
    """The place of its table among those of the events before that frame; null: it is that of the frame."""
    where: str
    """The round."""
    text: str
    """What happened."""
    decisive: bool
    """Whether the winner took the lead for good with it."""
    note: str
    """What a better move would have changed; empty unless the moment is a move that cost part of the chance to win."""


class CostlyMoveValue(Struct, frozen=True):
    """A move that cost part of the chance to win, beyond the error of the estimate."""

    move: int
    """The number of the frame in which it was chosen."""
    seat: int
    played: str
    better: str
    """The better move."""
    chance: float
    """The chance to win after the move that was played."""
    better_chance: float
    """The chance to win after the better move."""
    cost: float
    """How much larger that is."""
    error: float
    """The standard error of the cost."""
    text: str
    """All of that as a sentence."""


class StoryValue(Struct, frozen=True):
    """Who won a match, by what, since when they led, and the moments that made it so."""

    winners: list[int]
    """Their seats."""
    title: str
    by: str
    since: str
    """Empty where it is not known."""
    moments: list[MomentValue]
    costly: list[CostlyMoveValue]
    """The moves that cost part of the chance to win, the most costly first; empty where chances are not known."""
    undecided: str
    """That no single move decided the match; empty where one did, or where chances are not known."""
    label: str
    """What the line of the game shows."""
    line: list[Any]
    """The numbers of the frames in which that changes, with the new values by seat; empty where it is the score."""


class ReplayValue(Struct, frozen=True):
    """A match and its frames as a seat knew them, or all frames, as the player of the pages loads them."""

    match: int
    tournament: int | None
    game: str
    options: dict[str, str]
    unit: str
    seat: int | None
    """The seat whose frames these are; None for all frames."""
    players: list[str]
    teams: list[int]
    """The number of each seat's team, by seat."""
    clock: ClockValue | None
    """That of all seats without one of their own."""
    clocks: list[ClockValue]
    """By seat."""
    remark: str | None
    result: list[ResultValue]
    scores: list[Any]
    """The number of each frame in which scores change, with the new scores by seat; empty where the seat does not know
    them.
    """
    part: int
    """How many frames have their tables in one part."""
    first: int
    """The number of the first of `frames`."""
    count: int
    """The number of all frames that the seat knew."""
    frames: list[FrameValue]
    story: StoryValue | None


class TablesValue(Struct, frozen=True):
    """The tables of some frames from the frame `first` on: what lies where. docs/viewer.md describes scenes."""

    first: int
    scenes: list[Any]
    """The scene of each frame."""
    between: list[Any]
    """For each frame, the tables of the events before it."""
    moved: list[Any]
    """For each frame, the items that moved to make its table."""
    legal: list[list[list[str]]]
    """For each frame, the legal moves of each of its answers."""
    sections: list[str]
    """For each frame, the id of the part of the rules that it is about; empty where none is known."""
    pieces: list[dict[str, Any]]
    """Places, zones and items, to which scenes and movements refer by index."""


class TournamentItem(Struct, frozen=True):
    """A tournament in a list."""

    tournament: int
    game: str
    options: dict[str, str]
    bots: list[str]
    planned: int
    """The number of matches of its schedule."""
    created: str
    finished: str | None


class TournamentList(Struct, frozen=True):
    """Tournaments, the newest first."""

    tournaments: list[TournamentItem]
    next: str | None
    """The address of the following part; None for the last."""


class RankedBot(Struct, frozen=True):
    """A row of a ranking.

    bar, score_bar: half the width of the 95 % intervals of Elo and score; None without one.
    """

    rank: int
    bot: str
    elo: float
    bound: str
    """Either ">" or "<" where `elo` is only a lower or an upper bound, "~" where the results do not determine it;
    otherwise empty.
    """
    bar: float | None
    bar_by_set: float | None
    """The bar if each set of matches that repeats no other were an experiment, whatever its opening; None where no
    opening comes again.
    """
    separated: bool | None
    """Whether the bot on the row above is better with 95 % confidence; None for the first of a group, and where it is
    unknown.
    """
    group: int
    """The number of its group, from 0: only bots of one group can be compared."""
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
    clock: str = ""
    """Its clock where the organiser gave bots different ones (time odds), such as "10s + 100ms": a bank and an
    increment; otherwise empty.
    """


class RepeatsValue(Struct, frozen=True):
    """How many sets of matches, each of one line-up with one deal, repeat others."""

    sets: int
    repeated: int
    """How many of the sets repeat an earlier one."""
    openings: int
    """The number of different openings that they begin from; 0 where all matches begin alike."""
    different: int | None = None
    """The number of matches that differ, move for move; None where that is unknown."""


class TournamentValue(Struct, frozen=True):
    """A tournament with its ranking."""

    tournament: int
    game: str
    options: dict[str, str]
    bots: list[str]
    planned: int
    matches: int
    """The number of matches in the ranking."""
    created: str
    finished: str | None
    definition_hash: str
    secret_hash: str
    secret: str | None
    """The secret in hex; None until the tournament is finished."""
    stage: str | None
    """What its last stage that has begun is called, such as "semi-final"; None in formats without stages."""
    placing: list[list[str]] | None
    """The names of the bots by place, best first; bots of one list share a place. None before the end of a format with
    stages, and where the ranking decides.
    """
    out_in: dict[str, str]
    """In a knockout, by name, the stage in which each bot lost that plays no more."""
    ended_early: str
    """Why it ended early, in words; empty if it did not."""
    ranking: list[RankedBot]
    notes: list[str]
    """Sentences on how to read the ranking."""
    repeats: RepeatsValue | None
    """What was found of matches that repeat others, in games in which they may; otherwise None."""


def match_item(row: ListedMatch, stages: StageNames) -> MatchItem:
    """Return a match for a list."""
    stage = _text(stages.of(row.tournament, row.deal))
    scores = [in_units(row.game, score) for score in row.scores]
    faults = [dict(kinds) for kinds in row.faults]
    return MatchItem(
        row.id, row.tournament, stage, row.game, row.deal, list(row.players), scores, list(row.ranks), faults
    )


def match_value(stored: StoredMatch, stages: StageNames) -> MatchValue:
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
        stage=_text(stages.of(stored.tournament_id, row.deal)),
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
        stage=_text(ranked.stage),
        placing=standings.placing,
        out_in={bot: str(stage) for bot, stage in standings.exits.items()},
        ended_early="" if standings.verdict is None else standings.verdict.sentence,
        ranking=[RankedBot(**bot) for bot in ranking_json(standings.table, standings.conduct)],
        notes=list(standings.table.notes),
        repeats=RepeatsValue(**standings.table.repeats.to_json()) if standings.table.repeats else None,
    )


def _text(message: Message | None) -> str | None:
    """Return a message in English, as the API writes it."""
    return None if message is None else str(message)
