"""A small game with hidden cards that keeps the contract; planted mistakes are subclasses of it.

Each round every seat is dealt a card of a pack of twelve. In turn each keeps its card or swaps it for the top one
of the pile; a swapped card lies aside, unseen. Then all show, and every highest card scores a point. The holder of
the 1 may also `wave`, which changes nothing. Three rounds.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass

from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, Line
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.options import Options

PACK = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6)
ROUNDS = 3

LINES = (
    Line("round {} begins", "cards are dealt"),
    Line("seat {} is dealt {}", "the seat sees its card", Audience.SEAT),
    Line("seat {} keeps", "it keeps its card"),
    Line("seat {} swaps", "its card lies aside"),
    Line("seat {} takes {}", "the seat sees the card it took", Audience.SEAT),
    Line("seat {} waves", "it holds a 1", reveals=True),
    Line("seat {} shows {}", "at the end of a round", reveals=True),
    Line("seat {} scores", "it has the highest card"),
)
ROUND, DEALT, KEEPS, SWAPS, TAKES, WAVES, SHOWS, SCORES = range(len(LINES))


class SwappingView(NamedTuple):
    """What a seat sees."""

    round: int
    points: tuple[int, ...]
    pile: int
    turn: int | None
    seat: int
    card: int


class SwappingState(State):
    """A match."""

    __slots__ = ("chance", "cards", "pile", "aside", "points", "round", "turn")

    def __init__(self, seats: int, chance: Chance) -> None:
        self.chance = chance
        self.events: list[Event] = []
        self.points = [0] * seats
        self.round = 0
        self._deal()

    def _deal(self) -> None:
        self.round += 1
        seats = len(self.points)
        pack = self.chance.shuffle(PACK, "deal", self.round)
        self.cards, self.pile = list(pack[:seats]), list(pack[seats:])
        self.aside: list[int] = []
        self.events.append((ROUND, self.round))
        self.events += [(DEALT, seat, card) for seat, card in enumerate(self.cards)]
        self._ask(0)

    def _ask(self, seat: int) -> None:
        self.turn = seat
        self.asked = (seat,)

    def legal(self, seat: int) -> tuple[str, ...]:
        if seat not in self.asked:
            return ()
        return ("keep", "swap", "wave") if self.cards[seat] == 1 else ("keep", "swap")

    def apply(self, moves: Sequence[str]) -> None:
        seat = self.turn
        if moves[0] == "swap":
            self.events.append((SWAPS, seat))
            self._swap(seat)
        elif moves[0] == "wave":
            self.events.append((WAVES, seat))
        else:
            self._keep(seat)
        if seat + 1 < len(self.cards):
            self._ask(seat + 1)
        else:
            self._show()

    def _keep(self, seat: int) -> None:
        self.events.append((KEEPS, seat))

    def _swap(self, seat: int) -> None:
        self.aside.append(self.cards[seat])
        self.cards[seat] = self.pile.pop(0)
        self.events.append((TAKES, seat, self.cards[seat]))

    def _show(self) -> None:
        self.events += [(SHOWS, seat, card) for seat, card in enumerate(self.cards)]
        for seat, card in enumerate(self.cards):
            if card == max(self.cards):
                self.points[seat] += 1
                self.events.append((SCORES, seat))
        if self.round < ROUNDS:
            self._deal()
        else:
            self.asked = ()

    def default(self, seat: int) -> str:
        """Keep."""
        return "keep"

    def view(self, seat: int) -> tuple[Any, ...]:
        turn = self.turn if self.asked else None
        return SwappingView(self.round, tuple(self.points), len(self.pile), turn, seat, self.cards[seat])

    def counts(self) -> dict[str, int]:
        return dict(Counter(f"card {card}" for card in (*self.cards, *self.pile, *self.aside)))

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events, twin.chance = self.asked, self.events[:], self.chance.copy()
        twin.cards, twin.pile, twin.aside = self.cards[:], self.pile[:], self.aside[:]
        twin.points, twin.round, twin.turn = self.points[:], self.round, self.turn
        return twin

    def outcome(self) -> Outcome:
        return Outcome(tuple(self.points), ranks(self.points))


class Swapping(Game):
    """The rules."""

    name = "swapping"
    title = "Keep your card or swap it"
    unit = "points"
    behaviour = 1
    options = Options
    seats = (2, 5)
    recommended = 3
    lines = LINES
    message = "tests.swapping:MESSAGE"
    stable = 2
    moves = "keep  keep your card\nswap  take the top card of the pile\nwave  with a 1: wave"
    state: ClassVar[type[SwappingState]] = SwappingState

    def start(self, options: Any, seats: int, chance: Chance) -> State:
        self.check(options, seats)
        return self.state(seats, chance)


def _message() -> Any:
    """Return the message of the view, made without a proto file."""
    file = FileDescriptorProto(name="tests/swapping.proto", package="tests", syntax="proto3")
    view = file.message_type.add(name="SwappingView")
    for number, name in enumerate(SwappingView._fields, start=1):
        many = name == "points"
        field = view.field.add(name=name, number=number, type=FieldDescriptorProto.TYPE_SINT32)
        field.label = FieldDescriptorProto.LABEL_REPEATED if many else FieldDescriptorProto.LABEL_OPTIONAL
        if name == "turn":
            field.proto3_optional = True
            field.oneof_index = 0
            view.oneof_decl.add(name="_turn")
    Default().AddSerializedFile(file.SerializeToString())
    return GetMessageClass(Default().FindMessageTypeByName("tests.SwappingView"))


MESSAGE = _message()
SWAPPING = Swapping()
