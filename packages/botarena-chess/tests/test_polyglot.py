"""Polyglot books: read, refused, and drawn from by the seed of a deal."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from struct import pack

import chess
import chess.polyglot
import pytest
from botarena_chess.game import CHESS
from botarena_chess.openings import add_book, load_book
from botarena_chess.polyglot import PolyglotBook

from arena.positions import Position
from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.events import visible
from referee.engine.turns import turn_seed


def entries(lines: Mapping[str, int]) -> list[bytes]:
    """Return the entries of a book with these lines of moves, in order; each has the weight of its last move."""
    found = set()
    for line, weight in lines.items():
        board = chess.Board()
        *before, last = line.split()
        for word in before:
            board.push_uci(word)
        key = chess.polyglot.zobrist_hash(board)
        source, target = chess.parse_square(last[:2]), chess.parse_square(last[2:4])
        becomes = " nbrq".index(last[4:] or " ")
        found.add(pack(">QHHI", key, becomes << 12 | source << 6 | target, weight, 0))
    return sorted(found)


LINES = {
    "e2e4": 3,
    "d2d4": 1,
    "a2a3": 0,
    "a2a5": 9,
    "e2e4 e7e5": 1,
    "e2e4 e7e5 g1f3": 1,
    "e2e4 e7e5 g1f3 b8c6": 1,
    "e2e4 e7e5 g1f3 b8c6 f1b5": 1,
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6": 1,
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1h1": 1,
    "d2d4 d7d5": 65535,
    "d2d4 g8f6": 65535,
}
BOOK = b"".join(entries(LINES))


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ARENA_CHESS_BOOKS", str(tmp_path / "books"))
    load_book.cache_clear()
    (tmp_path / "my.bin").write_bytes(BOOK)
    return add_book(tmp_path / "my.bin")


def drawn(name: str, deals: int, **options: object) -> list[tuple[str, ...]]:
    parsed = CHESS.options.parse({"book": name, **options})
    return [CHESS.start(parsed, 2, Chance(turn_seed(bytes(32), deal))).opening.moves for deal in range(deals)]


def test_openings_are_drawn_by_weight_and_from_the_seed_alone(book: str) -> None:
    openings = drawn(book, 400, book_plies=2)
    assert openings == drawn(book, 400, book_plies=2)
    counts = Counter(openings)
    assert set(counts) == {("e2e4", "e7e5"), ("d2d4", "d7d5"), ("d2d4", "g8f6")}, "no move of weight 0, no illegal one"
    assert 270 <= counts["e2e4", "e7e5"] <= 330  # of 400 with weight 3 of 4, within 3.5 standard deviations


def test_an_opening_ends_with_the_book_or_after_so_many_moves(book: str) -> None:
    longest = max(drawn(book, 20), key=len)
    assert longest == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1")
    assert max(map(len, drawn(book, 20, book_plies=3))) == 3


def test_what_an_opening_is_called(book: str) -> None:
    options = CHESS.options.parse({"book": book})
    chance = Chance(turn_seed(bytes(32), 0))
    state = CHESS.start(options, 2, chance)
    board = chess.Board()
    for san in state.opening.name.split():
        board.push_san(san)
    assert board.fen() == state.position.fen()
    assert CHESS.opening(options, 2, chance) == state.opening.name
    assert load_book(book).summary == f"a Polyglot book with {len(LINES)} moves"


def test_bots_that_look_ahead_know_the_opening(book: str) -> None:
    options = CHESS.options.parse({"book": book})
    for deal in range(5):
        state = CHESS.start(options, 2, Chance(turn_seed(bytes(32), deal)))
        seat = state.asked[0]
        position = Position(CHESS, options, 2, seat, 1)
        events = [event for event in state.events if visible(CHESS.lines, event, seat)]
        position.ask(events, state.view(seat), state.legal(seat))
        (world,) = position.worlds(1)
        assert world.view(seat) == state.view(seat)
        assert position.given_up == 0


def test_a_game_does_not_begin_with_its_end() -> None:
    mate = {"f2f3": 1, "f2f3 e7e5": 1, "f2f3 e7e5 g2g4": 1, "f2f3 e7e5 g2g4 d8h4": 5}
    opening = PolyglotBook(b"".join(entries(mate)), "book").draw(12, Chance(bytes(32)))
    assert opening.moves == ("f2f3", "e7e5", "g2g4")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "my.bin holds no opening"),
        (BOOK[:-1], "my.bin is no Polyglot book: its size is no multiple of 16 bytes"),
        (b"".join(reversed(entries(LINES))), "my.bin is no Polyglot book: its entry 2 is not in order"),
        (b'[Event "a game"]', "my.bin has no move for the usual position"),
        (b"".join(entries({"e2e4 e7e5": 1})), "my.bin has no move for the usual position"),
        (b"".join(entries({"e2e4": 0, "e2e5": 1})), "my.bin has no move for the usual position"),
    ],
)
def test_what_is_no_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, why: str) -> None:
    monkeypatch.setenv("ARENA_CHESS_BOOKS", str(tmp_path / "books"))
    (tmp_path / "my.bin").write_bytes(content)
    with pytest.raises(OptionError, match=why):
        add_book(tmp_path / "my.bin")
    assert not (tmp_path / "books").exists()


def test_a_book_is_known_by_its_content(book: str, tmp_path: Path) -> None:
    load_book.cache_clear()
    (tmp_path / "books" / book).write_bytes(BOOK + BOOK[-16:])
    with pytest.raises(OptionError, match="has been changed"):
        load_book(book)


def test_a_book_without_a_first_opening_has_no_order(book: str) -> None:
    with pytest.raises(OptionError, match="order=sequential needs a book with a first and a last opening"):
        CHESS.options.parse({"book": book, "order": "sequential"})
