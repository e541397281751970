"""The final of a season: who plays in it, and in which parts."""

from arena.league.plan.final import FinalPart, choose_finalists, part_count
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.store.league_rows import Final


def entry(number: int, elo: int, owner: str = "", *, is_placing: bool = False) -> RatedEntry:
    return RatedEntry(number, owner, elo, 30, 100, 0, 1000, is_placing=is_placing)


FIELD = Snapshot(
    9,
    [
        entry(1, 300),
        entry(2, 100, "ann"),
        entry(3, 200, "ann"),
        entry(4, 900, "ben", is_placing=True),
        entry(5, 200, "cat"),
        entry(6, -50, "dan"),
    ],
)
"""Entry 1 is an anchor."""


def test_finalists_are_the_best_entry_of_each_owner_whose_placement_is_over() -> None:
    assert choose_finalists(FIELD, [1], 8, 2) == (3, 5, 6)
    assert choose_finalists(FIELD, [], 8, 2) == (1, 3, 5, 6)
    assert choose_finalists(FIELD, [1], 2, 2) == (3, 5)


def test_too_few_for_a_table_are_no_finalists() -> None:
    assert choose_finalists(FIELD, [1], 8, 3) == (3, 5, 6)
    assert choose_finalists(FIELD, [1], 8, 4) == ()


def test_parts_hold_all_tables_once() -> None:
    final = Final(4, 10, closes=False, entries=(7, 5, 8, 6), snapshot=9, tables=4)
    assert part_count(final, 2) == 2
    assert FinalPart(final, 2, 0).tables({5, 6, 7, 8}) == [(5, 6), (5, 7), (5, 8), (6, 7)]
    assert FinalPart(final, 2, 1).tables({5, 6, 7, 8}) == [(6, 8), (7, 8)]
    assert part_count(final, 3) == 1
    assert FinalPart(final, 3, 0).tables({5, 6, 7, 8}) == [(5, 6, 7), (5, 6, 8), (5, 7, 8), (6, 7, 8)]


def test_tables_of_who_has_left_are_not_played() -> None:
    final = Final(4, 10, closes=False, entries=(7, 5, 8, 6), snapshot=9, tables=4)
    assert FinalPart(final, 2, 0).tables({5, 7, 8}) == [(5, 7), (5, 8)]


def test_a_final_without_finalists_has_no_parts() -> None:
    assert part_count(Final(4, 10, closes=False, entries=(), snapshot=9, tables=4), 2) == 0
