import numpy as np
import pytest

from arena.ratings import Result, Tally
from arena.ratings.integer_columns import (
    join_keys,
    pack_columns,
    split_keys,
    unpack_columns,
)


@pytest.mark.parametrize(
    "column",
    [[], [0], [-1, 127], [0, 255], [-129], [70_000, 0], [1 << 32, -5], [(1 << 62) + 1]],
)
def test_columns_come_back_as_they_were(column: list[int]) -> None:
    header, columns = unpack_columns(
        pack_columns({"bots": ["ä", "b"]}, [np.array(column, np.int64), np.array([7], np.int64)])
    )
    assert header == {"bots": ["ä", "b"]}
    assert [each.tolist() for each in columns] == [column, [7]]
    assert columns[0].dtype == np.int64


def test_small_numbers_take_few_bytes() -> None:
    bare = len(pack_columns({}, [np.zeros(0, np.int64)]))
    assert len(pack_columns({}, [np.full(1000, 200, np.int64)])) - bare == 1000 + len("1000") - len("0")


def test_a_number_that_is_too_large_is_refused() -> None:
    with pytest.raises(OverflowError, match="do not fit in 64 bits"):
        pack_columns({}, [np.array([1 << 63], np.uint64)])


def test_keys_come_back_as_they_were() -> None:
    keys = np.array([0, 1, 65_535, 65_536, 1 << 32, (1 << 63) - 1], np.int64)
    assert join_keys(*split_keys(keys)).tolist() == keys.tolist()


def test_a_tally_of_two_is_that_of_all_whoever_came_first() -> None:
    first = [Result(1, ("b", "a", ("c", "d")), (1, 2, 2), (5, 3, 3)), Result(4, ("d", "d"), (1, 1), (0, 0))]
    second = [Result(1, ("c", "a"), (2, 1), (-3, 9)), Result(0, (("d", "c"), "e", "b"), (3, 1, 2), (1, 9, 4))]
    expected = Tally(first + second).totals()
    for one, other in ((first, second), (second, first)):
        tally = Tally()
        for part in (one, other):
            tally.add_state(*unpack_columns(pack_columns(*Tally(part).state())))
        totals = tally.totals()
        assert totals.lineup.bots == expected.lineup.bots
        assert totals.played == expected.played
        assert totals.matches.tolist() == expected.matches.tolist()
        for table in ("pairs", "sittings", "places", "seats"):
            mine, theirs = getattr(totals, table), getattr(expected, table)
            for column in type(mine).__slots__:
                assert getattr(mine, column).tolist() == getattr(theirs, column).tolist(), (table, column)
