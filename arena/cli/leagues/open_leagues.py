"""The leagues that a command runs where none is named."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from arena.run.hosting import Hosting
from arena.values.errors import ArenaError
from arena.values.server_log import Notice

if TYPE_CHECKING:
    from arena.league.run.scheduler import LeagueScheduler
    from arena.store import Store


def find_leagues(
    store: "Store", db: str, hosting: Hosting, say: Callable[[str], None], known: set[int]
) -> "list[LeagueScheduler]":
    """Return the leagues that are to be run and not known yet, and add all to these; report those that cannot be run.

    These are the open ones, also those whose bots cannot be unpacked or started now, as on a full disk: their
    schedulers try again. And closed ones of which a batch is not over or not rated yet, as nothing has run them since.
    """
    from arena.league.run.entry_bots import MachineUnfit
    from arena.league.run.scheduler import LeagueScheduler
    from arena.league.store.leagues import Leagues
    from arena.packs.errors import PackError
    from arena.store import StoreUnavailable

    schedulers = []
    for league in Leagues(store).all():
        if league.id not in known and not Leagues(store).is_over(league.id):
            try:
                scheduler = LeagueScheduler(store, db, league, hosting, say)
                if league.state != "closed":
                    with suppress(MachineUnfit, PackError):
                        scheduler.check_bots()
            except StoreUnavailable:
                raise
            except ArenaError as error:
                say(Notice(f"the league {league.name} is not run: {error}", "league_not_run", league=league.name))
            else:
                schedulers.append(scheduler)
        known.add(league.id)
    return schedulers


def schedule_practice(
    store: "Store", db: str, hosting: Hosting, say: Callable[[str], None], name: str
) -> "LeagueScheduler":
    """Return the scheduler of a practice league. Raises NoSuchRow where it was removed meanwhile."""
    from arena.league.run.scheduler import LeagueScheduler
    from arena.league.store.leagues import Leagues

    return LeagueScheduler(store, db, Leagues(store).named(name, practice=True), hosting, say)
