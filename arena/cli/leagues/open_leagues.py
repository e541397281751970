"""The leagues that a command runs where none is named."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from arena.errors import ArenaError
from arena.server_log import Notice
from arena.tournament.run.hosting import Hosting

if TYPE_CHECKING:
    from arena.league.run.scheduler import LeagueScheduler
    from arena.store import Store


def find_leagues(
    store: "Store", db: str, hosting: Hosting, say: Callable[[str], None], known: set[int]
) -> "list[LeagueScheduler]":
    """Return the open leagues that are not known yet, and add them to these; one that cannot be played is reported.

    One whose bots cannot be unpacked now, as on a full disk, is among them: its scheduler tries again.
    """
    from arena.league.run.scheduler import LeagueScheduler
    from arena.store import StoreUnavailable
    from arena.submissions.errors import PackError

    schedulers = []
    for league in store.leagues.all():
        if league.state != "closed" and league.id not in known:
            try:
                scheduler = LeagueScheduler(store, db, league, hosting, say)
                with suppress(PackError):
                    scheduler.check_bots()
            except StoreUnavailable:
                raise
            except ArenaError as error:
                say(Notice(f"the league {league.name} is not run: {error}", "league_not_run", league=league.name))
            else:
                schedulers.append(scheduler)
            known.add(league.id)
    return schedulers
