"""The chance of a match under test: it records requests, repeats known answers, and can change one answer.

The change makes a twin of a match that differs in one hidden fact (`arena.testing.noninterference`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Self, TypeVar

from referee.engine.chance import Chance

T = TypeVar("T")
Answer = tuple[Any, ...]

PUBLIC = "first"
"""The first word of the place whose answer is public at once: who deals first."""


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """One request of the rules to chance."""

    place: str
    options: Answer
    """The cards, faces or numbers that the answer is taken from."""
    answer: Answer
    kind: str


@dataclass(frozen=True, slots=True)
class ChanceChange:
    """A change of one answer: two cards are swapped, or a die or number is replaced."""

    place: str
    """The place of the request."""
    at: int
    """The index of the card or die."""
    other: Any
    """The index of the card to swap with, or the new face or number."""
    kind: str

    def fits(self, place: str, kind: str, options: Answer) -> bool:
        """Tell whether it changes this request; in a twin another one may be made at the same place."""
        return place == self.place and kind == self.kind and (kind == "shuffle" or self.other in options)

    def apply(self, answer: Answer) -> Answer:
        """Return the changed answer."""
        changed = list(answer)
        if self.at >= len(changed):
            return answer
        if self.kind == "shuffle":
            if self.other < len(changed):
                changed[self.at], changed[self.other] = changed[self.other], changed[self.at]
        else:
            changed[self.at] = self.other
        return tuple(changed)

    def __str__(self) -> str:
        if self.kind == "shuffle":
            return f'cards {self.at} and {self.other} of the shuffle "{self.place}" change places'
        if self.kind == "roll":
            return f'die {self.at} of the roll "{self.place}" shows {self.other}'
        return f'the pick "{self.place}" is {self.other}'


def random_change(request: AnsweredRequest, rng: Random) -> ChanceChange | None:
    """Return a random change of the answer to a request; None if no other answer is possible."""
    answer = request.answer
    if request.place.split("/")[0] == PUBLIC or len(set(request.options)) < 2 or not answer:
        return None
    if request.kind == "shuffle":
        # Prefer cards near the top: those far below are seldom dealt.
        at = int(len(answer) * rng.random() ** 2)
        others = [place for place, card in enumerate(answer) if card != answer[at]]
        return ChanceChange(request.place, at, rng.choice(others), request.kind)
    at = rng.randrange(len(answer))
    others = [value for value in request.options if value != answer[at]]
    return ChanceChange(request.place, at, rng.choice(others), request.kind)


class CaseChance(Chance):
    """The chance of a match under test, shared by all copies of a state.

    known: requests with fixed answers (those of a scenario), by place; all others are answered from the seed.
    change: of one answer. requests: all requests so far, with their answers.
    """

    __slots__ = ("known", "change", "requests")

    def __init__(
        self, seed: bytes, known: Mapping[str, AnsweredRequest] | None = None, change: ChanceChange | None = None
    ) -> None:
        super().__init__(seed)
        self.known = known or {}
        self.change = change
        self.requests: list[AnsweredRequest] = []

    def copy(self) -> Self:
        return self

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        return self._answer("shuffle", place, tuple(cards), self.fresh_shuffle(cards, *place, left=left))

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        number: int = self._answer("pick", place, tuple(range(low, low + n)), (self.fresh_pick(n, *place, low=low),))[0]
        return number

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        return self._answer("roll", place, tuple(faces), self.fresh_roll(faces, count, *place))

    def fresh_shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        """Shuffle from the seed."""
        return super().shuffle(cards, *place, left=left)

    def fresh_pick(self, n: int, *place: int | str, low: int = 0) -> int:
        """Pick from the seed."""
        return super().pick(n, *place, low=low)

    def fresh_roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        """Roll from the seed."""
        return super().roll(faces, count, *place)

    def _answer(self, kind: str, parts: tuple[int | str, ...], options: Answer, answer: Answer) -> Answer:
        place = "/".join(map(str, parts))
        known = self.known.get(place)
        # A twin may shuffle other cards at a place that the scenario knows.
        if known is not None and known.options == options and len(known.answer) == len(answer):
            answer = known.answer
        if self.change is not None and self.change.fits(place, kind, options):
            answer = self.change.apply(answer)
        self.requests.append(AnsweredRequest(place, options, answer, kind))
        return answer


class ScenarioChance(CaseChance):
    """The chance of a scenario: answers from the script first."""

    __slots__ = ("script",)

    def __init__(self, script: Chance) -> None:
        super().__init__(script.seed)
        self.script = script

    def fresh_shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        return self.script.shuffle(cards, *place, left=left)

    def fresh_pick(self, n: int, *place: int | str, low: int = 0) -> int:
        return self.script.pick(n, *place, low=low)

    def fresh_roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        return self.script.roll(faces, count, *place)
