"""Leagues, their entries and batches, as the API shows them."""

from typing import Any

from msgspec import Struct

from arena.league.results.board import Board, BoardRow
from arena.league.results.board_output import row_json
from arena.league.results.publication import publication_date, published_secret
from arena.store import Store
from arena.store.league_rows import AttemptRow, BatchRow, LeagueRow


class PublishedDay(Struct, frozen=True):
    """The newest public secret of a season. day: from 0. secret: in hex; hashed, it gives that of the day before."""

    day: int
    secret: str


class SeasonValue(Struct, frozen=True):
    """A season. commitment: in hex, published at its start. entropy: mixed into all secrets; may be empty."""

    season: int
    first_day: str
    ended: str | None
    commitment: str
    entropy: str
    published: PublishedDay | None


class LeagueItem(Struct, frozen=True):
    """A league in a list. state: open, paused or closed. active: entries that play. batches: with a result."""

    league: str
    game: str
    state: str
    active: int
    batches: int
    created: str


class LeagueList(Struct, frozen=True):
    """All leagues, the oldest first."""

    leagues: list[LeagueItem]


class LeagueValue(Struct, frozen=True):
    """A league. definition: everything that was decided when it was created; definition_hash: SHA-256 in hex."""

    league: str
    game: str
    state: str
    batches: int
    created: str
    definition: dict[str, Any]
    definition_hash: str
    seasons: list[SeasonValue]


class EntryValue(Struct, frozen=True):
    """An entry of a league with its rating.

    entry: its number. bot: name and version. state: placing, standing, retired or suspended; reason: why, for the last
    two. rank: None unless it is active and rated. elo: None before its first match; bound: ">" or "<" where it is only
    a bound, "~" where the results do not determine it. ci95: half the width of its 95 % interval. change: since the
    day before. version_change: since the version before it. last_played: when its last batch ended, UTC. faults: their
    number by kind.
    """

    rank: int | None
    entry: int
    bot: str
    owner: str
    is_anchor: bool
    state: str
    reason: str
    entered: str
    placed: str | None
    elo: float | None
    bound: str
    ci95: float | None
    change: float | None
    version_change: float | None
    deals: int
    matches: int
    last_played: str | None
    ms_per_decision: float | None
    faults: dict[str, int]


class EntryList(Struct, frozen=True):
    """Entries by number, the newest first. next: the address of the following part; None for the last."""

    entries: list[EntryValue]
    next: str | None


class BoardValue(Struct, frozen=True):
    """The board of a league. rated: when its ratings were made. batches: that they hold. rows: the strongest first."""

    league: str
    game: str
    state: str
    matches: int
    batches: int
    rated: str | None
    rows: list[EntryValue]


class BatchItem(Struct, frozen=True):
    """A batch. kind: placement, standing, trial or challenge. state: waiting, leased, stored or void.

    entries: numbers. matches: that it has or will have. seconds: of a core; None before it is stored. result: its place
    among the stored batches of the league.
    """

    batch: int
    kind: str
    state: str
    attempts: int
    entries: list[int]
    season: int
    day: int
    matches: int
    seconds: float | None
    created: str
    ended: str | None
    result: int | None


class BatchList(Struct, frozen=True):
    """Batches, the newest first. next: as for entries."""

    batches: list[BatchItem]
    next: str | None


class AttemptValue(Struct, frozen=True):
    """An attempt to play a batch. outcome: stored, released, expired or failed; None while it goes on."""

    attempt: int
    began: str
    ended: str | None
    outcome: str | None
    reason: str


class BatchValue(Struct, frozen=True):
    """A batch with its attempts. first_match: the id of its first match; None until its matches are stored."""

    league: str
    batch: BatchItem
    first_match: int | None
    attempts: list[AttemptValue]


class LeagueProgress(Struct, frozen=True):
    """How far a league is. batches: with a result. decisions: in its log. waiting, playing: unplayed batches."""

    league: str
    state: str
    batches: int
    decisions: int
    waiting: int
    playing: int


def league_item(store: Store, row: LeagueRow) -> LeagueItem:
    """Return a league for a list."""
    active = sum(entry.is_active for entry in store.leagues.entries(row.id))
    return LeagueItem(row.name, row.game, row.state, active, row.results, row.created)


def league_value(store: Store, row: LeagueRow) -> LeagueValue:
    """Return a league."""
    seasons = []
    for season in store.leagues.seasons(row.id):
        secret = published_secret(store, row.id, season, publication_date())
        published = None if secret is None else PublishedDay(secret.day, secret.secret)
        seasons.append(
            SeasonValue(season.number, season.first_day, season.ended, season.commitment, season.entropy, published)
        )
    definition = dict(row.definition.values)
    return LeagueValue(
        row.name, row.game, row.state, row.results, row.created, definition, row.definition_hash, seasons
    )


def board_value(board: Board) -> BoardValue:
    """Return a board."""
    league = board.league
    rows = list(map(entry_value, board.rows))
    return BoardValue(league.name, league.game, league.state, board.matches, board.results, board.rated, rows)


def entry_value(row: BoardRow) -> EntryValue:
    """Return a row of a board."""
    entry = row.entry
    return EntryValue(
        reason=entry.reason,
        entered=entry.entered,
        placed=entry.placed,
        is_anchor=entry.is_anchor,
        **row_json(row),
    )


def batch_item(row: BatchRow) -> BatchItem:
    """Return a batch for a list."""
    return BatchItem(
        batch=row.number,
        kind=row.kind,
        state=row.state,
        attempts=row.attempt,
        entries=list(row.entries),
        season=row.season,
        day=row.day,
        matches=row.matches,
        seconds=row.seconds,
        created=row.created,
        ended=row.ended,
        result=row.result,
    )


def attempt_value(row: AttemptRow) -> AttemptValue:
    """Return an attempt, without the machine that made it."""
    return AttemptValue(row.attempt, row.began, row.ended, row.outcome, row.reason)
