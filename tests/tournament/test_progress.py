from dataclasses import replace

import pytest

from arena.run import progress as module
from arena.run.progress import Pace, Progress
from arena.values.rows import MatchRow
from referee.games.cambio import CAMBIO
from tests import played


def matches(count: int, decisions: int) -> list[MatchRow]:
    """That many matches of so many decisions each."""
    row = played.match(CAMBIO)
    first, *rest = row.seats
    seats = (replace(first, decisions=decisions), *(replace(seat, decisions=0) for seat in rest))
    return [replace(row, number=number, seats=seats) for number in range(count)]


def test_away_from_a_terminal_it_prints_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    with Progress(total=1000, played=200) as progress:
        now += 5
        progress.stored(matches(100, decisions=10))
        now += 5
        progress.stored(matches(100, decisions=20))
        progress.say("bots are trusted")
    told = capsys.readouterr()
    assert told.err == "400 of 1,000 matches, 20 matches/s, 400 decisions/s, 30 s left\nbots are trusted\n"
    assert told.out == ""


def test_no_time_is_estimated_until_matches_have_ended_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    pace = Pace(total=10_000)
    now = 20.0  # bots that start slowly
    pace.add(matches(1, decisions=10))
    assert pace.text() == "0 matches/s, 0 decisions/s", "it would be two days"
    now = 22.0
    pace.add(matches(99, decisions=10))
    assert "left" not in pace.text()
    now = 23.0
    pace.add(matches(100, decisions=10))
    assert pace.text().endswith("left")


def test_the_estimate_follows_a_tournament_that_gets_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    pace = Pace(total=4_000)
    now = 1.0
    for second in range(1, 9):  # 8 matches in the first second, then 16, 32 ... 1,024
        now = 1.0 + second
        pace.add(matches(4 << second, decisions=10))
    assert pace.done == 2040
    assert pace.text() == "480 matches/s, 4,800 decisions/s, 4 s left"
    pace.recount(1040)
    assert pace.text().endswith("6 s left"), "void matches are played again"


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (61, "1:01"), (3723, "1:02:03")])
def test_time_left(seconds: float, text: str) -> None:
    assert module.duration(seconds) == text
