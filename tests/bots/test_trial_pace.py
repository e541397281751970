"""How far the matches of a check are: matches that are over, answers of those under way, the time left."""

import pytest

from arena.bots import trial_pace
from arena.bots.trial_pace import MatchSize, TrialPace, TrialProgress, match_size
from arena.bots.trial_tables import edge_tables, typical_tables
from referee.engine.registry import game


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a clock: the time in seconds, to be set."""
    now = [0.0]
    monkeypatch.setattr("trio.current_time", lambda: now[0])
    return now


@pytest.fixture(autouse=True)
def of_100_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_pace, "match_size", lambda tables: MatchSize(100, 25))


def test_answers_of_matches_under_way_tell_the_time_left(clock: list[float]) -> None:
    pace = TrialPace([typical_tables(game("cambio"), 4)])
    assert pace.progress("plays cambio") == TrialProgress("plays cambio", 0, 4, None)
    for match in range(4):
        pace.goes_on(0, match, 25)
    clock[0] = 30.0
    assert pace.progress("plays cambio") == TrialProgress("plays cambio", 0, 4, 90.0)
    pace.end(0, 0)
    pace.end(0, 1)
    clock[0] = 50.0
    assert pace.progress("plays cambio") == TrialProgress("plays cambio", 2, 4, 30.0)


def test_nothing_is_estimated_in_the_first_seconds_nor_before_an_answer(clock: list[float]) -> None:
    pace = TrialPace([typical_tables(game("cambio"), 4)])
    pace.end(0, 0)
    clock[0] = trial_pace.SETTLED_SECONDS - 0.1
    assert pace.progress("").seconds_left is None
    pace.forget(0)
    clock[0] = 100.0
    assert pace.progress("") == TrialProgress("", 0, 4, None)
    pace.goes_on(0, 3, 0)
    assert pace.progress("").seconds_left is None


def test_a_match_that_is_longer_than_expected_is_not_over(clock: list[float]) -> None:
    pace = TrialPace([typical_tables(game("cambio"), 1)])
    clock[0] = 80.0
    pace.goes_on(0, 0, 80)
    assert pace.progress("").seconds_left == pytest.approx(25.0)
    clock[0] = 200.0
    pace.goes_on(0, 0, 200)
    assert pace.progress("").seconds_left == pytest.approx(25.0)


def test_phases_that_are_played_together_are_counted_together(clock: list[float]) -> None:
    tables = edge_tables(game("torionfo"))
    matches = sum(len(each.matches) for each in tables)
    pace = TrialPace(tables)
    pace.end(len(tables) - 1, 0)
    clock[0] = 10.0
    assert pace.progress("") == TrialProgress("", 1, matches, 10.0 * (matches - 1))


def test_the_size_of_a_match_is_that_of_one_of_random_moves() -> None:
    size = match_size(typical_tables(game("hypp"), 1))
    assert 1 <= size.own < size.answers
    assert match_size(typical_tables(game("hypp"), 1)) == size
