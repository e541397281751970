"""A match that goes on from a moment of another one with what a seat could not know dealt anew.

Up to the moment chance answers as in the match before but for what was changed; after it, from another seed. Both are
in the record beside the seed, so it verifies like any other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Self, TypeVar

from referee.engine.chance import Chance
from referee.engine.errors import RecordError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Redeal:
    """How a match is dealt anew, to continue it from one of its moments."""

    fixed: Mapping[str, tuple[int, ...]]
    """The answers of chance, by place, that are not those of the match seed, each as numbers from 0: of a shuffle which
    of the given cards comes first, second ...; of a roll each die's face; of a pick how far it is above the lowest.
    """
    later: bytes
    """The seed of all that chance is asked after the moment."""
    requests: int
    """How often chance was asked before the moment."""
    seat: int | None
    """The seat whose knowledge of the match before was kept; None: it was dealt anew in an earlier match, and goes on
    so.
    """

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values that `from_json` reads."""
        fixed = {place: list(values) for place, values in self.fixed.items()}
        return {"fixed": fixed, "later": self.later.hex(), "requests": self.requests, "seat": self.seat}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return what `to_json` wrote. Raises KeyError, TypeError or ValueError where it did not."""
        fixed = {place: tuple(map(index, answer)) for place, answer in values["fixed"].items()}
        requests, seat = index(values["requests"]), values["seat"]
        if requests < 0:
            raise ValueError(f"{requests} requests")
        return cls(fixed, bytes.fromhex(values["later"]), requests, None if seat is None else index(seat))


class RedealtChance(Chance):
    """The dealer of such a match: it counts, to know when the moment has come.

    Raises RecordError, when it is asked, where a fixed answer is none that the rules can have been given.
    """

    __slots__ = ("fixed", "later", "left")

    def __init__(self, seed: bytes, fixed: Mapping[str, tuple[int, ...]], later: bytes, left: int) -> None:
        """Make a dealer that answers as fixed, or else from `seed`, and after `left` requests from the seed `later`."""
        super().__init__(seed)
        self.fixed = fixed
        self.later = Chance(later)
        self.left = left

    def copy(self) -> Self:
        return type(self)(self.seed, self.fixed, self.later.seed, self.left)

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        if not self._before():
            return self.later.shuffle(cards, *place, left=left)
        if (fixed := self._fixed(place)) is None:
            return super().shuffle(cards, *place, left=left)
        return ordered(cards, fixed, place)

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        if not self._before():
            return self.later.pick(n, *place, low=low)
        if (fixed := self._fixed(place)) is None:
            return super().pick(n, *place, low=low)
        return low + chosen(range(n), fixed, 1, place)[0]

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        if not self._before():
            return self.later.roll(faces, count, *place)
        if (fixed := self._fixed(place)) is None:
            return super().roll(faces, count, *place)
        return chosen(faces, fixed, count, place)

    def _before(self) -> bool:
        """Tell whether what is asked now comes before the moment."""
        if not self.left:
            return False
        self.left -= 1
        return True

    def _fixed(self, place: tuple[int | str, ...]) -> tuple[int, ...] | None:
        return self.fixed.get(named(place))


def named(place: Sequence[int | str]) -> str:
    """Return the name of a place."""
    return "/".join(map(str, place))


def ordered(cards: Sequence[T], values: Sequence[int], place: Sequence[int | str]) -> tuple[T, ...]:
    """Return cards in the order that `values` tell. Raises RecordError where they do not name each card once."""
    if sorted(values) != list(range(len(cards))):
        raise RecordError(f'the fixed answer at "{named(place)}" is no order of {len(cards)} cards')
    return tuple([cards[number] for number in values])


def chosen(given: Sequence[T], values: Sequence[int], count: int, place: Sequence[int | str]) -> tuple[T, ...]:
    """Return the faces or numbers that `values` tell. Raises RecordError where they are not `count` of those given."""
    if len(values) != count or not all(0 <= number < len(given) for number in values):
        raise RecordError(f'the fixed answer at "{named(place)}" is not {count} of {len(given)} values')
    return tuple([given[number] for number in values])


def dealer(seed: bytes, redeal: Redeal | None) -> Chance:
    """Return the chance of a match of that seed."""
    return Chance(seed) if redeal is None else RedealtChance(seed, redeal.fixed, redeal.later, redeal.requests)
