"""Engines of shogi (USI) and xiangqi (UCCI): what they are told, what becomes of their answers, and odd ones."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from botarena_chess.bot import Clocks
from botarena_chess.process import EngineFailed
from botarena_chess.ucci import UcciBot, UcciEngine, from_ucci, to_ucci
from botarena_chess.uci import UciBot
from botarena_chess.usi import UsiBot, UsiEngine, from_usi, sfen, to_usi

from arena.sdk.match import SeatClock

SHOGI = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1"
XIANGQI = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

USI = {"usi": "id name Stub of shogi\noption name USI_Hash type spin default 16\nusiok", "isready": "readyok"}
UCCI = {"ucci": "id name Stub of xiangqi\noption usemillisec type check default false\nucciok", "isready": "readyok"}

GO = "info depth 3 score cp 40 nodes 9 pv 7g7f 3c3d P*5e\nbestmove 7g7f ponder 3c3d"
GO_UCCI = "info depth 3 score 40 nodes 9 pv h2e2 h9g7\nbestmove h2e2 ponder h9g7"


def engine(kind: Any, folder: Path, script: dict[str, str]) -> Any:
    (folder / "script.json").write_text(json.dumps(script))
    program = str(Path(__file__).parent / "scripted_engine.py")
    return kind((sys.executable, program, str(folder / "script.json"), str(folder / "log")), {"Hash": "8"})


def told(folder: Path) -> list[str]:
    return [line for line in (folder / "log").read_text().splitlines() if line != "isready"]


def ask(
    bot: UciBot, variant: str, start: str, moves: tuple[str, ...], seat: int = 0, **clock: int
) -> tuple[str, list[str]]:
    own = SeatClock(clock.get("move", 500), 60_000, True)
    match: Any = SimpleNamespace(game=f"chess:{variant}", seat=seat, clocks=[own] * 2, **own._asdict())
    bot.match_started(match)
    said: list[str] = []
    view = SimpleNamespace(start=start, moves=moves, seat=seat, fen=start, variant=variant)
    question: Any = SimpleNamespace(
        match=match, view=view, bank_ms=clock.get("bank", 60_000), say=said.append, note=said.append
    )
    return bot.choose(question), said


@pytest.mark.parametrize(
    ("ours", "theirs"), [("c3c4", "7g7f"), ("b2h8+", "8h2b+"), ("P@e5", "P*5e"), ("a1a2", "9i9h"), ("i9i8-", "1a1b")]
)
def test_moves_of_shogi(ours: str, theirs: str) -> None:
    assert to_usi(ours, 9, 9) == theirs
    assert from_usi(theirs, 9, 9) == ours.rstrip("-")


@pytest.mark.parametrize("word", ["", "resign", "win", "(none)", "0000", "7g", "77f", "P*", "\u266e"])
def test_what_is_no_move_of_shogi_is_passed_on(word: str) -> None:
    assert from_usi(word, 9, 9) == word
    assert from_ucci(word) == word


@pytest.mark.parametrize(("ours", "theirs"), [("h3e3", "h2e2"), ("b1c3", "b0c2"), ("a10a9", "a9a8"), ("e10e9", "e9e8")])
def test_moves_of_xiangqi(ours: str, theirs: str) -> None:
    assert to_ucci(ours) == theirs
    assert from_ucci(theirs) == ours


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (SHOGI, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
        ("4k4/9/9/9/9/9/9/9/4K4[PPRbnnp] b - 0 12", "4k4/9/9/9/9/9/9/9/4K4 w R2Pb2np 24"),
        ("4k4/9/4+P4/9/9/9/9/9/4K4[] w - 0 3", "4k4/9/4+P4/9/9/9/9/9/4K4 b - 5"),
    ],
)
def test_a_position_as_sfen(fen: str, expected: str) -> None:
    assert sfen(fen) == expected


def test_what_an_engine_of_shogi_is_told(tmp_path: Path) -> None:
    bot = UsiBot(lambda: engine(UsiEngine, tmp_path, {**USI, "go": GO}), "", 20, now=lambda: 0.0)
    assert bot.played == ("chess:shogi",)
    move, said = ask(bot, "shogi", SHOGI, ("c3c4", "g7g6"), seat=1)
    assert move == "c3c4"
    assert said == ["cp 40", "info score cp 40 depth 3 nodes 9 pv c3c4 g7g6 P@e5"]
    assert told(tmp_path) == [
        "usi",
        "setoption name Hash value 8",
        "usinewgame",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
        "go btime 60500 wtime 60480 binc 500 winc 500",
    ]
    bot._engine.quit()


def test_what_an_engine_of_xiangqi_is_told(tmp_path: Path) -> None:
    bot = UcciBot(lambda: engine(UcciEngine, tmp_path, {**UCCI, "go": GO_UCCI}), "", 20, now=lambda: 0.0)
    assert bot.played == ("chess:xiangqi",)
    move, said = ask(bot, "xiangqi", XIANGQI, ("b1c3", "h10g8"))
    assert move == "h3e3"
    assert said == ["cp 40", "info score cp 40 depth 3 nodes 9 pv h3e3 h10g8"]
    assert told(tmp_path) == [
        "ucci",
        "setoption Hash 8",
        f"position fen {XIANGQI} moves b0c2 h9g7",
        "go time 60480 increment 500 opptime 60500 oppincrement 500",
    ]
    bot._engine.quit()


def test_the_time_of_a_move_where_there_is_no_bank() -> None:
    assert UsiEngine.limit(None, Clocks(0, 0, 480), 0) == "btime 0 wtime 0 byoyomi 480"  # type: ignore[arg-type]
    assert UcciEngine.limit(None, Clocks(0, 0, 480), 0) == "time 480"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "script", "move", "score"),
    [
        (UsiEngine, {"go": "bestmove resign"}, "resign", ""),
        (UsiEngine, {"go": "bestmove win"}, "win", ""),
        (UsiEngine, {"go": "bestmove"}, "", ""),
        (
            UsiEngine,
            {"go": "\x00\ninfo string cp 900\ninfo score mate -3\nbestmove 9i9h\nbestmove 1a1b"},
            "9i9h",
            "mate -3",
        ),
        (UsiEngine, {"usi": "usiok", "go": "bestmove 9i9h"}, "9i9h", ""),
        (UsiEngine, {"usi": "banner\nid name\nusiok", "go": "info score cp 5 lowerbound\nbestmove 9i9h"}, "9i9h", ""),
        (UcciEngine, {"go": "nobestmove"}, "", ""),
        (UcciEngine, {"go": "info score -12 pv a0a1\npopinfo\nbestmove a0a1"}, "a0a1", "cp -12"),
        (UcciEngine, {"go": "info score elephant\nbestmove a0a1 draw"}, "a0a1", ""),
    ],
)
def test_odd_answers(tmp_path: Path, kind: Any, script: dict[str, str], move: str, score: str) -> None:
    started = engine(kind, tmp_path, {**(USI if kind is UsiEngine else UCCI), **script})
    started.new_game(kind.ALONE)
    for _ in range(2):
        reply = started.search("of no matter", "nodes 1")
        assert (reply.move, reply.info.score) == (move, score)
    started.quit()


@pytest.mark.parametrize(("kind", "base"), [(UsiEngine, USI), (UcciEngine, UCCI)])
def test_an_engine_that_ends_or_plays_another_game(tmp_path: Path, kind: Any, base: dict[str, str]) -> None:
    started = engine(kind, tmp_path, {**base, "go": "EXIT 4"})
    with pytest.raises(EngineFailed, match=f"does not play atomic: by its options it plays {kind.ALONE}"):
        started.new_game("atomic")
    with pytest.raises(EngineFailed, match="exited with code 4"):
        started.search("of no matter", "nodes 1")
    started.quit()
