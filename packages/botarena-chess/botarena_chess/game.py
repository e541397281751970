"""Chess, Chess960, and their options."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from botarena_chess.openings import check_name, load_book
from botarena_chess.polyglot import SUFFIX as POLYGLOT
from botarena_chess.polyglot import PolyglotBook
from botarena_chess.rules import Rules
from botarena_chess.scores import Adjudication
from botarena_chess.standard import ALL, OWN
from botarena_chess.standard import CHESS as CHESS_RULES
from botarena_chess.standard import CHESS960 as CHESS960_RULES
from botarena_chess.state import LOG, OPENS, ChessState
from botarena_chess.tablebases import FEWEST, TablebaseRule, load_tables
from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.game import Game
from referee.engine.known import Known, SeatLog
from referee.engine.options import Options, option
from referee.engine.turns import turn_number, turn_place


@dataclass(frozen=True, slots=True)
class BoardOptions(Options):
    """The options of every game of this package. The defaults of the adjudication are none."""

    book: str = option("standard", "opening book: standard, or the name of one that `botarena-chess books add` prints")
    order: str = option(
        "random",
        "in which order deals take the openings of the book",
        choices={
            "random": "in random order, each once before any comes again",
            "sequential": "as they stand in the book, from first_opening on",
            "drawn": "each time any of all",
        },
    )
    first_opening: int = option(
        1, "the opening, counted from 1, with which the sequential order begins", low=1, high=10**9
    )
    max_moves: int = option(300, "moves of each side after which the game is a draw", low=1, high=5000)
    resign_moves: int = option(
        0, "moves in a row at which a side must score -resign_score to lose; 0: off", low=0, high=99
    )
    resign_score: int = option(600, "centipawns by which a side is lost", low=1, high=50_000)
    resign_two_sided: bool = option(False, "to lose, both sides must score resign_score or more from zero in so many")
    draw_moves: int = option(
        0, "moves in a row at which both sides must score within draw_score; 0: off", low=0, high=99
    )
    draw_score: int = option(10, "centipawns within which a game is drawn", low=0, high=1000)
    draw_from: int = option(40, "moves of the game after which it can be drawn by scores", low=0, high=5000)


@dataclass(frozen=True, slots=True)
class TablebaseOptions(BoardOptions):
    """The options of games for which there are Syzygy tables."""

    tablebase_pieces: int = option(
        0, "pieces with which a game is ended by Syzygy tables, kings and pawns included; 0: off", low=0, high=7
    )
    tablebase_results: str = option(
        "both",
        "which games are ended by tables",
        choices={"both": "all", "wins": "those that a side wins", "draws": "those that nobody wins"},
    )
    tablebase_ignores_fifty: bool = option(
        False, "by tables, a side wins also where fifty moves without a capture or a pawn's move come first"
    )

    def check(self) -> None:
        if 0 < self.tablebase_pieces < FEWEST:
            raise OptionError(f"tablebase_pieces is 0 or from {FEWEST} to 7, not {self.tablebase_pieces}")


@dataclass(frozen=True, slots=True)
class ChessOptions(TablebaseOptions):
    """The options of chess."""

    book: str = option(OWN, "opening book: standard, short, or the name of one that `botarena-chess books add` prints")
    book_plies: int = option(12, "moves of both sides that a Polyglot book plays at most", low=1, high=80)

    def check(self) -> None:
        TablebaseOptions.check(self)
        check_name(self.book, CHESS_RULES)
        if self.order == "sequential" and self.book.endswith(POLYGLOT):
            raise OptionError(
                f"order=sequential needs a book with a first and a last opening, and {self.book} is a Polyglot book, "
                "of which each opening is drawn"
            )


@dataclass(frozen=True, slots=True)
class Chess960Options(TablebaseOptions):
    """The options of Chess960."""

    book: str = option(
        ALL,
        "opening book: all, with the 960 positions, standard, with the usual one, or the name of one that "
        "`botarena-chess books add --game chess:chess960` prints",
    )

    def check(self) -> None:
        TablebaseOptions.check(self)
        check_name(self.book, CHESS960_RULES)


class BoardGame(Game):
    """What the games of this package have in common. `rules` decides all else."""

    unit = "points"
    scale = 2
    seats = (2, 2)
    recommended = 2
    lines = LOG.lines
    message = "botarena_chess.v1.chess_pb2:ChessView"
    stable = 2
    asks_forced = True
    has_perfect_information = True
    takes_turns = True
    strikes = 1
    options: ClassVar[type[BoardOptions]] = BoardOptions
    rules: ClassVar[Rules]

    def check(self, options: Any, seats: int) -> None:
        super().check(options, seats)
        load_book(options.book, self.rules)
        self.tablebases(options)

    def tablebases(self, options: Any) -> TablebaseRule | None:
        """Return the adjudication by tables; None where there is none. Raises OptionError where tables are missing."""
        return None

    def start(self, options: Any, seats: int, chance: Chance) -> ChessState:
        self.check(options, seats)
        book = load_book(options.book, self.rules)
        opening = (
            book.draw(options.book_plies, chance)
            if isinstance(book, PolyglotBook)
            else book[_place(options, len(book), chance)]
        )
        adjudication = Adjudication(
            options.resign_moves,
            options.resign_score,
            options.draw_moves,
            options.draw_score,
            options.draw_from,
            options.resign_two_sided,
        )
        return ChessState(opening, adjudication, options.max_moves, chance, self.tablebases(options), self.rules)

    def known_chance(self, log: SeatLog) -> list[Known]:
        openings = [str(event[1]) for event in log.events if event[0] == OPENS]
        if not openings:
            return []
        book = load_book(log.options.book, self.rules)
        if isinstance(book, PolyglotBook):
            return book.known(openings[0])
        if len(book) == 1:
            return []
        return [Known(("opening",), (0,), (), _places(log.options.book, self.rules, openings[0]))]

    def opening(self, options: Any, seats: int, chance: Chance) -> str:
        book = load_book(options.book, self.rules)
        if isinstance(book, PolyglotBook):
            return book.draw(options.book_plies, chance).name
        return book.title(_place(options, len(book), chance)) if len(book) > 1 else ""


class TablebaseGame(BoardGame):
    """A game for which there are Syzygy tables."""

    def tablebases(self, options: Any) -> TablebaseRule | None:
        if not options.tablebase_pieces:
            return None
        results, pieces = options.tablebase_results, options.tablebase_pieces
        return TablebaseRule(
            load_tables(pieces), pieces, results != "draws", results != "wins", options.tablebase_ignores_fifty
        )


class Chess(TablebaseGame):
    """The rules of chess."""

    name = "chess"
    title = "Chess: opening books, UCI engines, adjudication, PGN"
    behaviour = 4
    options = ChessOptions
    rules = CHESS_RULES
    moves = (
        "MOVE  in UCI's notation: from, to, and what a pawn becomes (e2e4, e7e8q); castling is the king's move (e1g1)"
    )
    presets: ClassVar = {
        "default": {},
        "standard": {"book": "standard"},
        "adjudicated": {"resign_moves": 3, "resign_two_sided": True, "draw_moves": 8, "order": "drawn"},
        "tables_win": {"tablebase_results": "wins", "tablebase_ignores_fifty": True},  # with tablebase_pieces
        "tables_draw": {"tablebase_results": "draws"},
        "blitz": {"max_moves": 20, "order": "sequential"},
    }


class Chess960(TablebaseGame):
    """The rules of Chess960 (Fischer random chess)."""

    name = "chess:chess960"
    title = "Chess960: chess from one of 960 positions"
    behaviour = 1
    options = Chess960Options
    rules = CHESS960_RULES
    moves = (
        "MOVE  in UCI's notation: from, to, and what a pawn becomes (e2e4, e7e8q); a king castles by taking its own "
        "rook (e1h1)"
    )
    presets: ClassVar = {**Chess.presets}


@lru_cache(64)
def _places(book: str, rules: Rules, name: str) -> tuple[int, ...]:
    """Return the places of a book at which openings of a name stand."""
    openings = load_book(book, rules)
    assert not isinstance(openings, PolyglotBook)
    return tuple(place for place, opening in enumerate(openings) if opening.name == name)


def _place(options: BoardOptions, openings: int, chance: Chance) -> int:
    """Return the place of the opening of a match in a book with so many."""
    if openings == 1:
        return 0
    number = turn_number(chance.seed)
    if options.order == "drawn" or number is None:
        return chance.pick(openings, "opening")
    if options.order == "sequential":
        return (options.first_opening - 1 + number) % openings
    place = turn_place(chance.seed, openings)
    assert place is not None
    return place


CHESS = Chess()
CHESS960 = Chess960()
