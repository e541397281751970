"""As a user meets it: tournaments of UCI engines, faults, PGN, verification, resumption."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

STUB = Path(__file__).parent / "stub_engine.py"
CLOCK = ("--move-time", "1s", "--bank", "1s")


def bot(kind: str) -> str:
    return shlex.join([sys.executable, "-m", "botarena_chess.uci", sys.executable, str(STUB), kind])


def arena(folder: Path, *arguments: str, code: int = 0, module: str = "arena") -> str:
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def pgn(folder: Path, *arguments: str, code: int = 0) -> str:
    program = Path(sys.executable).parent / "botarena-chess"
    done = subprocess.run([str(program), "pgn", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_tournament_with_both_colours_of_each_opening(tmp_path: Path) -> None:
    bots = f"{bot('even')},random"
    options = ("--rounds", "4", "--seed", "1", "-o", "max_moves=20", "-o", "draw_moves=2", "--fischer")
    table = json.loads(arena(tmp_path, "tourney", "--game", "chess", *options, *CLOCK, "--bots", bots, "--json"))
    assert table["matches"] == 8
    assert not any(row["faults"] for row in table["ranking"])
    assert "8 matches checked: no errors" in arena(tmp_path, "verify", "--all", "--tourney", "1")
    written = pgn(tmp_path, "--tourney", "1")
    tags = [line for line in written.splitlines() if line.startswith("[")]
    openings = Counter(line for line in tags if line.startswith("[Opening"))
    assert sum(openings.values()) == 8
    assert all(count % 2 == 0 for count in openings.values())
    assert tags.count('[White "stub_engine"]') == tags.count('[Black "stub_engine"]') == 4
    assert tags.count('[TimeControl "1+1"]') == 8
    assert "{ +0.00/1 " in written
    (tmp_path / "games.pgn").write_text(written)
    rated = json.loads(arena(tmp_path, "ratings", "games.pgn", "--json"))
    assert rated["matches"] == 8  # arena's own reader takes them


def test_time_odds(tmp_path: Path) -> None:
    """The engine has a tenth of the time of the other bot, and is told both clocks."""
    bots = f"{bot('tell')},random"
    options = ("--rounds", "1", "--seed", "1", "-o", "max_moves=4", "--bot", "stub_engine,increment=50ms,bank=500ms")
    table = json.loads(arena(tmp_path, "tourney", "--game", "chess", *options, *CLOCK, "--bots", bots, "--json"))
    assert table["odds"]["stub_engine"] == {"move_time_ms": 50, "bank_ms": 500, "fischer": True}
    assert {row["bot"]: row["clock"] for row in table["ranking"]} == {
        "stub_engine": "500ms + 50ms",
        "random": "1s, bank 1s",
    }
    said = [arena(tmp_path, "match", "show", match, "--output") for match in "12"]
    assert "wtime 530 btime 2000 winc 50 binc 1000" in said[0]
    assert "btime 530 winc 1000 binc 50" in said[1]
    written = pgn(tmp_path, "--tourney", "1")
    assert '[WhiteTimeControl "0.5+0.05"]' in written
    assert '[BlackTimeControl "1"]' in written
    assert "[TimeControl " not in written
    assert "Elo with time odds" in arena(tmp_path, "ranking")


def test_games_of_engines_without_noise_repeat_each_other(tmp_path: Path) -> None:
    bots = ",".join(map(bot, ("even", "plain")))
    options = ("--rounds", "12", "--seed", "1", "-o", "max_moves=10", "-o", "book=standard", "--until-separated")
    table = json.loads(arena(tmp_path, "tourney", "--game", "chess", *options, *CLOCK, "--bots", bots, "--json"))
    assert table["repeats"] == {"sets": 12, "repeated": 11, "openings": 0, "different": 2}
    assert [(row["deals"], row["bar"], row["separated"]) for row in table["ranking"]] == [(1, None, None)] * 2
    assert "11 of 12 pairs repeat others, move for move: " in arena(tmp_path, "ranking")
    assert "no errors" in arena(tmp_path, "tourney", "verify", "1")
    arena(tmp_path, "tourney", "export", "1", "--to", "games.jsonl")
    assert json.loads(arena(tmp_path, "ratings", "games.jsonl", "--json"))["repeats"] == table["repeats"]
    (tmp_path / "games.pgn").write_text(pgn(tmp_path, "--tourney", "1"))
    rated = json.loads(arena(tmp_path, "ratings", "games.pgn", "--json"))
    assert rated["repeats"] == {"sets": 24, "repeated": 22, "openings": 0, "different": 1}, "no scores in PGN"


def test_pairs_from_one_opening_of_a_book_are_one_experiment(tmp_path: Path) -> None:
    options = ("--rounds", "60", "--seed", "1", "-o", "max_moves=1", "--bots", "random,random")
    table = json.loads(arena(tmp_path, "tourney", "--game", "chess", *options, "--json"))
    assert table["repeats"]["sets"] == 60
    assert table["repeats"]["openings"] == table["ranking"][0]["deals"] == 38, "each once before any comes again"
    assert "The 60 pairs begin from 38 openings, and " in arena(tmp_path, "ranking")


def test_scores_end_games(tmp_path: Path) -> None:
    arena(tmp_path, "match", "--game", "chess", "-o", "resign_moves=3", *CLOCK, bot("lost"), "random", "--seed", "1")
    assert "White resigns by its scores" in arena(tmp_path, "replay", "1", "--text")
    written = pgn(tmp_path, "1")
    assert '[Termination "adjudication"]' in written
    assert '[Result "0-1"]' in written
    assert "-9.00" in written
    assert arena(tmp_path, "verify", "1") == "match 1: true\n"


@pytest.mark.parametrize(
    ("kind", "faults"),
    [("illegal", {"illegal"}), ("garbage", {"illegal"}), ("crash", {"crash"}), ("hang", {"timeout", "hung"})],
)
def test_what_a_bad_engine_does_is_its_own_fault(tmp_path: Path, kind: str, faults: set[str]) -> None:
    clock = ("--move-time", "300ms" if kind == "hang" else "10s", "--bank", "0s")
    match = ("match", "--game", "chess", "-o", "max_moves=12", *clock, bot(kind), "random", "--seed", "1", "--json")
    played = json.loads(arena(tmp_path, *match))
    kinds = {fault["kind"] for fault in played["faults"]}
    assert kinds
    assert kinds <= faults
    assert {fault["seat"] for fault in played["faults"]} == {0}
    assert '[Result "0-1"]' in pgn(tmp_path, "1")
    assert arena(tmp_path, "verify", "1") == "match 1: true\n"


def test_an_engine_that_does_not_exist_does_not_start(tmp_path: Path) -> None:
    engine = shlex.join([sys.executable, "-m", "botarena_chess.uci", "/no/such/engine"])
    played = json.loads(arena(tmp_path, "match", "--game", "chess", engine, "random", "--json"))
    assert {fault["kind"] for fault in played["faults"]} == {"start"}
    assert "the engine /no/such/engine cannot be" in arena(tmp_path, "failures")


def test_a_killed_tournament_is_resumed(tmp_path: Path) -> None:
    bots = f"{bot('sound')},random"
    tourney = ("tourney", "--game", "chess", "--rounds", "30", "-o", "max_moves=30", "--bots", bots, "--seed", "2")
    files = ("--matches-to", "games.pgn", "--live-to", "live.pgn")
    command = [sys.executable, "-m", "arena", *tourney, *files, "--events", "events.jsonl"]
    running = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, start_new_session=True)
    events = tmp_path / "events.jsonl"
    try:
        while not events.exists() or "duration_ms" not in events.read_text():
            assert running.poll() is None
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGKILL)
    finally:
        running.kill()
        running.wait()
    table = json.loads(arena(tmp_path, "tourney", "resume", "1", "--json", *files))
    assert table["matches"] == 60
    ids = [line for line in (tmp_path / "games.pgn").read_text().splitlines() if line.startswith("[GameId")]
    assert len(ids) == len(set(ids)) == 60
    games = json.loads(arena(tmp_path, "ratings", "games.pgn", "--json"))
    assert games["matches"] == 60
    assert "60 matches checked: no errors" in arena(tmp_path, "verify", "--all", "--tourney", "1")


def test_another_game_has_no_pgn(tmp_path: Path) -> None:
    arena(tmp_path, "match", "--game", "scopa", "random", "random")
    refused = pgn(tmp_path, "1", code=2)
    assert refused == "Error: match 1 is of scopa: only matches of chess can be written as PGN\n"
