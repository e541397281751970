"""The check against real processes: a sample bot that passes, and bots that go wrong at one step each."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from arena.bots.bot_check import CheckSettings, check
from arena.bots.findings import file_names, stored
from arena.bots.question_export import recorded_question
from arena.bots.report import Report
from arena.plan.field import find_bots, samples
from arena.record.match_verification import check_match
from arena.sdk import ask
from arena.sdk.recorded_question import parse_question
from arena.values.definition import TimeControl
from arena.values.tournament_errors import RefereeError
from referee.engine.registry import game
from referee.process.bot_process import BotProcess
from referee.sandbox.shortage import MachineError
from tests.tournament.processes import Watched, descendants, wait_until
from tests.tournament.processes import command as command_of

GOOD = """
from arena.sdk import Bot
class Good(Bot):
    def choose(self, question):
        {body}
Good().run()
"""

PATIENT = TimeControl(move_time_ms=10_000, start_time_ms=20_000)

Checked = Callable[..., Report]


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    """Check a bot of that text, in little time."""

    def run(text: str, time: TimeControl = PATIENT, name: str = "torionfo") -> Report:
        (tmp_path / "bot.py").write_text(text)
        [bot] = find_bots([str(tmp_path / "bot.py")], {})
        return check(bot, CheckSettings((game(name),), time, matches=4), print)

    return run


def verdicts(report: Report) -> dict[str, str]:
    return {step.title: step.verdict for step in report.steps}


@pytest.mark.promise
def test_a_sample_bot_passes_every_step() -> None:
    [bot] = find_bots(["tactician"], samples("torionfo"))
    report = check(bot, CheckSettings((game("torionfo"),), matches=4), print)
    assert report.passed, report.why
    assert [step.number for step in report.steps] == list(range(1, 15))
    assert verdicts(report) == dict.fromkeys(
        [
            "starts", "dials in", "version", "first answer", "asked again", "many at once", "odd messages",
            "far question", "ends with its stream", "memory", "plays torionfo", "torionfo again",
            "torionfo at odd tables", "quiet",
        ],
        "passed",
    )  # fmt: skip
    assert report.claims == ("torionfo", "coch", "zifuli")
    assert report.memory_bytes is not None
    assert 5_000_000 < report.memory_bytes < 256 * 1024 * 1024
    assert report.to_json()["passed"]


@pytest.mark.processes
def test_without_a_game_it_plays_what_its_hello_names(tmp_path: Path) -> None:
    text = GOOD.format(body="return question.legal[0]").replace("def choose", "games = ('coch', 'x')\n    def choose")
    (tmp_path / "bot.py").write_text(text)
    report = check(find_bots([str(tmp_path / "bot.py")], {})[0], CheckSettings((), matches=2), print)
    assert report.passed, report.why
    assert report.games == report.claims == ("coch",)


PERUDO_ONLY = GOOD.format(body="return question.legal[0]").replace("(Bot):", "(Bot):\n    games = ('perudo',)")


@pytest.mark.promise
@pytest.mark.parametrize(
    ("text", "step", "sentence"),
    [
        ("print('dear me'); raise SystemExit(3)", "starts", "exited with code 3; it printed last: dear me"),
        (
            "import no_such.part",
            "starts",
            "exited with code 1; it imports no_such, which is not there: declare the package",
        ),
        ("def choose(question): pass", "starts", "exited with code 0: it must connect to ARENA_ADDRESS and play until"),
        (GOOD.format(body="return 99"), "first answer", "its answer names no move: set its index or its text"),
        (GOOD.format(body="return 'xyzzy'"), "first answer", 'it answered "xyzzy", which is not legal there: '),
        (GOOD.format(body="1 / 0"), "first answer", "the process exited with code 1"),
        (PERUDO_ONLY, "version", "the match is torionfo, but the bot plays only perudo"),
    ],
)
def test_what_goes_wrong_is_told_at_its_step(checked: Checked, text: str, step: str, sentence: str) -> None:
    report = checked(text)
    assert not report.passed
    assert report.why.startswith(f"{step}: ")
    assert sentence in report.why
    assert "plays torionfo" not in verdicts(report)


@pytest.mark.processes
def test_where_no_bot_can_be_started_nothing_is_said_of_this_one(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = BotProcess.start

    def start_nothing(_: object, *args: Any, **named: Any) -> BotProcess:
        return start(["/bin/false"], *args, **named | {"shown": None})

    monkeypatch.setattr(BotProcess, "start", start_nothing)
    with pytest.raises(RefereeError, match="no bot can be started on this machine, not even a sample bot: "):
        checked(GOOD.format(body="return 0"))


def test_a_machine_that_is_short_of_something_says_so(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    def short(*_: object, **__: object) -> None:
        raise MachineError("no program can be started: Resource temporarily unavailable")

    monkeypatch.setattr(BotProcess, "start", short)
    with pytest.raises(RefereeError, match="no program can be started: Resource temporarily unavailable"):
        checked(GOOD.format(body="return 0"))


@pytest.mark.processes
def test_answers_to_the_questions_of_other_matches_are_recognised(checked: Checked) -> None:
    swapped = GOOD.format(body="pass").replace(
        "choose(self, question):\n        pass",
        "choose_all(self, questions):\n"
        "        return [question.legal[-1] for question in (*questions[1:], questions[0])]",
    )
    report = checked(swapped, name="cambio")
    assert report.why.startswith("many at once: it answered ")
    assert report.why.endswith(
        "; but in another match of the message: does each answer have the id of its own question?"
    )


@pytest.mark.processes
def test_its_own_output_is_there_where_it_failed(checked: Checked) -> None:
    report = checked("print('\\x1b[31mdear me')\nraise SystemExit('why')")
    assert report.tail() == ["\\x1b[31mdear me", "why"]
    assert report.to_json()["output"] == report.tail()


@pytest.mark.processes
def test_who_sleeps_is_waited_for_no_longer_than_the_clock_says(checked: Checked) -> None:
    report = checked("import time; time.sleep(600)", TimeControl(start_time_ms=300))
    assert report.why.startswith("dials in: it said no valid hello within 0.3 s")
    assert report.why.endswith("; started again, it connected to nothing within 0.3 s")
    hasty = TimeControl(move_time_ms=200, bank_ms=100, start_time_ms=20_000)
    sleeping = checked(GOOD.format(body="import time; time.sleep(600)"), hasty)
    assert sleeping.why == (
        "first answer: no answer to question 1 within 0.3 s: the move time of 0.2 s and the bank of 0.1 s; "
        "it was at bot.py, line 5, in choose"
    )


@pytest.mark.processes
def test_who_speaks_something_else_than_grpc_is_told_what_it_was(checked: Checked) -> None:
    text = (
        "import os, socket, time\n"
        "connection = socket.socket(socket.AF_UNIX)\n"
        "connection.connect(os.environ['ARENA_ADDRESS'].removeprefix('unix:'))\n"
        "connection.sendall(b'POST /\\x1b[31m HTTP/1.1\\r\\n\\r\\n')\n"
        "time.sleep(600)\n"
    )
    report = checked(text, TimeControl(start_time_ms=3000))
    assert r'; started again, it connected and sent a request of HTTP/1, "POST /\x1b[31m HTTP/1.1": ' in report.why


@pytest.mark.processes
def test_a_bot_that_is_illegal_now_and_then_is_found_in_its_matches(checked: Checked) -> None:
    report = checked(GOOD.format(body="return question.legal[0] if question.id < 20 or question.id > 2**50 else 'no'"))
    assert verdicts(report)["plays torionfo"] == "failed"
    assert verdicts(report)["torionfo again"] == verdicts(report)["torionfo at odd tables"] == "skipped"
    assert report.why.startswith("plays torionfo: illegal ")


@pytest.mark.processes
def test_odd_tables_are_played_by_one_process_with_the_options_of_each(checked: Checked) -> None:
    text = GOOD.replace("class Good", "print('begun', flush=True)\nseen = []\nclass Good").format(
        body="""options = sorted(question.match.options.items())
        if options not in seen:
            seen.append(options)
            print("options", options, flush=True)
        return question.legal[0]"""
    )
    report = checked(text, name="scopa")
    assert report.passed, report.why
    assert report.output.count("begun") == 3, "for the protocol, the usual tables and the odd ones"
    scopa = game("scopa")
    for preset in scopa.presets.values():
        assert f"options {sorted(scopa.options.parse(preset).given().items())}" in report.output


@pytest.mark.processes
@pytest.mark.parametrize("fails", [False, True])
def test_who_minds_matches_of_several_kinds_in_one_process_is_checked_in_each_alone(
    checked: Checked, *, fails: bool
) -> None:
    text = GOOD.replace("class Good", "seen = []\nclass Good").format(
        body=f"""options = dict(question.match.options)
        seen.append(options)
        return "no" if options != seen[0] or ({fails} and len(options) > 1) else question.legal[0]"""
    )
    report = checked(text, name="scopa")
    assert verdicts(report)["scopa at odd tables"] == ("failed" if fails else "passed"), report.why
    assert bool(report.found) == fails
    if fails:
        assert report.why.startswith("scopa at odd tables: preset "), report.why


ILLEGAL_AND_FALLING = GOOD.format(
    body="""asked = question.match.memory["asked"] = question.match.memory.get("asked", 0) + 1
        if asked == 3 and question.match.seat == 1:
            return "fly"
        if asked == 4 and question.match.seat == 2:
            raise LookupError("no such card")
        return question.legal[0]"""
)


@pytest.mark.processes
def test_matches_in_which_it_failed_are_found_with_the_question(checked: Checked) -> None:
    report = checked(ILLEGAL_AND_FALLING, name="cambio")
    illegal, crash = report.found
    assert report.to_json()["found"] == [
        {"step": "plays cambio", "sentence": finding.sentence} for finding in (illegal, crash)
    ]
    assert illegal.sentence.startswith('illegal: it answered "fly"')
    assert crash.sentence.startswith("crash: it ended")
    for finding, seat, asked in ((illegal, 1, 3), (crash, 2, 4)):
        assert finding.match is not None
        match = stored(finding.match)
        assert check_match(match).wrong == ()
        assert match.players[seat] == "bot"
        assert finding.question == replace(recorded_question(match, finding.ply), source=finding.question.source)
        assert finding.question.seat == seat
        # More than that if another match ended the process in between: the next one counts from 0.
        assert len(finding.question.asked) >= asked
        assert finding.question.question.fault == finding.sentence
        assert f"    !  seat {seat}: {finding.sentence}" in finding.log
    assert crash.match is not None
    assert {failure.kind for failure in stored(crash.match).failures if failure.guilty == 0} == {"crash"}
    assert "LookupError: no such card" in crash.log
    assert file_names(report.found) == ["1-plays-cambio", "2-plays-cambio"]


@pytest.mark.processes
def test_a_first_answer_that_fails_is_found_with_its_question(checked: Checked) -> None:
    [found] = checked(GOOD.format(body="return 'xyzzy'")).found
    assert (found.step, found.match, found.log) == ("first answer", None, "")
    assert found.sentence.startswith('it answered "xyzzy", which is not legal there')
    assert parse_question(found.question.to_text().encode()) == found.question
    assert ask(lambda question: question.legal[0], found.question).move == found.question.question.legal[0]


@pytest.mark.processes
def test_chance_of_its_own_is_told_but_no_fault(checked: Checked) -> None:
    report = checked(GOOD.format(body="import random; return random.choice(question.legal)"))
    assert report.passed
    assert verdicts(report)["torionfo again"] == "warned"


@pytest.mark.processes
def test_a_bot_that_rounds_numbers_is_found(checked: Checked) -> None:
    rounding = """
from arena.sdk.message_codec import MessageCodec
old = MessageCodec.add_answer
def put(self, question, answer):
    question._wire.id = int(float(question._wire.id))
    old(self, question, answer)
MessageCodec.add_answer = put
""" + GOOD.format(body="return question.legal[0]")
    report = checked(rounding)
    assert report.why == "far question: it answered question 9007199254740992, which is not open"


@pytest.mark.processes
def test_a_bot_that_stays_is_found(checked: Checked) -> None:
    staying = GOOD.format(body="return question.legal[0]").replace(
        "Good().run()", "import time\ntry:\n    Good().run()\nfinally:\n    time.sleep(60)"
    )
    report = checked(staying)
    assert report.why == "ends with its stream: it was still running 2 s after its stream ended, and was killed"


@pytest.mark.processes
def test_a_bot_that_leaves_in_disgrace_is_found(checked: Checked) -> None:
    report = checked(
        GOOD.format(body="return question.legal[0]").replace(
            "Good().run()", "import os\ntry:\n    Good().run()\nfinally:\n    os._exit(7)"
        )
    )
    assert "after its stream ended it exited with code 7" in report.why


@pytest.mark.processes
def test_a_loud_bot_is_warned(checked: Checked) -> None:
    report = checked(GOOD.format(body="print('x' * 5000); return question.legal[0]"))
    assert report.passed
    assert verdicts(report)["quiet"] == "warned"


@pytest.mark.processes
def test_who_wants_one_match_at_a_time_is_asked_about_one(checked: Checked) -> None:
    counting = """
open_matches = set()
def match_started(self, match):
    open_matches.add(match.number)
    assert len(open_matches) <= 2  # the next one may begin in the message that ends the last
def match_ended(self, match, scores, ranks):
    open_matches.remove(match.number)
Bot.match_started, Bot.match_ended = match_started, match_ended
class Good(Bot):
    matches_at_once = 1
    wants_events = True"""
    report = checked(
        GOOD.format(body="assert question.events; return question.legal[0]").replace("class Good(Bot):", counting)
    )
    assert report.passed, report.why
    assert verdicts(report)["many at once"] == "skipped"


READY = """
from arena.sdk import Bot
import time
class Good(Bot):
    wants_ready = True
    def match_started(self, match):
        match.memory = ["a network"]
        {body}
    def choose(self, question):
        assert question.match.memory == ["a network"]
        return question.legal[0]
Good().run()
"""


@pytest.mark.processes
def test_a_bot_that_gets_ready_for_each_match_has_the_time_for_it(checked: Checked) -> None:
    report = checked(READY.format(body="assert match.ready_time_ms == 10_000"))
    assert report.passed, report.why
    assert [step.title for step in report.steps][2:5] == ["version", "gets ready", "first answer"]
    assert set(verdicts(report).values()) == {"passed"}


@pytest.mark.processes
def test_a_bot_that_is_not_ready_in_time_is_found(checked: Checked) -> None:
    report = checked(READY.format(body="time.sleep(600)"), structs.replace(PATIENT, ready_time_ms=200))
    assert report.why == (
        "gets ready: it was not ready for a match within 0.2 s; it was at bot.py, line 8, in match_started"
    )
    assert report.is_slow


def bots_below(root: int) -> list[int]:
    return [pid for pid in descendants(root) if "bot.py" in command_of(pid)]


@pytest.mark.processes
def test_interrupted_it_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print('up', flush=True)\nimport time; time.sleep(600)")
    command = [sys.executable, "-P", "-m", "arena", "check", "./bot.py", "--game", "coch"]
    with tempfile.TemporaryDirectory(dir="/tmp") as temporary:
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": temporary},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        watched = Watched(wait_until(process, lambda: bots_below(process.pid)))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, "", "interrupted\n")
        assert watched.survivors() == []
        assert os.listdir(temporary) == []


@pytest.mark.promise
@pytest.mark.parametrize(
    ("mischief", "why"),
    [
        ("wrong-token", "dials in: it ended before it said hello: its hello was refused, as the token is unknown"),
        ("other-protocol", "version: no protocol version in common: the bot speaks 98, 99, the referee 1"),
        ("nonsense", r'first answer: it answered "castle \x1b[31mkingside'),
        ("garbage", "first answer: it sent bytes that are not a protocol message"),
        ("twice", "asked again: it answered question 1 twice"),
        ("flood", "first answer: it answered question 1000000000, which is not open"),
        ("end-stream", "first answer: it ended its side of the stream"),
    ],
)
def test_naughty_bots_are_told_what_they_did(mischief: str, why: str) -> None:
    naughty = Path(__file__).parent.parent.parent / "sample_bots/naughty/naughty.py"
    [bot] = find_bots([f"{sys.executable} {naughty} {mischief}"], {})
    assert check(bot, CheckSettings((game("coch"),), PATIENT), print).why.startswith(why)


@pytest.mark.processes
def test_a_crash_that_no_match_is_guilty_of_is_found_with_an_open_question(checked: Checked) -> None:
    once = "1 / 0 if 20 < question.id < 2**50 else None\n        return question.legal[0]"
    report = checked(GOOD.format(body=once))
    assert verdicts(report)["plays torionfo"] == "failed"
    [found] = report.found
    assert found.sentence.startswith("crash: it ended")
    assert "ZeroDivisionError" in found.log
