"""Who meets whom, who sits next to whom, and who challenges whom."""

from collections import Counter
from itertools import combinations, permutations
from math import factorial

import pytest

from arena.plan.schedule import Plan

SECRET = bytes(range(32))


def meetings(plan: Plan) -> Counter[tuple[int, int]]:
    met = Counter[tuple[int, int]](dict.fromkeys(combinations(range(plan.bots), 2), 0))
    for deal in plan.iter_deals():
        met.update(combinations(sorted({player.entrant for player in deal.players}), 2))
    return met


@pytest.mark.parametrize("bots", [2, 3, 4, 5, 6, 9, 10, 25])
def test_at_tables_of_two_everybody_meets_everybody_once_in_turn(bots: int) -> None:
    lap = bots - 1 + bots % 2
    plan = Plan(bots, 2, lap * 3, 8, SECRET)
    assert set(meetings(plan).values()) == {3}
    first = Plan(bots, 2, lap, 8, SECRET)
    assert set(meetings(first).values()) == {1}
    for deal in plan.iter_deals():
        assert len({player.entrant for player in deal.players}) == 2


@pytest.mark.parametrize(
    ("bots", "seats", "spread"), [(6, 3, 1), (7, 3, 2), (12, 4, 2), (13, 6, 3), (16, 4, 3), (30, 6, 4), (20, 15, 3)]
)
def test_at_larger_tables_meetings_differ_by_little(bots: int, seats: int, spread: int) -> None:
    met = meetings(Plan(bots, seats, 120, 8, SECRET))
    assert max(met.values()) - min(met.values()) <= spread


@pytest.mark.parametrize(("bots", "seats", "spread"), [(4, 4, 1), (6, 6, 2), (7, 5, 3), (12, 4, 3), (15, 15, 8)])
def test_everybody_sits_after_everybody_about_equally_often(bots: int, seats: int, spread: int) -> None:
    after = Counter(dict.fromkeys(permutations(range(bots), 2), 0))
    for deal in Plan(bots, seats, 120, 8, SECRET).iter_deals():
        seated = [player.entrant for player in deal.players]
        after.update(zip(seated, [*seated[1:], seated[0]], strict=True))
    assert max(after.values()) - min(after.values()) <= spread


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_order_of_a_small_table_is_played(seats: int) -> None:
    plan = Plan(seats, seats, 2, 8, SECRET, rotate="all")
    matches = [match for phase in plan.iter_phases() for match in phase.matches]
    assert plan.rotations == factorial(seats)
    for deal in (0, 1):
        orders = {match.players for match in matches if match.deal.number == deal}
        assert len(orders) == factorial(seats)
    assert sorted(match.number for match in matches) == list(range(plan.matches))


def test_large_tables_move_on_by_a_seat_at_a_time() -> None:
    assert Plan(6, 6, 2, 8, SECRET, rotate="all").rotations == 6


def test_without_rotations_every_deal_is_played_once() -> None:
    plan = Plan(3, 3, 5, 8, SECRET, rotate="none")
    assert (plan.rotations, plan.matches, plan.phases) == (1, 5, 1)


@pytest.mark.parametrize(("bots", "challengers", "seats"), [(5, 2, 2), (8, 3, 3), (4, 3, 2), (3, 1, 4), (9, 1, 6)])
def test_challengers_get_the_same_deals_against_the_same_opponents(bots: int, challengers: int, seats: int) -> None:
    plan = Plan(bots, seats, 24, 8, SECRET, challengers=challengers, common_deals=True)
    rounds: dict[int, list[list[int]]] = {}
    for deal in plan.iter_deals():
        assert deal.number == deal.round
        rounds.setdefault(deal.round, []).append([player.entrant for player in deal.players])
    against = Counter[tuple[int, int]]()
    for tables in rounds.values():
        challenging = [[bot for bot in table if bot < challengers] for table in tables]
        assert challenging == [[number] for number in range(challengers)]
        assert len({tuple(-1 if bot < challengers else bot for bot in table) for table in tables}) == 1
        against.update((mine, bot) for [mine], table in zip(challenging, tables, strict=True) for bot in table)
    meetings = [against[mine, bot] for mine in range(challengers) for bot in range(challengers, bots)]
    assert max(meetings) - min(meetings) <= 1
    for phase in plan.iter_phases():
        met = Counter((player, match.deal.number) for match in phase.matches for player in match.players)
        assert set(met.values()) == {1}, "a process meets no deal twice, though the deal is at every table"
        assert len({player for match in phase.matches for player in match.players}) <= plan.processes
