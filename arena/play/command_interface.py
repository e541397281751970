"""The game in a person's words: who sits where, what may be typed, and what a typed line comes to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from arena.play.view import packed
from referee.engine.chance import Chance
from referee.engine.errors import MalformedMove
from referee.engine.game import Game, find_move
from referee.engine.options import Options

IN_A_ROW = 12
"""How many moves are shown one behind the other."""


class PlayCommand(Enum):
    """What else than a move a person may type."""

    VIEW = "view"
    LOG = "log"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class CommandInterface:
    """What a person is told about one match.

    names: of the players by seat. seat: the person's. meanings: of the view's fields. more: where to read more.
    """

    game: Game
    options: Options
    names: Sequence[str]
    seat: int
    meanings: Mapping[str, str]
    more: str

    @property
    def has_talk(self) -> bool:
        """Whether there is table talk at the table."""
        return self.game.start(self.options, len(self.names), Chance(bytes(32))).talk_limit() > 0

    def opening(self) -> Iterator[str]:
        """Yield who sits where."""
        options = "".join(f" {name}={value}" for name, value in self.options.given().items())
        yield f"{self.game.name}{options}: you are seat {self.seat}"
        for seat, name in enumerate(self.names):
            yield f"seat {seat}: {'you' if seat == self.seat else name}"
        yield 'Type a number, a move or its beginning; "help" tells the rest.'

    def help(self) -> Iterator[str]:
        """Yield what may be typed."""
        yield "You may type"
        yield "  the number of a move, its text, or a beginning that fits no other move"
        yield "  view       all that you see, with what it means"
        yield "  log        the whole log, as far as you may know it"
        if self.has_talk:
            yield "  say WORDS  what the table hears with your next move"
        yield "  help       this"
        yield "  quit       leave; the match is not kept"
        yield f"The moves of {self.game.name}:"
        yield from (f"  {line}" for line in self.game.moves.strip().splitlines())
        yield f"More: {self.more}"

    def choices(self, legal: Sequence[str], width: int) -> Iterator[str]:
        """Yield the moves with their numbers, in columns where there are many."""
        items = [f"{number} {move}" for number, move in enumerate(legal, start=1)]
        column = max(map(len, items)) if len(items) > IN_A_ROW else 0
        return packed([item.ljust(column) for item in items], width)

    def understand(self, line: str, legal: Sequence[str]) -> str | PlayCommand:
        """Return the legal move or the wish that a line stands for. A move's whole text comes before all else.

        Raises MoveError where it is neither.
        """
        text = " ".join(line.lower().split())
        for move in legal:
            if move.lower() == text:
                return move
        if text.isdecimal():
            if 1 <= int(text) <= len(legal):
                return legal[int(text) - 1]
            raise MalformedMove(f"there is no move {text}: they are numbered from 1 to {len(legal)}")
        for wish in PlayCommand:
            if wish.value == text:
                return wish
        return find_move(line, legal, self._first_words())

    def _first_words(self) -> tuple[str, ...]:
        """Return the words with which the game's moves begin."""
        lines = self.game.moves.replace("`", "").splitlines()
        return tuple({line.split()[0].lower() for line in lines if line.strip() and not line.startswith("  ")})
