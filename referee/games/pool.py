"""The money of Cucù and Lu Stù: who has paid what into the pool, and how it is divided at the end.

Source: the page on Cucù named in `cucu`: "Seating and Stakes", "Re-Entry", "Sharing the re-entry fee".
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Claim(NamedTuple):
    """A part of what `seat` will win belongs to `to`."""

    seat: int
    to: int
    paid: int | None = None
    """What `to` paid as a member of the syndicate that brought `seat` back, which shares in proportion to what each
    member paid (`seat` is a member too); None for an innkeeper.
    """
    percent: int | None = None
    """The percentage that `to` has as an innkeeper at Montorio; None for a member of a syndicate."""


class Pool:
    """The pool, into which everybody pays the stake at the start, and the money of each seat.

    stake: what everybody pays at the start; also the first price of re-entry.
    doublings: how often that price was doubled so far.
    amount: what is in the pool.
    purses: by seat, what it may still spend.
    scores: by seat, money won minus money paid.
    claims: who has a part of whose winnings.
    """

    __slots__ = ("stake", "doublings", "amount", "purses", "scores", "claims")

    def __init__(self, seats: int, stake: int, bankroll: int) -> None:
        self.stake = stake
        self.doublings = 0
        self.amount = stake * seats
        self.purses = (bankroll - stake,) * seats
        self.scores = (-stake,) * seats
        self.claims: tuple[Claim, ...] = ()

    @property
    def price(self) -> int:
        """What re-entry costs next: the stake at first, then always twice as much."""
        return self.stake << self.doublings

    def pay(self, seat: int, money: int) -> None:
        """Let `seat` pay into the pool."""
        self._spend(seat, money)
        self.amount += money

    def pay_seat(self, seat: int, to: int, money: int) -> None:
        """Let `seat` pay another seat, which cannot spend that money in the match."""
        self._spend(seat, money)
        self.scores = added(self.scores, to, money)

    def _spend(self, seat: int, money: int) -> None:
        self.purses = added(self.purses, seat, -money)
        self.scores = added(self.scores, seat, -money)

    def pay_out(self, weights: Mapping[int, int]) -> tuple[int, ...]:
        """Empty the pool: divide it by the weights of seats, and by the claims. Return what each seat gets."""
        amounts = [0] * len(self.scores)
        for seat, part in divide(self.amount, weights).items():
            for to, money in settle(seat, part, self.claims).items():
                amounts[to] += money
        self.amount = 0
        self.scores = tuple([score + money for score, money in zip(self.scores, amounts, strict=True)])
        return tuple(amounts)

    def copy(self) -> "Pool":
        """Return an independent pool."""
        twin = Pool(0, self.stake, 0)
        twin.doublings, twin.amount = self.doublings, self.amount
        twin.purses, twin.scores, twin.claims = self.purses, self.scores, self.claims
        return twin


def added(numbers: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    """Return the numbers by seat, with `number` added to that of one seat."""
    return (*numbers[:seat], numbers[seat] + number, *numbers[seat + 1 :])


def divide(amount: int, weights: Mapping[int, int]) -> dict[int, int]:
    """Divide `amount` among seats in proportion to their weights.

    Decision: whole units, rounded down; the rest goes to the earliest seat that has any weight.
    """
    total = sum(weights.values())
    parts = {seat: amount * weight // total for seat, weight in weights.items()}
    parts[min(seat for seat, weight in weights.items() if weight)] += amount - sum(parts.values())
    return parts


def levelled(amount: int, purses: Mapping[int, int]) -> dict[int, int]:
    """Divide `amount`, which the purses of some seats can pay together, equally among them.

    Who has less than an equal part pays all of it, and the others divide what is missing.
    """
    parts = divide(amount, dict.fromkeys(purses, 1))
    poor = {seat: purse for seat, purse in purses.items() if purse < parts[seat]}
    if not poor:
        return parts
    rest = {seat: purse for seat, purse in purses.items() if seat not in poor}
    paid = poor | levelled(amount - sum(poor.values()), rest)
    return {seat: paid[seat] for seat in purses}


def settle(seat: int, part: int, claims: Sequence[Claim]) -> dict[int, int]:
    """Return what each seat gets of the part of the pool that falls to `seat`.

    Its syndicate shares first. Decision: a percentage is of what then is the seat's own, rounded down.
    """
    members = {claim.to: claim.paid for claim in claims if claim.seat == seat and claim.paid is not None}
    parts = divide(part, members or {seat: 1})
    own = parts[seat]
    for claim in claims:
        if claim.seat == seat and claim.percent is not None:
            promised = own * claim.percent // 100
            parts[claim.to] = parts.get(claim.to, 0) + promised
            parts[seat] -= promised
    return parts
