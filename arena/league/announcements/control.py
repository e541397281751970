"""Announce something on the page of a league, change it and retract it."""

from typing import Any

from sqlalchemy import Connection

from arena.league.announcements.announcement import ANNOUNCE, RETRACT, Announcement, announcements_of
from arena.league.control import LeagueError
from arena.league.store.league_log import append_to_log, lock_league
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.outbox_events import add_announcement
from arena.results.control import actor
from arena.store import NoSuchRow, Store
from arena.values.texts import printable

LONGEST = 2000
"""Characters of an announcement."""

MOST_TEXTS = 1000
"""Texts that a league may have: each stays in its log for ever."""


def announce(store: Store, name: str, text: str, by: str | None, number: int | None = None) -> Announcement:
    """Write an announcement, or give one another text; tell the owners of entries, and return it.

    text: as people write it, without markup.
    number: of the announcement that is changed; None: a new one.

    Raises NoSuchRow if there is no such league or announcement; LeagueError for a text that is empty or too long, if
    the announcement was retracted, or if there are too many.
    """
    text = printable("\n".join(text.split("\r\n")), keep="\n").strip()
    if not text:
        raise LeagueError("an announcement must not be empty: write what is to be read, or retract it")
    if len(text) > LONGEST:
        raise LeagueError(f"an announcement has up to {LONGEST:,} characters, and this has {len(text):,}: shorten it")
    league = Leagues(store).named(name)
    with store.write(numbers=True) as connection:
        lock_league(connection, league.id)
        known = announcements(store, league)
        if sum(len(announcement.texts) for announcement in known) >= MOST_TEXTS:
            raise LeagueError(f"the league {name} has {MOST_TEXTS:,} texts of announcements, the most")
        if number is not None and _shown(league, known, number).text == text:
            return _shown(league, known, number)
        key = len(known) + 1 if number is None else number
        _decide(connection, league, by, ANNOUNCE, {"announcement": key, "text": text})
        add_announcement(connection, league.id, key, text, is_new=number is None)
    return _find(store, league, key)


def retract(store: Store, name: str, number: int, by: str | None, reason: str = "") -> Announcement:
    """Retract an announcement: it is shown as retracted from then on; return it.

    Raises NoSuchRow if there is no such league or announcement, LeagueError if it was retracted before.
    """
    league = Leagues(store).named(name)
    with store.write(numbers=True) as connection:
        lock_league(connection, league.id)
        _shown(league, announcements(store, league), number)
        _decide(connection, league, by, RETRACT, {"announcement": number}, reason)
    return _find(store, league, number)


def announcements(store: Store, league: LeagueRow) -> list[Announcement]:
    """Return all announcements of a league, also those that were retracted; the newest first."""
    with store.snapshot():
        log = [*Leagues(store).log(league.id, ANNOUNCE), *Leagues(store).log(league.id, RETRACT)]
    return announcements_of(sorted(log, key=lambda row: row.number))


def _find(store: Store, league: LeagueRow, number: int) -> Announcement:
    return next(row for row in announcements(store, league) if row.number == number)


def _shown(league: LeagueRow, known: list[Announcement], number: int) -> Announcement:
    """Return an announcement that is not retracted. Raises NoSuchRow, LeagueError."""
    announcement = next((other for other in known if other.number == number), None)
    if announcement is None:
        raise NoSuchRow(f"the league {league.name} has no announcement {number}")
    if announcement.retracted is not None:
        raise LeagueError(f"announcement {number} of the league {league.name} was retracted: write a new one")
    return announcement


def _decide(
    connection: Connection, league: LeagueRow, by: str | None, kind: str, details: dict[str, Any], reason: str = ""
) -> None:
    append_to_log(connection, league.id, actor(by), kind, details, reason)
