"""What leagues grant hand-ins: the longest time to start and to get ready that one they would enter grants."""

from arena.bots.hand_in_limits import LeagueLimits
from arena.league.plan.definition import LeagueDefinition
from arena.league.store.leagues import Leagues
from arena.store import Store
from arena.values.tournament_errors import PlanError


def league_limits(store: Store, league: int | None) -> tuple[LeagueLimits, ...]:
    """Return what the leagues that are not closed grant.

    league: the only one that counts; None: all do.
    """
    found = []
    for row in Leagues(store).all():
        if row.state != "closed" and league in (None, row.id):
            try:
                time = LeagueDefinition.from_json(row.definition).time
            except PlanError:  # of another version of arena
                continue
            found.append(LeagueLimits(row.game, time))
    return tuple(found)
