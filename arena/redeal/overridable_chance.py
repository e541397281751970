"""Chance that records its requests, and whose answers can be changed."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Self, TypeVar

from referee.engine.chance import Chance
from referee.engine.redeal import chosen, named, ordered

T = TypeVar("T")
Values = tuple[int, ...]
"""An answer as indices into the elements of its request, as in `referee.engine.redeal.Redeal.fixed`."""


class DealRequest(NamedTuple):
    """A shuffle, roll or pick that the rules requested."""

    place: str
    kind: Literal["shuffle", "roll", "pick"]
    elements: Sequence[object]
    """The cards, faces or numbers to choose from."""


class OverridableChance(Chance):
    """Chance that all copies of a state share.

    values: the answers by place; they can be changed.
    source: gives the answers that are not yet in `values`.
    requests: those of all copies, in order, since the list was last cleared.
    """

    __slots__ = ("source", "values", "requests")

    def __init__(self, source: Chance) -> None:
        super().__init__(source.seed)
        self.source = source
        self.values: dict[str, Values] = {}
        self.requests: list[DealRequest] = []

    def copy(self) -> Self:
        return self

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        values = self._record(DealRequest(named(place), "shuffle", tuple(cards)))
        if values is None:
            values = self._store(place, self.source.shuffle(range(len(cards)), *place, left=left))
        return ordered(cards, values, place)

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        values = self._record(DealRequest(named(place), "pick", range(n)))
        if values is None:
            values = self._store(place, (self.source.pick(n, *place),))
        return low + chosen(range(n), values, 1, place)[0]

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        values = self._record(DealRequest(named(place), "roll", tuple(faces)))
        if values is None:
            values = self._store(place, self.source.roll(range(len(faces)), count, *place))
        return chosen(faces, values, count, place)

    def _record(self, request: DealRequest) -> Values | None:
        self.requests.append(request)
        return self.values.get(request.place)

    def _store(self, place: Sequence[int | str], values: Values) -> Values:
        self.values[named(place)] = values
        return values


def answer_of_seed(seed: bytes, request: DealRequest, count: int) -> Values:
    """Return the answer of a match seed to a request.

    count: the number of dice of a roll.
    """
    chance, place = Chance(seed), request.place
    if request.kind == "shuffle":
        return chance.shuffle(range(len(request.elements)), place)
    if request.kind == "roll":
        return chance.roll(range(len(request.elements)), count, place)
    return (chance.pick(len(request.elements), place),)
