"""Chance that remembers what it was asked and answers otherwise where it was told to."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Self, TypeVar

from referee.engine.chance import Chance
from referee.engine.redeal import chosen, named, ordered

T = TypeVar("T")
Values = tuple[int, ...]
"""An answer as numbers from 0, as in `referee.engine.redeal.Redeal.fixed`."""


class ChanceRequest(NamedTuple):
    """What the rules asked for. given: the cards, faces or numbers from which the answer is taken."""

    place: str
    kind: Literal["shuffle", "roll", "pick"]
    given: Sequence[object]


class RecordingChance(Chance):
    """One dealer for all copies of a state: a change of `values` holds for all of them.

    source: who answers at places that are not in `values`, where the answer is kept then.
    asked: the requests so far, of all copies in the order they came.
    """

    __slots__ = ("source", "values", "asked")

    def __init__(self, source: Chance) -> None:
        super().__init__(source.seed)
        self.source = source
        self.values: dict[str, Values] = {}
        self.asked: list[ChanceRequest] = []

    def copy(self) -> Self:
        return self

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        values = self._noted(ChanceRequest(named(place), "shuffle", tuple(cards)))
        if values is None:
            values = self._kept(place, self.source.shuffle(range(len(cards)), *place, left=left))
        return ordered(cards, values, place)

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        values = self._noted(ChanceRequest(named(place), "pick", range(n)))
        if values is None:
            values = self._kept(place, (self.source.pick(n, *place),))
        return low + chosen(range(n), values, 1, place)[0]

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        values = self._noted(ChanceRequest(named(place), "roll", tuple(faces)))
        if values is None:
            values = self._kept(place, self.source.roll(range(len(faces)), count, *place))
        return chosen(faces, values, count, place)

    def _noted(self, request: ChanceRequest) -> Values | None:
        self.asked.append(request)
        return self.values.get(request.place)

    def _kept(self, place: Sequence[int | str], values: Values) -> Values:
        self.values[named(place)] = values
        return values


def of_seed(seed: bytes, request: ChanceRequest, count: int) -> Values:
    """Return what the seed answers to a request. count: of the dice."""
    chance, place = Chance(seed), request.place
    if request.kind == "shuffle":
        return chance.shuffle(range(len(request.given)), place)
    if request.kind == "roll":
        return chance.roll(range(len(request.given)), count, place)
    return (chance.pick(len(request.given), place),)
