"""`arena profile`: where the time of a bot goes, by question and by function."""

import json
import pstats
from base64 import b64encode
from pathlib import Path
from zlib import compress

import msgspec
import pytest
from click.testing import CliRunner, Result

from arena.bots.bot_profile import BotProfile, ProfiledFunction, ProfiledQuestion, pstats_content, unpack_functions
from arena.cli import main
from arena.cli.profile_report import ProfileReport
from arena.sdk import profiling
from arena.sdk.profiling import MARK
from arena.sdk.recorded_question import AskedQuestion, RecordedQuestion

pytestmark = pytest.mark.usefixtures("in_process")

BOT = """
from arena.sdk import Bot

class Thinker(Bot):
    games = ("torionfo",)

    def choose(self, question):
        asked = question.match.memory["asked"] = question.match.memory.get("asked", 0) + 1
        {line}
        print("thinking")
        return question.legal[self.think(asked)]

    def think(self, asked):
        return sum(0 for _ in range(1000 * asked))

Thinker().run()
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


def profile(*words: str) -> Result:
    return CliRunner().invoke(main, ["profile", *words], prog_name="arena")


@pytest.mark.promise
def test_a_bot_in_python_is_measured_by_question_and_by_function() -> None:
    Path("thinker.py").write_text(BOT.format(line="pass"))
    done = profile("./thinker.py", "--game", "torionfo", "--json", "--output", "new/thinker.pstats")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["bot"], told["game"], told["failure"], told["no_functions"]) == ("thinker", "torionfo", "", "")
    assert len(told["questions"]) == told["asked"] > 10
    for question in told["questions"]:
        assert 0 <= question["charged_seconds"] <= question["wall_seconds"]
        assert question["move"] == question["legal"][0]
        assert question["view"]
    assert sum(question["cpu_seconds"] for question in told["questions"]) > 0
    own = {function["name"]: function for function in told["functions"] if function["of"] == "bot"}
    assert own["choose"]["calls"] == own["think"]["calls"] == told["asked"]
    assert own["<genexpr>"]["own_seconds"] > own["choose"]["own_seconds"]
    assert {function["of"] for function in told["functions"]} == {"bot", "others", "sdk"}
    stats = pstats.Stats("new/thinker.pstats").stats  # type: ignore[attr-defined]
    assert {name for _, _, name in stats} >= {"choose", "think", "<genexpr>"}


@pytest.mark.processes
def test_a_stored_match_gives_its_questions() -> None:
    match = ["match", "--game", "coch", "random", "random", "random", "random", "--seed", "1"]
    assert CliRunner().invoke(main, match).exit_code == 0
    told = json.loads(profile("random", "--from", "1", "--seat", "2", "--json").stdout)
    assert (told["game"], told["seat"]) == ("coch", 2)
    assert len(told["questions"]) == told["asked"]


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
@pytest.mark.parametrize(
    ("line", "options", "answered", "sentence"),
    [
        ("1 / (asked - 3)", [], 2, "the process exited with code 1 (at question 3 of "),
        (
            "while asked == 2: pass",
            ["--move-time", "200ms", "--bank", "0s"],
            1,
            "no answer to question 2 within 0.2 s (at question 2 of ",
        ),
    ],
)
def test_a_bot_that_crashes_or_hangs_is_told_with_its_question_and_its_output(
    line: str, options: list[str], answered: int, sentence: str
) -> None:
    Path("thinker.py").write_text(BOT.format(line=line))
    done = profile("./thinker.py", "--game", "torionfo", *options)
    assert done.exit_code == 1, done.output
    assert done.stdout.startswith(f"thinker answered {answered} of ")
    last = done.stdout.splitlines()[-1]
    assert last.startswith("thinker failed: ")
    assert sentence in last
    assert "last output of thinker:" in done.stdout
    assert ("ZeroDivisionError: division by zero" in done.stdout) == ("/" in line)


def test_a_bot_in_another_language_has_no_functions() -> None:
    report = ProfileReport("owl", "/owl", QUESTION, (4,), made(no_functions="it is no bot in Python"))
    assert list(report.lines(5, 15))[-1] == "no times of functions: it is no bot in Python"


QUESTION = RecordedQuestion(
    game="hypp",
    behaviour=1,
    options={},
    seats=3,
    seat=1,
    view_type="",
    bot_seed=b"",
    question=AskedQuestion({}, ("go",)),
    move_time_ms=1000,
)


def made(functions: tuple[ProfiledFunction, ...] = (), no_functions: str = "") -> BotProfile:
    view = {"round": 1, "bets": [0, 2], "stage": "STAGE_BET", "inner": {"card": 3}}
    question = ProfiledQuestion(1, ("go",), "go", view, wall=0.3, cpu=0.0021, charged=0.25)
    return BotProfile(0.116, (question,), 1, "", "", functions, no_functions)


def test_the_report_fits_80_columns_and_has_own_functions_first() -> None:
    functions = (
        ProfiledFunction("/lib/json.py", 9, "loads", 5, 5, 2.0, 2.0),
        ProfiledFunction("/owl/main.py", 3, "choose", 1, 1, 0.5, 2.6),
        ProfiledFunction("/lib/arena/sdk/question.py", 7, "view", 3, 3, 0.1, 0.1),
        ProfiledFunction("~", 0, "<built-in method sum>", 2, 2, 0.001, 0.001),
        ProfiledFunction("/owl/site-packages/x.py", 1, "x", 1, 1, 0.0, 0.0),
    )
    report = ProfileReport("owl", "/owl", QUESTION, (4,), made(functions))
    assert list(report.lines(5, 3)) == [
        "owl answered 1 of 1 questions of hypp (seat 1 of 3), hello after 116 ms",
        "wall:      300 ms in all, 300 ms each, 300 ms at most",
        "CPU:      2.10 ms in all, 2.10 ms each, 2.10 ms at most",
        "charged:   250 ms in all, 250 ms each, 250 ms at most, 25.0% of the move time",
        "",
        "question  answer    wall      CPU  charged  of move time  played",
        "--------  ------  ------  -------  -------  ------------  ------",
        "       1       4  300 ms  2.10 ms   250 ms         25.0%  go",
        "    round 1, bets 0 2, stage STAGE_BET, inner {card 3}",
        "",
        "with Python's profiler, which makes all of it slower:",
        "calls   itself  with calls  function",
        "-----  -------  ----------  ---------------------",
        "    1   500 ms      2.60 s  main.py:3 choose",
        "    5   2.00 s      2.00 s  json.py:9 loads",
        "    2  1.00 ms     1.00 ms  <built-in method sum>",
        "    1  0.00 ms              all others",
        "    3   100 ms              arena.sdk, protobuf",
    ]


STATS: dict[profiling.Place, profiling.Times] = {
    ("/owl/main.py", 3, "choose"): (4, 5, 0.5, 0.75, {}),
    ("~", 0, "<built-in method sum>"): (5, 5, 0.25, 0.25, {("/owl/main.py", 3, "choose"): (5, 5, 0.25, 0.25)}),
}


def test_what_the_sdk_prints_is_what_is_read_and_written_for_viewers(tmp_path: Path) -> None:
    functions = unpack_functions(f"noise\n{MARK}{profiling.encode(STATS)}\n".encode())
    (tmp_path / "p").write_bytes(pstats_content(functions))
    assert pstats.Stats(str(tmp_path / "p")).stats == STATS  # type: ignore[attr-defined]


def test_a_line_that_would_be_too_long_leaves_out_what_takes_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiling, "MOST_CHARACTERS", len(profiling.encode(STATS)) - 1)
    (left,) = unpack_functions((MARK + profiling.encode(STATS)).encode())
    assert (left.name, left.callers) == ("choose", ())


def packed(value: object) -> bytes:
    return MARK.encode() + b64encode(compress(msgspec.json.encode(value)))


@pytest.mark.parametrize(
    "printed",
    [
        b"",
        b"thinking\n",
        MARK.encode(),
        MARK.encode() + b"!!!",
        MARK.encode() + b64encode(b"no zlib"),
        packed({"no": "list"}),
        packed([["file", 1, "name", 1, 1, "long", 1.0]]),
        packed([["file", 1, "name", 1, 1, 1.0, 1.0, [[7, 1, 1, 1.0, 1.0]]]]),
        MARK.encode() + b64encode(compress(b"[" + b" " * 9_000_000)),
        packed([]) + b"\nand more",
    ],
)
def test_what_a_bot_prints_in_its_place_is_nothing(printed: bytes) -> None:
    assert unpack_functions(printed) == ()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["random"], "random names no game: name one with --game"),
        (["random", "--game", "hypp", "--seat", "1"], "--seat needs --from"),
        (["random", "random", "--from", "1"], "--from asks one bot"),
        (["random", "--from", "1", "--seed", "2"], "--from takes this from the match: leave out --seed"),
        (["counter", "--game", "hypp"], "counter"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(words: list[str], sentence: str) -> None:
    done = profile(*words)
    assert done.exit_code == 2
    assert sentence in done.stderr
