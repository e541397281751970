"""Boards: on a terminal, in pictures, and as JSON, from the side of each seat."""

from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from arena.hooks.match_files import PluginMatchFile
from arena.replay import renderer as renderers
from arena.replay.json_values import json_value
from arena.replay.picture import sheets
from arena.replay.picture.board import draw_board, draw_piece
from arena.replay.picture.geometry import Box
from arena.replay.renderer import GROUP
from arena.replay.scene import Board, Scene, TablePlace
from arena.replay.terminal.board_lines import board_lines
from arena.replay.terminal.table_view import TableContext, table_lines

CHESS = Board("squares", "chess", ("r . k", ". * .", "P Q K"), marked=(0, 8))
XIANGQI = Board("points", "discs", ("k . r", "C . K"), ("K 帥將", "R 俥車", "C 炮砲"))
SHOGI = Board("plain", "wedges", ("k . +p", "P . K"), ("K 玉", "P 歩", "+P と"))


@pytest.mark.parametrize(
    ("board", "below", "lines"),
    [
        (CHESS, 0, [" 3  ♜     ♚", " 2     █", " 1  ♙  ♕  ♔", "    a  b  c"]),
        (CHESS, 1, [" 1  ♔  ♕  ♙", " 2     █", " 3  ♚     ♜", "    c  b  a"]),
        (XIANGQI, 0, [" 2 v將  ·  v車", " 1  炮  ·   帥", "    a   b   c"]),
        (XIANGQI, 1, [" 1 v帥  ·  v炮", " 2  車  ·   將", "    c   b   a"]),
        (SHOGI, 0, [" 2 v玉  ·  vと", " 1  歩  ·   玉", "    a   b   c"]),
    ],
)
def test_a_board_on_a_terminal_is_read_without_colour(board: Board, below: int, lines: list[str]) -> None:
    assert [line.plain.rstrip() for line in board_lines(board, below)] == lines


def test_a_table_with_a_board_fits_eighty_columns() -> None:
    scene = Scene("move 3", (), (TablePlace(0), TablePlace(1)), board=CHESS)
    lines = table_lines(scene, TableContext("ab", perspective=1), 80, 30)
    assert any("♔  ♕  ♙" in line.plain for line in lines)
    assert all(line.cell_len <= 80 for line in lines)


@pytest.mark.parametrize("board", [CHESS, XIANGQI, SHOGI], ids=lambda board: board.pieces)
@pytest.mark.parametrize("below", [0, 1])
def test_a_picture_of_a_board_lies_in_its_box(board: Board, below: int) -> None:
    markup, used = draw_board(board, Box(10, 20, 300, 200), below=below)
    drawn = ElementTree.fromstring(markup)
    assert all(map(sheets.has, used))
    text = "".join(drawn.itertext())
    assert all(name in text for name in "abc")
    rows = len(board.rows)
    scale = min(300 / (3 * 40 + 16), 200 / (rows * 40 + 16))
    assert drawn.attrib["transform"].endswith(f"scale({scale:.4g})")


def test_the_seat_below_sees_its_pieces_nearest() -> None:
    first, _ = draw_board(CHESS, Box(0, 0, 136, 136), below=0)
    second, _ = draw_board(CHESS, Box(0, 0, 136, 136), below=1)
    king = draw_piece("K", "chess", "")
    assert f'<g transform="translate(80 80)">{king}' in first
    assert f'<g transform="translate(0 0)">{king}' in second


def test_a_piece_without_a_drawing_has_its_letter() -> None:
    assert ">C<" in draw_piece("c", "chess", "")
    assert ">+N<" in draw_piece("+n", "chess", "")
    assert "<text" not in draw_piece("q", "chess", "")


def test_a_board_as_json() -> None:
    assert json_value(CHESS) == {
        "look": "squares", "pieces": "chess", "rows": ["r . k", ". * .", "P Q K"], "marked": [0, 8],
    }  # fmt: skip
    assert "board" not in json_value(Scene("", (), ()))


def test_a_package_draws_the_tables_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene("drawn", (), (TablePlace(0), TablePlace(1)), board=CHESS)
    renderer = SimpleNamespace(render=lambda views, seats: scene, ART="board.svg")
    monkeypatch.setattr(renderers, "targets", lambda group: {"referee.v1.MoveView": "a:b"} if group == GROUP else {})
    monkeypatch.setattr(renderers, "load", {"a:b": renderer}.get)
    view = SimpleNamespace(DESCRIPTOR=SimpleNamespace(full_name="referee.v1.MoveView"))
    renderers._game_module.cache_clear()
    try:
        assert renderers.render({0: view}, 2) is scene
    finally:
        renderers._game_module.cache_clear()


@pytest.mark.parametrize(
    ("game", "is_held"), [("chess", True), ("chess:atomic", True), ("go:9x9", False), ("go", False)]
)
def test_a_file_of_matches_may_hold_a_family_of_games(game: str, is_held: bool) -> None:
    assert PluginMatchFile(("chess", "chess:*"), "", "").holds(game) == is_held
