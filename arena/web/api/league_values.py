"""Leagues and their entries, as the API shows them."""

from typing import Any

from msgspec import Struct

from arena.league.plan.definition import unplayable
from arena.league.results.board import Board, BoardRow
from arena.league.results.board_output import row_json
from arena.league.results.publication import published_secret
from arena.league.results.season_report import SeasonReport, places_json
from arena.store import NoSuchRow, Store
from arena.store.league_rows import LeagueRow
from arena.web.league_cache import LeagueView


class PublishedDay(Struct, frozen=True):
    """The newest public secret of a season. day: from 0. secret: in hex; hashed, it gives that of the day before."""

    day: int
    secret: str


class SeasonValue(Struct, frozen=True):
    """A season. commitment: in hex, published at its start. entropy: mixed into all secrets; may be empty.

    phase: open; frozen, as nothing enters any more; final, while that is played; ended. frozen: since when, UTC.
    """

    season: int
    first_day: str
    phase: str
    frozen: str | None
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
    """A league.

    definition: everything that was decided when it was created; definition_hash: SHA-256 in hex. unplayable: why this
    server cannot play it, as when its game has other rules since; empty if it can.
    """

    league: str
    game: str
    state: str
    batches: int
    created: str
    definition: dict[str, Any]
    definition_hash: str
    seasons: list[SeasonValue]
    unplayable: str


class FlagValue(Struct, frozen=True):
    """What the audit says of an entry: no proof.

    kind: "gave" or "took": points to or from `other`, an entry, beyond what the ratings predict; "together": both took
    more from the others at their tables; "forfeits": it forfeited matches. share: points per comparison beyond those
    expected, or the share of its matches. number: of the deals in which the two met, or of the matches.
    """

    kind: str
    other: int | None
    share: float
    number: int


class EntryValue(Struct, frozen=True):
    """An entry of a league with its rating.

    entry: its number. bot: name and version. state: placing, standing, retired or suspended; reason: why, for the last
    two. rank: None unless it is active and rated. elo: None before its first match; bound: ">" or "<" where it is only
    a bound, "~" where the results do not determine it. ci95: half the width of its 95 % interval. change: since the
    day before. version_change: since the version before it. last_played: when its last batch ended, UTC. faults: their
    number by kind. separated: whether the 95 % interval of the difference to the row above excludes 0; None for the
    first, and where it is unknown. flags: what the audit of the league says of it. grants: what the organiser grants it
    now beyond other entries: "network", or "device:" and a path.
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
    separated: bool | None
    flags: list[FlagValue]
    grants: list[str] = []


class SeasonPlaceValue(Struct, frozen=True):
    """A place of a final table.

    rank: None where the placement of the entry was not over. elo, ci95, deals: rounded, as the season was frozen. left:
    whether it left the final before its end. final_elo: the difference to the mean of the finalists, from the final
    alone, with bound and ci95 as in an entry; None unless it played the final. final_points: of final_comparisons with
    others at its tables, 1 for each that it was placed above and a half for each tie.
    """

    rank: int | None
    entry: int
    bot: str
    owner: str
    elo: int
    ci95: int | None
    deals: int
    left: bool
    final_elo: float | None
    final_bound: str
    final_ci95: float | None
    final_deals: int | None
    final_matches: int | None
    final_points: float | None
    final_comparisons: int | None


class SeasonTableValue(Struct, frozen=True):
    """The end of a season. played, parts: of its final. rows: the final table, once it has ended."""

    league: str
    season: int
    phase: str
    played: int
    parts: int
    rows: list[SeasonPlaceValue]


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
        secret = published_secret(store, row.id, season)
        published = None if secret is None else PublishedDay(secret.day, secret.secret)
        seasons.append(
            SeasonValue(
                season=season.number,
                first_day=season.first_day,
                phase=season.phase,
                frozen=season.frozen,
                ended=season.ended,
                commitment=season.commitment,
                entropy=season.entropy,
                published=published,
            )
        )
    definition = dict(row.definition.values)
    return LeagueValue(
        row.name,
        row.game,
        row.state,
        row.results,
        row.created,
        definition,
        row.definition_hash,
        seasons,
        unplayable(definition),
    )


def find_entry(view: LeagueView, number: int) -> EntryValue:
    """Return an entry of a league. Raises NoSuchRow."""
    if number not in view.rows:
        raise NoSuchRow("no such entry")
    return entry_value(view.rows[number])


def season_table_value(report: SeasonReport) -> SeasonTableValue:
    """Return the end of a season."""
    rows = [SeasonPlaceValue(**row) for row in places_json(report)]
    season = report.season
    return SeasonTableValue(report.league.name, season.number, season.phase, report.played, report.parts, rows)


def board_value(board: Board, *, past: bool) -> BoardValue:
    """Return a board. past: with the entries that are no longer active, which `board` has."""
    league = board.league
    rows = [entry_value(row) for row in board.rows if past or row.entry.is_active]
    return BoardValue(league.name, league.game, league.state, board.matches, board.results, board.rated, rows)


def entry_value(row: BoardRow) -> EntryValue:
    """Return a row of a board."""
    entry, values = row.entry, row_json(row)
    return EntryValue(
        reason=entry.reason,
        entered=entry.entered,
        placed=entry.placed,
        is_anchor=entry.is_anchor,
        **(values | {"flags": [FlagValue(**flag) for flag in values["flags"]]}),
    )
