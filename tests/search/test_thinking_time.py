"""How long to think, by move time and bank, to the millisecond."""

from dataclasses import dataclass

import pytest

from arena.search import Allowance, ThinkingTime


@dataclass
class Clocked:
    """A match with a clock, and a question of it."""

    move_time_ms: int
    bank_ms: int = 0
    fischer: bool = False
    left_ms: int = 0
    charged_us: int = 0

    @property
    def match(self) -> "Clocked":
        return self


class Question:
    """A question of a match."""

    def __init__(self, match: Clocked, bank_ms: int | None = None, charged_us: int = 0) -> None:
        self.match = match
        self.bank_ms = match.bank_ms if bank_ms is None else bank_ms
        self.charged_us = charged_us


def allow(move_time_ms: int, bank_ms: int = 0, left_ms: int | None = None, *, fischer: bool = False) -> Allowance:
    match = Clocked(move_time_ms, bank_ms, fischer)
    return ThinkingTime(lambda: 0.0).allow(Question(match, left_ms))


def seconds(allowance: Allowance) -> tuple[float, float]:
    return round(allowance.seconds, 6), round(allowance.most, 6)


def test_a_move_time_is_used_but_for_a_margin() -> None:
    assert seconds(allow(1000)) == (0.95, 0.95)
    assert seconds(allow(100)) == (0.09, 0.09)
    assert seconds(allow(10_000)) == (9.5, 9.5)


def test_a_share_of_the_bank_may_be_added() -> None:
    assert seconds(allow(1000, 60_000)) == (0.95, 3.65)
    assert seconds(allow(1000, 60_000, 16_000)) == (0.95, 1.45)


def test_a_tenth_of_the_bank_is_kept() -> None:
    assert seconds(allow(1000, 60_000, 6000)) == (0.95, 0.95)
    assert seconds(allow(1000, 60_000, 0)) == (0.95, 0.95)


def test_a_bank_that_fills_again_is_spent_faster() -> None:
    assert seconds(allow(1000, 0, 5000, fischer=True)) == (0.95, 1.95)


def test_a_bot_without_move_time_thinks_a_second() -> None:
    assert seconds(allow(0)) == (1.0, 1.0)


def test_a_very_short_move_time_is_halved() -> None:
    assert seconds(allow(8)) == (0.004, 0.004)
    assert seconds(allow(8, 1000)) == (0.004, 0.049)


def test_what_was_charged_beyond_the_thinking_widens_the_margin() -> None:
    now = 0.0
    time = ThinkingTime(lambda: now)
    match = Clocked(1000)
    time.allow(Question(match))
    now = 0.9
    time.answered()
    # Charged 980 ms for 900 ms of thinking: 80 ms on the way, twice of which are left from now on.
    assert seconds(time.allow(Question(match, charged_us=980_000))) == (0.84, 0.84)
    now = 1.7
    time.answered()
    # It was quick this time, and what was seen before fades slowly.
    assert seconds(time.allow(Question(match, charged_us=800_000))) == (0.856, 0.856)


def test_a_question_that_was_not_thought_about_says_nothing_of_the_way() -> None:
    time = ThinkingTime(lambda: 0.0)
    assert seconds(time.allow(Question(Clocked(1000), charged_us=700_000))) == (0.95, 0.95)


def test_a_way_longer_than_the_move_time_leaves_some_of_it() -> None:
    now = 0.0
    time = ThinkingTime(lambda: now)
    time.allow(Question(Clocked(100)))
    now = 0.001
    time.answered()
    assert seconds(time.allow(Question(Clocked(100), charged_us=300_000))) == (0.01, 0.01)


def test_an_allowance_ends_no_earlier_than_it_should() -> None:
    with pytest.raises(ValueError, match="an allowance of 2 seconds, at most 1"):
        Allowance(2, 1)
