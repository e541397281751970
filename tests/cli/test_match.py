"""`arena match` with real processes: bots that are started by hand."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from sample_bots import SAMPLES
from tests.tournament.processes import Watched, descendants

pytestmark = pytest.mark.usefixtures("in_process")

Match = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    """Start `arena match --game cambio` with more arguments."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "arena", "match", "--game", "cambio", "-o", "chips=1", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen(command, cwd=tmp_path, text=True, **pipes))  # type: ignore[call-overload]
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def told(process: "subprocess.Popen[str]") -> dict[str, str]:
    """Return the environment that a bot is to be started with, once it is printed."""
    assert process.stderr is not None
    line = next(line for line in process.stderr if line.startswith("ARENA_ADDRESS="))
    return dict(word.split("=", 1) for word in line.split())


@pytest.mark.processes
def test_a_bot_is_attached_by_what_is_printed(match: Match) -> None:
    process = match("--attach", "1", "random", "random")
    environment = os.environ | told(process)
    bot = subprocess.run([sys.executable, str(SAMPLES["random"].path)], env=environment, timeout=60, check=False)
    assert bot.returncode == 0
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    rows = re.findall(r"^ *(\d) +(\S+) +\d", out, re.MULTILINE)  # seat, bot, rank
    assert rows == [("0", "random"), ("1", "attached"), ("2", "random#2")]
    assert "seat 1 calls itself random" in out


@pytest.mark.processes
def test_ctrl_c_while_a_bot_is_waited_for_ends_everything(match: Match) -> None:
    process = match("--attach", "0", "random", "random")
    told(process)
    watched = Watched(descendants(process.pid))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "interrupted\n")
    assert watched.survivors() == []


def test_seats_that_the_table_does_not_have() -> None:
    for arguments, sentence in [
        (["--attach", "3", "random", "random"], "there is no seat 3 at this table: the seats are 0 to 2"),
        (["--attach", "0", "--attach", "0", "random"], "seat 0 is attached twice"),
        (["--attach", "0"], "cambio is played by 2 to 15 seats, not 1"),
    ]:
        result = CliRunner().invoke(main, ["match", "--game", "cambio", *arguments])
        assert (result.exit_code, sentence in result.stderr) == (2, True), result.stderr


def test_a_fischer_clock_needs_a_move_time() -> None:
    arguments = ["match", "--game", "cambio", "--fischer", "--move-time", "0", "random", "random"]
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, "it needs a --move-time" in result.stderr) == (2, True), result.stderr


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_rules_that_fail_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import referee.games.cambio as cambio\n"
        "played, calls = cambio.CambioState.apply, iter(range(20))\n"
        "def apply(self, moves):\n"
        "    if next(calls, None) is None:\n"
        "        raise LookupError('no such card')\n"
        "    played(self, moves)\n"
        "cambio.CambioState.apply = apply\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    words = ["match", "--game", "cambio", "random", "random", "random", "--db", str(tmp_path / "arena.db")]
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith(
        "Error: the referee ended before the match was over: referee.match.match.RulesFailed: the rules of cambio "
        "failed in match 0 after "
    )
    assert result.stderr.endswith(" answers: LookupError: no such card\n")
    assert "line 5, in apply" in result.stderr  # for the author of the game
