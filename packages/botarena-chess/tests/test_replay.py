"""The drawn table: the board of each game, the last move, and what is in hand."""

import chess
import pytest
from botarena_chess.family import rules_of
from botarena_chess.game import CHESS
from botarena_chess.opening import Opening
from botarena_chess.replay import RENDERER
from botarena_chess.scores import Adjudication
from botarena_chess.state import ChessState

from arena.replay.renderer import art, render
from arena.replay.scene import Scene, TableItem
from referee.codec import ViewEncoder
from referee.engine.chance import Chance
from referee.wire import view_message


def drawn(game: str, fen: str, moves: str = "") -> Scene:
    state = ChessState(Opening("", fen, ()), Adjudication(), 300, Chance(bytes(32)), None, rules_of(game))
    for move in moves.split():
        state.apply([move])
    encode, message = ViewEncoder(CHESS).encode, view_message(CHESS)
    views = {seat: message.FromString(encode(state.view(seat))) for seat in range(2)}
    return render(views, 2)


def test_a_board_of_chess() -> None:
    scene = drawn("chess", chess.STARTING_FEN, "e2e4")
    assert scene.board is not None
    assert (scene.board.look, scene.board.pieces, scene.board.signs) == ("squares", "chess", ())
    assert scene.board.rows[0] == "r n b q k b n r"
    assert scene.board.rows[4] == ". . . . P . . ."
    assert scene.board.marked == (6 * 8 + 4, 4 * 8 + 4)
    assert [place.turn for place in scene.places] == [False, True]
    assert [place.facts[0].value for place in scene.places] == ["White", "Black"]
    assert art("chess")[-1] == RENDERER.ART


@pytest.mark.parametrize(
    ("game", "look", "pieces", "row"),
    [
        ("chess:xiangqi", "points", "discs", "r n b a k a b n r"),
        ("chess:shogi", "plain", "wedges", "l n s g k g s n l"),
        ("chess:racingkings", "squares", "chess", ". . . . . . . ."),
        ("chess:janggi", "points", "discs", "r n b a . a b n r"),
    ],
)
def test_boards_of_variants(game: str, look: str, pieces: str, row: str) -> None:
    pytest.importorskip("pyffish", reason="the extra `variants`")
    rules = rules_of(game)
    board = drawn(game, rules.usual).board
    assert board is not None
    assert (board.look, board.pieces, board.rows[0]) == (look, pieces, row)
    signed = {sign.split(" ")[0] for sign in board.signs}
    letters = {letter.upper() for line in board.rows for letter in line.split(" ")} - {"."}
    assert letters <= signed or not signed


def test_hands_and_checks() -> None:
    pytest.importorskip("pyffish", reason="the extra `variants`")
    scene = drawn("chess:crazyhouse", "4k3/8/8/8/8/8/8/4K3[QPPn] w - - 0 1")
    assert scene.places[0].zones[0].items == (
        TableItem("piece", "Q", "queen", "chess", 1),
        TableItem("piece", "P", "pawn", "chess", 2),
    )
    assert scene.places[1].zones[0].items == (TableItem("piece", "n", "knight", "chess", 1),)
    scene = drawn("chess:shogi", "4k4/9/9/9/9/9/9/9/4K4[PPr] w - - 0 1")
    assert scene.places[0].zones[0].items == (TableItem("piece", "P 歩", "pawn", "wedges", 2),)
    scene = drawn("chess:3check", "4k3/8/8/8/8/8/8/4K2R w - - 3+2 0 1")
    assert [place.facts[1].value for place in scene.places] == ["3", "2"]
