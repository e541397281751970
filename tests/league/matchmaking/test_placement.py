"""Placement: whom newcomers meet, and when it is over."""

from collections import Counter
from dataclasses import replace

import pytest

from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.placement import PlacementRule, draw_placement, placement_over
from arena.league.plan.matchmaking.shape import PlacementShape
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from referee.engine.chance import Chance, seed_from_number

STANDING = [RatedEntry(number, number, 20 * number, 15, 900, 200, 3000) for number in range(1, 51)]
NEW = RatedEntry(60, 60, 0, None, 0, 0, 3000, is_placing=True)


def chance(number: int) -> Chance:
    return Chance(seed_from_number(number))


@pytest.mark.parametrize(
    ("deals", "ci95", "cpu", "end"),
    [
        (19, 10.0, 0.0, None),
        (20, 59.9, 0.0, "settled"),
        (20, 60.0, 0.0, None),
        (399, None, 0.0, None),
        (399, 80.0, 599.0, None),
        (400, 80.0, 0.0, "deals"),
        (400, None, 0.0, "deals"),
        (400, 59.0, 0.0, "settled"),
        (5, None, 600.0, "cpu"),
    ],
)
def test_a_placement_is_over_by_interval_deals_or_cpu_time(
    deals: int, ci95: float | None, cpu: float, end: str | None
) -> None:
    assert placement_over(deals, ci95, cpu) == end


def test_the_rule_can_be_another() -> None:
    assert placement_over(30, 70.0, 0.0, PlacementRule(ci95=80)) == "settled"
    assert placement_over(30, 50.0, 3.0, PlacementRule(least_deals=40, most_cpu=2)) == "cpu"


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_newcomer_without_an_interval_meets_entries_spread_over_the_ranking(seats: int) -> None:
    for number in range(20):
        batch = draw_placement(Snapshot(1, [*STANDING, NEW]), PlacementShape(seats), chance(number))
        assert (batch.kind, batch.deals, len(batch.tables)) == ("placement", 6, 8)
        assert all(60 in table and len(set(table)) == seats for table in batch.tables)
        met = [entry for entry in batch.entries if entry != 60]
        assert len(met) == 7
        assert min(met) <= 8
        assert max(met) >= 43


def test_with_an_interval_it_meets_entries_within_it() -> None:
    placed = replace(NEW, elo=500, ci95=100, deals=24)
    for number in range(20):
        batch = draw_placement(Snapshot(1, [*STANDING, placed]), PlacementShape(4), chance(number))
        met = [20 * entry for entry in batch.entries if entry != 60]
        assert len(met) == 7
        assert 360 <= min(met) <= 470
        assert 530 <= max(met) <= 640


def test_several_newcomers_have_tables_of_their_own_and_those_with_the_fewest_deals_come_first() -> None:
    others = [replace(NEW, number=number, owner=number, deals=number) for number in (61, 62)]
    busy = replace(NEW, number=59, owner=59, pending_deals=100)
    batch = draw_placement(Snapshot(1, [*STANDING, NEW, *others, busy]), PlacementShape(4), chance(1))
    tables = Counter(number for table in batch.tables for number in table if number >= 59)
    assert tables == {60: 4, 61: 4}
    assert not any({60, 61} <= set(table) for table in batch.tables)


def test_a_batch_places_as_many_newcomers_as_its_entries_fill_tables() -> None:
    for seats, placed in ((2, 2), (4, 2), (5, 1), (8, 1)):
        newcomers = [NEW, replace(NEW, number=61, owner=61)]
        batch = draw_placement(Snapshot(1, [*STANDING, *newcomers]), PlacementShape(seats), chance(1))
        assert sum(number >= 60 for number in batch.entries) == placed
        assert all(len(set(table)) == seats for table in batch.tables)


def test_the_opponents_of_a_newcomer_are_not_its_owners_and_the_cheaper_ones() -> None:
    own = [replace(entry, owner=60 if entry.number % 2 else entry.number) for entry in STANDING]
    slow = [replace(entry, cpu_us_per_deal=90_000 if entry.number % 4 == 0 else 3000) for entry in own]
    met: Counter[int] = Counter()
    for number in range(30):
        batch = draw_placement(Snapshot(1, [*slow, NEW]), PlacementShape(4), chance(number))
        met.update(entry % 4 for entry in batch.entries if entry != 60)
    assert met[1] == met[3] == 0
    assert met[0] < met[2] / 2, "half of the others are slow"


def test_a_league_that_begins_has_its_newcomers_meet() -> None:
    newcomers = [replace(NEW, number=number, owner=number) for number in range(1, 6)]
    batch = draw_placement(Snapshot(0, newcomers), PlacementShape(4, newcomers=1), chance(1))
    assert all(1 in table and len(set(table)) == 4 for table in batch.tables)


def test_a_draw_is_a_function_of_snapshot_and_chance_and_not_of_the_order_of_entries() -> None:
    entries = [*STANDING, NEW]
    one, other = (draw_placement(Snapshot(1, each), PlacementShape(4), chance(2)) for each in (entries, entries[::-1]))
    assert one == other


def test_what_cannot_be_drawn_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(DrawError, match="no entry is in its placement: draw a batch of standing entries instead"):
        draw_placement(Snapshot(1, STANDING), PlacementShape(4), chance(1))
    with pytest.raises(
        DrawError, match="no table of 4 can be filled for entry 60: entries of 1 more owners are needed"
    ):
        draw_placement(Snapshot(1, [*STANDING[:2], NEW]), PlacementShape(4), chance(1))
