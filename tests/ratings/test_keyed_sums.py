import numpy as np
import pytest

from arena.ratings import keyed_sums
from arena.ratings.keyed_sums import KeyedSums


def test_nothing_added_sums_to_nothing() -> None:
    keys, values = KeyedSums(2).total()
    assert keys.tolist() == []
    assert values.shape == (2, 0)


def test_sums_by_key_are_the_same_however_blocks_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyed_sums, "_MIN_PENDING", 5)
    gathered = KeyedSums(2)
    expected: dict[int, list[int]] = {}
    draw = np.random.default_rng(1)
    for size in (0, 1, 4, 9, 2, 30, 3):
        keys, one, two = draw.integers(0, 12, (3, size))
        gathered.add(keys, one, two)
        for key, *values in zip(keys.tolist(), one.tolist(), two.tolist(), strict=True):
            expected[key] = [a + b for a, b in zip(expected.get(key, [0, 0]), values, strict=True)]
    keys, columns = gathered.total()
    assert keys.tolist() == sorted(expected)
    assert columns.T.tolist() == [expected[key] for key in sorted(expected)]
