"""`arena hand-ins check`: check hand-ins until stopped."""

from logging import INFO
from typing import TYPE_CHECKING

import click

from arena.cli.open_site import hand_in_limit_options
from arena.cli.options import affinity_option, db_option, sandbox_option
from arena.cli.server_options import log_option
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl
from arena.values.errors import ArenaError
from arena.values.server_log import LogFormat, Notice, configure, log_line

if TYPE_CHECKING:
    from arena.bots.hand_in_worker import HandInWorker

STOPPED = 130
"""Exit code after a signal, as shells have it for Ctrl-C."""

LOOK_SECONDS = 5.0
"""Between two looks whether hand-ins are still checked."""


class CannotCheck(ArenaError):
    """Hand-ins cannot be checked on this machine."""


@click.command("check")
@click.option(
    "--jobs",
    metavar="NUMBER",
    type=click.IntRange(min=1),
    help="Hand-ins that are checked side by side; from 2 on, one worker is kept for quick checks  "
    "[default: one for each two usable cores, two at least]",
)
@click.option("--build-network", is_flag=True, help="Let the builds of bots use the network, as the server does.")
@hand_in_limit_options
@sandbox_option
@affinity_option
@log_option
@db_option
def command(
    jobs: int | None,
    build_network: bool,
    limits: TimeControl,
    sandbox: str,
    affinity: bool,
    log: LogFormat,
    db: str,
) -> None:
    """Check hand-ins until stopped.

    Takes hand-ins from the database of `arena serve`, also from another machine where that is on PostgreSQL, and checks
    them here. Several programs share the queue, in its order: none takes what another one has. What a program had that
    was killed is taken by others within a minute; Ctrl-C gives it back at once.

    This machine must have what the server has: the version of arena, the games, the compilers. As long as it lacks any
    of it, it says so and checks nothing, so that no bot is refused for that. Bots have as much time to start and to get
    ready as at the server.

    Exit code 2: an error, 130: stopped by Ctrl-C.
    """
    import trio

    from arena.bots.hand_in_worker import HandInWorker, usual_jobs
    from arena.packs.build import BuildTerms
    from arena.server.hand_ins.league_limits import league_limits
    from arena.store import open_store
    from referee.sandbox.cpu_supply import usable_cores

    configure(log)
    hosting = Hosting(sandbox, affinity)
    if gap := hosting.gap():
        raise CannotCheck(
            f"submitted bots are not isolated here: {gap}; "
            "check hand-ins where bubblewrap works (`arena doctor` says how)"
        )
    with open_store(db, write=True) as store:
        worker = HandInWorker(
            store,
            hosting,
            BuildTerms(build_network),
            log_line,
            jobs=jobs or usual_jobs(usable_cores()),
            limits=limits,
            is_server=False,
            league_limits=league_limits,
        )
        trio.run(_check_until_stopped, worker, store.where)
    raise click.exceptions.Exit(STOPPED)


async def _check_until_stopped(worker: "HandInWorker", where: str) -> None:
    """Check hand-ins until a signal comes. Raises CannotCheck if the worker ends by itself."""
    import trio

    from arena.run.stop_signals import stop_signals

    with trio.open_signal_receiver(*stop_signals()) as received:
        try:
            sentence = f"checking the hand-ins of {where}, {worker.jobs} side by side; stop with Ctrl-C"
            log_line(Notice(sentence, "checking", level=INFO))
            worker.start()
            while worker.is_alive():
                with trio.move_on_after(LOOK_SECONDS):
                    await anext(received)
                    return
            raise CannotCheck("hand-ins are checked no more, for the reason above: start this command again")
        finally:
            worker.close()
