"""Adjudication by tables: when they are asked, what their answers mean, and which a machine must have."""

import os
from pathlib import Path
from typing import Any

import chess
import chess.syzygy
import pytest
from botarena_chess.game import CHESS
from botarena_chess.opening import Opening
from botarena_chess.scores import Adjudication
from botarena_chess.state import ChessState
from botarena_chess.tablebases import TablebaseRule, load_tables

from referee.engine.chance import Chance
from referee.engine.errors import OptionError

CAPTURES = "8/8/8/3k4/8/8/6rr/K5R1 w - - 7 60"
"""White takes a rook: four pieces are left, and Black is to move."""


TABLE = b"\x71\xe8\x23\x5d" + bytes(12)
"""How the file of a table begins, and a size that it may have."""


class Answers:
    """Stands for tables: gives the same answer to every question, and keeps the questions."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.asked: list[str] = []

    def probe_wdl(self, board: chess.Board) -> int:
        self.asked.append(board.fen())
        return self.value


def after(moves: str, tables: Answers, fen: str = CAPTURES, pieces: int = 4, **rule: bool) -> ChessState:
    state = ChessState(
        Opening("test", fen, ()), Adjudication(), 300, Chance(bytes(32)), TablebaseRule(tables, pieces, **rule)
    )
    for move in moves.split():
        state.apply([move])
    return state


@pytest.mark.parametrize(
    ("value", "rule", "points", "why"),
    [
        (2, {}, (0, 2), "Black wins by the tablebases"),
        (-2, {}, (2, 0), "White wins by the tablebases"),
        (0, {}, (1, 1), "drawn by the tablebases"),
        (1, {}, (1, 1), "drawn by the tablebases"),
        (-1, {}, (1, 1), "drawn by the tablebases"),
        (1, {"ignores_fifty": True}, (0, 2), "Black wins by the tablebases"),
        (-1, {"ignores_fifty": True}, (2, 0), "White wins by the tablebases"),
        (2, {"wins": False}, (1, 1), ""),
        (1, {"wins": False}, (1, 1), "drawn by the tablebases"),
        (1, {"draws": False}, (1, 1), ""),
        (1, {"draws": False, "ignores_fifty": True}, (0, 2), "Black wins by the tablebases"),
        (0, {"draws": False}, (1, 1), ""),
    ],
)
def test_what_tables_say_ends_a_game(value: int, rule: dict[str, Any], points: tuple[int, int], why: str) -> None:
    state = after("g1g2", Answers(value), **rule)
    assert (state.why, state.points, state.is_adjudicated) == (why, points, bool(why))
    assert bool(state.asked) == (not why)


@pytest.mark.parametrize(
    ("fen", "moves", "pieces", "times"),
    [
        (CAPTURES, "g1g2", 4, 1),
        (CAPTURES, "g1g2", 3, 0),  # too many pieces
        (CAPTURES, "g1g2", 7, 1),  # five pieces before, but no capture or pawn's move was it that led there
        (CAPTURES, "g1f1", 7, 0),
        ("r3k3/8/8/8/8/8/1p6/K7 w q - 0 60", "a1b2", 7, 0),  # Black may castle
        ("4k3/8/8/8/8/8/1p6/K7 w - - 0 60", "", 7, 0),  # no move has been played
        ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", 7, 0),  # the game is over by itself
        ("4k3/8/8/8/8/4P3/8/K7 w - - 9 60", "e3e4", 7, 1),
    ],
)
def test_when_tables_are_asked(fen: str, moves: str, pieces: int, times: int) -> None:
    tables = Answers(0)
    after(moves, tables, fen, pieces)
    assert len(tables.asked) == times


def test_tables_come_before_scores() -> None:
    state = ChessState(
        Opening("test", CAPTURES, ()),
        Adjudication(resign_moves=1, resign_score=100),
        300,
        Chance(bytes(32)),
        TablebaseRule(Answers(0), 4),
    )
    state.say(0, "cp -500")
    state.apply(["g1g2"])
    assert state.why == "drawn by the tablebases"


def test_a_machine_must_have_all_tables_up_to_so_many_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_CHESS_TABLEBASES", raising=False)
    options = CHESS.options.parse({"tablebase_pieces": "3"})
    with pytest.raises(OptionError, match="this machine has none of the 5 Syzygy tables of up to 3 pieces"):
        CHESS.check(options, 2)  # before anything is stored
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, names in ((first, "KPvK KNvK"), (second, "KBvK KRvK")):
        folder.mkdir()
        for name in names.split():
            (folder / f"{name}.rtbw").write_bytes(TABLE)
    monkeypatch.setenv("ARENA_CHESS_TABLEBASES", f"{first}{os.pathsep}{second}")
    with pytest.raises(OptionError, match=r"has 4 of the 5 .* the first that it lacks is KQvK\.rtbw: name the folders"):
        load_tables(3)
    monkeypatch.setenv("ARENA_CHESS_TABLEBASES", f"{first}{os.pathsep}{second}{os.pathsep}{tmp_path / 'no'}")
    with pytest.raises(OptionError, match="ARENA_CHESS_TABLEBASES names .*/no, which cannot be read: No such file"):
        load_tables(3)
    last = first / "KQvK.rtbw"
    for damaged in (b"", TABLE[:-1], TABLE[1:] + b"\0"):
        last.write_bytes(damaged)
        monkeypatch.setenv("ARENA_CHESS_TABLEBASES", f"{first}{os.pathsep}{second}")
        with pytest.raises(OptionError, match=r"KQvK\.rtbw is no Syzygy table of WDL, or not all of one: copy it anew"):
            load_tables(3)
    last.write_bytes(TABLE)
    state = CHESS.start(options, 2, Chance(bytes(32)))
    assert state.tablebases is not None
    assert state.tablebases.pieces == 3


@pytest.mark.parametrize("given", ["1", "2"])
def test_tables_begin_with_three_pieces(given: str) -> None:
    with pytest.raises(OptionError, match=f"tablebase_pieces is 0 or from 3 to 7, not {given}"):
        CHESS.options.parse({"tablebase_pieces": given})


@pytest.mark.skipif(not os.environ.get("ARENA_CHESS_TABLEBASES"), reason="needs tables: set ARENA_CHESS_TABLEBASES")
@pytest.mark.parametrize(
    ("fen", "move", "why"),
    [
        ("8/8/8/3k4/8/8/5p2/K5Q1 w - - 7 60", "g1f2", "White wins by the tablebases"),
        ("8/8/8/3k4/8/4P3/8/K7 w - - 7 60", "e3e4", "drawn by the tablebases"),
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 7 60", "e7d7", ""),
        ("7k/8/8/8/8/8/1p6/2K3R1 w - - 7 60", "c1b2", "White wins by the tablebases"),
    ],
)
def test_games_with_real_tables(fen: str, move: str, why: str) -> None:
    state = ChessState(
        Opening("test", fen, ()), Adjudication(), 300, Chance(bytes(32)), TablebaseRule(load_tables(3), 3)
    )
    state.apply([move])
    assert state.why == why
