"""`arena serve`: serve the pages, check what is handed in, and run all leagues."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.leagues.open_leagues import find_leagues, schedule_practice
from arena.cli.leagues.run_options import archives_option, keep_notes_option, quiet_option
from arena.cli.open_site import (
    HandInOptions,
    ProxyOptions,
    address_options,
    hand_in_limit_options,
    hand_in_options,
    limits_behind,
    names_option,
    open_site,
    proxy_options,
)
from arena.cli.options import db_option, rated_hosting_options
from arena.cli.package_options import package_options
from arena.cli.practice_options import PracticeOptions, practice_options
from arena.cli.server_options import ServerOptions, open_monitoring, server_options
from arena.cli.tournament_options import RefereeOptions, open_executor, referee_options
from arena.cli.watch_options import WatchOptions, watch_options
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl
from arena.values.errors import ArenaError
from arena.values.server_log import Notice

if TYPE_CHECKING:
    from arena.league.run.quiet_hours import QuietHours
    from arena.league.run.runner import LeagueRunner
    from arena.server.access import NameAudience

RETRY_SECONDS = 10.0
"""Before leagues are run again after an error."""


@click.command("serve")
@address_options
@proxy_options
@package_options("serve")
@click.option("--build-network", is_flag=True, help="Let the builds of submitted bots use the network.")
@hand_in_options
@hand_in_limit_options
@names_option
@quiet_option
@keep_notes_option
@archives_option
@referee_options()
@rated_hosting_options
@watch_options
@practice_options
@server_options
@db_option
def command(
    address: tuple[str, int],
    proxy: ProxyOptions,
    packages: Mapping[str, Any],
    build_network: bool,
    intake: HandInOptions,
    limits: TimeControl,
    names: "NameAudience",
    quiet: "QuietHours | None",
    note_days: int,
    archives: Path | None,
    referees: RefereeOptions,
    hosting: Hosting,
    watch: WatchOptions,
    practice: PracticeOptions,
    watched: ServerOptions,
    db: str,
) -> None:
    """Serve the pages, check what is handed in, and run all leagues.

    This is `arena web --sign-in` and `arena league run` in one program, until Ctrl-C. Leagues that are created
    meanwhile (`arena league create`) are run, too. In quiet hours hand-ins are checked, but no batch begins. After a
    kill at any moment the same command goes on: nothing that was handed in or stored is lost. Accounts are made with
    `arena accounts create`.

    /healthz answers 200 as long as the database answers, leagues are played and hand-ins are checked, else 503 with
    what stands still. Metrics are shown at the address of --metrics alone, to whoever reaches it: choose one that only
    your monitoring does.
    """
    from arena.store import open_store
    from referee.process.awake_clock import AwakeClock

    say, watching, terms = watched.open_log(), watch.watching(), practice.terms()
    with (
        open_store(db, create=True, write=True) as store,
        AwakeClock() as clock,
        open_site(
            address,
            db,
            hosting,
            proxy,
            sign_in=True,
            build_network=build_network,
            intake=intake,
            limits=limits,
            packages=packages,
            names=names,
            watching=watching,
            practice=terms,
            say=say,
            clock=clock,
        ) as (site, listener),
        open_executor(referees, store) as (executor, room),
        open_store(db) as watched_store,
    ):
        import trio

        from arena.bots.hand_ins import HandIns
        from arena.http import serve
        from arena.league.run.practice_turns import PracticeTurns
        from arena.league.run.runner import LeagueRunner
        from arena.league.run.season_archives import SeasonArchives
        from arena.server.monitoring.heartbeat import Heartbeat

        leagues = Heartbeat()

        def runner() -> LeagueRunner:
            hosted = referees.host_leagues(hosting)
            find = partial(find_leagues, store, db, hosted, say, set())
            return LeagueRunner(
                store,
                find(),
                hosted,
                say,
                executor,
                find=find,
                stops_on_signals=False,
                checks_here=HandIns(store).checks_here,
                quiet=quiet,
                note_days=note_days,
                archives=None if archives is None else SeasonArchives(store, db, archives, say),
                live=None if watching is None else watching.matches,
                practice=PracticeTurns(store, terms, partial(schedule_practice, store, db, hosted, say)),
                beat=leagues.beat,
            )

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_run_leagues, runner, referees.jobs or room, say)
                if metrics is not None:
                    nursery.start_soon(partial(serve, *metrics, until=trio.sleep_forever))
                await serve(site, listener, limits=limits_behind(proxy))
                nursery.cancel_scope.cancel()

        workers = {part.name: part.is_alive for part in site.state.parts if part.is_alive}
        workers |= {"hand_ins": site.state.hand_ins.is_alive, "leagues": leagues.is_alive}
        with open_monitoring(site, watched_store, watched, workers) as metrics:
            trio.run(main, clock=clock)


async def _run_leagues(runner: "Callable[[], LeagueRunner]", jobs: int, say: Callable[[str], None]) -> None:
    """Run the leagues, and again after an error: the pages stay up."""
    import trio

    while True:
        try:
            made = await trio.to_thread.run_sync(runner)
            await made.run(jobs)
        except* ArenaError as group:
            sentence = f"{group.exceptions[0]}; the leagues are run again in {RETRY_SECONDS:.0f} s"
            say(Notice(sentence, "leagues_failed"))
        await trio.sleep(RETRY_SECONDS)
