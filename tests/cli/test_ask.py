"""`arena question export` and `arena ask`: recorded questions in files, asked of real bot processes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.sdk import load_question

pytestmark = pytest.mark.usefixtures("in_process")

BOT = """
import time
from arena.sdk import Bot


class Mine(Bot):
    wants_events = True

    def choose(self, question):
        memory = question.match.memory
        memory["asked"] = memory.get("asked", 0) + 1
        question.note(f"question {memory['asked']}, {len(question.events)} events")
        ANSWER


Mine().run()
"""
LAST = "return question.legal[-1]"
CRASH = "print('no idea'); raise LookupError('no such card')"
WRONG = "return 'fly'"
SLOW = "time.sleep(30)"


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="arena")


@pytest.fixture(scope="module")
def played(in_process: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a match of random, cautious and random, and a tournament with a bot that answers illegally."""
    folder = tmp_path_factory.mktemp("played")
    bot = folder / "wrong.py"
    bot.write_text(BOT.replace("ANSWER", WRONG))
    db = ["--db", str(folder / "arena.db")]
    words = ["--game", "cambio", "-o", "chips=2", "random", "cautious", "random", "--seed", "5"]
    assert arena("match", *words, *db).exit_code == 0
    field = ["--bots", f"random,{bot}", "--seats", "2", "--rounds", "1", "--trust-bots"]
    assert arena("tourney", "--game", "cambio", "-o", "chips=2", "--seed", "1", *field, *db).exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: Path) -> Path:
    """The current folder: the bots in it, and no database except the one that ARENA_DB names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_DB", str(played / "arena.db"))
    for name, answer in (("last", LAST), ("crash", CRASH), ("wrong", WRONG), ("slow", SLOW)):
        Path(f"{name}.py").write_text(BOT.replace("ANSWER", answer))
    return tmp_path


@pytest.fixture
def question(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The last question of seat 1 of match 1 in a file; from here on there is no database."""
    file = Path("q.json")
    assert arena("question", "export", "1", str(last_move()), "--to", str(file)).exit_code == 0
    monkeypatch.setenv("ARENA_DB", "none.db")
    return file


def last_move(seat: int = 1) -> int:
    log: list[dict[str, Any]] = json.loads(arena("replay", "1", "--json").stdout)["log"]
    return max(int(entry["ply"]) for entry in log if entry["type"] == "decision" and entry["seat"] == seat)


def asked(*words: str, code: int = 0) -> list[dict[str, Any]]:
    result = arena("ask", *words, "--json")
    assert result.exit_code == code, result.output
    answers: list[dict[str, Any]] = json.loads(result.stdout)["answers"]
    return answers


@pytest.mark.promise
def test_the_bot_of_the_record_answers_the_same_offline(question: Path) -> None:
    [report] = asked("cautious", str(question))
    recorded = load_question(question)
    assert report["answer"]["move"] == report["answer"]["recorded"] == recorded.question.move
    assert [answer["move"] for answer in report["before"]] == [asked.move for asked in recorded.before]
    assert 0 < report["answer"]["seconds"] < 1
    text = arena("ask", "cautious", str(question)).stdout
    assert "answers all of them as in the record" in text
    assert f"q.json: cautious answers {recorded.question.move} after " in text
    assert ", as in the record\n" in text
    assert not Path("none.db").exists()


@pytest.mark.processes
def test_a_bot_is_asked_the_history_and_its_note_is_shown(question: Path) -> None:
    number, events = len(load_question(question).asked), len(load_question(question).question.events)
    [report] = asked("./last.py", str(question))
    assert report["answer"]["note"] == f"question {number}, {events} events"
    assert f'note: "question {number}, {events} events"' in arena("ask", "./last.py", str(question)).stdout


@pytest.mark.processes
def test_a_bot_that_gets_ready_does_so_before_the_first_question(question: Path) -> None:
    loads = "wants_ready = True\n\n    def match_started(self, match):\n        match.memory['asked'] = 100"
    Path("ready.py").write_text(BOT.replace("wants_events = True", loads).replace("ANSWER", LAST))
    [report] = asked("./ready.py", str(question))
    number = len(load_question(question).asked)
    assert report["answer"]["note"] == f"question {100 + number}, 0 events"
    Path("never.py").write_text(BOT.replace("wants_events = True", loads.replace("match.memory", "self.network")))
    [report] = asked("./never.py", str(question), code=1)
    # The end of its stream and that of its process come at the same time: either may be seen first.
    seen_first = ("it ended its side of the stream", "it ended in the middle of its matches")
    assert report["failure"].startswith(seen_first), report["failure"]


@pytest.mark.processes
def test_expectations_decide_the_exit_code(question: Path) -> None:
    legal = load_question(question).question.legal
    assert asked("./last.py", str(question), "--expect", legal[-1])[0]["as_expected"]
    assert asked("./last.py", str(question), "--expect", legal[0], "--expect", legal[-1])[0]["as_expected"]
    result = arena("ask", "./last.py", str(question), "--expect", legal[0])
    assert result.exit_code == 1
    assert f"q.json: last answers {legal[-1]} after " in result.stdout
    assert f", expected: {legal[0]}\n" in result.stdout
    assert asked("cautious", str(question), "--recorded")[0]["expected"] == [load_question(question).question.move]


@pytest.mark.processes
def test_a_folder_of_questions_with_what_they_expect(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("questions/deep").mkdir(parents=True)
    legal = ("keep", "exchange")
    for name, move in (("a.json", legal[0]), ("deep/b.json", legal[1])):
        words = ["question", "export", "1", str(last_move()), "--to", f"questions/{name}", "--expect", move]
        assert arena(*words).exit_code == 0
    monkeypatch.setenv("ARENA_DB", "none.db")
    result = arena("ask", "./last.py", "questions")
    assert result.exit_code == 1
    *_, wrong, _legal, _note, right, summary = result.stdout.splitlines()
    assert wrong.startswith("questions/a.json: last answers exchange after ")
    assert wrong.endswith(", expected: keep")
    assert right.startswith("questions/deep/b.json: last answers exchange after ")
    assert right.endswith(", as expected")
    assert summary == "2 questions: 1 as expected, 1 not"


@pytest.mark.processes
@pytest.mark.parametrize(
    ("bot", "words", "sentence"),
    [
        ("./crash.py", [], "crash failed: it ended "),
        ("./slow.py", ["--move-time", "50ms"], "slow failed: no answer to question 1 within 0.05 s"),
        ("./wrong.py", [], ': it answered "fly", which is not legal there: '),
    ],
)
def test_a_bot_that_fails_is_never_as_in_the_record(bot: str, words: list[str], sentence: str, question: Path) -> None:
    for more in ([], ["--recorded"]):
        result = arena("ask", bot, str(question), *words, *more)
        assert result.exit_code == 1
        assert sentence in result.stdout
        assert "as in the record" not in result.stdout
    if bot == "./crash.py":
        lines = result.stdout.splitlines()
        assert lines.count("        no idea") == 1
        assert lines.count("        LookupError: no such card") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ask"], "name a bot and the file of a question"),
        (["ask", "random"], "name a bot and the file of a question"),
        (["ask", "random", "nowhere.json"], "nowhere.json cannot be read: No such file or directory"),
        (["ask", "random", "empty"], "empty has no .json files"),
        (["ask", "random", "q.json", "--expect", "fly"], '"fly" is not a legal move of q.json: keep, exchange'),
        (["ask", "random", "q.json", "--expect", "keep", "--recorded"], "--expect and --recorded exclude each other"),
        (["ask", "random", "q.json", "--bot", "x"], "--bot needs --faults"),
        (["ask", "--attach", "q.json", "--move-time", "1s"], "an attached bot has no clock"),
        (["ask", "./nope.py", "q.json"], "./nope.py does not exist"),
        (["ask", "actuary", "q.json"], "actuary"),
        (["ask", "random", "cut.json"], "cut.json: it is not valid JSON"),
        (["ask", "random", "game.json"], "nonsuch"),
        (["ask", "random", "type.json"], "type.json: its views are x.Y messages, but cambio has referee.v1.CambioView"),
        (["question", "export"], "name a match and an answer"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(words: list[str], sentence: str, question: Path) -> None:
    Path("empty").mkdir()
    text = question.read_text()
    Path("cut.json").write_text(text[:-100])
    Path("game.json").write_text(text.replace('"cambio"', '"nonsuch"'))
    Path("type.json").write_text(text.replace("referee.v1.CambioView", "x.Y"))
    result = arena(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.processes
def test_a_question_of_other_rules_is_asked_with_a_remark(question: Path) -> None:
    question.write_text(question.read_text().replace('"behaviour": 1', '"behaviour": 77'))
    result = arena("ask", "cautious", str(question))
    assert result.exit_code == 0
    assert "q.json was recorded with version 77 of cambio's rules, and version 1 is installed" in result.stderr


def test_folders_of_a_file_are_made() -> None:
    result = arena("question", "export", "1", str(last_move()), "--to", "new/folder/x.json")
    assert (result.exit_code, Path("new/folder/x.json").is_file()) == (0, True)


@pytest.mark.processes
def test_all_faults_of_a_tournament_are_exported_and_asked() -> None:
    exported = arena("question", "export", "--faults", "1", "--bot", "wrong", "--to", "faults", "--limit", "2")
    assert exported.exit_code == 0
    assert "there are more than 2 faults" in exported.stderr
    files = sorted(Path("faults").iterdir())
    assert len(files) == 2
    recorded = load_question(files[0])
    assert recorded.question.fault.startswith('illegal: it answered "fly"')
    again = arena("ask", "--faults", "1", "--limit", "2")  # asked of the bot that made them: it makes them again
    assert again.exit_code == 1
    assert again.stdout.count("(illegal of wrong): wrong failed after ") == 2
    assert "2 questions: 0 answered legally and in time, 2 not" in again.stdout
    mended = arena("ask", "./last.py", "--faults", "1", "--bot", "wrong", "--limit", "2")
    assert mended.exit_code == 0
    assert mended.stdout.count(", where the record has a fault (illegal: ") == 2
    assert "as in the record" not in mended.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ask", "--faults", "9"], "has no tournament 9"),
        (["ask", "--faults", "1", "--bot", "wrnog"], 'no bot "wrnog" plays in tournament 1'),
        (["ask", "--faults", "1", "--bot", "random"], "random made no fault in tournament 1"),
        (["ask", "random", "q.json", "--faults", "1"], "leave out the files"),
        (["question", "export", "--faults", "1"], "--faults needs a folder"),
        (["question", "export", "1", "2", "--faults", "1"], "leave out MATCH, MOVE and --expect"),
        (["question", "export", "1", "2", "--bot", "x"], "--bot needs --faults"),
        (["question", "export", "1", "2", "--to", "/dev/null/q.json"], "cannot be written"),
        (["question", "export", "1", "2", "--expect", "fly"], '"fly" is not a legal move there'),
    ],
)
def test_faults_that_cannot_be_asked_are_a_sentence(words: list[str], sentence: str) -> None:
    result = arena(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr


@pytest.mark.processes
@pytest.mark.parametrize("how", ["ask", "match"])
def test_a_bot_may_be_started_by_hand_and_started_again(how: str, question: Path, played: Path) -> None:
    words = ["ask", "--attach", str(question)]
    if how == "match":
        os.environ["ARENA_DB"] = str(played / "arena.db")
        words = ["match", "--from", "1", "--move", str(last_move()), "--attach", "1"]
    waiting = subprocess.Popen(
        [sys.executable, "-m", "arena", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert waiting.stderr is not None
    addresses = []
    for bot, sentence in (("crash.py", "waits for its bot"), ("last.py", "is gone (")):
        assert sentence in waiting.stderr.readline()
        address = dict(part.split("=", 1) for part in waiting.stderr.readline().split())
        addresses.append(address)
        subprocess.run([sys.executable, bot], env=os.environ | address, capture_output=True, check=False)
    out, _ = waiting.communicate()
    assert waiting.returncode == 0
    assert addresses[0] == addresses[1]
    assert " answers exchange after " in out


def test_the_attached_seat_must_be_that_of_the_answer() -> None:
    result = arena("match", "--from", "1", "--move", str(last_move()), "--attach", "0")
    assert result.exit_code == 2
    assert f"answer {last_move()} of match 1 is of seat 1: --attach 1" in result.stderr
