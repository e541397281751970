from dataclasses import replace

import pytest

from arena.cli import progress as module
from arena.cli.progress import Progress
from arena.store.rows import MatchRow
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
    assert told.err == "400 of 1,000 matches, 20 matches/s, 300 decisions/s, 30 s left\nbots are trusted\n"
    assert told.out == ""


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (61, "1:01"), (3723, "1:02:03")])
def test_time_left(seconds: float, text: str) -> None:
    assert module.duration(seconds) == text
