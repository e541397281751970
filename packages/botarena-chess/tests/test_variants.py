"""Variants by Fairy-Stockfish: the same as python-chess where both know one, published counts, and how games end."""

from random import Random

import chess
import chess.variant
import pytest
from botarena_chess.opening import Opening

pyffish = pytest.importorskip("pyffish", reason="the extra `variants`")

from botarena_chess.variants.rules import FairyPosition  # noqa: E402
from botarena_chess.variants.rules import rules_of as fairy_rules  # noqa: E402

BOTH = {
    "3check": chess.variant.ThreeCheckBoard,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "horde": chess.variant.HordeBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "racingkings": chess.variant.RacingKingsBoard,
}


def begin(variant: str, fen: str = "", moves: str = "") -> FairyPosition:
    rules = fairy_rules(variant)
    return rules.begin(Opening("", fen or rules.usual, tuple(moves.split())))


def points(board: chess.Board) -> tuple[int, int] | None:
    """Return how a game ends by python-chess, with the draws that come without a claim."""
    result = board.result(claim_draw=False)
    if result == "*" and (board.is_repetition(3) or board.halfmove_clock >= 100):
        result = "1/2-1/2"
    return {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "*": None}[result]


def written(san: str) -> str:
    """Return a move without what both write differently: checks, and the pawn that is dropped."""
    return san.rstrip("+#").removeprefix("P@").removeprefix("@")


@pytest.mark.parametrize("variant", BOTH)
def test_random_games_are_the_same_by_python_chess(variant: str) -> None:
    for seed in range(3):
        rng, position, board = Random(seed), begin(variant), BOTH[variant]()
        for _ in range(100):
            legal = position.legal()
            end = position.end(legal)
            assert (end and end.points) == points(board), position.fen()
            if end:
                break
            assert legal == tuple(sorted(move.uci() for move in board.legal_moves)), position.fen()
            move = rng.choice(legal)
            assert written(position.written(move)) == written(board.san(board.parse_uci(move)))
            position.push(move)
            board.push_uci(move)
            assert position.seat == (0 if board.turn else 1)


def perft(position: FairyPosition, depth: int) -> int:
    legal = position.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for move in legal:
        after = position.copy()
        after.push(move)
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("variant", "fen", "counts"),
    [
        # Of the usual positions: Fairy-Stockfish's own tests (tests/perft.sh), and the pages of the Chess Programming Wiki.
        ("xiangqi", "", (44, 1920)),
        ("xiangqi", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", (38, 1128)),
        ("shogi", "", (30, 900)),
        ("minishogi", "", (14, 181, 2512)),
        ("janggi", "", (32, 1024)),
        ("makruk", "", (23, 529)),
    ],
)
def test_counts_of_moves(variant: str, fen: str, counts: tuple[int, ...]) -> None:
    assert tuple(perft(begin(variant, fen), depth + 1) for depth in range(len(counts))) == counts
