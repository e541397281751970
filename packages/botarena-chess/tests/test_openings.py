"""Opening books: read, refused with the line at fault, and known by their content."""

import os
from pathlib import Path
from typing import Any

import chess
import pytest
from botarena_chess import openings
from botarena_chess.book_index import BookIndex, load_index
from botarena_chess.game import CHESS
from botarena_chess.opening import Opening
from botarena_chess.openings import add_book, load_book, parse_book
from botarena_chess.standard import OWN, StandardRules

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.turns import turn_seed

EPD = b"""# two positions
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "open game";
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1
"""


def listed(name: str) -> openings.Book:
    book = load_book(name)
    assert isinstance(book, openings.Book)
    return book


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_CHESS_BOOKS", str(tmp_path / "books"))
    load_book.cache_clear()
    return tmp_path


def test_the_book_of_the_package() -> None:
    book = listed(OWN)
    assert len(book) == len({opening.moves for opening in book}) == 38
    assert book[0] == Opening("C20 King's Pawn Game", chess.STARTING_FEN, ("e2e4", "e7e5"))


def test_positions_in_epd_and_fen() -> None:
    first, second = parse_book(EPD, ".epd", "book")
    assert (first.name, second.name) == ("open game", "position 3")
    assert second.fen.split()[1] == "b"


def test_games_in_pgn_from_a_position_of_their_own() -> None:
    pgn = b'[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Kd7 *\n\n1. d4 d5 2. c4 *\n'
    first, second = parse_book(pgn, ".pgn", "book")
    assert (first.fen.split()[0], first.moves) == ("4k3/8/8/8/8/8/4P3/4K3", ("e2e4", "e8d7"))
    assert second.moves == ("d2d4", "d7d5", "c2c4")


def test_a_match_parses_the_opening_that_it_begins_from_alone(books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Books have up to millions of openings, and each process of a tournament loads the book."""
    parsed = list[str]()
    original = StandardRules._checked

    def checked(self: StandardRules, title: str, *rest: Any) -> Opening:
        parsed.append(title)
        return original(self, title, *rest)

    monkeypatch.setattr(StandardRules, "_checked", checked)
    (books / "many.epd").write_bytes(
        b"".join(EPD.splitlines()[1].replace(b"open game", b"%d" % n) + b"\n" for n in range(500))
    )
    options = CHESS.options.parse({"book": add_book(books / "many.epd")})
    assert len(parsed) == 500
    state = CHESS.start(options, 2, Chance(bytes(32)))
    assert parsed[500:] == [state.opening.name]
    assert CHESS.opening(options, 2, Chance(bytes(32))) == " ".join(state.opening.fen.split()[:4])


def begun(deals: range, **options: object) -> list[str]:
    parsed = CHESS.options.parse(options)
    return [CHESS.start(parsed, 2, Chance(turn_seed(bytes(32), deal))).opening.name for deal in deals]


def test_no_opening_repeats_before_the_book_is_through() -> None:
    book = [opening.name for opening in listed(OWN)]
    first, second = begun(range(38)), begun(range(38, 76))
    assert sorted(first) == sorted(second) == sorted(book)
    assert first != book
    assert first != second
    assert len(set(begun(range(38), order="drawn"))) < 38


def test_openings_as_they_stand_in_the_book() -> None:
    book = [opening.name for opening in listed(OWN)]
    assert begun(range(38), order="sequential") == book
    assert begun(range(3), order="sequential", first_opening=37) == [*book[36:], book[0]]
    assert begun(range(1), order="sequential", first_opening=39) == book[:1]


@pytest.mark.parametrize("order", ["random", "sequential"])
def test_without_the_number_of_the_deal_an_opening_is_drawn(order: str) -> None:
    """As in worlds, and in the playthroughs of tests."""
    options = CHESS.options.parse({"order": order})
    drawn = CHESS.start(CHESS.options.parse({"order": "drawn"}), 2, Chance(bytes(32)))
    assert CHESS.start(options, 2, Chance(bytes(32))).opening == drawn.opening


def test_openings_are_told_apart_without_parsing() -> None:
    book = openings.Book(EPD, ".epd", "book")
    assert [book.title(place).split()[1] for place in range(2)] == ["w", "b"]
    assert listed(OWN).title(37) == "game 38"
    assert book[-1] == tuple(book)[1]


def test_files_as_other_programs_write_them() -> None:
    """With a byte order mark, CR LF, Latin-1, counters as operations of EPD, marks, comments and variations."""
    epd = b"\xef\xbb\xbf" + EPD.splitlines()[1] + b"\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 12; fmvn 34;\r\n"
    first, second = parse_book(epd, ".epd", "book")
    assert (first.name, second.fen) == ("open game", "4k3/8/8/8/8/8/4P3/4K3 w - - 12 34")
    pgn = (
        b'\xef\xbb\xbf[Event "caf\xe9"]\r\n[Opening "Caf\xe9"]\r\n\r\n'
        b"1.e4! {[%clk 0:01]\r\nand [%eval 0.2]} e5?! $1 (1... c5 2. Nf3 {(})\r\n; a line 2. a9\r\n"
        b'2. Nf3 Nc6 3.Bb5 Nf6 4.0-0 1-0\r\n\r\n[Event "two"]\r\n\r\n1. d4 1/2-1/2\r\n'
    )
    first, second = parse_book(pgn, ".pgn", "book")
    assert first.name == "Caf\xe9"
    assert first.moves == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1")
    assert second.moves == ("d2d4",)


def test_where_openings_begin_is_found_once(books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (books / "my.epd").write_bytes(EPD)
    name = add_book(books / "my.epd")
    kept = books / "books" / name
    index = kept.with_name(f"{name}.index")
    read = tuple(listed(name))
    load_book.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(BookIndex, "of", None)
        assert tuple(listed(name)) == read
    for damage in (b"", b"x" * 100, index.read_bytes()[:-1]):
        load_book.cache_clear()
        index.write_bytes(damage)
        assert tuple(listed(name)) == read
        assert load_index(kept) is not None, "it was written again"


def test_a_folder_of_somebody_else_needs_no_index(books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (books / "my.epd").write_bytes(EPD)
    name = add_book(books / "my.epd")
    (books / "books" / f"{name}.index").unlink()
    monkeypatch.setattr(Path, "replace", lambda path, target: os.stat("/no/such/folder"))
    assert len(listed(name)) == 2
    assert [path.name for path in (books / "books").iterdir()] == [name], "no draft is left"


@pytest.mark.parametrize(
    ("content", "suffix", "why"),
    [
        (b"", ".epd", "holds no opening"),
        (b"nonsense\n", ".epd", "book, line 1: "),
        (EPD + b"8/8/8/8/8/8/8/8 w - - 0 1\n", ".epd", "book, line 4: the position is not possible"),
        (b"7k/5K2/6Q1/8/8/8/8/8 b - - 0 1\n", ".fen", "book, line 1: the game is over"),
        (b"1. e4 e5 2. Ke3 *\n", ".pgn", "book, line 1, in game 1: illegal san: 'Ke3'"),
        (b'1. d4 *\n\n[Event "x"]\n\n1. e4 e5\n2. Nf9 Nc6 *\n', ".pgn", "book, line 6, in game 2: invalid san: 'Nf9'"),
        (b"1. e4 -- 2. d4 *\n", ".pgn", 'line 1, in game 1: "--" passes, and in chess each side must move'),
        (b"1. e4\n{ no end 1. d4 *\n", ".pgn", "line 2, in game 1: a comment begins with { and does not end"),
        (
            b"1. e4\n(1. d4 (1. c4) 1... d5 *\n",
            ".pgn",
            r"line 2, in game 1: a variation begins with \( and does not end",
        ),
        (b"1. e4) e5 *\n", ".pgn", r"line 1, in game 1: a variation ends with \) and has not begun"),
        (b'[FEN "8/8/8/8/8/8/8/x w - - 0 1"]\n\n1. e4 *\n', ".pgn", "book, game 1: "),
        ("rnbqkbnr w".encode("utf-16"), ".epd", "book is written in UTF-16: save it as UTF-8"),
        (b"\x80\x00", ".epd", "book, line 1: "),
    ],
)
def test_what_is_no_book(content: bytes, suffix: str, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        parse_book(content, suffix, "book")


def test_a_book_is_added_by_its_content(books: Path) -> None:
    (books / "my book.epd").write_bytes(EPD)
    name = add_book(books / "my book.epd")
    assert name.startswith("my-book@")
    assert CHESS.options.parse({"book": name}).book == name
    assert len(listed(name)) == 2
    load_book.cache_clear()
    (books / "books" / name).write_bytes(EPD + b"\n")
    with pytest.raises(OptionError, match="has been changed"):
        load_book(name)
    (books / "books" / name).unlink()
    with pytest.raises(OptionError, match=f"this machine has no book {name}"):
        load_book(name)
    with pytest.raises(OptionError, match=f"this machine has no book {name}"):
        CHESS.check(CHESS.options.parse({"book": name}), 2)  # before anything is stored


@pytest.mark.parametrize("name", ["../../etc/passwd", "book.epd", "x@123.epd", "", "/tmp/a@0123456789ab.epd"])
def test_names_that_are_no_books(name: str) -> None:
    with pytest.raises(OptionError, match="book is "):
        CHESS.options.parse({"book": name})


def test_files_that_cannot_be_added(books: Path) -> None:
    with pytest.raises(OptionError, match=r"must end in \.epd"):
        add_book(books / "book.txt")
    with pytest.raises(OptionError, match="No such file"):
        add_book(books / "book.epd")
