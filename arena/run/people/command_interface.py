"""The commands of a person who plays by hand: parsing, help, and lists of moves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from arena.values.view_text import packed
from referee.engine.chance import Chance
from referee.engine.errors import MalformedMove
from referee.engine.events import Event
from referee.engine.game import Game, find_move
from referee.engine.options import Options

MOST_WITHOUT_COLUMNS = 12
"""More moves than this are listed in columns."""


class PlayCommand(Enum):
    """A command other than a move."""

    VIEW = "view"
    LOG = "log"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class CommandInterface:
    """Parses the commands of one person in one match, and explains them."""

    game: Game
    options: Options
    names: Sequence[str]
    """The names of the players by seat."""
    seat: int
    """The person's seat."""
    meanings: Mapping[str, str]
    """The meaning of each field of the view."""
    more: str
    """The commands that print more about the game."""
    line: Callable[[Event], str]
    """Returns a line of the log as people read it."""
    words: Callable[[str], str] = str
    """Returns a move as people read it."""
    codes: Sequence[str] = ()
    """Lines that say what the cards and dice in moves stand for."""

    @property
    def has_talk(self) -> bool:
        """Whether the table hears talk beside the moves."""
        return (
            not self.game.text_move
            and self.game.start(self.options, len(self.names), Chance(bytes(32))).talk_limit() > 0
        )

    def introduction(self) -> Iterator[str]:
        """Yield the game, its options, the players, and what the codes of cards and dice stand for."""
        options = "".join(f" {name}={value}" for name, value in self.options.given().items())
        yield f"{self.game.name}{options}: you are seat {self.seat}"
        for seat, name in enumerate(self.names):
            yield f"seat {seat}: {name}" + (" (you)" if seat == self.seat else "")
        yield from self.codes
        if self.game.text_move:
            yield 'Type what you say, or the number of an example; "help" lists all commands.'
        else:
            yield 'Type the number of a move, or its text or an unambiguous prefix; "help" lists all commands.'

    def help(self) -> Iterator[str]:
        """Yield the help text."""
        yield "Type the number of a move, its text or an unambiguous prefix, or a command:"
        yield "  view       show all fields of your view, with their meaning"
        yield "  log        show the whole log that you can see"
        if self.has_talk:
            yield "  say WORDS  say something to the table with your next move"
        yield "  help       show this help"
        yield "  quit       leave the match; it is not stored"
        yield f"Moves of {self.game.name}:"
        yield from (f"  {line}" for line in self.game.moves.strip().splitlines())
        yield from self.codes
        yield f"More: {self.more}"

    def choices(self, legal: Sequence[str], width: int) -> Iterator[str]:
        """Yield the legal moves with their numbers, in columns if there are many; in brackets what may be typed."""
        items = [f"{number} {self._choice(move)}" for number, move in enumerate(legal, start=1)]
        column = max(map(len, items)) if len(items) > MOST_WITHOUT_COLUMNS else 0
        return packed([item.ljust(column) for item in items], width)

    def _choice(self, move: str) -> str:
        words = self.words(move)
        return move if words == move else f"{words} [{move}]"

    def parse(self, line: str, legal: Sequence[str]) -> str | PlayCommand:
        """Parse a line as a legal move or a command. The full text of a move has precedence.

        In games that are played with words anything else is what the person says.

        Raises MoveError if it is neither.
        """
        text = " ".join(line.lower().split())
        for move in legal:
            if text in (move.lower(), self.words(move).lower()):
                return move
        if text.isdecimal():
            if len(text) < 10 and 1 <= int(text) <= len(legal):
                return legal[int(text) - 1]
            raise MalformedMove(f"there is no move {text}: the moves are numbered from 1 to {len(legal)}")
        for command in PlayCommand:
            if command.value == text:
                return command
        if self.game.text_move in legal and text:
            return line.removeprefix(f"{self.game.text_move} ")
        return find_move(line, legal, self._first_words())

    def _first_words(self) -> tuple[str, ...]:
        """Return the words with which moves of the game begin."""
        lines = self.game.moves.replace("`", "").splitlines()
        return tuple({line.split()[0].lower() for line in lines if line.strip() and not line.startswith("  ")})
