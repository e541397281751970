"""`arena serve`: serve the pages, check what is handed in, and run all leagues."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from arena.cli.open_site import ProxyOptions, open_site, proxy_options
from arena.cli.options import db_option, rated_hosting_options
from arena.cli.output import echo
from arena.cli.tournament_options import RefereeOptions, open_executor, referee_options
from arena.errors import ArenaError
from arena.tournament.run.hosting import Hosting

if TYPE_CHECKING:
    from arena.league.run.desk import LeagueDesk
    from arena.league.run.runner import LeagueRunner
    from arena.store import Store

RETRY_SECONDS = 10.0
"""Before leagues are run again after an error."""


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0: any free port.",
)
@proxy_options
@click.option("--build-network", is_flag=True, help="Let the builds of submitted bots use the network.")
@referee_options()
@rated_hosting_options
@db_option
def command(
    host: str,
    port: int,
    proxy: ProxyOptions,
    build_network: bool,
    referees: RefereeOptions,
    hosting: Hosting,
    db: str,
) -> None:
    """Serve the pages, check what is handed in, and run all leagues.

    This is `arena web --sign-in` and `arena league run` in one program, until Ctrl-C. Leagues that are created
    meanwhile (`arena league create`) are run, too. After a kill at any moment the same command goes on: nothing that
    was handed in or stored is lost. Accounts are made with `arena accounts create`.
    """
    from arena.store import open_store
    from arena.tournament.run.referee_process import EarlyReferees

    with (
        open_store(db, create=True, write=True) as store,
        open_site(host, port, db, hosting, proxy, sign_in=True, build_network=build_network) as (site, listener),
        EarlyReferees(()) as early,
        open_executor(referees, store, early, None) as (executor, room),
    ):
        import trio

        from arena.league.run.runner import LeagueRunner
        from arena.web.server import serve

        say = partial(echo, err=True)

        def runner() -> LeagueRunner:
            find = partial(find_leagues, store, db, hosting, say, set())
            return LeagueRunner(store, find(), hosting, say, executor, find=find, heeds_signals=False)

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_run_leagues, runner, referees.jobs or room)
                await serve(site, listener)
                nursery.cancel_scope.cancel()

        trio.run(main)


def find_leagues(
    store: "Store", db: str, hosting: Hosting, say: Callable[[str], None], known: set[int]
) -> "list[LeagueDesk]":
    """Return the open leagues that are not known yet, and add them to these; one that cannot be played is reported."""
    from arena.league.run.desk import LeagueDesk
    from arena.store import StoreUnavailable

    desks = []
    for league in store.leagues.all():
        if league.state != "closed" and league.id not in known:
            try:
                desk = LeagueDesk(store, db, league, hosting, say)
                desk.check_bots()
            except StoreUnavailable:
                raise
            except ArenaError as error:
                say(f"the league {league.name} is not run: {error}")
            else:
                desks.append(desk)
            known.add(league.id)
    return desks


async def _run_leagues(runner: "Callable[[], LeagueRunner]", jobs: int) -> None:
    """Run the leagues, and again after an error: the pages stay up."""
    import trio

    while True:
        try:
            made = await trio.to_thread.run_sync(runner)
            await made.run(jobs)
        except* ArenaError as group:
            echo(f"{group.exceptions[0]}; the leagues are run again in {RETRY_SECONDS:.0f} s", err=True)
        await trio.sleep(RETRY_SECONDS)
