"""The secrets of a season."""

from datetime import date
from hashlib import sha256
from itertools import pairwise

import pytest

from arena.league.plan.secret_chain import (
    batch_secret,
    belongs,
    day_of,
    day_secret,
    last_date,
    new_season,
)

SEASON = new_season(1, date(2026, 3, 1), days=5)


def test_each_day_hashes_to_the_day_before() -> None:
    secrets = [day_secret(SEASON, day) for day in range(5)]
    assert sha256(secrets[0]).hexdigest() == SEASON.commitment
    for earlier, later in pairwise(secrets):
        assert sha256(later).digest() == earlier
    assert secrets[-1] == SEASON.secret


def test_a_secret_belongs_to_its_day_alone() -> None:
    secret = day_secret(SEASON, 3)
    assert [belongs(secret, day, SEASON.commitment) for day in range(5)] == [False, False, False, True, False]
    assert not belongs(bytes(32), 3, SEASON.commitment)
    assert not belongs(secret, 3, "ü" * 64)


@pytest.mark.parametrize(
    ("today", "day"), [(date(2026, 2, 28), 0), (date(2026, 3, 1), 0), (date(2026, 3, 4), 3), (date(2026, 4, 1), 4)]
)
def test_days_are_counted_within_the_season(today: date, day: int) -> None:
    assert day_of(SEASON, today) == day
    assert last_date(SEASON) == date(2026, 3, 5)


def test_batches_and_entropy_have_secrets_of_their_own() -> None:
    secret = day_secret(SEASON, 0)
    kinds = {batch_secret(secret, entropy, batch) for entropy in ("", "dice") for batch in (1, 2)}
    assert len(kinds) == 4
    assert new_season(1, date(2026, 3, 1)).secret != new_season(1, date(2026, 3, 1)).secret
