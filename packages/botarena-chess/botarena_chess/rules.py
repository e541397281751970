"""What a game of this package needs of its rules: positions, and the openings that files hold."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, Self

from botarena_chess.opening import Opening

WON = ((2, 0), (0, 2))
"""The points of both seats, in halves, where a seat wins."""

DRAWN = (1, 1)


class End(NamedTuple):
    """How a game ends by its rules."""

    points: tuple[int, int]
    """By seat, in halves."""
    why: str
    """The reason, for people."""


class Position(Protocol):
    """A position, and how it came about."""

    @property
    def seat(self) -> int:
        """Who is to move."""

    @property
    def number(self) -> int:
        """The number of the move that is to be made, which White and Black have alike."""

    @property
    def quiet(self) -> int:
        """How many moves of both sides were made since the last that cannot be taken back."""

    def fen(self) -> str:
        """Return it as FEN."""

    def diagram(self) -> str:
        """Return it as lines of letters, for people."""

    def legal(self) -> tuple[str, ...]:
        """Return the legal moves in UCI's notation, in the order of the alphabet."""

    def allows(self, move: str) -> bool:
        """Tell whether a text is a legal move in UCI's notation."""

    def written(self, move: str) -> str:
        """Return a legal move as people write it."""

    def read(self, written: str) -> str:
        """Return a move that people wrote in UCI's notation. Raises ValueError for one that cannot be played."""

    def push(self, move: str) -> None:
        """Play a legal move."""

    def play(self, move: str) -> str:
        """Play a legal move and return it as people write it."""

    def end(self, legal: tuple[str, ...]) -> End | None:
        """Return how the game ends here by its rules; None where it goes on.

        legal: what `legal` returns.
        """

    def copy(self) -> Self:
        """Return a position that can be played on independently."""


class Rules(Protocol):
    """The rules of a game: chess, Chess960, or a variant."""

    @property
    def name(self) -> str:
        """What UCI's option UCI_Variant calls it."""

    @property
    def usual(self) -> str:
        """The position from which games begin as FEN; "" where there are many."""

    @property
    def sides(self) -> tuple[str, str]:
        """What both sides are called, by seat."""

    @property
    def books(self) -> Mapping[str, tuple[bytes, str]]:
        """The openings of the package, by the name of the book: its content and the suffix of its format."""

    @property
    def takes_polyglot(self) -> bool:
        """Whether Polyglot books are of this game."""

    def __hash__(self) -> int:
        """Tell rules from others, by which books are kept."""

    def begin(self, opening: Opening) -> Position:
        """Return the position after an opening."""

    def read_position(self, line: str) -> Opening:
        """Return the position of a line of FEN or EPD. Raises ValueError or IndexError."""

    def read_game(self, text: str) -> Opening:
        """Return the moves of a game in PGN. Raises NoMove, or ValueError where its first position is none."""
