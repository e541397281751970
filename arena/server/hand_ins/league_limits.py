"""What leagues grant hand-ins: time to start and to get ready, and time for answers."""

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
                definition = LeagueDefinition.from_json(row.definition)
            except PlanError:  # of another version of arena
                continue
            found.append(LeagueLimits(row.game, definition.time, row.name, definition.thinking))
    return tuple(found)
