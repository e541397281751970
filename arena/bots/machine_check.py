"""Whether this machine can start any bot: if it cannot, it tells nothing of a bot that it does not start either."""

from arena.bots.probe import confinement, probing
from arena.plan.field import find_bots, samples
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl
from arena.values.tournament_errors import RefereeError
from referee.engine.registry import names
from referee.session.local_session import Program


async def check_machine(time: TimeControl, hosting: Hosting) -> None:
    """Start a sample bot.

    time, hosting: limits, and how bots are confined.

    Raises RefereeError if it says no hello.
    """
    start = max(time.start_time_ms, TimeControl().start_time_ms) / 1000  # or a short limit of the bot would tell of it
    [sample] = find_bots(["random"], samples(names()[0]))
    program = Program(sample.command, sample.folder, start, time.memory_bytes, confinement(hosting.sandbox))
    async with probing(program, "") as probe:
        await probe.session.settled.wait()
        if not probe.session.is_welcomed:
            await probe.gone.wait()
            raise RefereeError(
                f"no bot can be started on this machine, not even a sample bot: {probe.script.failure} "
                "(`arena doctor` says what is broken)"
            )
        await probe.end()
