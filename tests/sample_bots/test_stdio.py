"""The sample bots that speak lines of JSON: the one in C, where a compiler is installed, and the one in shell."""

import json
import re
import shutil
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from referee.process.bot_process import let_bots_hear_quit

SAMPLES = Path(__file__).parents[2] / "sample_bots"

START = {"type": "start", "match": 3, "bot_seed": "00ff" * 16}
QUESTION = {"type": "question", "question": 5, "match": 3, "legal": ["keep", "exchange"]}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the folders of the bots that can be started here, by language."""
    room = tmp_path_factory.mktemp("stdio")
    found = {language: room / language for language in ("shell", "c")}
    for language, folder in found.items():
        shutil.copytree(SAMPLES / language, folder, ignore=shutil.ignore_patterns("build"))
    built = subprocess.run([found["c"] / "build.sh"], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert "warning" not in built.stderr
    if not (found["c"] / "build/bot").exists():
        del found["c"]
    return found


@pytest.fixture(params=["shell", "c"])
def folder(request: pytest.FixtureRequest, folders: dict[str, Path]) -> Path:
    if request.param not in folders:
        pytest.skip("no C compiler is installed: apt-get install gcc")
    return folders[request.param]


def program(folder: Path) -> Path:
    return folder / ("bot.sh" if folder.name == "shell" else "build/bot")


def talk(folder: Path, lines: list[Any], *words: str) -> list[dict[str, Any]]:
    """Tell the program some lines, and return what it says after its hello."""
    text = "".join(
        (line if isinstance(line, str) else json.dumps(line, separators=(",", ":"))) + "\n" for line in lines
    )
    done = subprocess.run([program(folder), *words], input=text, capture_output=True, text=True, timeout=60, check=True)
    hello, *said = map(json.loads, done.stdout.splitlines())
    assert hello["type"] == "hello"
    return said


def moves(folder: Path, lines: list[Any]) -> list[str]:
    """Tell the program some lines with questions, and return the texts of the moves that it chooses."""
    questions = {line["question"]: line for line in lines if isinstance(line, dict) and "question" in line}
    said = talk(folder, lines)
    assert {answer["type"] for answer in said} == {"answer"}
    chosen = [(questions[answer["question"]]["legal"], answer["move"]) for answer in said]
    return [move if isinstance(move, str) else legal[move] for legal, move in chosen]


@pytest.mark.promise
def test_it_decides_by_its_card(folder: Path) -> None:
    def asked(card: int, **more: object) -> dict[str, Any]:
        return {**QUESTION, **more, "view": {"cuckoos": 2, "discards": [-4], "card": card, "known": [card, 99]}}

    questions = [asked(12, question=5), asked(-3, question=6), asked(15, question=7, legal=["pass", "cuckoo"])]
    assert moves(folder, [START, *questions, {"type": "end", "match": 3}]) == ["keep", "exchange", "pass"]


def test_by_chance_it_plays_any_game_the_same_again(folder: Path) -> None:
    legal = [f"bid {n}" for n in range(6)]
    lines = [START, *({**QUESTION, "question": n, "legal": legal, "view": {}} for n in range(1, 60))]
    said = talk(folder, lines, "random")
    assert [answer["question"] for answer in said] == list(range(1, 60))
    chosen = {move if isinstance(move, str) else legal[move] for move in (answer["move"] for answer in said)}
    assert chosen == set(legal)
    assert talk(folder, lines, "random") == said


@pytest.mark.processes
def test_long_and_odd_lines_do_no_harm(folder: Path) -> None:
    odd = ["", "{}", "null", '{"type":"something new","of":[{"a":"}\\"]"}]}', '{"type":"welcome","protocol":1}']
    events = ['says: "pass" {[\\'] * 800
    question = {**QUESTION, "legal": ["keep"], "events": events, "view": {"card": 13}}
    assert moves(folder, [*odd, START, question]) == ["keep"]


def test_in_c_values_are_found_however_they_are_written(folders: dict[str, Path]) -> None:
    if "c" not in folders:
        pytest.skip("no C compiler is installed: apt-get install gcc")
    spaced = (
        ' { "view" : { "known" : [ ] , "of" : { "card" : -4 } , "card" : 14 } , "legal" : [ "keep" , "exchange" ] ,'
        ' "question" : 12 , "match" : 3 , "type" : "question" } '
    ).strip()
    [said] = talk(folders["c"], [START, spaced])
    assert (said["question"], said["move"]) == (12, "keep")
    talk(
        folders["c"], [START, *(spaced[:cut] for cut in range(len(spaced)))]
    )  # lines that were cut anywhere do no harm


READY = """
#include "json.h"
#include "referee.h"
#include <stdio.h>

static long ready_for;

static void load(struct match *match) {
    ready_for = match->number;
    fprintf(stderr, "%ld ms", match->ready_time_ms);
}

static const char *if_ready(struct question *question) {
    return legal_move(question, ready_for == question->match->number);
}

int main(void) {
    const struct bot bot = {
        .name = "ready", .game = "cucco", .wants_ready = 1, .choose = if_ready, .match_started = load,
    };
    play(&bot);
    return 0;
}
"""


@pytest.mark.processes
def test_in_c_a_bot_gets_ready_for_a_match_before_it_is_asked_in_it(folders: dict[str, Path], tmp_path: Path) -> None:
    if "c" not in folders:
        pytest.skip("no C compiler is installed: apt-get install gcc")
    folder = tmp_path / "c"
    shutil.copytree(folders["c"], folder)
    (folder / "bot.c").write_text(READY)
    subprocess.run([folder / "build.sh"], check=True, capture_output=True)
    with subprocess.Popen([program(folder)], text=True, stdin=-1, stdout=-1, stderr=-1) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        assert bot.stderr is not None
        assert json.loads(bot.stdout.readline()) == {
            "type": "hello",
            "name": "ready",
            "games": ["cucco"],
            "matches_at_once": 0,
            "wants_ready": True,
        }
        print(json.dumps({**START, "ready": True, "ready_time_ms": 10_000}), file=bot.stdin, flush=True)
        assert json.loads(bot.stdout.readline()) == {"type": "ready", "match": 3}
        print(json.dumps({**QUESTION, "view": {}}), file=bot.stdin, flush=True)
        assert json.loads(bot.stdout.readline()) == {"type": "answer", "question": 5, "move": "exchange"}
        bot.stdin.close()
        assert bot.stderr.read() == "10000 ms"
        assert bot.wait() == 0
    words = ["--game", "cucco", "--bots", f"{folder},random", "--rounds", "2", "--seed", "2", "--json"]
    done = CliRunner().invoke(main, ["tourney", *words, "--db", str(tmp_path / "arena.db")])
    assert done.exit_code == 0, done.output
    assert [row["faults"] for row in json.loads(done.stdout)["ranking"]] == [{}, {}]


SHELLS = [shell for shell in ("dash", "bash", "busybox") if shutil.which(shell)]


def script(tmp_path: Path, shell: str, *lines: str) -> list[str]:
    """Write a bot in shell whose function is `choose`, and return the command that starts it in a shell.

    lines: what the script says before it plays.
    """
    begun = ["set -u", f'. "{SAMPLES}/shell/referee.sh"', *lines, "play scribe choose", "echo the end >&2"]
    (tmp_path / "bot.sh").write_text("".join(f"{line}\n" for line in begun))
    return [shell, *(["sh"] if shell == "busybox" else []), str(tmp_path / "bot.sh")]


def told(command: list[str], *lines: dict[str, Any]) -> tuple[list[dict[str, Any]], str, int]:
    """Tell a script some lines; return what it says, what it prints to stderr and its exit code."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr, done.returncode


@pytest.mark.processes
@pytest.mark.parametrize("shell", SHELLS)
def test_in_shell_any_text_can_be_written_and_read(shell: str, tmp_path: Path) -> None:
    lines = [
        'choose() { list "$1" events; note "$found"; note "a \\"b\\" \\\\ \tc é"; text "$1" name; say "$found";'
        ' number "$1" card; note "$found"; number "$1" missing 7; note "$found"; after "$1" of; number "$found" card;'
        ' note "$found"; list "$1" scores; note "$found"; list "$1" none; note "<$found>"; move="bid $found"; }'
    ]
    more = {"events": ['says "x\\"', "", "b]c,d"], "view": {"name": "ö", "card": -4, "of": {"card": 12}}}
    asked = {**QUESTION, **more, "scores": [-1, 2.5], "none": []}
    [hello, answer], err, code = told(script(tmp_path, shell, *lines), START, asked)
    assert hello == {"type": "hello", "name": "scribe", "matches_at_once": 0}
    assert answer["note"].split("\n") == [
        'says \\"x\\\\\\"', "", "b]c,d", 'a "b" \\  c é', "-4", "7", "12", "-1", "2.5", "<>"
    ]  # fmt: skip
    assert (answer["say"], answer["move"], answer["question"]) == (r"\u00f6", "bid ", 5)
    assert (err, code) == ("the end\n", 0)


@pytest.mark.processes
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        ("fail 'no idea'", r"^scribe failed in choose, in match 3: no idea$"),
        ("exit 7", r"^scribe failed in choose, in match 3: the script ended with exit code 7$"),
        (":; move=$mvoe", r"bot\.sh: (line )?3: mvoe.*\nscribe failed in choose, in match 3: the script ended with"),
    ],
)
def test_in_shell_a_mistake_is_told(shell: str, mistake: str, sentence: str, tmp_path: Path) -> None:
    said, err, code = told(script(tmp_path, shell, f"choose() {{ {mistake}; }}"), START, QUESTION)
    assert [line["type"] for line in said] == ["hello"]
    assert re.search(sentence, err, re.MULTILINE), err
    assert code > 0


@pytest.mark.processes
@pytest.mark.parametrize("shell", SHELLS)
def test_in_shell_a_bot_that_hangs_says_where(shell: str, tmp_path: Path) -> None:
    let_bots_hear_quit()
    command = script(tmp_path, shell, "choose() { echo begun >&2; while :; do :; done; }")
    with subprocess.Popen(command, text=True, stdin=-1, stdout=-1, stderr=-1) as bot, ExitStack() as end:
        end.callback(bot.kill)
        assert bot.stdin is not None
        assert bot.stderr is not None
        for line in START, QUESTION:
            print(json.dumps(line, separators=(",", ":")), file=bot.stdin, flush=True)
        assert bot.stderr.readline() == "begun\n"
        bot.send_signal(signal.SIGQUIT)
        said = bot.stderr.readline()
        assert said.startswith('scribe is still in choose, in match 3: {"type":"question","question":5')


@pytest.mark.processes
def test_in_a_tournament_both_beat_random(folders: dict[str, Path], tmp_path: Path) -> None:
    bots = ",".join([*map(str, folders.values()), "random"])
    words = ["--game", "cucco", "--bots", bots, "--rounds", "12", "--seed", "2", "--json"]
    done = CliRunner().invoke(main, ["tourney", *words, "--db", str(tmp_path / "arena.db")])
    assert done.exit_code == 0, done.output
    ranking = json.loads(done.stdout)["ranking"]
    assert ranking[-1]["bot"] == "random"
    assert all(row["faults"] == {} for row in ranking)


@pytest.mark.parametrize("language", ["shell", "c"])
def test_a_project_is_a_copy_without_protos(language: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["init", "--lang", language, str(tmp_path / "owl"), "--json"])
    assert done.exit_code == 0, done.output
    made = {path.name for path in (tmp_path / "owl").iterdir()}
    assert "bot.toml" in made
    assert "protos" not in made
