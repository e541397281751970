"""A game of chess, Chess960 or a variant in progress, and its adjudication.

Source: the FIDE Laws of Chess of 2023, articles 5 and 9, with the draws of article 9.2 and 9.3 (threefold repetition,
fifty moves) taken without a claim, as managers of engine matches do.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

from botarena_chess.opening import Opening
from botarena_chess.rules import DRAWN, WON, End, Rules
from botarena_chess.scores import DRAW, RESIGN, Adjudication, parse_score, parse_wish
from botarena_chess.standard import CHESS, StandardPosition
from botarena_chess.tablebases import TablebaseRule
from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, LineTable
from referee.engine.game import Outcome, State, ranks

LOG = LineTable()
OPENS = LOG.line("opening {}: {}", "how the game begins, and the position after the moves of the book", reveals=True)
PLAYS = LOG.line("seat {} plays {} ({})", "a move in UCI's notation, and as people write it")
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
    variant: str


class ChessState(State):
    """A game. Seat 0 is White.

    rules: those of its game. position: now. moves: all since the start, in UCI's notation. said: by seat, the score of
    each of its moves, None where it said none. saying, wish: what the seat to move has said with the move that comes:
    its score, and `RESIGN` or `DRAW`. wishes: by seat, with its last move. offered: the legal moves. points: by seat,
    in halves, once the game is over. why: it is over. is_adjudicated: whether it was ended by scores, tables or the
    number of its moves. tablebases: the adjudication by tables; None: there is none.
    """

    __slots__ = (
        "adjudication",
        "is_adjudicated",
        "moves",
        "offered",
        "opening",
        "points",
        "position",
        "rules",
        "said",
        "saying",
        "tablebases",
        "why",
        "wish",
        "wishes",
        "most_moves",
    )

    def __init__(
        self,
        opening: Opening,
        adjudication: Adjudication,
        most_moves: int,
        chance: Chance,
        tablebases: TablebaseRule | None = None,
        rules: Rules = CHESS,
    ) -> None:
        self.events: list[Event] = []
        self.tablebases = tablebases
        self.is_adjudicated = False
        self.adjudication = adjudication
        self.most_moves = most_moves
        self.opening = opening
        self.rules = rules
        self.position = rules.begin(opening)
        self.moves = opening.moves
        self.said: tuple[tuple[int | None, ...], tuple[int | None, ...]] = ((), ())
        self.saying: int | None = None
        self.wish = ""
        self.wishes = ("", "")
        self.points = (1, 1)
        self.why = ""
        self.events.append((OPENS, opening.name, self.position.fen()))
        self._ask()

    def _ask(self) -> None:
        self.offered = self.position.legal()
        if (end := self._end()) is None:
            self.asked = (self.position.seat,)
            return
        self._finish(end)

    def _finish(self, end: End) -> None:
        self.points, self.why = end
        self.asked = ()
        self.events.append((ENDS, RESULTS[self.points], self.why))

    def _end(self) -> End | None:
        """Return how the game ends; None while it goes on."""
        if end := self.position.end(self.offered):
            return end
        end = self._adjudicated()
        self.is_adjudicated = end is not None
        return end

    def _adjudicated(self) -> End | None:
        """Return how a game ends that could go on: by tables, by scores, by its length; None where it does not."""
        if not (self.said[0] or self.said[1]):
            return None
        seat, position, sides = self.position.seat, self.position, self.rules.sides
        if self.wishes == (DRAW, DRAW):
            return End(DRAWN, "a draw by agreement")
        if self.tablebases is not None and isinstance(position, StandardPosition):
            value = self.tablebases.value(position.board)
            if value == 0:
                return End(DRAWN, "drawn by the tablebases")
            if value is not None:
                winner = seat if value > 0 else 1 - seat
                return End(WON[winner], f"{sides[winner]} wins by the tablebases")
        if self.adjudication.resigns(self.said[1 - seat], self.said[seat]):
            return End(WON[seat], f"{sides[1 - seat]} resigns by its scores")
        if self.adjudication.agree_on_draw(self.said, position.number, position.quiet):
            return End(DRAWN, "both sides score it as a draw")
        if len(self.said[0]) + len(self.said[1]) >= 2 * self.most_moves:
            return End(DRAWN, f"{self.most_moves} moves are played")
        return None

    # The contract

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.offered if seat in self.asked else ()

    def talk_limit(self) -> int:
        return TALK

    def say(self, seat: int, words: str) -> None:
        self.saying, self.wish = parse_score(words), parse_wish(words)

    def apply(self, moves: Sequence[str]) -> None:
        (seat,) = self.asked
        wish, self.wish = self.wish, ""
        if wish == RESIGN:
            return self._finish(End(WON[1 - seat], f"{self.rules.sides[seat]} resigns"))
        self.wishes = (self.wishes[0], wish) if seat else (wish, self.wishes[1])
        self.events.append((PLAYS, seat, moves[0], self.position.play(moves[0])))
        if self.saying is not None:
            self.events.append((SCORES, seat, self.saying))
        white, black = self.said
        self.said = (white, (*black, self.saying)) if seat else ((*white, self.saying), black)
        self.saying = None
        self.moves += (moves[0],)
        self._ask()

    def default(self, seat: int) -> str:
        """The first legal move in the order of the alphabet."""
        return self.offered[0]

    def view(self, seat: int) -> ChessView:
        position = self.position
        return ChessView(self.opening.fen, seat, self.moves, position.fen(), position.diagram(), self.rules.name)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        for name in ("asked", *ChessState.__slots__):
            setattr(twin, name, getattr(self, name))
        twin.events = self.events[:]
        twin.position = self.position.copy()
        return twin

    def outcome(self) -> Outcome:
        return Outcome(self.points, ranks(self.points))
