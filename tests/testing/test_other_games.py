"""The suite takes games that are not of cards: public openings, moves of any first word, forced moves on the clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass

from arena.testing import BrokenPromise, check_game
from referee.engine.chance import Chance
from referee.engine.events import Event, Line
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.options import Options, option

GOAL = 7


class RaceView(NamedTuple):
    """What a seat sees."""

    places: tuple[int, ...]


def _message() -> Any:
    file = FileDescriptorProto(name="race.proto", package="race", syntax="proto3")
    message = file.message_type.add(name="RaceView")
    kinds = FieldDescriptorProto
    message.field.add(name="places", number=1, type=kinds.TYPE_UINT32, label=kinds.LABEL_REPEATED)
    Default().Add(file)
    return GetMessageClass(Default().FindMessageTypeByName("race.RaceView"))


View = _message()


@dataclass(frozen=True, slots=True)
class RaceOptions(Options):
    """The options."""

    drawn: bool = option(True, "the opening is drawn")


class RaceState(State):
    """Two runners move one or two places in turn, on the last place only one; then a die with as many faces as the
    winner has left to the others moves nobody.
    """

    __slots__ = ("chance", "places", "throws", "turn")

    def __init__(self, options: RaceOptions, chance: Chance) -> None:
        self.chance = chance
        opening = chance.pick(3, "opening") if options.drawn else 0
        self.places = (opening, opening)
        self.turn = self.throws = 0
        self.events: list[Event] = [(0, opening)]
        self.asked = (0,)

    def legal(self, seat: int) -> tuple[str, ...]:
        here = self.places[seat]
        return tuple(f"{here}-{there}" for there in (here + 1, here + 2) if there <= GOAL) if seat in self.asked else ()

    def apply(self, moves: Sequence[str]) -> None:
        place = int(moves[0].split("-")[1])
        self.places = (place, self.places[1]) if self.turn == 0 else (self.places[0], place)
        # How many faces it has depends on the play: twins ask for other numbers of outcomes at the same place.
        faces = tuple(range(place + 1))
        thrown = faces[self.chance.pick(len(faces), "throw", self.throws)]
        self.throws += 1
        self.events += [(1, self.turn, moves[0]), (2, thrown)]
        self.turn = 1 - self.turn
        self.asked = () if place == GOAL else (self.turn,)

    def default(self, seat: int) -> str:
        """One place."""
        return self.legal(seat)[0]

    def view(self, seat: int) -> RaceView:
        return RaceView(self.places)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        for name in ("asked", *RaceState.__slots__):
            setattr(twin, name, getattr(self, name))
        twin.events = self.events[:]
        return twin

    def outcome(self) -> Outcome:
        return Outcome(self.places, ranks(self.places))


LINES = (
    Line("the race begins at {}", "the opening", reveals=True),
    Line("seat {} moves {}", "a move"),
    Line("the die shows {}", "in the open", reveals=True),
)


class Race(Game):
    """The game."""

    name = "family:race(seats=2, long)"
    title = "Race"
    unit = "places"
    behaviour = 1
    options = RaceOptions
    seats = (2, 2)
    recommended = 2
    lines = LINES
    message = "tests.testing.test_other_games:View"
    moves = "MOVE  from and to, as in 0-2"
    presets: ClassVar = {"default": {}, "fixed": {"drawn": False}}
    asks_forced = True

    def start(self, options: Any, seats: int, chance: Chance) -> RaceState:
        self.check(options, seats)
        return RaceState(options, chance)


def changed(**attributes: Any) -> Game:
    game: Game = type("Changed", (Race,), attributes)()
    return game


def test_it_passes() -> None:
    check_game(Race(), examples=20)


@pytest.mark.parametrize(
    ("attributes", "what"),
    [
        ({"lines": (Line("the race begins at {}", "hidden"), *LINES[1:])}, "mark a line that may reveal something"),
        ({"lines": (*LINES[:2], Line("the die shows {}", "hidden"))}, "mark a line that may reveal something"),
        ({"asks_forced": False}, "has no choice"),
        ({"moves": "move  from and to"}, "begins like no move"),
        ({"moves": "Move  from and to"}, "begins like no move"),
        ({"name": "family: race"}, "`name` is"),
        ({"name": "Family:race"}, "`name` is"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_mistake_of_such_a_game_is_found(attributes: dict[str, Any], what: str) -> None:
    with pytest.raises(BrokenPromise, match=what):
        check_game(changed(**attributes), examples=20)


def test_a_game_that_draws_nothing_without_options_says_so() -> None:
    class Still(RaceState):
        __slots__ = ()

        def __init__(self, options: RaceOptions, chance: Chance) -> None:
            super().__init__(options, Chance(bytes(32)))

    with pytest.raises(BrokenPromise, match="different seeds give the same match"):
        check_game(changed(start=lambda self, options, seats, chance: Still(options, chance)))
