"""Programs that speak lines of JSON, well and badly, played by a real referee."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main

pytestmark = pytest.mark.processes

HELLO = """echo '{"type":"hello","name":"scribe","matches_at_once":1}'"""
ANSWER = """echo '{"type":"answer","move":0}'"""
TURNS = f"""while read -r line; do case $line in '{{"type":"question"'*) {ANSWER};; esac; done"""

Play = Callable[..., dict[str, Any]]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Play a match of Cambio between a script and a sample bot; return the script's seat, with its faults."""

    def play(script: str, *words: str) -> dict[str, Any]:
        folder = tmp_path / "scribe"
        folder.mkdir()
        (folder / "bot.toml").write_text('language = "shell"\ncommand = ["sh", "bot.sh"]\nprotocol = "stdio"\n')
        (folder / "bot.sh").write_text(script + "\n")
        given = ["match", "--game", "cambio", "-o", "chips=2", str(folder), "random", "--seed", "1", "--json", *words]
        done = CliRunner().invoke(main, [*given, "--db", str(tmp_path / "arena.db")], prog_name="arena")
        assert done.exit_code == 0, done.output
        match = json.loads(done.stdout)
        faults = [fault for fault in match["faults"] if fault["seat"] == 0]
        return {**match["seats"][0], "faults": faults, "process_failures": match["process_failures"]}

    return play


@pytest.mark.promise
def test_a_program_that_answers_plays(play: Play) -> None:
    seat = play(f"{HELLO}; echo from me >&2; {TURNS}; echo the end >&2")
    assert seat["faults"] == []
    assert seat["decisions"] > 0
    assert seat["output"]["name"] == "scribe"
    assert seat["output"]["text"] == "from me\nthe end\n"


def test_a_program_gets_ready_for_its_match(play: Play) -> None:
    ready = 'read -r welcome; read -r start; echo "$start" >&2; echo \'{"type":"ready","match":1}\''
    seat = play(f"""echo '{{"type":"hello","wants_ready":true}}'; {ready}; {TURNS}""", "--ready", "20s")
    assert seat["faults"] == []
    assert seat["decisions"] > 0
    assert '"ready":true,"ready_time_ms":20000,' in seat["output"]["text"]


def test_a_line_that_is_no_answer_is_a_protocol_fault_and_its_sentence_is_on_stderr(play: Play) -> None:
    seat = play(f"{HELLO}; read -r welcome; read -r start; read -r question; echo keep; {TURNS}")
    assert {fault["kind"] for fault in seat["faults"]} == {"protocol"}
    assert (
        "line 2: it is not JSON in UTF-8 (Expecting value: line 1 column 1 (char 0)): 'keep'" in seat["output"]["text"]
    )


def test_a_line_without_an_end_is_a_protocol_fault(play: Play) -> None:
    seat = play(f"{HELLO}; read -r welcome; read -r start; read -r question; cat /dev/zero")
    assert {fault["kind"] for fault in seat["faults"]} == {"protocol"}
    assert "a line has more than 65,536 bytes" in seat["output"]["text"]


def test_a_program_that_ends_is_a_crash_with_its_exit_code(play: Play) -> None:
    seat = play(f"{HELLO}; read -r welcome; read -r start; read -r question; exit 7")
    assert {fault["kind"] for fault in seat["faults"]} == {"crash"}
    assert "exited with code 7" in seat["faults"][0]["sentence"]
    assert "the bot's program exited with code 7 before the referee ended the stream" in seat["output"]["text"]


def test_what_it_answered_before_its_end_counts(play: Play) -> None:
    seat = play(f"{HELLO}; read -r welcome; read -r start; read -r question; {ANSWER}; kill -9 $$")
    assert seat["decisions"] > 0
    assert "the bot's program was ended by signal 9" in seat["output"]["text"]
    assert 9 in {failure["signal"] for failure in seat["process_failures"]}, "the program's own, not the bridge's"


def test_a_program_that_begins_wrongly_does_not_start(play: Play) -> None:
    seat = play("echo hello; cat >/dev/null")
    assert {fault["kind"] for fault in seat["faults"]} == {"start"}
    assert "it is not JSON in UTF-8" in seat["output"]["text"]


def test_a_program_that_never_reads_hangs_and_nothing_else_does(play: Play) -> None:
    seat = play(f"{HELLO}; exec sleep 1000", "--move-time", "50ms", "--bank", "0")
    assert {fault["kind"] for fault in seat["faults"]} <= {"timeout", "hung"}
