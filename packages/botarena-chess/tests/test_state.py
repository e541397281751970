"""A game of chess: how it begins, how it ends, how it is adjudicated."""

from collections.abc import Iterable
from random import Random

import chess
import pytest
from botarena_chess.game import CHESS
from botarena_chess.opening import Opening
from botarena_chess.scores import MATE, Adjudication, parse_score
from botarena_chess.standard import STANDARD, StandardPosition
from botarena_chess.state import ChessState

from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.events import history
from referee.engine.game import find_move

OFF = Adjudication()


def begin(fen: str = chess.STARTING_FEN, rules: Adjudication = OFF, most_moves: int = 300) -> ChessState:
    return ChessState(Opening("test", fen, ()), rules, most_moves, Chance(bytes(32)))


def play(state: ChessState, moves: str, says: Iterable[str] = ()) -> ChessState:
    words = iter(says)
    for move in moves.split():
        if said := next(words, ""):
            state.say(state.asked[0], said)
        state.apply([find_move(move, state.legal(state.asked[0]))])
    return state


def started(number: int, **options: object) -> ChessState:
    chance = Chance(deal_seed(seed_from_number(number), 0))
    return CHESS.start(CHESS.options.parse(options), 2, chance)


@pytest.mark.parametrize(
    ("fen", "moves", "points", "why"),
    [
        (chess.STARTING_FEN, "f2f3 e7e5 g2g4 d8h4", (0, 2), "Black mates"),
        ("7k/8/4Q3/8/8/8/8/K7 w - - 0 1", "e6f7", (1, 1), "stalemate"),
        ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", (1, 1), "neither side can mate"),
        ("7k/8/8/8/8/8/8/KR6 w - - 99 80", "b1b2", (1, 1), "fifty moves without a capture or a pawn's move"),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 " * 2, (1, 1), "the position occurs for the third time"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q h7h6", None, ""),
    ],
)
def test_how_games_end(fen: str, moves: str, points: tuple[int, int] | None, why: str) -> None:
    state = play(begin(fen), moves)
    assert bool(state.asked) == (points is None)
    assert state.why == why
    if points is not None:
        assert state.outcome().scores == points
        assert history(CHESS.lines, state.events, 0)[-1].endswith(f": {why}")


def test_a_game_is_a_draw_after_the_most_moves() -> None:
    state = play(begin(most_moves=2), "e2e4 e7e5 g1f3 b8c6")
    assert (state.asked, state.why) == ((), "2 moves are played")


@pytest.mark.parametrize(
    ("words", "score"),
    [("cp 35", 35), (" cp -9 ", -9), ("mate 3", MATE - 3), ("mate -3", 3 - MATE), ("mate 0", -MATE),
     ("mate 999999", MATE - 999), ("mate -999999", 999 - MATE), ("cp 999999", MATE - 1000), ("cp -999999", 1000 - MATE),
     ("cp", None), ("cp 1.5", None), ("I like this", None), ("cp 12345678", None)],
)  # fmt: skip
def test_scores_in_the_words_of_uci(words: str, score: int | None) -> None:
    assert parse_score(words) == score


KNIGHTS = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8"
"""Moves without a capture or a pawn, of which no position comes for the third time."""


def ends(rules: Adjudication, says: str, moves: str = KNIGHTS, fen: str = chess.STARTING_FEN) -> str:
    """Return why a game is over in which this was said, one score to a move ("" for none), parted by commas."""
    words = [word.strip() for word in says.split(",")]
    return play(begin(fen, rules), " ".join(moves.split()[: len(words)]), words).why


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("cp 0, cp -500, cp 0, cp -500", "Black resigns by its scores"),
        ("cp 0, cp -500, cp 0, mate -4", "Black resigns by its scores"),
        ("cp 0, mate -1, cp 0, mate -999999", "Black resigns by its scores"),
        ("cp 900, cp -499, cp 900, mate -4", ""),
        ("cp 900, cp -500, cp 900", ""),
        ("cp 900, cp -500, cp 900, nonsense", ""),
        ("cp 900, cp -500, cp 900, ", ""),
        ("cp 900, cp -500, cp 900, cp 500", ""),
        ("cp 900, cp -500, cp 900, cp 0, cp 900, cp -500", ""),
        ("mate 3, mate -2, mate 2, mate 0", ""),  # which of both is mated?
        ("mate 999999, cp 0, mate 999999, cp 0", ""),  # a mate is never lost, however far it is
        ("cp 999999, cp 999999, mate 1, mate 1", ""),
    ],
)
def test_a_side_resigns_by_its_own_scores_alone(says: str, why: str) -> None:
    assert ends(Adjudication(2, 500), says) == why
    if why:
        assert ends(Adjudication(2, 500), says.replace("cp 0", "cp 900")) == why, "whatever the other side says"


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("cp 500, cp -500, cp 500, cp -500", "Black resigns by its scores"),
        ("mate 5, cp -500, cp 500, mate -4", "Black resigns by its scores"),
        ("cp -500, cp 500, cp -500, cp 500, cp -500", "White resigns by its scores"),  # not when the winner has moved
        ("cp -500, cp 500, cp -500, cp 500", ""),
        ("cp 499, cp -500, cp 500, cp -500", ""),
        ("cp 500, cp -500, , cp -500", ""),
        ("cp 500, cp 500, cp 500, cp 500, cp 500, cp 500", ""),
    ],
)
def test_where_both_sides_must_say_so(says: str, why: str) -> None:
    assert ends(Adjudication(2, 500, two_sided=True), says) == why


@pytest.mark.parametrize(
    ("says", "draw_from", "moves", "why"),
    [
        ("cp 3, cp -10, cp 0, cp 10", 2, KNIGHTS, "both sides score it as a draw"),
        ("cp 3, cp -10, cp 0, cp 10", 0, KNIGHTS, "both sides score it as a draw"),
        ("cp 3, cp -10, cp 0, cp 10", 3, KNIGHTS, ""),  # move 3 is not over
        ("cp 3, cp -10, cp 0, cp 10, cp 0, cp 0", 3, KNIGHTS, "both sides score it as a draw"),
        ("cp 3, cp -11, cp 0, cp 10", 0, KNIGHTS, ""),
        ("cp 3, cp -10, , cp 10", 0, KNIGHTS, ""),
        ("cp 3, mate 3, cp 0, cp 10", 0, KNIGHTS, ""),
        ("cp 3, mate 0, cp 0, cp 10", 0, KNIGHTS, ""),
        ("cp 0, cp 0, cp 0, cp 0", 0, "e2e4 g8f6 b1c3 f6g8", "both sides score it as a draw"),  # a pawn begins the row
        ("cp 0, cp 0, cp 0, cp 0", 0, "g1f3 e7e5 b1c3 b8c6", ""),
        ("cp 0, cp 0, cp 0, cp 0", 0, "g1f3 g8f6 b1c3 e7e5", ""),
    ],
)
def test_a_draw_by_scores_needs_both_sides_and_quiet_moves(says: str, draw_from: int, moves: str, why: str) -> None:
    rules = Adjudication(draw_moves=2, draw_score=10, draw_from=draw_from)
    assert ends(rules, says, moves) == why


def test_a_move_that_counts_for_draws_may_be_black_s_first() -> None:
    rules = Adjudication(draw_moves=1, draw_score=10, draw_from=40)
    fen = "4k3/8/8/8/8/8/4R3/4K3 b - - 5 40"
    assert ends(rules, "cp 0, cp 0", "e8d7 e1f1", fen) == "both sides score it as a draw"


def test_adjudication_is_off_unless_somebody_asks_for_it() -> None:
    says = ",".join(["cp -9000, mate -1"] * 2 + ["cp 0, cp 0"])
    assert ends(Adjudication(), says) == ""
    options = CHESS.options()
    assert (options.resign_moves, options.draw_moves, options.tablebase_pieces) == (0, 0, 0)


def test_scores_are_no_secret_channel_to_the_other_side() -> None:
    state = play(begin(), "e2e4", ["cp 35"])
    assert "seat 0 scores 35" in history(CHESS.lines, state.events)
    assert not any("scores" in line for line in history(CHESS.lines, state.events, 1))
    assert not any("35" in str(field) for field in state.view(1))


def test_a_deal_is_an_opening() -> None:
    assert started(1).opening == started(1).opening
    assert len({started(number).opening for number in range(20)}) > 10
    assert started(1, book=STANDARD).opening.fen == chess.STARTING_FEN
    state = started(4)
    assert state.view(0).moves == state.opening.moves
    board = chess.Board(state.view(0).start)
    for move in state.view(0).moves:
        board.push_uci(move)
    assert board.fen() == state.view(0).fen


def test_a_side_resigns_in_place_of_its_move() -> None:
    state = play(begin(), "e2e4 e7e5", ["", "resign"])
    assert (state.asked, state.why, state.points) == ((), "Black resigns", (2, 0))
    assert state.moves == ("e2e4",)
    assert not state.is_adjudicated


def test_a_draw_is_agreed_if_both_offer_it_in_moves_one_after_the_other() -> None:
    assert play(begin(), "e2e4 e7e5", ["cp 0 draw", "draw"]).why == "a draw by agreement"
    assert play(begin(), "e2e4 e7e5 g1f3", ["draw", "cp 0", "cp 0"]).why == ""
    assert play(begin(), "e2e4 e7e5 g1f3 b8c6", ["draw", "", "", "draw"]).why == ""
    assert play(begin(), "e2e4", ["cp 7 draw"]).said == ((7,), ())
    assert play(begin(), "e2e4 e7e5", ["I resign now", "withdraw"]).why == ""


@pytest.mark.parametrize("is_960", [False, True])
def test_positions_are_written_as_python_chess_writes_them(*, is_960: bool) -> None:
    rng = Random(7)
    for number in range(12):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if is_960 else chess.Board()
        position = StandardPosition(board.copy())
        for _ in range(120):
            assert position.fen() == (board.shredder_fen() if is_960 else board.fen())
            assert position.diagram() == str(board)
            assert position.copy().fen() == position.fen()
            legal = position.legal()
            if not legal:
                break
            move = rng.choice(legal)
            assert position.written(move) == board.san(chess.Move.from_uci(move))
            if number % 2:
                assert position.play(move) == board.san_and_push(chess.Move.from_uci(move))
            else:
                position.push(move)
                board.push_uci(move)
