"""The checks of the soak of a league fail where they must."""

from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from arena.bench.figures import BenchError
from arena.bots.hand_ins import HandIns
from arena.packs.upload import check_upload
from arena.store import open_store
from arena.store.engine.worker_name import worker_name
from tests.soak.league_soak import (
    GROWTH_MIB,
    MOST_STILL_SECONDS,
    copied_on_failure,
    decided,
    growth,
    kept_on_failure,
    longest_standstill,
    standing,
    undecided,
)
from tests.soak.league_visitors import Owners
from tests.soak.soak_bots import soak_bots


def measured(grown: float) -> list[tuple[float, float]]:
    """Return a minute of memory, each second: 100 MiB at first, more from the middle on."""
    return [(float(second), 100.0 + grown * (second >= 30)) for second in range(60)]


def test_memory_that_grows_is_an_error() -> None:
    assert "100 MiB in the first quarter, 100 in the last (+0.00 MiB/min)" in growth(measured(0))
    assert "100 MiB in the first quarter, 124 in the last" in growth(measured(GROWTH_MIB))
    with pytest.raises(BenchError, match="100 MiB in the first quarter, 125 in the last"):
        growth(measured(GROWTH_MIB + 1))


def row(number: int, state: str, busy: int = 0) -> Any:
    """Return a hand-in that was decided after five seconds."""
    moments = {"created": "2026-05-01T12:00:00.000+00:00", "ended": "2026-05-01T12:00:05.000+00:00"}
    return SimpleNamespace(id=number, state=state, sentence="it raised ValueError", busy=busy, **moments)


def test_a_hand_in_that_is_lost_there_twice_or_decided_wrongly_is_an_error(tmp_path: Path) -> None:
    sound, *_, broken, _ = soak_bots(tmp_path)
    answered = {1: sound, 2: broken}
    rows = [row(1, "accepted"), row(2, "refused")]
    assert decided(rows, answered) == (
        "2 hand-ins ({'accepted': 1, 'refused': 1}), decided after 5.0 s (median) to 5.0 s; "
        "for 0 the machine was too busy"
    )
    with pytest.raises(BenchError, match=r"hand-ins \[2\] were answered, and are not there"):
        decided(rows[:1], answered)
    with pytest.raises(BenchError, match="5 hand-ins are there, and 2 were answered"):
        decided([*rows, *(row(number, "accepted") for number in (3, 4, 5))], answered)
    with pytest.raises(BenchError, match=r"hand-in 1 \(cautious\) is refused: it raised ValueError"):
        decided([row(1, "refused"), rows[1]], answered)
    with pytest.raises(BenchError, match=r"hand-in 1 \(cautious\) is failed"):
        decided([row(1, "failed", busy=4), rows[1]], answered)
    assert decided([row(1, "failed", busy=5), rows[1]], answered).endswith("for 1 the machine was too busy")


def test_the_server_takes_all_bots_and_checks_the_sleepy_one_at_the_game_of_the_league(tmp_path: Path) -> None:
    bots = soak_bots(tmp_path)
    for bot in bots:
        check_upload(bot.packed.file, bot.packed.content)
    assert len(bots) == 25
    assert all(b'games = ("cambio",)' in bot.packed.content for bot in bots if bot.what == "sleepy")


def test_a_hand_in_that_was_not_taken_or_has_not_come_in_is_an_error(tmp_path: Path) -> None:
    owners = Owners("http://127.0.0.1:1", {"fox": "token"}, soak_bots(tmp_path), Event(), 0.0, 2)
    owners.answered[1] = soak_bots(tmp_path)[0]
    owners.check_taken()
    with pytest.raises(BenchError, match="1 of 2 hand-ins came in, after 0 attempts"):
        owners.check_complete()
    owners.failure = "fox's hand-in 1 was refused"
    with pytest.raises(BenchError, match="fox's hand-in 1 was refused"):
        owners.check_taken()


def test_a_soak_tells_how_far_it_is(tmp_path: Path) -> None:
    where = str(tmp_path / "league.db")
    with open_store(where, create=True) as store:
        for name in ("fox/owl", "elk/owl", "hen/owl"):
            HandIns(store).receive(name[:3], name, "owl.py", b"import time")
        HandIns(store).cancel(1)
        claimed = HandIns(store).claim(worker_name(), 60)
        row = HandIns(store).find(2)
    assert claimed is not None
    assert standing(where) == "hand-ins: 1 cancelled, 1 under way, 1 waiting; 0 batches stored"
    assert undecided(row) == (
        f"2 (elk/owl of {row.created}: building, attempt 1, 0 of them died, 0 abandoned, 0 on a busy machine; "
        f"0 steps since {row.started})"
    )


def test_what_is_left_of_a_soak_that_fails_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    said: list[str] = []
    with kept_on_failure(said.append) as folder:
        assert folder.is_dir()
    assert not folder.exists()
    with suppress(BenchError), kept_on_failure(said.append) as folder:
        (folder / "disk").mkdir()
        with copied_on_failure(folder / "disk", folder / "database"):
            (folder / "disk/league.db").touch()
            raise BenchError("a hand-in is lost")
    assert said == [f"what is left of it: {folder} (server.log, and a copy of the database)"]
    assert (folder / "database/league.db").is_file()


def test_a_calm_minute_without_a_batch_is_an_error() -> None:
    def at(seconds: float) -> str:
        return f"2026-05-01T12:{seconds // 60:02.0f}:{seconds % 60:06.3f}+00:00"

    assert longest_standstill([at(130), at(5), at(70)], at(10), at(130)) == (
        "1 batches in the calm time, at most 60 s without one"
    )
    with pytest.raises(BenchError, match="1 batches in the calm time, at most 61 s without one"):
        longest_standstill([at(70)], at(9), at(130))
    assert MOST_STILL_SECONDS == 60
