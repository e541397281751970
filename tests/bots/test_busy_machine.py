"""A busy server convicts nobody, and a bot that hangs does not escape by it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from arena.bots import bot_check, hand_in_check, machine_check, script, starvation
from arena.bots.bot_check import CheckSettings, check
from arena.bots.hand_in_check import HandInTask
from arena.bots.probe import ProcessProbe
from arena.bots.report import StepFailed
from arena.bots.scripted_player import MOST_EXCUSED_SECONDS, ScriptedPlayer
from arena.bots.starvation import is_starved
from arena.bots.trial_matches import TrialOutcome
from arena.bots.trial_tables import TrialTables, typical_tables
from arena.packs.build import BuildTerms
from arena.plan.field import find_bots
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl
from arena.values.tournament_errors import MachineBusy
from referee.engine.registry import game
from referee.process.cpu_accounting import CpuUse
from referee.session.local_session import MOST_START_DELAY_SECONDS, LocalSession
from referee.v1.play_pb2 import Answer, Answers, PlayRequest
from referee.v1.work_pb2 import Fault, Record

SLEEPS = """
import time
from arena.sdk import Bot
class Sleepy(Bot):
    def choose(self, question):
        time.sleep(600)
Sleepy().run()
"""

HYPP = game("hypp")


class Cpu:
    """Stands for the CPU control of a bot that waits for a core for a share of each interval."""

    def __init__(self, share: float) -> None:
        self.share = share
        self._since = trio.current_time()

    def resume(self) -> None:
        self._since = trio.current_time()

    def pause(self) -> None: ...

    def release(self) -> None: ...

    def measure_delay(self, lag: float = 0.0) -> tuple[float, float]:
        since, self._since = self._since, trio.current_time()
        return self.share * (self._since - since), 0.0

    def measure_start_delay(self) -> float:
        return self.measure_delay()[0]


# Time limits of the conversation


@pytest.mark.parametrize(
    ("share", "excuses", "after"),
    [
        (0.0, True, 4.0),  # it sleeps
        (0.5, True, 8.0),  # half of its time, and half of what it was excused, and so on
        (1.0, True, 4.0 + MOST_EXCUSED_SECONDS),  # whatever it does, there is an end
        (1.0, False, 4.0),  # the control
    ],
)
async def test_waiting_for_a_core_is_no_part_of_the_time_for_an_answer(
    autojump_clock: MockClock, share: float, excuses: bool, after: float
) -> None:
    player = ScriptedPlayer(lambda: None, 1)
    player.cpu = Cpu(share)
    began = trio.current_time()
    with pytest.raises(StepFailed, match="no answer to question 7 within 4 s: all of it") as failed:
        await player.receive_answers([7], 4.0, "4 s: all of it", excuses=excuses)
    assert failed.value.is_slow
    assert trio.current_time() - began == pytest.approx(after, abs=1e-3)


async def test_an_answer_in_the_time_that_is_excused_is_in_time(autojump_clock: MockClock) -> None:
    player = ScriptedPlayer(lambda: None, 1)
    player.cpu = Cpu(0.9)
    answers = Answers(answers=[Answer(question=7, index=0)])
    async with trio.open_nursery() as nursery:

        async def answer() -> None:
            await trio.sleep(20.0)
            player.received(PlayRequest(answers=answers).SerializeToString(), 0.0)

        nursery.start_soon(answer)
        assert list(await player.receive_answers([7], 4.0)) == [7]


@pytest.mark.parametrize(("share", "after"), [(0.0, 10.0), (0.5, 20.0), (1.0, 10.0 + MOST_START_DELAY_SECONDS)])
async def test_waiting_for_a_core_is_no_part_of_the_time_to_start(
    autojump_clock: MockClock, share: float, after: float
) -> None:
    session: Any = LocalSession.__new__(LocalSession)
    faults: list[str] = []
    session.settled, session.is_welcomed = trio.Event(), False
    session._fail_silent = faults.append
    began = trio.current_time()
    await session._await_hello(10.0, Cpu(share))
    assert faults == ["it said no valid hello within 10 s"]
    assert trio.current_time() - began == pytest.approx(after, abs=1e-3)


# The control


@pytest.mark.parametrize(
    ("use", "starved"),
    [
        (CpuUse(0.4, 0.1), False),
        (CpuUse(0.4, 1.2), False),  # as where three others want the core
        (CpuUse(0.4, 1.3), True),
        (CpuUse(0.0, 0.0), False),  # a kernel that counts nothing
    ],
)
def test_a_machine_is_starved_where_the_control_waits_for_most_of_its_time(use: CpuUse, starved: bool) -> None:
    assert is_starved(use) == starved


def checked(tmp_path: Path, text: str, time: TimeControl) -> object:
    (tmp_path / "bot.py").write_text(text)
    [bot] = find_bots([str(tmp_path / "bot.py")], {})
    return check(bot, CheckSettings((HYPP,), time, matches=4), print)


@pytest.mark.processes
def test_who_sleeps_is_refused_on_an_idle_machine_and_not_on_a_busy_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = TimeControl(move_time_ms=1000, bank_ms=1000, start_time_ms=20_000)
    report: Any = checked(tmp_path, SLEEPS, hasty)
    sentence = "first answer: no answer to question 1 within 2 s: the move time of 1 s and the bank of 1 s"
    assert report.why == f"{sentence}; it was at bot.py, line 6, in choose"
    monkeypatch.setattr(ProcessProbe, "cpu_use", lambda probe: CpuUse(0.4, 12.34))
    monkeypatch.setattr(starvation, "is_starved", is_starved)
    sentence = (
        "too busy to tell how fast a bot is: a sample bot of arena, alone, waited 12.34 s for a core, and ran 0.40 s"
    )
    with pytest.raises(MachineBusy, match=sentence):
        checked(tmp_path, SLEEPS, hasty)


@pytest.mark.processes
def test_what_the_control_loses_too_is_no_fault_of_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def too_slow(_: object) -> str:
        raise StepFailed("no answer to question 3 within 1 s", is_slow=True)

    monkeypatch.setattr(script.ProtocolScript, "ask_first", too_slow)
    with pytest.raises(MachineBusy, match="alone, was too slow as well: no answer to question 3 within 1 s"):
        machine_check.run_control(TimeControl(), Hosting())


# Matches

TABLES = typical_tables(HYPP, 2)


def outcome(*kinds: tuple[int, Any], waited: float = 0.0) -> list[TrialOutcome]:
    """Return the outcome of one match with faults at seats."""
    record = Record(faults=[Fault(seat=seat, kind=kind, sentence="x") for seat, kind in kinds])
    return [TrialOutcome({0: record}, waited_seconds=waited)]


SEAT = TABLES.matches[0].seat
LOST, CONTROL_LOST = (SEAT, Fault.KIND_TIMEOUT), (SEAT + 1, Fault.KIND_TIMEOUT)
ILLEGAL = (SEAT, Fault.KIND_ILLEGAL)


@pytest.mark.parametrize(
    ("outcomes", "plays", "controls"),
    [
        ([outcome()], 1, 0),
        ([outcome(ILLEGAL, CONTROL_LOST)], 1, 0),  # not by time
        ([outcome(LOST)], 1, 1),  # by nothing but itself
        ([outcome(LOST, CONTROL_LOST), outcome()], 2, 1),
        ([outcome(LOST, waited=1.0), outcome()], 2, 1),
        ([outcome(LOST, CONTROL_LOST), outcome(LOST, CONTROL_LOST, waited=9.0)], 2, 2),  # it may do that itself
    ],
)
async def test_matches_that_were_disturbed_are_played_again_once(
    monkeypatch: pytest.MonkeyPatch, outcomes: list[list[TrialOutcome]], plays: int, controls: int
) -> None:
    played, controlled = [], []

    async def control(*_: object) -> None:
        controlled.append(1)

    async def play(several: object) -> list[TrialOutcome]:
        played.append(several)
        return outcomes[len(played) - 1]

    monkeypatch.setattr(bot_check, "check_not_busy", control)
    undisturbed = bot_check._Check._play_undisturbed
    of_check: Any = bot_check._Check.__new__(bot_check._Check)
    of_check._terms = CheckSettings((HYPP,))
    several: list[TrialTables] = [TABLES]
    assert await undisturbed(of_check, several, play) == outcomes[-1]
    assert (len(played), len(controlled)) == (plays, controls)


# Hand-ins


def test_a_hand_in_that_a_busy_server_could_not_check_is_to_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> Callable[..., Any]:
        raise MachineBusy("a referee process was not ready after 20 s")

    task = HandInTask("club/owl", "owl.py", b"", (), None, BuildTerms(), Hosting(), (0,))
    monkeypatch.setattr(hand_in_check._Check, "_check", busy)
    checked = hand_in_check._Check(None, task).outcome()  # type: ignore[arg-type]
    assert (checked.state, checked.sentence) == ("busy", "a referee process was not ready after 20 s")
