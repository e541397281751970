"""Where an accepted hand-in plays: the entries of its version, and the leagues that are about to enter it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from arena.bots.hand_in_rows import ACCEPTED, HandInRow
from arena.league.plan.definition import unplayable
from arena.league.results.hand_in_notices import unplayed_notice
from arena.league.store.league_rows import LeagueEntry, LeagueRow
from arena.league.store.leagues import Leagues
from arena.store import Store

ENTERS_WITHIN = 20.0
"""Seconds after the check in which a league that is played enters a bot, with room to spare."""


@dataclass(frozen=True, slots=True)
class HandInEntries:
    """The entries of an accepted hand-in."""

    entries: tuple[LeagueEntry, ...] = ()
    awaited: tuple[str, ...] = ()
    """The names of the leagues that, if they are played, enter it at any moment."""
    notice: str = ""
    """That no open league plays its games; empty where one does, or it was entered."""


def hand_in_entries(store: Store, row: HandInRow, leagues: Sequence[LeagueRow] | None = None) -> HandInEntries:
    """Return the entries of a hand-in: none unless it is accepted.

    leagues: all that there are; None: they are read.
    """
    if row.state != ACCEPTED or row.version is None or row.ended is None:
        return HandInEntries()
    entries = Leagues(store).entries_of(row.name, row.version)
    ended = datetime.fromisoformat(row.ended)
    is_new = (datetime.now(UTC) - ended).total_seconds() < ENTERS_WITHIN
    notice = (
        ""
        if entries or row.practice_only
        else unplayed_notice(Leagues(store).all() if leagues is None else leagues, row.games)
    )
    return HandInEntries(tuple(entries), _awaited(store, row, entries) if is_new else (), notice)


def _awaited(store: Store, row: HandInRow, entries: list[LeagueEntry]) -> tuple[str, ...]:
    versions = [
        version
        for version in store.submissions.versions(row.name)
        if version.retired is None and not version.practice_only
    ]
    if not versions or versions[-1].version != row.version:
        return ()
    games, entered = versions[-1].manifest.get("games", []), {entry.league for entry in entries}
    return tuple(
        league.name
        for league in Leagues(store).all()
        if league.name not in entered
        and league.state != "closed"
        and (not games or league.game in games)  # none named: any game
        and not unplayable(league.definition)
        and Leagues(store).seasons(league.id)[-1].phase == "open"
    )
