"""How long a hand-in may take in its check to start and to get ready: as long as any league it would enter grants."""

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from arena.league.plan.definition import LeagueDefinition
from arena.store import Store
from arena.tournament.errors import PlanError
from arena.tournament.plan.definition import TimeControl


class LeagueLimits(NamedTuple):
    """What a league grants its entries. game: that it plays. time: its clock and limits."""

    game: str
    time: TimeControl


def league_limits(store: Store, league: int | None) -> tuple[LeagueLimits, ...]:
    """Return what the leagues that are not closed grant. league: the only one that counts; None: all do."""
    found = []
    for row in store.leagues.all():
        if row.state != "closed" and league in (None, row.id):
            try:
                time = LeagueDefinition.from_json(row.definition.values).time
            except PlanError:  # of another version of arena
                continue
            found.append(LeagueLimits(row.game, time))
    return tuple(found)


def most_generous(usual: TimeControl, granted: Collection[LeagueLimits], games: Collection[str]) -> TimeControl:
    """Return the usual limits, with the longest time to start and to get ready that any league of some games grants.

    games: that the bot plays; none: any.
    """
    times = [usual, *(time for game, time in granted if not games or game in games)]
    ready = [time.ready_time_ms for time in times]
    return replace(
        usual,
        start_time_ms=max(time.start_time_ms for time in times),
        ready_time_ms=max(ready) if all(ready) else 0,
    )
