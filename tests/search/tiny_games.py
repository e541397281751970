"""Games of a few moves, with values that can be worked out, and positions that draw their worlds."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, ClassVar, Self

from arena.positions import Belief, World
from referee.engine.chance import Chance
from referee.engine.events import LineTable
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.options import Options

LOG = LineTable()
MOVED = LOG.line("seat {} plays {}", "a move")
DEAL = LOG.line("deal {} begins", "a deal", begins="deal")


class Tiny(Game):
    """A game for tests."""

    name = "tiny"
    title = "A game for tests"
    unit = "points"
    behaviour = 1
    options = Options
    seats = (1, 6)
    recommended = 2
    lines = LOG.lines
    message = ""
    moves = ""

    def start(self, options: Any, seats: int, chance: Chance) -> State:
        raise NotImplementedError


GAME = Tiny()


class Drawn:
    """A position whose worlds are made by a function, one after another."""

    def __init__(self, make: Callable[[], State], seats: int, seat: int = 0, game: Game = GAME) -> None:
        self.seat = seat
        self.drawn = 0
        self._make = make
        self._seats = seats
        self._game = game
        self.legal = make().legal(seat)

    def world(self, belief: Belief | None = None) -> World:
        """Return the next world; a belief gives it twice the weight, whatever it believes."""
        self.drawn += 1
        return World(self._game, self._seats, self.seat, self._make(), 1.0 if belief is None else 2.0)


class Sticks(State):
    """One to three sticks are taken in turn; who takes the last wins."""

    __slots__ = ("sticks",)

    def __init__(self, sticks: int, seat: int = 0) -> None:
        self.sticks = sticks
        self.asked = (seat,) if sticks else ()
        self.events = []

    def legal(self, seat: int) -> tuple[str, ...]:
        return tuple([f"take {number}" for number in range(1, min(3, self.sticks) + 1)])

    def apply(self, moves: Sequence[str]) -> None:
        (seat,) = self.asked
        self.sticks -= int(moves[0].split()[1])
        self.events.append((MOVED, seat, moves[0]))
        self.asked = (1 - seat,) if self.sticks else ()

    def view(self, seat: int) -> Any:
        return (self.sticks,)

    def default(self, seat: int) -> str:
        return "take 1"

    def copy(self) -> Self:
        copy = type(self)(self.sticks, self.asked[0] if self.asked else 0)
        copy.events = list(self.events)
        return copy

    def outcome(self) -> Outcome:
        if self.asked or not self.events:
            return Outcome((0, 0), (1, 1))
        winner = self.events[-1][1]
        scores = tuple([int(seat == winner) for seat in (0, 1)])
        return Outcome(scores, ranks(scores))


class Pennies(State):
    """Both seats show a side at once: seat 0 wins where they are alike."""

    __slots__ = ("scores",)

    def __init__(self) -> None:
        self.asked = (0, 1)
        self.scores = (0, 0)
        self.events = []

    def legal(self, seat: int) -> tuple[str, ...]:
        return ("heads", "tails")

    def apply(self, moves: Sequence[str]) -> None:
        self.scores = (1, 0) if moves[0] == moves[1] else (0, 1)
        self.asked = ()

    def view(self, seat: int) -> Any:
        return ()

    def default(self, seat: int) -> str:
        return "heads"

    def copy(self) -> Self:
        copy = type(self)()
        copy.asked, copy.scores = self.asked, self.scores
        return copy

    def outcome(self) -> Outcome:
        return Outcome(self.scores, ranks(self.scores))


class Bet(State):
    """Seat 0 checks or bets; then seat 1, which alone knows whether its card is high, calls or folds. Seat 2 looks on.

    To seat 0 a check is worth a quarter, a fold a half, and a call all where the card is low, nothing where it is high;
    to seat 1 a fold is worth a half, and a call what is left. With a high card in two of three worlds a bet is worth a
    sixth (it is called with a high card alone), and a third to who takes seat 1 for one that does not know its card.
    """

    __slots__ = ("high", "scores")
    CHECK: ClassVar = (1, 2, 1)
    CALL_HIGH: ClassVar = (1, 3, 2)
    CALL_LOW: ClassVar = (3, 1, 2)
    FOLD: ClassVar = (1, 1, 1)

    def __init__(self, high: bool) -> None:
        self.high = high
        self.asked = (0,)
        self.scores = (0, 0, 0)
        self.events = []

    def legal(self, seat: int) -> tuple[str, ...]:
        return ("check", "bet") if seat == 0 else ("call", "fold")

    def apply(self, moves: Sequence[str]) -> None:
        (move,) = moves
        self.asked = (1,) if move == "bet" else ()
        self.scores = {
            "check": self.CHECK,
            "bet": (0, 0, 0),
            "call": self.CALL_HIGH if self.high else self.CALL_LOW,
            "fold": self.FOLD,
        }[move]

    def view(self, seat: int) -> Any:
        return (self.asked, self.high if seat == 1 else None)

    def default(self, seat: int) -> str:
        return self.legal(seat)[0]

    def copy(self) -> Self:
        copy = type(self)(self.high)
        copy.asked, copy.scores = self.asked, self.scores
        return copy

    def outcome(self) -> Outcome:
        return Outcome(self.scores, ranks(self.scores))


class Urn(State):
    """Seat 0 takes a ball from one of two urns, and wins with a white one; then the match is over.

    chances: of each urn, by its name; seed: of the balls, which lie in this world.
    """

    __slots__ = ("balls", "won")

    def __init__(self, balls: dict[str, bool]) -> None:
        self.balls = balls
        self.asked = (0,)
        self.won: bool | None = None
        self.events = []

    def legal(self, seat: int) -> tuple[str, ...]:
        return tuple(self.balls)

    def apply(self, moves: Sequence[str]) -> None:
        self.won = self.balls[moves[0]]
        self.asked = ()

    def view(self, seat: int) -> Any:
        return ()

    def default(self, seat: int) -> str:
        return self.legal(seat)[0]

    def copy(self) -> Self:
        copy = type(self)(self.balls)
        copy.asked, copy.won = self.asked, self.won
        return copy

    def outcome(self) -> Outcome:
        return Outcome((0, 0), (1, 1) if self.won is None else (1, 2) if self.won else (2, 1))


class Ladder(State):
    """Seat 0 chooses its place among six seats."""

    __slots__ = ("places", "place")

    def __init__(self, **places: int) -> None:
        self.places = places
        self.asked = (0,)
        self.place = 1
        self.events = []

    def legal(self, seat: int) -> tuple[str, ...]:
        return tuple(self.places)

    def apply(self, moves: Sequence[str]) -> None:
        self.place = self.places[moves[0]]
        self.asked = ()

    def view(self, seat: int) -> Any:
        return ()

    def default(self, seat: int) -> str:
        return self.legal(seat)[0]

    def copy(self) -> Self:
        copy = type(self)(**self.places)
        copy.asked, copy.place = self.asked, self.place
        return copy

    def outcome(self) -> Outcome:
        others = [score for score in range(6) if score != 6 - self.place]
        scores = (6 - self.place, *others)
        return Outcome(scores, ranks(scores))


def urns(rng: Random, **chances: float) -> Drawn:
    """Return a position before urns, from each of which a ball is white with its probability."""
    return Drawn(lambda: Urn({name: rng.random() < chance for name, chance in chances.items()}), 2)
