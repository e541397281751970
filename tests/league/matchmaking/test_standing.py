"""Draws of batches for standing entries: who may meet, who goes first, and that a draw can be repeated."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.shape import Shape
from arena.league.plan.matchmaking.snapshot import BatchDraw, RatedEntry, Snapshot
from arena.league.plan.matchmaking.standing import draw
from referee.engine.chance import Chance, seed_from_number

FOCUSED = {"random_percent": 0}


def chance(number: int) -> Chance:
    return Chance(seed_from_number(number))


def entry(number: int, elo: int = 0, **values: object) -> RatedEntry:
    known: dict[str, object] = {"owner": number, "ci95": 20, "deals": 500, "recent_deals": 500, "cpu_us_per_deal": 3000}
    return RatedEntry(number=number, elo=elo, **known | values)  # type: ignore[arg-type]


def field(count: int, **values: object) -> list[RatedEntry]:
    """Return entries of strengths that are spread with a standard deviation of 200 Elo."""
    elo = np.random.default_rng(count).normal(0, 200, count)
    return [entry(number + 1, round(strength), **values) for number, strength in enumerate(elo)]


def draws(entries: Iterable[RatedEntry], shape: Shape, count: int = 40) -> list[BatchDraw]:
    snapshot = Snapshot(7, list(entries))
    return [draw(snapshot, shape, chance(number)) for number in range(count)]


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("count", [6, 8, 60])
def test_a_batch_has_its_shape(count: int, seats: int) -> None:
    for batch in draws(field(count), Shape(seats, entries=7, tables=20, deals=10)):
        assert [len(table) for table in batch.tables] == [seats] * 20
        assert all(len(set(table)) == seats for table in batch.tables)
        assert batch.entries == tuple(sorted({number for table in batch.tables for number in table}))
        assert len(batch.entries) == min(count, 7), "who starts plays"
        assert batch.deals == 10


@pytest.mark.parametrize("random_percent", [0, 100])
def test_entries_of_one_owner_never_share_a_table_and_those_of_nobody_may(random_percent: int) -> None:
    owned = [replace(each, owner="" if each.number <= 15 else each.number % 3) for each in field(30)]
    met = set()
    for batch in draws(owned, Shape(4, random_percent=random_percent)):
        for table in batch.tables:
            owners = [owned[number - 1].owner for number in table]
            named = [owner for owner in owners if owner != ""]
            assert len(set(named)) == len(named)
            met.add(owners.count(""))
    assert max(met) >= 2


def test_owners_are_numbers_or_names_and_no_number_is_a_name() -> None:
    entries = [entry(1, owner=1), entry(2, owner="1")]
    assert draw(Snapshot(0, entries), Shape(2, entries=2), chance(1)).tables[0] in ((1, 2), (2, 1))


def test_one_batch_in_five_is_random_and_brings_any_entries_together() -> None:
    kinds = Counter(batch.kind for batch in draws(field(40), Shape(4, tables=4), 500))
    assert kinds == {"focused": 500 - kinds["random"], "random": kinds["random"]}
    assert 75 <= kinds["random"] <= 125, "100 are expected, with a standard deviation of 9"
    batches = draws(field(40), Shape(4, random_percent=100), 100)
    seats = Counter(number for batch in batches for table in batch.tables for number in table)
    assert set(seats) == set(range(1, 41))
    for batch in batches:
        played = Counter(number for table in batch.tables for number in table)
        assert set(played.values()) == {16}, "32 tables of 4 for 8 entries"


def test_focused_batches_bring_neighbours_together() -> None:
    elo = {each.number: each.elo for each in field(200)}
    spreads = {}
    for percent in (0, 100):
        batches = draws(field(200), Shape(4, random_percent=percent), 20)
        spreads[percent] = np.mean([np.std([elo[number] for number in batch.entries]) for batch in batches])
    assert spreads[0] < spreads[100] / 2


def test_whoever_is_farthest_below_the_weekly_floor_goes_first_and_gets_its_deals() -> None:
    entries = [replace(each, recent_deals=99 - each.number % 7) for each in field(50)]
    entries[16] = replace(entries[16], recent_deals=3)
    for batch in draws(entries, Shape(4, weekly_floor=100, **FOCUSED)):
        assert sum(17 in table for table in batch.tables) * batch.deals >= 97
    unfloored = draws(entries, Shape(4, weekly_floor=0, **FOCUSED))
    assert not all(17 in batch.entries for batch in unfloored)


def test_slow_entries_are_drawn_less() -> None:
    slow = {number for number in range(1, 41) if number % 4 == 0}
    entries = [replace(each, cpu_us_per_deal=60_000 if each.number in slow else 3_000) for each in field(40)]
    seats = Counter(
        number in slow for batch in draws(entries, Shape(4, **FOCUSED)) for table in batch.tables for number in table
    )
    assert seats[True] / seats.total() < 0.1, "they are a quarter of the field"


def test_what_is_in_doubt_is_played() -> None:
    clear = [entry(number, 150 * number, ci95=10) for number in range(1, 9)]
    doubtful = [*clear[:6], replace(clear[6], ci95=60), replace(clear[7], elo=clear[6].elo + 10, ci95=60)]
    for batch in draws(doubtful, Shape(2, **FOCUSED), 10):
        played = Counter(number for table in batch.tables for number in table)
        assert {number for number, _ in played.most_common(2)} == {7, 8}
        assert len(played) == 8


def test_deals_under_way_count_as_if_they_were_played() -> None:
    entries = field(60, ci95=40)
    first = draw(Snapshot(1, entries), Shape(4, **FOCUSED), chance(1))
    pending = [replace(each, pending_deals=400 if each.number in first.entries else 0) for each in entries]
    second = draw(Snapshot(1, pending), Shape(4, **FOCUSED), chance(1))
    assert not set(first.entries) & set(second.entries)


@pytest.mark.parametrize("count", [8, 300])
def test_a_draw_is_a_function_of_snapshot_and_chance_and_not_of_the_order_of_entries(count: int) -> None:
    entries = field(count)
    shuffled = [entries[place] for place in np.random.default_rng(3).permutation(count)]
    for number in range(10):
        one, other = (draw(Snapshot(7, each), Shape(4), chance(number)) for each in (entries, shuffled))
        assert one == other
    assert len({draw(Snapshot(7, entries), Shape(4), chance(number)).tables for number in range(10)}) == 10


def test_chance_breaks_ties_and_not_the_number_of_an_entry() -> None:
    batches = draws([entry(number) for number in range(1, 33)], Shape(4, tables=1, entries=4, **FOCUSED), 400)
    seats = Counter(number for batch in batches for number in batch.entries)
    assert min(seats[number] for number in range(1, 33)) > 25, "50 are expected, with a standard deviation of 7"


def test_a_draw_never_changes() -> None:
    batch = draw(Snapshot(7, field(300)), Shape(4, tables=3, **FOCUSED), chance(5))
    tables = ((106, 58, 253, 267), (35, 258, 28, 215), (258, 106, 58, 28))
    assert batch == BatchDraw((28, 35, 58, 106, 215, 253, 258, 267), tables, 25, "focused")


def test_newcomers_are_left_out() -> None:
    entries = [replace(each, is_placing=each.number > 20) for each in field(40)]
    assert all(max(batch.entries) <= 20 for batch in draws(entries, Shape(4)))


def test_too_few_owners_are_an_error_that_says_what_to_do() -> None:
    entries = [replace(each, owner=each.number % 3) for each in field(30)]
    with pytest.raises(
        DrawError, match=r"no table of 4 can be filled: the 30 standing entries have 3 owners.* add sample"
    ):
        draw(Snapshot(7, entries), Shape(4), chance(1))


def test_an_owner_with_most_of_the_field_leaves_tables_of_other_owners() -> None:
    entries = [replace(each, owner="big" if each.number > 3 else each.number) for each in field(40)]
    for percent in (0, 100):
        for batch in draws(entries, Shape(4, random_percent=percent), 20):
            assert all({1, 2, 3} < set(table) for table in batch.tables)
