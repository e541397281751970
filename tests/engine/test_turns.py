"""Deals that take turns: each thing once before any comes again, whoever computes it."""

import hmac
from itertools import pairwise

import pytest

from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.turns import turn_number, turn_place, turn_seed

SECRET = seed_from_number(7)


def places(n: int, deals: range, secret: bytes = SECRET) -> list[int]:
    found = [turn_place(turn_seed(secret, deal), n) for deal in deals]
    return [place for place in found if place is not None]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 16, 17, 38, 64, 65, 300])
def test_each_comes_once_in_a_cycle_and_cycles_differ(n: int) -> None:
    cycles = [places(n, range(n * cycle, n * cycle + n)) for cycle in range(3)]
    assert all(sorted(cycle) == list(range(n)) for cycle in cycles)
    assert n < 5 or all(one != two for one, two in pairwise(cycles))


PINNED = [24, 12, 31, 16, 32, 20]
"""So that stored tournaments keep their openings."""


def test_the_order_is_that_of_a_tournament() -> None:
    assert places(38, range(6)) == PINNED
    assert places(38, range(6), seed_from_number(8)) != PINNED


def test_one_of_millions_is_found_without_the_others() -> None:
    few = places(2_632_036, range(1000))
    assert len(set(few)) == 1000
    assert sum(few) / 1000 == pytest.approx(1_316_018, rel=0.05)


def test_two_things_come_in_both_orders() -> None:
    """As often as not: of 2,000 cycles 1,000, within four standard deviations."""
    firsts = sum(places(2, range(0, 4000, 2)))
    assert abs(firsts - 1000) < 90


def test_a_seed_tells_its_number_and_begins_with_that_of_any_game() -> None:
    seed = turn_seed(SECRET, 12)
    assert seed[:32] == deal_seed(SECRET, 12)
    assert turn_number(seed) == 12
    assert seed[40:] == hmac.digest(SECRET, b"order", "sha256")[:16]
    assert Chance(seed).pick(1000, "x") in range(1000)


def test_a_seed_of_another_game_tells_none() -> None:
    assert turn_number(deal_seed(SECRET, 12)) is None
    assert turn_place(deal_seed(SECRET, 12), 5) is None
