"""Chance of a world: deals what the seat was told of as it was told, and all else at random."""

from collections.abc import Callable, Iterable, Sequence
from math import comb
from random import Random
from typing import Any, Self, TypeVar

from referee.engine.chance import Chance
from referee.engine.known import Known

T = TypeVar("T")
Place = tuple[int | str, ...]

DEAL_ATTEMPTS = 200
"""How often a deal is drawn again that comes out too rarely or not at all."""


class Unfit(Exception):
    """A world does not fit what its seat was told."""


class Tellings:
    """What is known of the answers of chance, by place, ready to deal by it.

    Deals that agree with it are drawn with the same probability each.
    """

    def __init__(self) -> None:
        self._known: dict[Place, list[Known]] = {}
        self._plans: dict[Place, DealPlan] = {}

    def update(self, known: Iterable[Known]) -> None:
        """Learn anew what is known."""
        told: dict[Place, list[Known]] = {}
        for part in known:
            told.setdefault(part.place, []).append(part)
        for place, parts in told.items():
            if self._known.get(place) != parts:
                self._plans.pop(place, None)
        self._known = told

    def order(self, cards: Sequence[T], place: Place, rng: Random) -> tuple[T, ...]:
        """Return the cards in an order that agrees. Raises Unfit."""
        plan = self._plans.get(place)
        if plan is None or plan.cards != cards:
            plan = self._plans[place] = DealPlan(cards, self._known.get(place, ()))
        return plan.deal(rng)

    def values(self, choices: Sequence[T], count: int, place: Place, rng: Random) -> tuple[T, ...]:
        """Return the dice of a roll, or the number of a pick, that agree. Raises Unfit."""
        result: list[Any] = [None] * count
        free = set(range(count))
        for part in self._known.get(place, ()):
            if any(value not in choices for value in part.values) or any(index not in free for index in part.at):
                raise Unfit
            here = list(part.at)
            if len(part.values) < len(here):
                rng.shuffle(here)
            for index, value in zip(here, part.values, strict=False):
                result[index] = value
            for index in here[len(part.values) :]:
                among = choices if part.among is None else [choice for choice in choices if choice in part.among]
                if not among:
                    raise Unfit
                result[index] = rng.choice(among)
            free -= set(here)
        for index in free:
            result[index] = rng.choice(choices)
        return tuple(result)


class DealPlan:
    """How a pack is dealt that agrees with what is known: the known cards first, then the most restricted places.

    cards: the pack, as the rules give it to be shuffled.
    """

    def __init__(self, cards: Sequence[Any], known: Sequence[Known]) -> None:
        """Prepare the plan. Raises Unfit where the pack has not the cards that are known to be in it."""
        self.cards = cards
        rest = list(cards)
        self._fixed: list[Any] = [None] * len(cards)
        free = set(range(len(cards)))
        groups: dict[tuple[Any, ...], list[int]] = {}
        self._mixed: list[tuple[int, ...]] = []
        self._twins: list[tuple[tuple[int, ...], Any, int]] = []
        self._bounds: list[tuple[frozenset[Any], list[int], int]] = []
        for part in known:
            if len(part.values) > len(part.at) or not free.issuperset(part.at):
                raise Unfit
            free.difference_update(part.at)
            # Where the cards of a group lie within it makes no difference to what is known; it may to the rules.
            if len(part.at) > 1:
                self._mixed.append(part.at)
            for index, value in zip(part.at, part.values, strict=False):
                if value not in rest:
                    raise Unfit
                rest.remove(value)
                self._fixed[index] = value
            left = part.at[len(part.values) :]
            if part.among is None:
                free.update(left)
            elif part.spare:
                free.update(left)
                self._bounds.append((frozenset(part.among), list(left), len(left) - part.spare))
            elif left:
                groups.setdefault(tuple(dict.fromkeys(part.among)), []).extend(left)
        for part in known:
            if len(part.at) > 1:
                self._twins += [
                    (part.at, value, part.values.count(value)) for value in dict.fromkeys(part.values) if value in rest
                ]
        self._rest = rest
        self._free = sorted(free)
        self._groups = self._in_order(groups)

    def _in_order(self, groups: dict[tuple[Any, ...], list[int]]) -> list[tuple[frozenset[Any], list[int], int]]:
        """Return the restricted places, the most restricted first, each with the most cards that may be there.

        The most is counted when its turn comes: those of an earlier group that may only be of the same cards are gone.
        """
        ordered = sorted(
            ((frozenset(among), places) for among, places in groups.items()),
            key=lambda group: sum(card in group[0] for card in self._rest),
        )
        result: list[tuple[frozenset[Any], list[int], int]] = []
        for among, places in ordered:
            fitting = [card for card in self._rest if card in among]
            gone = sum(
                len(before) for allowed, before, _ in result if all(c in among for c in self._rest if c in allowed)
            )
            result.append((among, places, len(fitting) - gone))
        return result

    def deal(self, rng: Random) -> tuple[Any, ...]:
        """Return the pack in an order that agrees, each with the same probability. Raises Unfit."""
        for _ in range(DEAL_ATTEMPTS):
            if (dealt := self._attempt(rng)) is not None:
                return tuple(dealt)
        raise Unfit

    def _attempt(self, rng: Random) -> list[Any] | None:
        dealt, rest = self._fixed[:], self._rest[:]
        rng.shuffle(rest)
        for among, places, most in self._groups:
            fitting = [index for index, card in enumerate(rest) if card in among]
            if len(fitting) < len(places):
                return None
            # A deal is the less likely to be drawn the more cards there were to choose from: rejection evens it out.
            for number in range(len(places)):
                if len(fitting) < most and rng.random() * (most - number) >= len(fitting) - number:
                    return None
            taken = rng.sample(fitting, len(places))
            for place, index in zip(places, taken, strict=True):
                dealt[place] = rest[index]
            rest = [card for index, card in enumerate(rest) if index not in taken]
        for place, card in zip(self._free, rest, strict=True):
            dealt[place] = card
        for among, places, fewest in self._bounds:
            if sum(dealt[place] in among for place in places) < fewest:
                return None
        # What is known to be there is a card of a kind, not a certain one: a deal that has more of the kind there came
        # about in more ways.
        for here, value, known in self._twins:
            ways = comb(sum(dealt[place] == value for place in here), known)
            if ways > 1 and rng.random() * ways >= 1:
                return None
        for places_mixed in self._mixed:
            cards = [dealt[place] for place in places_mixed]
            rng.shuffle(cards)
            for place, card in zip(places_mixed, cards, strict=True):
                dealt[place] = card
        return dealt


class WorldChance(Chance):
    """The dealer of worlds while they are made: all copies of a state share it, unless told otherwise.

    tellings: what is known.
    twin: what `copy` returns: this dealer, or another one that the copy is to go on with.
    """

    __slots__ = ("tellings", "twin", "_rng", "_answers", "_marked")

    def __init__(self, tellings: Tellings, seed: bytes) -> None:
        super().__init__(seed)
        self.tellings = tellings
        self.twin: Chance = self
        self._rng = Random(seed)
        # What was asked for is kept too: if others answered something else, it may be other cards that are shuffled.
        # All of it is kept, as a world is played again by the answers that turned out to fit.
        self._answers: dict[Place, list[tuple[object, tuple[Any, ...]]]] = {}
        self._marked: dict[Place, int] = {}

    def mark(self) -> None:
        """Mark what has been answered so far."""
        self._marked = {place: len(answers) for place, answers in self._answers.items()}

    def forget(self) -> None:
        """Forget what was answered since the mark."""
        self._answers = {place: self._answers[place][:count] for place, count in self._marked.items()}

    def copy(self) -> Self:
        return self.twin  # type: ignore[return-value]

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        return self._answer(place, cards, lambda: self.tellings.order(cards, place, self._rng))

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        numbers = range(low, low + n)
        number: int = self._answer(place, numbers, lambda: self.tellings.values(numbers, 1, place, self._rng))[0]
        return number

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        return self._answer(place, (faces, count), lambda: self.tellings.values(faces, count, place, self._rng))

    def _answer(self, place: Place, asked: object, draw: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
        answers = self._answers.setdefault(place, [])
        for before, answer in answers:
            if before == asked:
                return answer
        answer = draw()
        answers.append((asked, answer))
        return answer
