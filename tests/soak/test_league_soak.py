"""The checks of the soak of a league fail where they must."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.bench.figures import BenchError
from tests.soak.league_soak import GROWTH_MIB, MOST_STILL_SECONDS, decided, growth, longest_standstill
from tests.soak.soak_bots import soak_bots


def measured(grown: float) -> list[tuple[float, float]]:
    """Return a minute of memory, each second: 100 MiB at first, more from the middle on."""
    return [(float(second), 100.0 + grown * (second >= 30)) for second in range(60)]


def test_memory_that_grows_is_an_error() -> None:
    assert "100 MiB in the first quarter, 100 in the last (+0.00 MiB/min)" in growth(measured(0))
    assert "100 MiB in the first quarter, 124 in the last" in growth(measured(GROWTH_MIB))
    with pytest.raises(BenchError, match="100 MiB in the first quarter, 125 in the last"):
        growth(measured(GROWTH_MIB + 1))


def row(number: int, state: str) -> Any:
    """Return a hand-in that was decided after five seconds."""
    moments = {"created": "2026-05-01T12:00:00.000+00:00", "ended": "2026-05-01T12:00:05.000+00:00"}
    return SimpleNamespace(id=number, state=state, sentence="it raised ValueError", **moments)


def test_a_hand_in_that_is_lost_there_twice_or_decided_wrongly_is_an_error(tmp_path: Path) -> None:
    sound, *_, broken, _ = soak_bots(tmp_path)
    answered = {1: sound, 2: broken}
    rows = [row(1, "accepted"), row(2, "refused")]
    assert decided(rows, answered) == (
        "2 hand-ins ({'accepted': 1, 'refused': 1}), decided after 5.0 s (median) to 5.0 s"
    )
    with pytest.raises(BenchError, match=r"hand-ins \[2\] were answered, and are not there"):
        decided(rows[:1], answered)
    with pytest.raises(BenchError, match="5 hand-ins are there, and 2 were answered"):
        decided([*rows, *(row(number, "accepted") for number in (3, 4, 5))], answered)
    with pytest.raises(BenchError, match=r"hand-in 1 \(cautious\) is refused: it raised ValueError"):
        decided([row(1, "refused"), rows[1]], answered)


def test_a_calm_minute_without_a_batch_is_an_error() -> None:
    def at(seconds: float) -> str:
        return f"2026-05-01T12:{seconds // 60:02.0f}:{seconds % 60:06.3f}+00:00"

    assert longest_standstill([at(130), at(5), at(70)], at(10), at(130)) == (
        "1 batches in the calm time, at most 60 s without one"
    )
    with pytest.raises(BenchError, match="1 batches in the calm time, at most 61 s without one"):
        longest_standstill([at(70)], at(9), at(130))
    assert MOST_STILL_SECONDS == 60
