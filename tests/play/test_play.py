"""A person plays whole matches against real bot processes."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.record.match_verification import check_match
from arena.store import open_store
from arena.values.rows import StoredMatch
from tests.tournament.processes import Watched, descendants

MATCH = ("play", "--game", "cambio", "--against", "counter,random", "-o", "chips=2", "--seed", "3")


def stored(folder: Path, id: int = 1) -> StoredMatch:
    with open_store(folder / "arena.db") as store:
        return store.match(id)


@pytest.mark.promise
def test_a_match_by_hand_from_the_first_question_to_its_record(session: Callable[..., Any], tmp_path: Path) -> None:
    person = session(*MATCH)
    person.wait_for("seat 0> ")
    person.type("exch\t\n")
    while person.wait_for("seat 0> ", "replay it with: "):
        if "replay it with: " in person.heard:
            break
        person.type("1\n")
    assert person.end() == 0
    heard = person.heard.replace("\r\n", "\n")
    assert "cambio chips=2: you are seat 0\nseat 0: person (you)\nseat 1: counter\nseat 2: random\n" in heard
    assert "person is dealt 2\n" in heard
    assert "counter is dealt" not in heard, "the cards of others stay theirs"
    assert "card 2" in heard
    assert "1 keep   2 exchange\nseat 0> exchange\n" in heard, "Tab completes"
    assert "person asks counter\n" in heard
    assert heard.endswith("arena replay 1 --text --db arena.db\n")
    match = stored(tmp_path)
    assert match.players == ["person", "counter", "random"]
    assert match.row.faults == ()
    assert match.row.seats[0].decisions > 0
    assert check_match(match).wrong == ()


@pytest.mark.processes
def test_lines_may_come_through_a_pipe(piped: Callable[..., Any], tmp_path: Path) -> None:
    done = piped("k\n" * 40, *MATCH, "--seat", "1")
    assert done.returncode == 0
    assert "seat 1> k\n" in done.stdout
    assert stored(tmp_path).players == ["counter", "person", "random"]
    assert stored(tmp_path).event.seed == "3"


@pytest.mark.processes
def test_commands_other_than_moves(piped: Callable[..., Any], tmp_path: Path) -> None:
    done = piped("\nx\n9\ncuckoo\nhelp\nview\nlog\nQUIT\n", *MATCH)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "you left the match; it is not stored")
    answers = done.stdout.split("seat 0> ")
    assert '"x" is no move: "keep", "exchange"' in answers[2]
    assert "there is no move 9: the moves are numbered from 1 to 2" in answers[3]
    assert '"cuckoo" is not legal now: "keep", "exchange"' in answers[4]
    assert "  keep      end the turn with the card you hold\n" in answers[5]
    assert "arena games cambio" in answers[5]
    assert "The cards discarded face up since the last shuffle" in answers[6]
    assert answers[7].count("person is dealt 2\n") == 1
    with open_store(tmp_path / "arena.db") as store:
        assert store.matches() == []


@pytest.mark.processes
def test_the_default_opponents_are_sample_bots(piped: Callable[..., Any]) -> None:
    done = piped("quit\n", "play", "--game", "perudo", "--seat", "2")
    assert (
        "perudo: you are seat 2\nseat 0: actuary\nseat 1: actuary#2\nseat 2: person (you)\nseat 3: actuary#3\n"
        in done.stdout
    )


@pytest.mark.processes
def test_a_person_talks_at_the_table(piped: Callable[..., Any], tmp_path: Path) -> None:
    arguments = ("play", "--game", "cucu", "--against", "random", "-o", "table_talk=on", "-o", "max_deals=1")
    done = piped("say I have a cat\n" + "1\n" * 40, *arguments)
    assert done.returncode == 0, done.stdout
    assert "the table hears it with your move" in done.stdout
    assert "person says: I have a cat\n" in done.stdout
    assert [(say.seat, say.text) for say in stored(tmp_path).row.says] == [(0, "I have a cat")]
    assert check_match(stored(tmp_path)).wrong == ()


@pytest.mark.processes
def test_the_end_of_the_input_is_an_interruption(piped: Callable[..., Any]) -> None:
    done = piped("", *MATCH)
    assert done.returncode == 130
    assert done.stderr.endswith("interrupted\n")
    assert "Traceback" not in done.stderr


@pytest.mark.processes
def test_ctrl_c_ends_all_processes(session: Callable[..., Any]) -> None:
    person = session(*MATCH)
    person.wait_for("seat 0> ")
    below = descendants(person.process.pid)
    assert len(below) >= 3
    watched = Watched(below)
    person.type("kee\x03\n")  # readline sleeps through a Ctrl-C of the last moment before it waits: the next key tells
    assert person.end() == 130
    assert "interrupted" in person.heard
    assert "Traceback" not in person.heard
    assert watched.survivors() == []


@pytest.mark.processes
def test_a_referee_that_dies_is_an_error(session: Callable[..., Any]) -> None:
    person = session(*MATCH)
    person.wait_for("seat 0> ")
    (referee,) = [pid for pid in descendants(person.process.pid) if b"referee" in _command(pid).split(b"\0")]
    watched = Watched([referee])
    os.kill(referee, signal.SIGKILL)
    assert watched.survivors() == []
    person.type("1\n")
    assert person.end() == 2
    assert "Error: the referee ended before the match was over" in person.heard
    assert "Traceback" not in person.heard


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--game", "cambo"), 'there is no game "cambo"; did you mean "cambio"?'),
        (("--game", "cambio", "--against", "countr"), 'there is no bot countr; did you mean "counter"?'),
        (("--game", "cambio", "--against", "random", "--seat", "2"), "there is no seat 2 at this table: the seats are"),
        (("--game", "coch", "--against", "random"), "coch is played by 4 seats, not 2"),
        (("--game", "cambio", "-o", "chip=3"), 'there is no option "chip"; did you mean "chips"?'),
    ],
)
def test_wrong_input(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["play", *arguments])
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert list(tmp_path.iterdir()) == []


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
