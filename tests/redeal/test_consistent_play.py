"""A replay is consistent with what its seat saw, even with many unseen answers."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from arena.redeal.consistent_play import MOST_UNHEARD, ConsistentMatch
from arena.redeal.knowledge import ObservedMatch
from arena.redeal.overridable_chance import OverridableChance
from referee.engine.chance import Chance
from referee.engine.events import Audience, Event, Line
from referee.engine.game import Game, Outcome, State
from referee.engine.options import Options


class DialView(NamedTuple):
    """What a seat sees."""

    seat: int


class DialState(State):
    """Seat 1 turns a dial several times unseen; then everybody sees its position, and seat 0 answers."""

    __slots__ = ("chance", "left", "dial")

    def __init__(self, turns: int, chance: Chance) -> None:
        self.chance = chance
        self.left = turns
        self.dial = chance.pick(5, "dial")
        self.events: list[Event] = []
        self.asked = (1,)

    def legal(self, seat: int) -> tuple[str, ...]:
        return (("stay", "turn") if seat else ("well",)) if seat in self.asked else ()

    def apply(self, moves: Sequence[str]) -> None:
        if self.asked == (0,):
            self.asked = ()
            return
        turned = moves[0] == "turn"
        self.events.append((0, int(turned)))
        self.left -= 1
        self.dial = 2 * self.dial + turned
        if not self.left:
            self.events.append((1, self.dial))
            self.asked = (0,)

    def default(self, seat: int) -> str:
        return self.legal(seat)[0]

    def view(self, seat: int) -> DialView:
        return DialView(seat)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.chance, twin.left, twin.dial = self.chance, self.left, self.dial
        twin.events, twin.asked = self.events[:], self.asked
        return twin

    def outcome(self) -> Outcome:
        return Outcome((0, 0), (1, 1))


class Dial(Game):
    """The rules."""

    name = "dial"
    title = "A dial that is turned unseen"
    unit = "points"
    behaviour = 1
    options = Options
    seats = (2, 2)
    recommended = 2
    lines = (Line("a turn of {}", "unseen", Audience.NOBODY), Line("the dial stands at {}", "heard"))
    message = "tests.redeal.test_course:DialView"
    moves = "stay    no turn\nturn    a turn\nwell    seen"

    def __init__(self, turns: int) -> None:
        self.turns = turns

    def start(self, options: Options, seats: int, chance: Chance) -> DialState:
        return DialState(self.turns, chance)


def read(turns: Sequence[int]) -> ObservedMatch:
    """Return what seat 0 knew of a match.

    turns: what seat 1 did, 1 for a turn of the dial.
    """
    observed = ObservedMatch(Dial(len(turns)), Options(), 2, 0, OverridableChance(Chance(bytes(32))))
    observed.read([*turns, 0], ())
    return observed


def test_a_seat_may_answer_often_before_another_sees_an_event() -> None:
    for turns in ([0, 1, 0], [1, 0, 0], [0] * MOST_UNHEARD + [1, 1, 0]):
        observed = read(turns)
        course = ConsistentMatch(observed)
        assert [step.answers for step in course.steps] == observed.course
        assert [move == "turn" for step in course.steps[:-1] for move, _ in step.answers] == [*map(bool, turns)]
        assert [request.place for request in course.requests()] == ["dial"]
