"""Whether this machine can tell anything of a bot: it must start a sample bot, and have CPU time for it.

A sample bot that is known to be good, the control, takes the beginning of the check once the bot is gone, so that
nothing the bot did takes part in the verdict: what the control loses too, for want of time, is no fault of the bot.
"""

from math import inf

from arena.bots import starvation
from arena.bots.probe import ProcessProbe, confinement, probing
from arena.bots.report import StepFailed
from arena.bots.script import ProtocolScript
from arena.plan.field import find_bots, samples
from arena.run.exception_groups import unwrap_group
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl
from arena.values.tournament_errors import MachineBusy, RefereeError
from referee.engine.registry import game, names
from referee.process.awake_clock import run_awake
from referee.session.local_session import Program

QUESTIONS = 20
"""How many questions the control answers."""


async def check_machine(time: TimeControl, hosting: Hosting) -> None:
    """Start a sample bot.

    time, hosting: limits, and how bots are confined.

    Raises MachineBusy if it says no hello in time, RefereeError if it says none at all.
    """
    async with probing(_control(time, hosting), "") as probe:
        await _check_start(probe)
        await probe.end()


async def check_not_busy(time: TimeControl, hosting: Hosting) -> None:
    """Have a sample bot answer some questions alone, within the limits of a bot that failed by time.

    time, hosting: limits, and how bots are confined.

    Raises MachineBusy if it is too slow as well, or waits for a core most of the time; RefereeError if it does not
    start.
    """
    rules = game(names()[0])
    async with probing(_control(time, hosting), rules.name) as probe:
        await _check_start(probe)
        seconds = (time.move_time_ms + time.bank_ms) / 1000 if time.move_time_ms else inf
        script = ProtocolScript(rules, probe.script, seconds, excuses=False)
        try:
            for _ in range(QUESTIONS):
                await script.ask_first()
        except StepFailed as failure:
            if failure.is_slow:
                raise MachineBusy(_busy(f"was too slow as well: {failure}")) from None
            raise RefereeError(f"a sample bot failed: {failure} (`arena doctor` says what is broken)") from None
        use = probe.cpu_use()
        await probe.end()
    if starvation.is_starved(use):
        raise MachineBusy(_busy(f"waited {use.waited:.2f} s for a core, and ran {use.ran:.2f} s"))


def run_control(time: TimeControl, hosting: Hosting) -> None:
    """Do what `check_not_busy` does, where trio does not run yet."""
    try:
        run_awake(check_not_busy, time, hosting)
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


def _control(time: TimeControl, hosting: Hosting) -> Program:
    start = max(time.start_time_ms, TimeControl().start_time_ms) / 1000  # or a short limit of the bot would tell of it
    [sample] = find_bots(["random"], samples(names()[0]))
    return Program(sample.command, sample.folder, start, time.memory_bytes, confinement(hosting.sandbox))


async def _check_start(probe: ProcessProbe) -> None:
    await probe.session.settled.wait()
    if probe.session.is_welcomed:
        return
    await probe.gone.wait()
    if probe.session.is_late:
        raise MachineBusy(_busy(f"did not start: {probe.script.failure}"))
    raise RefereeError(
        f"no bot can be started on this machine, not even a sample bot: {probe.script.failure} "
        "(`arena doctor` says what is broken)"
    )


def _busy(what: str) -> str:
    return f"the machine was too busy to tell how fast a bot is: a sample bot of arena, alone, {what}"
