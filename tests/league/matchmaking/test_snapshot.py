"""Snapshots and shapes: canonical, and refused with a sentence where they contradict themselves."""

import json
from collections.abc import Callable

import pytest

from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.shape import PlacementShape, Shape
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot

ONE = RatedEntry(1, "ann", 120, 30, 400, 100, 3000)
TWO = RatedEntry(2, 17, -5, None, 0, 0, 2500, 10, is_placing=True)


def test_the_text_holds_everything_in_the_order_of_numbers() -> None:
    text = '[9,[[1,"ann",120,30,400,100,3000,0,false],[2,17,-5,null,0,0,2500,10,true]]]'
    assert Snapshot(9, [TWO, ONE]).text() == Snapshot(9, [ONE, TWO]).text() == text
    number, rows = json.loads(text)
    assert Snapshot(number, [RatedEntry(*row) for row in rows]) == Snapshot(9, [ONE, TWO])


def test_the_digest_is_that_of_the_text() -> None:
    assert Snapshot(9, [ONE, TWO]).digest() == ("2e1f7c39f563e063c378abfd0b6f56cb1c270680103ad6a50038b00b79f3857b")
    assert Snapshot(8, [ONE, TWO]).digest() != Snapshot(9, [ONE, TWO]).digest()


def test_an_entry_is_given_once() -> None:
    with pytest.raises(DrawError, match="entry 1 is in the snapshot twice"):
        Snapshot(9, [ONE, TWO, ONE])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Shape(1), "two seats at least, not 1"),
        (lambda: Shape(9), "a batch of 8 entries fills no table of 9: let it have 9 at least"),
        (lambda: Shape(4, tables=0), "not 0 tables of 25 deals"),
        (lambda: Shape(4, deals=0), "not 32 tables of 0 deals"),
        (lambda: Shape(4, random_percent=101), "101 % of batches cannot be random"),
        (lambda: Shape(4, weekly_floor=-1), "the weekly floor cannot be negative"),
        (lambda: PlacementShape(1), "two seats at least"),
        (lambda: PlacementShape(4, newcomers=0), "cannot place 0 newcomers"),
        (lambda: PlacementShape(2, tables=1), "1 tables cannot place 2 newcomers: .* a table for each"),
    ],
)
def test_a_shape_that_no_batch_has_is_refused(build: Callable[[], object], message: str) -> None:
    with pytest.raises(DrawError, match=message):
        build()
