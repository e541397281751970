"""Engines of xboard's protocol: what they are told, what becomes of their answers, and what is odd about some."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from botarena_chess.bot import Clocks
from botarena_chess.cecp import RESIGNS, Limit, XboardEngine
from botarena_chess.process import EngineFailed
from botarena_chess.standard import CHESS, CHESS960
from botarena_chess.xboard import XboardBot

from arena.sdk.match import SeatClock

STUB = (sys.executable, str(Path(__file__).parent / "xboard_stub.py"))
CLOCKS = Clocks(65_000, 30_000, 500)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XBOARD_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def begin(*kinds: str, clocks: Clocks = CLOCKS, limit: Limit = Limit()) -> XboardEngine:  # noqa: B008
    engine = XboardEngine((*STUB, *kinds), {})
    engine.new_game(CHESS, chess.STARTING_FEN, clocks, limit)
    return engine


def test_what_an_engine_is_told(log: Path) -> None:
    engine = XboardEngine(STUB, {"Hash": "16", "Clear": ""})
    assert engine.name == "Stub of xboard"
    assert engine.variants == ("chess", "chess960", "crazyhouse")
    engine.new_game(CHESS, chess.STARTING_FEN, CLOCKS, Limit(depth=4))
    assert engine.search(["e2e4", "e7e5"], CLOCKS).move == "a2a3"
    assert engine.search(["e2e4", "e7e5", "a2a3", "a7a5"], CLOCKS._replace(mine=9000)).move == "a1a2"
    engine.end_game("1-0")
    engine.quit()
    told = log.read_text().splitlines()
    assert told[:2] == ["xboard", "protover 2"]
    assert {"accepted myname", "rejected san", "accepted usermove"} <= set(told)
    begun = [line for line in told[told.index("option Hash=16") :] if not line.startswith("ping")]
    assert begun == [
        "option Hash=16", "option Clear", "new", "force", "sd 4", "level 0 1:05 0.5", "easy", "post",
        "force", "usermove e2e4", "usermove e7e5", "time 6500", "otim 3000", "go",
        "time 900", "otim 3000", "usermove a7a5", "force", "result 1-0 {the game is over}", "quit",
    ]  # fmt: skip


def test_the_time_of_a_move_where_there_is_no_bank(log: Path) -> None:
    engine = begin(clocks=Clocks(0, 0, 80))
    engine.search([], Clocks(0, 0, 80))
    engine.quit()
    told = log.read_text().splitlines()
    assert "st 0.08" in told
    assert not any(line.startswith(("time", "level")) for line in told)


def test_a_game_that_took_another_way_than_the_engine_knows(log: Path) -> None:
    engine = begin()
    assert engine.search(["e2e4", "e7e5"], CLOCKS).move == "a2a3"
    assert engine.search(["e2e4", "e7e5", "b2b3", "a7a5"], CLOCKS).move == "a2a3", "a default move was played"
    engine.quit()
    told = [line for line in log.read_text().splitlines() if not line.startswith("ping")]
    assert told[told.index("undo") - 1 :] == [
        "force", "undo", "force", "usermove b2b3", "usermove a7a5", "time 6500", "otim 3000", "go", "quit",
    ]  # fmt: skip


def test_positions_and_castling_of_chess960(log: Path) -> None:
    engine = XboardEngine(STUB, {})
    start = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAhb - 0 1"
    engine.new_game(CHESS960, start, CLOCKS, Limit())
    assert engine.search(["b1g1", "e8b8"], CLOCKS).move == "a1b1"
    engine.quit()
    told = log.read_text().splitlines()
    assert {"variant fischerandom", f"setboard {start}", "usermove O-O", "usermove O-O-O"} <= set(told)


@pytest.mark.parametrize("kind", ["san", "old", "my_move", "noise", "flood", "result", "no_reuse", "lost"])
def test_what_is_harmless(kind: str) -> None:
    engine = begin(kind)
    reply = engine.search([], CLOCKS)
    assert reply.move == "a2a3"
    if kind == "lost":
        assert (reply.info.score, reply.info.depth) == ("mate -3", 8)
    else:
        assert (reply.info.score, reply.info.depth, reply.info.nodes, reply.info.pv) == ("cp 35", 7, 3456, ("a2a3",))
        assert reply.info.time == 120
    assert engine.search(["a2a3", "a7a5"], CLOCKS).move == "a1a2"
    engine.quit()


@pytest.mark.parametrize("move", ["e2e5", "O-O", "e7e8q", "pass", "@@@@"])
def test_what_cannot_be_played_is_passed_on(move: str) -> None:
    engine = begin(f"plays:{move}")
    assert engine.search([], CLOCKS).move == move
    engine.quit()


def test_an_engine_resigns_and_offers_draws() -> None:
    engine = begin("resigns", "draws")
    assert engine.search([], CLOCKS).move == "a2a3"
    assert engine.offers_draw
    assert engine.search(["a2a3", "a7a5"], CLOCKS).move == RESIGNS
    assert not engine.offers_draw
    engine.quit()
    engine = begin("claims_loss")
    assert engine.search([], CLOCKS).move == RESIGNS
    engine.quit()


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [
        (("exits",), "exited with code 4"),
        (("claims",), "does not move, but claims: 1/2-1/2 {Draw by boredom}"),
        (("illegal_claim",), "takes a legal move for illegal: Illegal move: e7e5"),
    ],
)
def test_what_is_a_failure(kinds: tuple[str, ...], sentence: str) -> None:
    engine = begin(*kinds)
    with pytest.raises(EngineFailed, match=sentence):
        engine.search([], CLOCKS)
    engine.quit()


def test_an_engine_of_version_1() -> None:
    with pytest.raises(EngineFailed, match="does not speak version 2 of the protocol"):
        begin("version_1")


def test_a_game_or_a_position_that_it_cannot_play() -> None:
    engine = XboardEngine((*STUB, "no_setboard"), {})
    with pytest.raises(EngineFailed, match="cannot set up positions: it has no feature setboard"):
        engine.new_game(CHESS, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", CLOCKS, Limit())
    rules: Any = SimpleNamespace(name="atomic", usual="")
    with pytest.raises(
        EngineFailed, match="does not play atomic: by its features it plays chess, chess960, crazyhouse"
    ):
        engine.new_game(rules, "", CLOCKS, Limit())
    engine.quit()


def test_an_engine_without_reuse_is_started_anew_for_each_game() -> None:
    started: list[Any] = []

    def start() -> Any:
        started.append(SimpleNamespace(restarts=True, quit=lambda: None))
        return started[-1]

    bot = XboardBot(start, Limit(), 20)
    match: Any = SimpleNamespace(seat=0, clocks=[SeatClock(100, 0, False)] * 2)
    bot.match_started(match)
    assert len(started) == 1
    bot.match_started(match)
    assert len(started) == 2


def play(folder: Path, *kinds: str, code: str = "") -> dict[str, Any]:
    bot = shlex.join([sys.executable, "-m", "botarena_chess.xboard", *STUB, *kinds])
    words = [
        "match",
        "--game",
        "chess",
        "-o",
        "max_moves=4",
        bot,
        "random",
        "--seed",
        "1",
        "--json",
        "--move-time",
        "1s",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    played: dict[str, Any] = json.loads(done.stdout)
    return played


@pytest.mark.parametrize(
    ("kinds", "fault"),
    [(("san", "noise"), None), (("plays:e2e5",), "illegal"), (("exits",), "crash"), (("closes",), "crash"),
     (("hangs",), "timeout"), (("resigns",), None)],
)  # fmt: skip
def test_matches(tmp_path: Path, kinds: tuple[str, ...], fault: str | None) -> None:
    played = play(tmp_path, *kinds)
    assert [found["kind"] for found in played["faults"]][:1] == ([fault] if fault else [])
    if kinds == ("resigns",):
        assert [seat["rank"] for seat in played["result"]] == [2, 1] if "result" in played else True
