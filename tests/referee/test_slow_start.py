"""A referee begins with few matches at a time; what is under way grows with what has ended."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.slow_start import GROWTH, INITIAL_MATCHES, SlowStart
from tests.referee.real import Referee, phase, sample

COUNTS = """
from arena.sdk import Bot

class Counts(Bot):
    started = 0
    asked = False

    def match_started(self, match):
        self.started += 1

    def choose(self, question):
        if not self.asked:
            self.asked = True
            print(self.started, flush=True)
        return question.legal[0]

Counts().run()
"""


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    running = Referee(tmp_path)
    yield running
    running.close()


def test_the_limit_grows_with_what_has_ended() -> None:
    limits = SlowStart()
    assert limits.limit == INITIAL_MATCHES == 8
    for _ in range(3):
        limits.add_end()
    assert limits.limit == 8 + 3 * GROWTH


@pytest.mark.promise
def test_few_matches_begin_at_once_and_more_once_some_have_ended(referee: Referee, tmp_path: Path) -> None:
    bot = tmp_path / "counts.py"
    bot.write_text(COUNTS)
    order = phase([sys.executable, str(bot)], sample(), matches=200, sandbox="off")
    reports = [referee.play(order) for _ in range(2)]
    assert [len(report.records) for report in reports] == [200, 200]
    begun = [int(report.end.players[0].output) for report in reports]
    assert begun == [INITIAL_MATCHES, order.matches_at_once], "the next phase begins with as many as have room"
