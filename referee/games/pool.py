"""Dividing money: pure functions for the pools of Cucù and Lu Stù, and who has a part of whose winnings."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Claim(NamedTuple):
    """A part of what `seat` will win belongs to `to`.

    paid: as a member of the syndicate that brought `seat` back, in proportion to what each member paid (`seat` is a
        member too); percent: as an innkeeper at Montorio, so much of a hundred. One of the two is None.
    """

    seat: int
    to: int
    paid: int | None = None
    percent: int | None = None


def divide(amount: int, weights: Mapping[int, int]) -> dict[int, int]:
    """Divide `amount` among seats in proportion to their weights.

    Decision: whole units, rounded down; the rest goes to the earliest seat that has any weight.
    """
    total = sum(weights.values())
    parts = {seat: amount * weight // total for seat, weight in weights.items()}
    parts[min(seat for seat, weight in weights.items() if weight)] += amount - sum(parts.values())
    return parts


def settle(seat: int, part: int, claims: Sequence[Claim]) -> dict[int, int]:
    """Return what each seat gets of the part of the pool that falls to `seat`.

    Its syndicate shares first. Decision: a percentage is of what then is the seat's own, rounded down.
    """
    members = {claim.to: claim.paid for claim in claims if claim.seat == seat and claim.paid is not None}
    got = divide(part, members or {seat: 1})
    own = got[seat]
    for claim in claims:
        if claim.seat == seat and claim.percent is not None:
            promised = own * claim.percent // 100
            got[claim.to] = got.get(claim.to, 0) + promised
            got[seat] -= promised
    return got
