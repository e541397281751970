"""Engines that speak oddly: what is harmless costs nothing, and all else is a fault with a sentence that says which."""

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import chess
import pytest
from botarena_chess.engine import Engine
from botarena_chess.process import EngineFailed

ENGINE = (sys.executable, str(Path(__file__).parent / "odd_engine.py"))
START = f"fen {chess.STARTING_FEN}"

HARMLESS = (
    "crlf", "banner", "stderr", "echo", "nameless", "long_name", "options", "chatty_ready", "trailing", "two_bestmoves",
    "early", "flood", "huge_line", "scores", "binary", "crash_on_quit", "illegal_ponder",
)  # fmt: skip


def odd(*kinds: str, options: str = "") -> str:
    return shlex.join([sys.executable, "-m", "botarena_chess.uci", *options.split(), *ENGINE, *kinds])


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_is_harmless(kind: str) -> None:
    engine = Engine((*ENGINE, kind), {"Hash": "1"})
    engine.new_game()
    assert engine.search(START, "nodes 1").move == "a2a3"
    reply = engine.search(f"{START} moves a2a3 a7a5", "nodes 1")
    assert reply.move == "a1a2", "and not what was said twice, or before"
    assert reply.info.score == ("cp 12" if kind == "scores" else "")
    engine.quit()


def test_an_engine_that_does_not_quit_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botarena_chess.process.END_SECONDS", 0.0)
    engine = Engine((*ENGINE, "never_quits"), {})
    engine.quit()
    assert engine._process.returncode == -9


def test_an_engine_that_closes_its_output_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botarena_chess.process.END_SECONDS", 0.0)
    engine = Engine((*ENGINE, "closes"), {})
    with pytest.raises(EngineFailed, match="the engine Odd closed its output"):
        engine.search(START, "nodes 1")
    engine.quit()


def test_an_answer_while_an_engine_ponders_is_that_to_the_ponderhit() -> None:
    engine = Engine((*ENGINE, "ponders_aloud"), {})
    engine.begin_pondering(f"{START} moves a2a3 a7a5", "nodes 1")
    assert engine.ponder_hit().move == "a1a2"
    engine.begin_pondering(f"{START} moves a2a3 a7a5", "nodes 1")
    engine.stop_pondering()
    assert engine.search(START, "nodes 1").move == "a2a3"
    engine.quit()


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def arena(folder: Path, *words: str) -> str:
    return run(folder, sys.executable, "-m", "arena", *words)


def pgn(folder: Path) -> str:
    return run(folder, str(Path(sys.executable).parent / "botarena-chess"), "pgn", "1")


def test_an_engine_that_is_ended_as_its_bot_hangs_is_said_to_hang() -> None:
    engine = Engine((*ENGINE, "hangs"), {})
    engine._process.send_signal(signal.SIGQUIT)
    with pytest.raises(EngineFailed, match="the engine Odd has not answered: (isready|go nodes 1)"):
        engine.search(START, "nodes 1")
    engine.quit()


def play(folder: Path, bot: str, *options: str) -> dict[str, object]:
    words = ("match", "--game", "chess", "-o", "max_moves=4", "-o", "book=standard", *options, bot, "random")
    played: dict[str, object] = json.loads(arena(folder, *words, "--seed", "1", "--json"))
    return played


@pytest.mark.parametrize(
    "kinds",
    [
        ("crlf", "banner", "stderr", "echo", "nameless", "options", "chatty_ready", "early", "flood", "huge_line"),
        ("long_name", "trailing", "scores", "binary", "crash_on_quit"),
        ("two_bestmoves", "early"),
    ],
)
def test_a_match_with_all_that_is_harmless(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    assert play(tmp_path, odd(*kinds), "--move-time", "30s")["faults"] == []
    assert '[Termination "adjudication"]' in pgn(tmp_path), "four moves of each are played"


def test_an_engine_is_not_asked_to_ponder_on_what_cannot_be_played(tmp_path: Path) -> None:
    words = ["tourney", "--game", "chess", "--rounds", "1", "-o", "max_moves=4", "-o", "book=standard", "--json"]
    clock = ["--mode", "clock", "--ponder", "--jobs", "1", "--move-time", "30s", "--bank", "30s", "--lag", "0"]
    bots = f"{odd('illegal_ponder', options='--ponder')},random"
    table = json.loads(arena(tmp_path, *words, *clock, "--bots", bots))
    assert table["matches"] == 2
    assert not any(row["faults"] for row in table["ranking"])


@pytest.mark.parametrize(
    ("kind", "fault", "sentence", "termination"),
    [
        ("plays:e2e5", "illegal", '"e2e5"', "rules infraction"),
        ("plays:e1h1", "illegal", '"e1h1"', "rules infraction"),
        ("plays:e7e8Q", "illegal", '"e7e8Q"', "rules infraction"),
        ("plays:0000", "illegal", '"0000"', "rules infraction"),
        ("plays:(none)", "illegal", '"(none)"', "rules infraction"),
        ("plays:NULL", "illegal", '"NULL"', "rules infraction"),
        ("plays:", "illegal", "", "rules infraction"),
        ("uppercase", "illegal", '"A2A3"', "rules infraction"),
        ("exits", "crash", "the engine Odd exited with code 4", "abandoned"),
        ("aborts", "crash", "the engine Odd was ended by signal 6", "abandoned"),
        ("unfinished_end", "crash", "the engine Odd exited with code 0", "abandoned"),
        ("unfinished", "timeout", "no answer within 0.7 s", "time forfeit"),
        ("hangs", "timeout", "no answer within 0.7 s", "time forfeit"),
        ("closes", "crash", "the engine Odd closed its output", "abandoned"),
        ("no_uciok", "start", "has not answered: uci", "abandoned"),
        ("mute_game", "hung", "the engine Odd has not answered: isready", "abandoned"),
        ("mute_ready", "start", "the engine Odd has not answered: isready", "abandoned"),
    ],
)
def test_what_is_a_fault(tmp_path: Path, kind: str, fault: str, sentence: str, termination: str) -> None:
    limits = ["--move-time", "700ms" if fault in ("timeout", "hung") else "30s", "--bank", "0s"]
    limits += ["--start", "odd_engine=1s"] if fault == "start" else ["--ready", "1s"] if fault == "hung" else []
    faults = play(tmp_path, odd(kind), *limits)["faults"]
    failures = arena(tmp_path, "failures", "--output")
    assert isinstance(faults, list)
    assert (faults[0]["kind"], faults[0]["seat"], faults[0]["forfeit"]) == (fault, 0, True)
    assert sentence in faults[0]["sentence"] + failures
    written = pgn(tmp_path)
    assert f'[Termination "{termination}"]' in written
    assert '[Result "0-1"]' in written
