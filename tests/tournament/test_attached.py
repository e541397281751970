"""Bots that somebody else starts: they are invited, may go and come back, and have no clock."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.plan.field import find_bots, samples, seat_attached
from arena.run.single_match import Single, play_single
from arena.values.definition import TimeControl
from arena.values.tournament_errors import FieldError
from referee.engine.registry import game
from referee.v1.work_pb2 import Invitation

RULES = game("cambio")
KNOWN = samples("cambio")
NAUGHTY = Path(__file__).parents[2] / "sample_bots/naughty/naughty.py"
RANDOM = [sys.executable, str(KNOWN["random"])]


class Starter:
    """Starts a bot for each invitation: `commands` one after the other, the last one for all that follow."""

    def __init__(self, *commands: list[str]) -> None:
        self.invitations: list[Invitation] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self._commands = commands

    def __call__(self, invitation: Invitation) -> None:
        command = self._commands[min(len(self.invitations), len(self._commands) - 1)]
        self.invitations.append(invitation)
        told = {"ARENA_ADDRESS": invitation.address, "ARENA_TOKEN": invitation.token}
        self.processes.append(subprocess.Popen(command, env=os.environ | told))

    def codes(self) -> list[int]:
        return [process.wait(60) for process in self.processes]


@pytest.fixture
def deserter(tmp_path: Path) -> list[str]:
    """Return the command of a bot that exits when it is asked."""
    path = tmp_path / "deserter.py"
    path.write_text(
        "import os\n"
        "from arena.sdk import Bot\n"
        "class Deserter(Bot):\n"
        "    def choose(self, question):\n"
        "        os._exit(9)\n"
        "Deserter().run()\n"
    )
    return [sys.executable, str(path)]


@pytest.fixture
def starters() -> Iterator[list[Starter]]:
    made: list[Starter] = []
    yield made
    for starter in made:
        for process in starter.processes:
            process.kill()
            process.wait()


def play(starter: Starter, *seats: int, bots: tuple[str, ...] = ("random",), strict: bool = False) -> Single:
    """Play with attached bots at `seats`.

    strict: with a clock that no bot could keep to.
    """
    field = seat_attached(find_bots(bots, KNOWN), seats, "attached")
    time = TimeControl(move_time_ms=1 if strict else 0, bank_ms=0 if strict else 10_000, start_time_ms=60_000)
    options = RULES.options.parse({"chips": "2"})
    return play_single(RULES, options, field, seed=9, time=time, say=print, invite=starter)


@pytest.mark.promise
def test_an_attached_bot_plays_what_a_started_one_would(starters: list[Starter]) -> None:
    starters.append(starter := Starter(RANDOM))
    played = play(starter, 1, bots=("cautious", "random"))
    assert starter.codes() == [0]
    (invitation,) = starter.invitations
    assert (invitation.player, invitation.gone) == (1, "")
    assert [bot.name for bot in played.frame.entrants] == ["cautious", "attached", "random"]
    assert played.match.faults == ()
    assert [(output.player, output.name) for output in played.outputs if output.entrant == 1] == [(1, "random")]
    field = find_bots(["cautious", "random", "random"], KNOWN)
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    started = play_single(RULES, RULES.options.parse({"chips": "2"}), field, seed=9, time=time, say=print)
    assert started.match.digest == played.match.digest


@pytest.mark.processes
def test_no_clock_runs_for_it(starters: list[Starter]) -> None:
    starters.append(starter := Starter(RANDOM))
    played = play(starter, 0, 1, bots=(), strict=True)
    assert {invitation.player for invitation in starter.invitations} == {0, 1}
    assert len({invitation.token for invitation in starter.invitations}) == 2
    assert played.match.faults == ()


@pytest.mark.processes
def test_a_bot_that_goes_may_come_back_and_loses_nothing(starters: list[Starter], deserter: list[str]) -> None:
    starters.append(starter := Starter(deserter, deserter, RANDOM))
    played = play(starter, 0)
    first, second, third = starter.invitations
    assert first.token == second.token == third.token
    assert "stream" in second.gone
    assert starter.codes() == [9, 9, 0]
    assert played.match.faults == ()


@pytest.mark.processes
def test_a_bot_that_is_refused_is_told_and_waited_for_again(starters: list[Starter]) -> None:
    starters.append(starter := Starter([sys.executable, str(NAUGHTY), "other-protocol"], RANDOM))
    played = play(starter, 0)
    assert [invitation.gone for invitation in starter.invitations] == [
        "",
        "no protocol version in common: the bot speaks 98, 99, the referee 1",
    ]
    assert played.match.faults == ()


def test_attached_bots_sit_where_they_are_wanted() -> None:
    field = seat_attached(find_bots(["random", "cautious"], KNOWN), [3, 0], "attached")
    assert [bot.name for bot in field] == ["attached", "random", "cautious", "attached#2"]
    assert [bot.attached for bot in field] == [True, False, False, True]
    with pytest.raises(FieldError, match="there is no seat 3 at this table: the seats are 0 to 2"):
        seat_attached(find_bots(["random", "cautious"], KNOWN), [3], "attached")
    with pytest.raises(FieldError, match="seat 1 is attached twice"):
        seat_attached(find_bots(["random", "cautious"], KNOWN), [1, 1], "attached")
