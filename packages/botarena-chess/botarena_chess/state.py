"""A game of chess in progress.

Source: the FIDE Laws of Chess of 2023, articles 5 and 9, with the draws of article 9.2 and 9.3 (threefold repetition,
fifty moves) taken without a claim, as managers of engine matches do.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import chess

from botarena_chess.opening import Opening
from botarena_chess.scores import Adjudication, parse_score
from botarena_chess.tablebases import TablebaseRule
from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable
from referee.engine.game import Outcome, State, ranks

LOG = LineTable()
OPENS = LOG.line("opening {}: {}", "how the game begins, and the position after the moves of the book", reveals=True)
PLAYS = LOG.line("seat {} plays {} ({})", "a move in UCI's and in algebraic notation")
SCORES = LOG.line("seat {} scores {}", "what it said its position is worth, in centipawns", Audience.NOBODY)
ENDS = LOG.line("{}: {}", "the result, and why")

TALK = 24
"""The most characters of a score."""

RESULTS = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}


class ChessView(NamedTuple):
    """What a seat sees: the fields of botarena_chess.v1.ChessView, where each is explained."""

    start: str
    seat: int
    moves: tuple[str, ...]
    fen: str
    board: str


class ChessState(State):
    """A game. Seat 0 is White.

    board: with all moves since the start. moves: the same in UCI's notation. said: by seat, the score of each of its
    moves, None where it said none. saying: what the seat to move has said with the move that comes. offered: the legal
    moves. points: by seat, in halves, once the game is over. why: it is over. is_adjudicated: whether it was ended by
    scores, tables or the number of its moves. tablebases: the adjudication by tables; None: there is none.
    """

    __slots__ = (
        "adjudication",
        "board",
        "is_adjudicated",
        "moves",
        "offered",
        "opening",
        "points",
        "said",
        "saying",
        "tablebases",
        "why",
        "most_moves",
    )

    def __init__(
        self,
        opening: Opening,
        adjudication: Adjudication,
        most_moves: int,
        chance: Chance,
        tablebases: TablebaseRule | None = None,
    ) -> None:
        self.events: list[Event] = []
        self.tablebases = tablebases
        self.is_adjudicated = False
        self.adjudication = adjudication
        self.most_moves = most_moves
        self.opening = opening
        self.board = chess.Board(opening.fen)
        for move in opening.moves:
            self.board.push_uci(move)
        self.moves = opening.moves
        self.said: tuple[tuple[int | None, ...], tuple[int | None, ...]] = ((), ())
        self.saying: int | None = None
        self.points = (1, 1)
        self.why = ""
        self.events.append((OPENS, opening.name, self.board.fen()))
        self._ask()

    def _ask(self) -> None:
        self.offered = tuple(sorted(move.uci() for move in self.board.legal_moves))
        if (end := self._end()) is None:
            self.asked = (_seat(self.board.turn),)
            return
        self.points, self.why = end
        self.asked = ()
        self.events.append((ENDS, RESULTS[self.points], self.why))

    def _end(self) -> tuple[tuple[int, int], str] | None:
        """Return the points of both seats in halves and the reason, or None while the game goes on."""
        board, draw = self.board, (1, 1)
        if not self.offered:
            if board.is_check():
                return _won_by(not board.turn), f"{_colour(not board.turn)} mates"
            return draw, "stalemate"
        if board.is_insufficient_material():
            return draw, "neither side can mate"
        if board.halfmove_clock >= 100:
            return draw, "fifty moves without a capture or a pawn's move"
        if board.is_repetition(3):
            return draw, "the position occurs for the third time"
        end = self._adjudicated()
        self.is_adjudicated = end is not None
        return end

    def _adjudicated(self) -> tuple[tuple[int, int], str] | None:
        """Return how a game ends that could go on: by tables, by scores, by its length; None where it does not."""
        board, draw = self.board, (1, 1)
        if not (self.said[0] or self.said[1]):
            return None
        if self.tablebases is not None and (value := self.tablebases.value(board)) is not None:
            if not value:
                return draw, "drawn by the tablebases"
            winner = board.turn if value > 0 else not board.turn
            return _won_by(winner), f"{_colour(winner)} wins by the tablebases"
        mover = _seat(not board.turn)
        if self.adjudication.resigns(self.said[mover], self.said[1 - mover]):
            return _won_by(board.turn), f"{_colour(not board.turn)} resigns by its scores"
        if self.adjudication.agree_on_draw(self.said, board.fullmove_number, board.halfmove_clock):
            return draw, "both sides score it as a draw"
        if len(self.said[0]) + len(self.said[1]) >= 2 * self.most_moves:
            return draw, f"{self.most_moves} moves are played"
        return None

    # The contract

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.offered if seat in self.asked else ()

    def talk_limit(self) -> int:
        return TALK

    def say(self, seat: int, words: str) -> None:
        self.saying = parse_score(words)

    def apply(self, moves: Sequence[str]) -> None:
        (seat,) = self.asked
        move = chess.Move.from_uci(moves[0])
        self.events.append((PLAYS, seat, moves[0], self.board.san(move)))
        if self.saying is not None:
            self.events.append((SCORES, seat, self.saying))
        white, black = self.said
        self.said = (white, (*black, self.saying)) if seat else ((*white, self.saying), black)
        self.saying = None
        self.board.push(move)
        self.moves += (moves[0],)
        self._ask()

    def default(self, seat: int) -> str:
        """The first legal move in the order of the alphabet."""
        return self.offered[0]

    def view(self, seat: int) -> ChessView:
        return ChessView(self.opening.fen, seat, self.moves, self.board.fen(), str(self.board))

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        for name in ("asked", *ChessState.__slots__):
            setattr(twin, name, getattr(self, name))
        twin.events = self.events[:]
        twin.board = self.board.copy()
        return twin

    def outcome(self) -> Outcome:
        return Outcome(self.points, ranks(self.points))


def _seat(colour: chess.Color) -> int:
    return 0 if colour == chess.WHITE else 1


def _colour(colour: chess.Color) -> str:
    return "White" if colour == chess.WHITE else "Black"


def _won_by(colour: chess.Color) -> tuple[int, int]:
    return (2, 0) if colour == chess.WHITE else (0, 2)
