"""Set the dates of a season of a league, and the deadline of one owner; both are decisions in its log."""

from dataclasses import asdict, replace
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy import Connection, func, select

from arena.league.control import LeagueError, open_league
from arena.league.plan.secret_chain import last_date
from arena.league.store.league_dates import DATES, EXTEND, NO_DATES, LeagueDates, read_dates
from arena.league.store.league_log import append_to_log, lock_league
from arena.league.store.league_rows import LeagueRow, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.outbox_events import add_dates, add_extension
from arena.league.store.season_rows import note_hiding
from arena.results.control import actor
from arena.store import Store
from arena.store.engine.clock import database_time
from arena.store.engine.schema import batches
from arena.values.given_time import check_zone, parse_time, shown_time

_NAMES = {
    "opens": "the opening",
    "deadline": "the deadline",
    "hides": "the moment from which the board is hidden",
    "ends": "the end of the season",
}


class GivenDates(Struct, frozen=True, forbid_unknown_fields=True):
    """Dates as people give them; what is left out stays as it is, and "none" takes a date back."""

    opens: str | UnsetType = UNSET
    """Before it nothing is played; bots may be handed in and are checked."""
    deadline: str | UnsetType = UNSET
    """What is received before it counts for the season, even if its check ends later; the rest for the next one."""
    hides: str | UnsetType = UNSET
    """From when on visitors see the board as it stood then, until the season ends; it may be in the past."""
    ends: str | UnsetType = UNSET
    """When the season ends with its final, instead of after its days."""
    timezone: str | UnsetType = UNSET
    """The time zone of dates without an offset, and in which they are shown first, such as "Europe/Berlin"."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is given."""
        return all(value is UNSET for value in (self.opens, self.deadline, self.hides, self.ends, self.timezone))

    def over(self, known: LeagueDates) -> LeagueDates:
        """Return the dates that hold if these are set. Raises TimeError for one that cannot be read."""
        zone = known.zone if self.timezone is UNSET else check_zone(self.timezone)
        given = {"opens": self.opens, "deadline": self.deadline, "hides": self.hides, "ends": self.ends}
        changed: dict[str, Any] = {name: parse_time(text, zone) for name, text in given.items() if text is not UNSET}
        return replace(known, zone=zone, **changed)


def first_dates(given: GivenDates, season: SeasonRow, now: str) -> dict[str, Any] | None:
    """Return the details of the decision on the dates of the first season of a new league; None for none.

    now: UTC, ISO 8601.

    Raises TimeError for a date that cannot be read, LeagueError for dates that contradict each other.
    """
    if given.is_empty:
        return None
    dates = given.over(NO_DATES)
    _check(dates, NO_DATES, now, season)
    _check_hiding(dates, now)
    return details_of(season.number, dates)


def set_dates(
    store: Store, name: str, given: GivenDates, by: str | None, reason: str = "", season: int | None = None
) -> LeagueDates:
    """Set dates of a season, tell the owners of entries, and return those that hold now.

    season: its number, or that of the next one before it begins; None: the newest.

    Raises TimeError for a date that cannot be read; LeagueError if the league is closed, if the season is at its end,
    or for dates that contradict each other or come too late.
    """
    league = open_league(store, name)
    with store.write(numbers=True) as connection:
        lock_league(connection, league.id)
        *before, newest = Leagues(store).seasons(league.id)
        number = _open_season(league, newest, season)
        known = read_dates(connection, league.id, number)
        if given.is_empty:
            raise LeagueError("no date is given: give one of opens, deadline, hides, ends, and the time zone")
        dates = given.over(known)
        if dates == known:
            return dates
        _check(dates, known, database_time(connection), newest if number == newest.number else None)
        if dates.hides != known.hides:
            began = (before[-1].ended or "") if before else league.created
            _check_hiding(dates, began if number == newest.number else database_time(connection))
        if dates.opens != known.opens and _has_batches(connection, league.id, number):
            raise LeagueError(
                f"season {number} of the league {name} is played already, so its opening stays: "
                f"pause it with arena league pause {name}"
            )
        details = details_of(number, dates)
        append_to_log(connection, league.id, actor(by), DATES, details, reason)
        note_hiding(connection, league.id, number)
        add_dates(connection, league.id, details)
    return dates


def extend(
    store: Store, name: str, owner: str, until: str, by: str | None, reason: str = "", timezone: str = ""
) -> LeagueDates:
    """Set the deadline of one owner in the newest season, tell them, and return the dates that hold now.

    until: a moment as people write it; "none" takes the extension back.
    timezone: of a moment without an offset; empty for that of the league's dates.

    Raises TimeError for a moment that cannot be read; LeagueError if the league is closed, if its season is at its end
    or has no deadline, if nobody has that name, or for a moment that is not between the deadline and the end.
    """
    league = open_league(store, name)
    with store.write(numbers=True) as connection:
        lock_league(connection, league.id)
        season = _open_season(league, Leagues(store).seasons(league.id)[-1], None)
        known = read_dates(connection, league.id, season)
        if not known.deadline:
            raise LeagueError(f"season {season} of the league {name} has no deadline that could be extended")
        moment = parse_time(until, timezone or known.zone)
        if moment == known.extensions.get(owner, ""):
            return known
        if moment:
            _check_owner(store, owner)
            _check_extension(known, moment, database_time(connection))
        append_to_log(
            connection,
            league.id,
            actor(by),
            EXTEND,
            {"season": season, "owner": owner, "until": moment},
            reason,
        )
        add_extension(connection, league.id, season, owner, moment)
        return read_dates(connection, league.id, season)


def check_opened(store: Store, league: LeagueRow) -> None:
    """Raise LeagueError before the newest season of a league opens."""
    dates = Leagues(store).dates(league.id)
    if dates.opens > store.submissions.now():
        raise LeagueError(
            f"the league {league.name} opens at {shown_time(dates.opens, dates.zone)}: nothing is played before"
        )


def details_of(season: int, dates: LeagueDates) -> dict[str, Any]:
    """Return the details of the decision that sets dates."""
    values = asdict(dates)
    del values["extensions"]
    return {"season": season, **values}


def _open_season(league: LeagueRow, newest: SeasonRow, season: int | None) -> int:
    """Return the number of a season whose dates may be changed. Raises LeagueError."""
    if season is not None and season not in (newest.number, newest.number + 1):
        raise LeagueError(
            f"only the newest season of the league {league.name}, {newest.number}, and the next one have dates to set"
        )
    if season in (None, newest.number) and newest.phase != "open":
        raise LeagueError(
            f"season {newest.number} of the league {league.name} is at its end: its dates stay as they are"
        )
    return newest.number if season is None else season


def _check(dates: LeagueDates, known: LeagueDates, now: str, season: SeasonRow | None) -> None:
    """Raise LeagueError for dates that contradict each other or come too late.

    known: those that held before, which may be over.
    season: which has begun; None: it has not.
    """
    for name in ("deadline", "ends"):
        moment = getattr(dates, name)
        if moment and moment != getattr(known, name) and moment <= now:
            raise LeagueError(
                f"{_NAMES[name]}, {shown_time(moment, dates.zone)}, is not in the future: give a later one"
            )
    for middle in ("deadline", "hides"):
        in_order = [(moment, _NAMES[name]) for name in ("opens", middle, "ends") if (moment := getattr(dates, name))]
        for (earlier, one), (later, other) in pairwise(in_order):
            if earlier >= later:
                raise LeagueError(
                    f"{other}, {shown_time(later, dates.zone)}, is not after {one}, {shown_time(earlier, dates.zone)}: "
                    "give other dates"
                )
    if dates.ends and any(until > dates.ends for until in dates.extensions.values()):
        raise LeagueError("the deadline of an owner was extended beyond this end of the season: give a later one")
    if season is not None and dates.ends:
        last = datetime.combine(last_date(season), time.min) + timedelta(days=1)
        if dates.ends[:19] > last.isoformat():
            raise LeagueError(
                f"the season has secrets until {last:%Y-%m-%d} UTC, and would end at "
                f"{shown_time(dates.ends, dates.zone)}: give an earlier end"
            )


def _check_hiding(dates: LeagueDates, began: str) -> None:
    """Raise LeagueError if the board would be hidden since a moment at which the season had not begun.

    began: when it began, or now if it has not.
    """
    if dates.hides and dates.hides < began:
        raise LeagueError(
            f"the board cannot be hidden since {shown_time(dates.hides, dates.zone)}: the season begins after that, "
            "and what earlier seasons brought is known"
        )


def _check_owner(store: Store, owner: str) -> None:
    """Raise LeagueError if neither an account nor a bot has the name."""
    accounts = {account.name for account in store.accounts.all()}
    bots = {row.name.partition("/")[0] for row in store.submissions.all()}
    if owner not in accounts | bots:
        raise LeagueError(f"nobody is called {owner[:80]}: `arena accounts` and `arena bots` list who there is")


def _check_extension(dates: LeagueDates, until: str, now: str) -> None:
    shown = shown_time(until, dates.zone)
    if until <= now:
        raise LeagueError(f"{shown} is not in the future: extend the deadline to a later moment")
    if until <= dates.deadline:
        raise LeagueError(f"{shown} is not after the deadline, {shown_time(dates.deadline, dates.zone)}")
    if dates.ends and until > dates.ends:
        raise LeagueError(f"{shown} is after the end of the season, {shown_time(dates.ends, dates.zone)}")


def _has_batches(connection: Connection, league: int, season: int) -> bool:
    of_season = (batches.c.league_id == league) & (batches.c.season == season)
    return bool(connection.scalar(select(func.count()).where(of_season)))
