"""`arena.sdk.ask`: recorded questions in an author's tests."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.bots.question_export import plies_of, recorded_question
from arena.sdk import BadQuestion, Bot, NoAnswer, Question, RecordedQuestion, ask
from tests.replay.replays import GAMES, stored

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def recorded() -> RecordedQuestion:
    """The third question of seat 1 in a match of cambio, without the clock of the match, which allowed 2 ms."""
    match = stored(GAMES[0])
    return replace(recorded_question(match, plies_of(match, 1)[2]), move_time_ms=0, bank_ms=0)


class Rememberer(Bot[Any]):
    """Counts its questions, and says so."""

    games = ("cambio",)
    wants_events = True

    def choose(self, question: Question[Any]) -> str:
        seen: list[int] = question.match.memory.setdefault("seen", [])
        seen.append(question.view.card)
        question.note(f"{len(seen)} cards, {len(question.events)} events")
        question.say("hm")
        return question.legal[-1]


class Waiter(Bot[Any]):
    async def choose(self, question: Question[Any]) -> int:
        import trio

        await trio.lowlevel.checkpoint()
        return 0


class Batcher(Bot[Any]):
    def choose_all(self, questions: Sequence[Question[Any]]) -> list[str]:
        return [question.legal[0] for question in questions]


def test_a_bot_is_asked_all_that_its_seat_was(recorded: RecordedQuestion) -> None:
    answer = ask(Rememberer, recorded)
    assert answer.move == recorded.question.legal[-1]
    assert answer.recorded == recorded.question.move
    assert answer.note == f"3 cards, {len(recorded.question.events)} events"
    assert answer.said == "hm"
    assert [earlier.move for earlier in answer.before] == [asked.legal[-1] for asked in recorded.before]
    assert 0 < answer.seconds < 10


@pytest.mark.parametrize("bot", [Waiter, Batcher(), lambda question: question.legal[0], lambda question: 0])
def test_every_kind_of_python_bot_is_asked(bot: Any, recorded: RecordedQuestion) -> None:
    assert ask(bot, recorded).move == recorded.question.legal[0]


def test_a_function_gets_view_and_events(recorded: RecordedQuestion) -> None:
    seen = []

    def choose(question: Question[Any]) -> str:
        seen.append((question.view.card, question.events))
        return question.legal[0]

    ask(choose, recorded)
    assert seen == [(asked.view["card"], asked.events) for asked in recorded.asked]


def test_an_illegal_last_answer_is_no_answer(recorded: RecordedQuestion, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NoAnswer, match="returned 'fly', which is not legal there: keep, exchange"):
        ask(lambda question: "fly", recorded)


def test_an_exception_of_the_bot_is_that_of_the_test(recorded: RecordedQuestion) -> None:
    with pytest.raises(ZeroDivisionError):
        ask(lambda question: 1 // 0, recorded)


def test_a_question_of_another_game_is_a_sentence(recorded: RecordedQuestion) -> None:
    class Diver(Bot[Any]):
        games = ("perudo",)

    with pytest.raises(BadQuestion, match="the question is of cambio, but Diver plays only perudo"):
        ask(Diver, recorded)


@pytest.mark.processes
def test_a_command_line_is_started_as_in_a_match(recorded: RecordedQuestion, tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text(
        "from arena.sdk import Bot\n"
        "class Broken(Bot):\n"
        "    def choose(self, question):\n"
        "        if 'third' not in question.match.memory.setdefault('asked', ['first', 'second', 'third']):\n"
        "            raise LookupError('no such card')\n"
        "        question.match.memory['asked'].pop()\n"
        "        return 0\n"
        "Broken().run()\n"
    )
    with pytest.raises(NoAnswer, match=r"^broken failed: .* \(at question 2 of 3\)") as error:
        ask([sys.executable, str(program)], recorded)
    assert "LookupError: no such card" in str(error.value)
    answer = ask("cautious", recorded)
    assert answer.move in recorded.question.legal
    assert len(answer.before) == 2
    with pytest.raises(BadQuestion, match="nowhere.json cannot be read"):
        ask("cautious", tmp_path / "nowhere.json")


@pytest.mark.processes
def test_the_example_of_the_manual_runs(recorded: RecordedQuestion, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/bots.md").read_text(), re.MULTILINE | re.DOTALL)
    bot, test = blocks[0], next(block for block in blocks if "def test_" in block)
    (tmp_path / "mine.py").write_text(bot)
    (tmp_path / "test_mine.py").write_text(test)
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions/king.json").write_text(recorded.to_text())
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
