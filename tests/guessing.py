"""A tiny game for tests of the engine: cards, dice, sealed answers and open ones.

Each round every seat gets a card from a pack of six (1 1 2 2 3 3; shuffled anew when too few are left)
and two dice are rolled unseen. All seats together guess `low` (a sum under 7) or `high`. A right
guess scores the card. Then the starter says `again` or `stop`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import SeatsError
from referee.engine.events import Audience, Event, Line
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.options import Options, option

PACK = (1, 1, 2, 2, 3, 3)
FACES = (1, 2, 3, 4, 5, 6)

LINES = (
    Line("round {}", "a round begins"),
    Line("seat {} gets {}", "a card is dealt", Audience.SEAT),
    Line("dice {} {}", "the dice that nobody sees", Audience.NOBODY),
    Line("seat {} says {}", "an answer"),
    Line("seat {} scores {}", "a right guess"),
)


@dataclass(frozen=True, slots=True)
class GuessingOptions(Options):
    """Options of the tiny game."""

    rounds: int = option(3, "most rounds", low=1, high=9)
    double: bool = option(False, "points count twice")


class GuessingView(NamedTuple):
    """What a seat sees: `last` is the guess that was right in the round before, None in the first."""

    seat: int
    round: int
    card: int
    last: str | None
    points: tuple[int, ...]
    table: dict[str, int]


class GuessingState(State):
    """One match of the tiny game."""

    __slots__ = ("cards", "chance", "dice", "double", "last", "pile", "points", "round", "rounds", "starter")

    def __init__(self, options: GuessingOptions, seats: int, chance: Chance) -> None:
        self.chance = chance
        self.rounds, self.double = options.rounds, options.double
        self.points = [0] * seats
        self.starter = chance.pick(seats, "first")
        self.pile: tuple[int, ...] = ()
        self.last: str | None = None
        self.round = 0
        self.events: list[Event] = []
        self._deal()

    def _deal(self) -> None:
        self.round += 1
        self.events.append((0, self.round))
        seats = len(self.points)
        if len(self.pile) < seats:
            self.pile = self.chance.shuffle(PACK, "shuffle", self.round, left=len(self.pile))
        self.cards, self.pile = self.pile[:seats], self.pile[seats:]
        self.events += [(1, seat, card) for seat, card in enumerate(self.cards)]
        self.dice = self.chance.roll(FACES, 2, "dice", self.round)
        self.events.append((2, *self.dice))
        self.asked = tuple(range(seats))

    def legal(self, seat: int) -> tuple[str, ...]:
        if seat not in self.asked:
            return ()
        return ("again", "stop") if len(self.asked) == 1 else ("low", "high")

    def apply(self, moves: Sequence[str]) -> None:
        self.events += [(3, seat, move) for seat, move in zip(self.asked, moves, strict=True)]
        if len(self.asked) > 1:
            self.last = "low" if sum(self.dice) < 7 else "high"
            for seat, move in enumerate(moves):
                if move == self.last:
                    self.points[seat] += self.cards[seat] * (2 if self.double else 1)
                    self.events.append((4, seat, self.cards[seat]))
            self.asked = (self.starter,) if self.round < self.rounds else ()
        elif moves[0] == "again":
            self._deal()
        else:
            self.asked = ()

    def default(self, seat: int) -> str:
        return self.legal(seat)[0]

    def view(self, seat: int) -> GuessingView:
        return GuessingView(
            seat, self.round, self.cards[seat], self.last, tuple(self.points), {"pile": len(self.pile), "dice": 2}
        )

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name in (*State.__slots__, *GuessingState.__slots__):
            setattr(twin, name, getattr(self, name))
        twin.chance = self.chance.copy()
        twin.points = self.points[:]
        twin.events = self.events[:]
        return twin

    def undealt(self) -> int:
        return len(self.pile)

    def outcome(self) -> Outcome:
        return Outcome(tuple(self.points), ranks(self.points))


class Guessing(Game):
    """The rules of the tiny game."""

    name = "guessing"
    title = "Guess the dice"
    unit = "points"
    behaviour = 1
    options = GuessingOptions
    seats = (2, 4)
    recommended = 2
    lines = LINES
    message = "tests.guessing:GuessingView"
    moves = "low     under 7\nhigh    7 and more\nagain   one more round\nstop    no more"

    def start(self, options: GuessingOptions, seats: int, chance: Chance) -> GuessingState:
        if seats == 3 and options.double:
            raise SeatsError("three seats do not play double")
        return GuessingState(options, seats, chance)


GUESSING = Guessing()
