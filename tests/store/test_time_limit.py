"""Searches that take too long end, and nothing else does."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from arena.store import Store, open_store
from arena.store.engine import time_limit
from arena.store.engine.errors import SearchTooLong
from arena.store.engine.time_limit import limited
from tests import played
from tests.guessing import GUESSING

LONG = text(
    "WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :most) "
    "SELECT count(*) FROM counted"
)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        number = opened.add_tournament(played.tournament(GUESSING))
        opened.add_matches(number, [played.match(GUESSING, 0)])
        yield opened


def test_a_query_that_takes_too_long_is_ended(store: Store) -> None:
    sentence = r"took longer than 0.05 s: choose a bot, a league or a tournament"
    with pytest.raises(SearchTooLong, match=sentence), store.read() as connection, limited(connection, 0.05):
        connection.execute(LONG, {"most": 10**9})
    with store.read() as connection:
        with limited(connection, 60):
            assert connection.scalar(LONG, {"most": 10}) == 10
        assert connection.scalar(LONG, {"most": 200_000}) == 200_000


def test_a_search_is_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(store.matches(seat=0, seconds=60)) == 1
    monkeypatch.setattr(time_limit, "_STEPS", 1)
    if "://" not in store.where:
        with pytest.raises(SearchTooLong):
            store.matches(seat=0, seconds=0)
    assert len(store.matches(seat=0)) == 1
