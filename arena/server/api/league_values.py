"""Leagues and their entries, as the API shows them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from arena.league.announcements.announcement import Announcement
from arena.league.plan.definition import unplayable
from arena.league.results.board import Board, BoardRow
from arena.league.results.board_output import row_json
from arena.league.results.publication import published_secret
from arena.league.results.season_report import SeasonReport, places_json
from arena.league.store.league_dates import LeagueDates
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.server.api.match_values import RepeatsValue
from arena.server.leagues.cache import LeagueView
from arena.store import NoSuchRow, Store


class PublishedDay(Struct, frozen=True):
    """The newest public secret of a season."""

    day: int
    """The number of the day in the season, from 0."""
    secret: str
    """The secret in hex; hashed, it gives that of the day before."""


class DatesValue(Struct, frozen=True):
    """The dates of a season in UTC; None for one that is not set."""

    opens: str | None
    """Before it nothing is played; bots may be handed in."""
    deadline: str | None
    """What is received before it counts for the season; the rest enters with the next one."""
    ends: str | None
    """When the season ends with its final."""
    zone: str | None
    """The time zone in which the organiser gave them, such as "Europe/Berlin"; None for UTC."""
    hides: str | None = None
    """From when on visitors see no new results, until the season ends."""


class SeasonValue(Struct, frozen=True):
    """A season of a league."""

    season: int
    first_day: str
    phase: str
    """The phase: open; frozen, as nothing enters the season any more; final, while the final is played; ended."""
    frozen: str | None
    """When it was frozen, UTC; None before."""
    ended: str | None
    commitment: str
    """The commitment to its secrets in hex, published at its start."""
    entropy: str
    """The entropy that is mixed into all its secrets; may be empty."""
    published: PublishedDay | None
    dates: DatesValue | None = None
    """Its dates; None without any."""


class AnnouncementValue(Struct, frozen=True):
    """An announcement of a league."""

    announcement: int
    """The number of the announcement in the league, from 1."""
    created: str
    changed: str | None
    """When it got its newest text, UTC; None for its first text."""
    retracted: str | None
    """When it was retracted, UTC; None if it was not."""
    text: str
    """The newest text, without markup."""


class AnnouncementList(Struct, frozen=True):
    """The announcements of a league, the newest first."""

    announcements: list[AnnouncementValue]


class LeagueItem(Struct, frozen=True):
    """A league in a list."""

    league: str
    game: str
    state: str
    """The state: open, paused or closed."""
    active: int
    """The number of entries that play."""
    batches: int
    """The number of batches with a result."""
    created: str


class LeagueList(Struct, frozen=True):
    """All leagues, the oldest first."""

    leagues: list[LeagueItem]


class LeagueValue(Struct, frozen=True):
    """A league with its definition and seasons."""

    league: str
    game: str
    state: str
    batches: int
    created: str
    definition: dict[str, Any]
    """Everything that was decided when it was created."""
    definition_hash: str
    """The SHA-256 of the definition, in hex."""
    seasons: list[SeasonValue]
    unplayable: str
    """Why this server cannot play the league, as when its game has other rules since; empty if it can."""


class FlagValue(Struct, frozen=True):
    """What the audit of a league says of an entry: no proof."""

    kind: str
    """Either "gave" or "took", points to or from `other` beyond what the ratings predict; or "together": both took more
    from the others at their tables; or "forfeits": it forfeited matches.
    """
    other: int | None
    """The number of the other entry; None for "forfeits"."""
    share: float
    """Points per comparison beyond those expected; for "forfeits" the share of its matches that it forfeited."""
    number: int
    """The number of deals in which the two met; for "forfeits" the number of matches that it forfeited."""


class EntryValue(Struct, frozen=True):
    """An entry of a league with its rating."""

    rank: int | None
    """Its rank, from 1; None unless it is active and rated."""
    entry: int
    """The number of the entry in the league."""
    bot: str
    """The name and version of the bot."""
    owner: str
    is_anchor: bool
    state: str
    """The state: placing, standing, retired or suspended."""
    reason: str
    """Why it is retired or suspended."""
    entered: str
    placed: str | None
    elo: float | None
    """Its Elo; None before its first match."""
    bound: str
    """Either ">" or "<" where `elo` is only a lower or an upper bound, "~" where the results do not determine it;
    otherwise empty.
    """
    ci95: float | None
    """Half the width of the 95 % interval of the Elo; None without one."""
    change: float | None
    """The change of the Elo since the day before; None if it had none then."""
    version_change: float | None
    """The difference of the Elo to that of the version before it; None without one that has a rating."""
    deals: int
    matches: int
    last_played: str | None
    """When its last batch ended, UTC."""
    ms_per_decision: float | None
    faults: dict[str, int]
    """The number of its faults by kind."""
    separated: bool | None
    """Whether the 95 % interval of the difference to the row above excludes 0; None for the first, and where it is
    unknown.
    """
    flags: list[FlagValue]
    """What the audit of the league says of the entry."""
    grants: list[str] = []
    """What the organiser grants the entry now beyond others: "network", or "device:" and a path."""
    display_name: str | None = None
    """The display name of its owner; null where they have none, or the server shows it to others alone."""
    group_rank: int | None = None
    """The rank among the active entries of the group that was asked for; None without a group, or a rank."""


class SeasonPlaceValue(Struct, frozen=True):
    """A place of a final table.

    elo, ci95, deals: those with which the season was frozen, rounded.
    """

    rank: int | None
    """The place, from 1; None where the placement of the entry was not over."""
    entry: int
    bot: str
    owner: str
    elo: int
    ci95: int | None
    deals: int
    left: bool
    """Whether the entry left the final before its end."""
    final_elo: float | None
    """Its Elo from the final alone, as the difference to the mean of the finalists; None unless it played the final."""
    final_bound: str
    """Whether `final_elo` is only a bound, as `bound` of an entry."""
    final_ci95: float | None
    """Half the width of the 95 % interval of `final_elo`; None without one."""
    final_deals: int | None
    final_matches: int | None
    final_points: float | None
    """Its points in the final: 1 for each comparison in which it was placed above another at its tables, and a half for
    each tie; None unless it played the final.
    """
    final_comparisons: int | None
    """The number of these comparisons; None unless it played the final."""
    display_name: str | None = None
    """As that of an entry."""


class SeasonTableValue(Struct, frozen=True):
    """The end of a season with its final table.

    played, parts: how many parts of its final are stored, and how many there are.
    """

    league: str
    season: int
    phase: str
    played: int
    parts: int
    rows: list[SeasonPlaceValue]
    """The final table; empty before the end of the season, and where it ended without one."""


class EntryList(Struct, frozen=True):
    """Entries by number, the newest first."""

    entries: list[EntryValue]
    next: str | None
    """The address of the following part; None for the last."""


class BoardValue(Struct, frozen=True):
    """The board of a league: its entries with their ratings."""

    league: str
    game: str
    state: str
    matches: int
    batches: int
    """The number of batches that the ratings hold."""
    rated: str | None
    """When the ratings were made; None without any."""
    rows: list[EntryValue]
    """The entries, the strongest first."""
    repeats: RepeatsValue | None = None
    """What was found of matches that repeat others, in games in which they may; otherwise None."""
    group: str | None = None
    """The group that was asked for; None: it has all entries."""
    hidden_since: str | None = None
    """Since when visitors see no new results, until the season ends; None where they see all."""


class LeagueProgress(Struct, frozen=True):
    """How far a league is.

    waiting, playing: how many unplayed batches wait, and how many are being played.
    """

    league: str
    state: str
    batches: int
    """The number of batches with a result."""
    decisions: int
    """The number of decisions in its log."""
    waiting: int
    playing: int


def league_item(store: Store, row: LeagueRow) -> LeagueItem:
    """Return a league for a list."""
    active = sum(entry.is_active for entry in Leagues(store).entries(row.id))
    return LeagueItem(row.name, row.game, row.state, active, row.results, row.created)


def league_value(store: Store, row: LeagueRow) -> LeagueValue:
    """Return a league."""
    seasons = []
    for season in Leagues(store).seasons(row.id):
        secret, dates = published_secret(store, row.id, season), Leagues(store).dates(row.id, season.number)
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
                dates=dates_value(dates),
            )
        )
    definition = dict(row.definition)
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


def announcement_value(row: Announcement) -> AnnouncementValue:
    """Return an announcement."""
    return AnnouncementValue(row.number, row.created, row.changed, row.retracted, row.text)


def dates_value(dates: LeagueDates) -> DatesValue | None:
    """Return the dates of a season; None without any."""
    if not (dates.opens or dates.deadline or dates.hides or dates.ends):
        return None
    moments = (dates.opens, dates.deadline, dates.ends, dates.zone, dates.hides)
    return DatesValue(*(moment or None for moment in moments))


def find_entry(view: LeagueView, number: int, names: Mapping[str, str]) -> EntryValue:
    """Return an entry of a league. Raises NoSuchRow.

    names: the display names of owners that its reader sees.
    """
    if number not in view.rows:
        raise NoSuchRow("no such entry")
    return entry_value(view.rows[number], names)


def season_table_value(report: SeasonReport, names: Mapping[str, str]) -> SeasonTableValue:
    """Return the end of a season.

    names: as in `find_entry`.
    """
    rows = [SeasonPlaceValue(**row, display_name=names.get(row["owner"])) for row in places_json(report)]
    season = report.season
    return SeasonTableValue(report.league.name, season.number, season.phase, report.played, report.parts, rows)


def board_value(board: Board, names: Mapping[str, str], *, past: bool) -> BoardValue:
    """Return a board.

    names: as in `find_entry`.
    past: with the entries that are no longer active, which `board` has.
    """
    league = board.league
    rows = [entry_value(row, names) for row in board.rows if past or row.entry.is_active]
    repeats = None if board.repeats is None else RepeatsValue(**board.repeats.to_json())
    return BoardValue(
        league.name,
        league.game,
        league.state,
        board.matches,
        board.results,
        board.rated,
        rows,
        repeats,
        board.group,
        board.hidden,
    )


def entry_value(row: BoardRow, names: Mapping[str, str]) -> EntryValue:
    """Return a row of a board.

    names: as in `find_entry`.
    """
    entry, values = row.entry, row_json(row, names)
    return EntryValue(
        reason=entry.reason,
        entered=entry.entered,
        placed=entry.placed,
        is_anchor=entry.is_anchor,
        **(values | {"flags": [FlagValue(**flag) for flag in values["flags"]]}),
    )
