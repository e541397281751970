"""The imprint of sums is that of their parts together, and of no other sums."""

from random import Random

import pytest

from arena.ratings import Result, Tally, fingerprint
from arena.ratings.fingerprint import Fingerprint

SALT = b"eight by"
NAMES = ["owl", "heron", "crow", "jay", "tit"]


def random_results(count: int) -> list[Result]:
    """Return results of tables of two to four, of teams too, with copies of bots."""
    rng = Random(3)
    results = []
    for number in range(count):
        size = rng.randint(2, 4)
        teams = [rng.choice(NAMES) if number % 3 else (rng.choice(NAMES), rng.choice(NAMES)) for _ in range(size)]
        ranks = tuple(rng.randint(1, size) for _ in teams)
        results.append(Result(number // 4, tuple(teams), ranks, tuple(rng.randint(-9, 9) for _ in teams)))
    return results


RESULTS = random_results(300)


def fingerprint_of(results: list[Result], salt: bytes = SALT) -> object:
    sums = Fingerprint(salt)
    for result in results:
        sums.add(result)
    return sums.value()


def test_parts_make_the_fingerprint_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Fingerprint(SALT)
    whole.add_state(*Tally(RESULTS).state())
    assert fingerprint_of(RESULTS) == fingerprint_of(RESULTS[::-1]) == whole.value()
    monkeypatch.setattr(fingerprint, "_BLOCK", 7)
    parts = Fingerprint(SALT)
    for low in range(0, 200, 50):
        parts.add_state(*Tally(RESULTS[low : low + 50]).state())
    for result in RESULTS[200:]:
        parts.add(result)
    assert parts.value() == whole.value()
    assert fingerprint_of(RESULTS, b"another ") != whole.value()


@pytest.mark.parametrize("column", range(26))
def test_another_number_makes_another_fingerprint(column: int) -> None:
    header, columns = Tally(RESULTS).state()
    assert len(columns) == 26
    changed = [column_values.copy() for column_values in columns]
    changed[column][-1] += 1 if changed[column][-1] == 0 else -1
    other = Fingerprint(SALT)
    try:
        other.add_state(header, changed)
    except LookupError:
        return  # no bot has that number
    assert other.value() != fingerprint_of(RESULTS)


def test_what_is_no_state_of_a_tally_is_refused() -> None:
    header, columns = Tally(RESULTS).state()
    with pytest.raises(ValueError, match="25 columns are not those of a tally"):
        Fingerprint(SALT).add_state(header, columns[:-1])
