"""What arena needs to be told of a game of TextArena."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

from botarena_textarena.loading import has_chance, load
from botarena_textarena.state import LINES, SAY, SCALE, TextArenaState
from referee.engine.chance import Chance
from referee.engine.errors import SeatsError
from referee.engine.game import Game
from referee.engine.options import Options

REVISION = 1
"""Raised whenever a change of this package changes any match."""


@dataclass(frozen=True, slots=True)
class TextArenaOptions(Options):
    """The options of any game of TextArena: none, as its variants have names of their own."""


class TextArenaGame(Game):
    """A game of TextArena. `make_game` derives a class of it for each."""

    unit = "points"
    scale = SCALE
    options = TextArenaOptions
    lines = LINES
    message = "botarena_textarena.v1.textarena_pb2:TextArenaView"
    stable = 2
    moves = (
        f"{SAY}  the move with a text of the bot's own: any other text is taken for it; without one nothing is said\n"
        "FORM  something in brackets that TextArena has shown, such as [4]; whether it is legal is for the game"
    )
    asks_forced = True
    text_move = SAY
    source: ClassVar[str]
    numbers: ClassVar[tuple[int, ...]]

    def check(self, options: Any, seats: int) -> None:
        if seats not in self.numbers:
            raise SeatsError(f"{self.name} is played by {_spoken(self.numbers)} seats, not {seats}")

    def start(self, options: Any, seats: int, chance: Chance) -> TextArenaState:
        self.check(options, seats)
        return TextArenaState(self.source, seats, chance)


def make_game(name: str) -> Game:
    """Return a game of TextArena by its name there. Raises UnknownGame where it has none, or arena cannot play it."""
    numbers = load(name)
    fields: dict[str, Any] = {
        "__module__": __name__,
        "name": f"textarena:{name}",
        "title": f"{name.partition('-')[0]}, of TextArena",
        "behaviour": behaviour(),
        "seats": (numbers[0], numbers[-1]),
        "recommended": numbers[0],
        "chance": has_chance(name),
        "source": name,
        "numbers": numbers,
    }
    game: Game = type("TextArenaGame", (TextArenaGame,), fields)()
    return game


def behaviour() -> int:
    """Return the version of the rules: TextArena's own, as any release may change them, and this package's.

    0.7.4 and revision 1 give 70041.
    """
    numbers = [*(int(part) for part in version("textarena").split(".")[:3] if part.isdigit()), 0, 0][:3]
    return ((numbers[0] * 1000 + numbers[1]) * 1000 + numbers[2]) * 10 + REVISION


def _spoken(numbers: tuple[int, ...]) -> str:
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))
