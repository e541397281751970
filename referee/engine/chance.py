"""Chance: the rules ask for it by place, a dealer answers.

`Chance` is keyed, not streamed: every request names its place in the match (purpose, set, round,
seat ...), and the answer is a function of the match seed and that place alone, so an early
difference between two matches of one deal changes later shuffles no more than the rules force.

The function is that of `draws`. `ScriptedChance` answers from a scenario's script first and goes on with the seed.
"""

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Self, TypeVar

from mypy_extensions import mypyc_attr

from referee.engine.draws import find_draws
from referee.engine.errors import ScriptError

T = TypeVar("T")

_DRAWS: Final[Any] = find_draws()


def seed_from_number(number: int) -> bytes:
    """Return the 32-byte secret that `--seed NUMBER` stands for: SHA-256 of "arena seed NUMBER"."""
    return sha256(f"arena seed {number}".encode()).digest()


def deal_seed(secret: bytes, deal: int) -> bytes:
    """Return the match seed of deal `deal` (counted from 0): HMAC-SHA256(secret, "deal/N")."""
    return hmac.digest(secret, f"deal/{deal}".encode(), "sha256")


def mixed_secret(secret: bytes, entropy: str) -> bytes:
    """Return a secret with a public value mixed in: HMAC-SHA256(secret, "entropy/VALUE"), the value as UTF-8."""
    return hmac.digest(secret, f"entropy/{entropy}".encode(), "sha256")


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """Answers every request from the match seed; holds no state, so copies share it."""

    __slots__ = ("seed", "_draws")

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._draws: Any = _DRAWS(seed)

    def copy(self) -> Self:
        """Return a dealer that goes on like this one (itself: there is no state)."""
        return self

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        """Return `cards` in random order, the first to be dealt first.

        `place` names the request; no two requests of a match may share it. `left` is how many cards
        of the pack that was shuffled before were never dealt; only a script needs to know.
        """
        shuffled: tuple[T, ...] = self._draws.shuffle(cards, place)
        return shuffled

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        """Return one of the `n` numbers from `low` on: a first dealer, the size of a cut."""
        picked: int = self._draws.pick(n, place)
        return low + picked

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        """Return `count` dice, each showing one of `faces`."""
        rolled: tuple[T, ...] = self._draws.roll(faces, count, place)
        return rolled


class ScriptedChance(Chance):
    """Answers from a script first, then from the seed.

    deck: the next cards to leave the pack, in the order dealt, through all shuffles.
    dice: one list of faces per roll, in the order rolled.
    picks: the answers of `pick` by the first word of its place ("first", "cut").

    A pack is shuffled so that the scripted cards lie on top as far as the pack holds them; those
    that were not dealt before the next shuffle stay in the script for the next pack.
    """

    __slots__ = ("deck", "dice", "picks", "_issued", "_stacked", "_exhausted", "_unasked")

    def __init__(
        self,
        seed: bytes,
        deck: Sequence[int | str] = (),
        dice: Sequence[Sequence[int | str]] = (),
        picks: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(seed)
        self.deck = tuple(deck)
        self.dice = tuple(tuple(roll) for roll in dice)
        self.picks = dict(picks or {})
        self._issued = 0
        self._stacked = 0
        self._exhausted = True
        self._unasked = {name for name, script in (("deck", deck), ("dice", dice)) if script}

    def copy(self) -> Self:
        twin = type(self)(self.seed, self.deck, self.dice, self.picks)
        twin._issued, twin._stacked, twin._exhausted = self._issued, self._stacked, self._exhausted
        twin._unasked = set(self._unasked)
        return twin

    def unasked(self) -> list[str]:
        """Return the parts of the script ("deck", "dice", "first", "cut") that the rules have not asked for yet."""
        return sorted(self._unasked | self.picks.keys())

    def check(self, left: int) -> None:
        """Raise ScriptError where the rules dealt a card that the script gives but the pack lacked.

        `left` is how many cards of the last pack have not been dealt.
        """
        if self._issued - left > self._stacked and not self._exhausted:
            raise ScriptError(
                f"the deck's next card, {self.deck[self._stacked]}, was not in the pack when it had to be dealt "
                f"(after {', '.join(map(str, self.deck[: self._stacked])) or 'no card'} of this shuffle): "
                "every copy of it is in a hand or on the table"
            )

    def dealt(self, left: int) -> None:
        """Strike the dealt cards off the script. `left` and what it raises are those of `check`."""
        self.check(left)
        dealt = self._issued - left
        self.deck = self.deck[dealt:]
        self._issued = self._stacked = 0
        self._exhausted = True

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        self.dealt(left)
        rest = list(cards)
        if "deck" in self._unasked:
            self._unasked.remove("deck")
            if strange := [card for card in self.deck if card not in rest]:
                raise ScriptError(f"the script deals {strange[0]}, but the pack has no such card")
        top: list[T] = []
        for card in self.deck:
            if card not in rest:
                break
            top.append(rest.pop(rest.index(card)))
        self._issued = len(cards)
        self._stacked = len(top)
        self._exhausted = len(top) == len(self.deck)
        return (*top, *super().shuffle(rest, *place))

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        if place and (scripted := self.picks.pop(str(place[0]), None)) is not None:
            if not low <= scripted < low + n:
                raise ScriptError(f"{place[0]} = {scripted} is out of range: it must be from {low} to {low + n - 1}")
            return scripted
        return super().pick(n, *place, low=low)

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        if not self.dice:
            return super().roll(faces, count, *place)
        self._unasked.discard("dice")
        roll, self.dice = self.dice[0], self.dice[1:]
        if len(roll) != count:
            raise ScriptError(
                f"the script rolls {len(roll)} dice ({', '.join(map(str, roll))}) where the rules roll {count}"
            )
        if strange := [face for face in roll if face not in faces]:
            raise ScriptError(f"no die shows {strange[0]}: the faces are {', '.join(map(str, faces))}")
        return roll  # type: ignore[return-value]
