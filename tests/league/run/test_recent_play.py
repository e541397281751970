"""What entries did lately."""

from datetime import UTC, datetime, timedelta

import pytest

from arena.league.results.experiment_sums import SetNumbers
from arena.league.results.league_sums import LeagueSums
from arena.league.run.recent_play import FAULT_BATCHES, RecentPlay
from arena.values.rows import EffortRow, ResultRow

NOW = datetime(2026, 3, 8, 12, tzinfo=UTC)


def packed(deals: int, charged_us: int = 0, faults: int = 0, *, repeats: bool = False) -> bytes:
    """The sums of a batch of entries 1 and 2, with faults of entry 1.

    repeats: whether all deals repeat each other.
    """
    matches = [ResultRow(deal, (1, 2), (1, 0), (1, 2)) for deal in range(deals)]
    efforts = {1: EffortRow(deals, 10 * deals, charged_us)}
    sets = dict.fromkeys([(0, deal) for deal in range(deals)], SetNumbers(1, 1)) if repeats else None
    return LeagueSums.of_matches(matches, sets=sets, efforts=efforts, faults={1: {"illegal": faults}}).to_bytes()


@pytest.fixture
def recent() -> RecentPlay:
    return RecentPlay()


def test_deals_count_for_a_week(recent: RecentPlay) -> None:
    recent.add(NOW - timedelta(days=7), packed(3))
    recent.add(NOW - timedelta(days=6), packed(4, repeats=True))
    assert (recent.deals(1), recent.deals(2), recent.deals(3)) == (7, 7, 0)
    recent.forget(NOW)
    assert (recent.deals(1), recent.deals(2)) == (4, 4)


def test_deals_are_forgotten_by_the_hour(recent: RecentPlay) -> None:
    for minutes in range(60):
        recent.add(NOW - timedelta(minutes=minutes), packed(1))
    assert len(recent._deals) == 2
    recent.forget(NOW + timedelta(days=7, minutes=-61))
    assert recent.deals(1) == 60
    recent.forget(NOW + timedelta(days=7, minutes=-60))
    assert recent.deals(1) == 1
    recent.forget(NOW + timedelta(days=7))
    assert recent.deals(1) == 0


def test_cpu_time_is_that_of_the_day(recent: RecentPlay) -> None:
    recent.add(NOW - timedelta(hours=13), packed(1, 50_000_000))
    recent.add(NOW - timedelta(hours=1), packed(1, 1_500_000))
    recent.add(NOW, packed(1, 1_600_000))
    assert recent.cpu_seconds(NOW) == {1: 3, 2: 0}


def test_the_time_to_get_ready_counts_with_that_of_answers(recent: RecentPlay) -> None:
    for _ in range(2):
        sums = LeagueSums()
        sums.add(packed(1, 1_500_000))
        sums.ready_us[1] = 2_000_000
        recent.add(NOW, sums.to_bytes())
    assert recent.cpu_seconds(NOW) == {1: 7, 2: 0}


def test_cpu_time_of_past_days_is_forgotten(recent: RecentPlay) -> None:
    recent.add(NOW - timedelta(hours=13), packed(1, 50_000_000))
    recent.add(NOW, packed(1, 1_500_000))
    recent.forget(NOW)
    assert len(recent._used_us) == 1
    assert recent.cpu_seconds(NOW) == {1: 1, 2: 0}
    assert recent.cpu_seconds(NOW + timedelta(days=1)) == {}


def test_the_pace_is_that_of_the_last_batch(recent: RecentPlay) -> None:
    assert recent.us_per_deal(1) == 0
    recent.add(NOW, packed(100, 1_000_000))
    assert (recent.us_per_deal(1), recent.us_per_deal(2)) == (10_000, 0)
    recent.add(NOW, packed(2, 40_000_000))
    assert recent.us_per_deal(1) == 20_000_000


def test_faults_are_those_of_the_last_batches(recent: RecentPlay) -> None:
    recent.add(NOW, packed(2, faults=100))
    for _ in range(FAULT_BATCHES):
        recent.add(NOW, packed(5, faults=1))
    assert recent.faults(1) == (10, 50)
    assert recent.faults(2) == (0, 50)
    recent.add(NOW + timedelta(hours=1), packed(3, faults=2))
    assert recent.faults(1, NOW) == (2, 3)


def test_faults_of_more_than_a_week_ago_are_forgotten(recent: RecentPlay) -> None:
    for _ in range(FAULT_BATCHES + 1):
        recent.add(NOW - timedelta(days=7), packed(5, faults=1))
    recent.add(NOW - timedelta(days=6), packed(4, faults=2))
    assert recent.faults(1) == (11, 49)
    recent.forget(NOW)
    assert recent.faults(1) == (2, 4)
