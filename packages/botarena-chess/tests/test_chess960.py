"""Chess960: the start, castling, books and PGN."""

import io
from types import SimpleNamespace
from typing import Any

import chess
import chess.pgn
import pytest
from botarena_chess import pgn
from botarena_chess.game import CHESS, CHESS960
from botarena_chess.opening import Opening
from botarena_chess.openings import Book, add_book, load_book, parse_book
from botarena_chess.scores import Adjudication
from botarena_chess.standard import ALL
from botarena_chess.standard import CHESS960 as RULES
from botarena_chess.state import ChessState

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.turns import turn_seed

CASTLING = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAhb - 0 1"


def begin(fen: str, moves: str = "") -> ChessState:
    state = ChessState(Opening("test", fen, ()), Adjudication(), 300, Chance(bytes(32)), None, RULES)
    for move in moves.split():
        state.apply([move])
    return state


def all_positions() -> Book:
    book = load_book(ALL, RULES)
    assert isinstance(book, Book)
    return book


def test_each_of_the_960_positions_comes_once_before_any_comes_again() -> None:
    book = all_positions()
    names = [book[place].name for place in range(len(book))]
    assert len(set(names)) == 960
    options = CHESS960.options()
    drawn = [CHESS960.opening(options, 2, Chance(turn_seed(bytes(32), deal))) for deal in range(960)]
    assert len(set(drawn)) == 960
    assert drawn[:2] != [book.title(0), book.title(1)]
    assert CHESS960.opening(options, 2, Chance(turn_seed(bytes(32), 960))) in drawn


def test_both_rotations_of_a_deal_begin_from_the_same_position() -> None:
    first, second = (CHESS960.start(CHESS960.options(), 2, Chance(turn_seed(bytes(32), 7))) for _ in range(2))
    assert first.view(0) == second.view(1)._replace(seat=0)
    assert first.view(0).variant == "chess960"


def test_position_518_is_the_usual_one() -> None:
    start = CHESS960.start(CHESS960.options.parse({"book": "standard"}), 2, Chance(bytes(32)))
    assert start.view(0).fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    assert all_positions()[518].fen == start.view(0).fen


def test_a_king_castles_by_taking_its_rook() -> None:
    state = begin(CASTLING)
    assert {"b1a1", "b1g1"} <= set(state.legal(0))
    state.apply(["b1g1"])
    assert state.view(1).fen.split()[0] == "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1"
    assert {"e8b8", "e8h8"} <= set(state.legal(1))
    state.apply(["e8b8"])
    assert state.view(0).fen == "2kr3r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 w - - 2 2"
    assert [event[2:] for event in state.events if len(event) == 4] == [("b1g1", "O-O"), ("e8b8", "O-O-O")]


@pytest.mark.parametrize("fen", [CASTLING, "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w KQkq - 0 1"])
def test_books_have_both_ways_to_write_rights_to_castle(fen: str) -> None:
    (opening,) = parse_book(fen.encode(), ".fen", "book", RULES)
    assert opening.fen == CASTLING
    with pytest.raises(OptionError, match="not possible in chess"):
        parse_book(fen.encode(), ".fen", "book")


def test_an_opening_of_a_game_in_pgn() -> None:
    text = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{CASTLING}"]\n\n1. O-O O-O-O *\n'
    (opening,) = parse_book(text.encode(), ".pgn", "book", RULES)
    assert opening.moves == ("b1g1", "e8b8")


def test_a_polyglot_book_holds_chess_alone(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CHESS_BOOKS", str(tmp_path))
    (tmp_path / "book.bin").write_bytes(bytes(16))
    with pytest.raises(OptionError, match="holds openings of chess alone, and none of chess960"):
        add_book(tmp_path / "book.bin", rules=RULES)
    with pytest.raises(OptionError, match="holds openings of chess alone, and none of chess960"):
        CHESS960.options.parse({"book": "book@0123456789ab.bin"})
    assert CHESS.options.parse({"book": "book@0123456789ab.bin"}) is not None


def test_pgn_is_read_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    state = begin(CASTLING, "b1g1 e8b8 g1h1")
    monkeypatch.setattr(pgn, "steps", lambda match: iter([(state, [])]))
    time = SimpleNamespace(move_time_ms=100, bank_ms=0, fischer=False)
    definition = SimpleNamespace(time=time, clock_of=lambda entrant: time)
    event = SimpleNamespace(game="chess:chess960", created="2026-01-02", definition=definition)
    row = SimpleNamespace(
        round=0,
        rotation=0,
        seats=[SimpleNamespace(rank=1, entrant=seat) for seat in range(2)],
        times=bytes(3),
        faults=(),
        notes=(),
    )
    match: Any = SimpleNamespace(id=1, tournament_id=None, event=event, players=("a", "b"), row=row)
    text = pgn.match_pgn(match)
    assert '[Variant "Chess960"]' in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert game.board().chess960
    assert game.board().shredder_fen() == CASTLING
    assert [game.board().uci(move) for move in game.mainline_moves()] == ["b1g1", "e8b8", "g1h1"]
