"""Analyses in idle time: what waits for them, when they run, what they may use, and what others see of them."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from arena_insight import idle_analyses, idle_queue
from arena_insight.idle_analyses import LOOK_SECONDS, MOST_ANSWERS, IdleAnalyses, OpenedMatches
from arena_insight.idle_queue import MOST_WAITING, IdleQueue
from arena_insight.stored_chances import StoredChances

from arena.bots.hand_ins import HandIns
from arena.store import Store, open_store
from arena.store.engine.worker_name import worker_name
from referee.games.hypp import HYPP
from tests import played

FIRST, SECOND = 1, 3
"""Matches: each of an event of its own."""

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
VALUES: dict[str, Any] = {
    "seat": None,
    "policy": "banker",
    "playouts": 64,
    "seed": 0,
    "points": [[0, [0.2] * 5, [0.05] * 5], [3, [1, 0, 0, 0, 0], [0] * 5]],
    "swings": [],
    "costly": {"compared": 20, "moves": []},
}


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as store:
        for number in range(3):
            store.add_single(played.tournament(HYPP, bots=5, matches=1), played.match(HYPP, number, seats=5, bots=5))
        yield store


class Pipe:
    """A process that tells one thing at each look, after `step` seconds."""

    def __init__(self, said: list[tuple[Any, ...] | None], step: float = 1.0) -> None:
        self.said = said
        self.step = step
        self.now = 0.0

    def poll(self, _timeout: float) -> bool:
        self.now += self.step
        self.next = self.said.pop(0)
        return self.next is not None

    def recv(self) -> tuple[Any, ...]:
        assert self.next is not None
        return self.next


def idle(
    store: Store,
    pipe: Pipe,
    monkeypatch: pytest.MonkeyPatch,
    budget: float = 100.0,
    is_asked: Callable[[], bool] = lambda: False,
) -> tuple[IdleAnalyses, OpenedMatches, list[int]]:
    """Return idle time with a process that is replaced, the opened matches, and a list of the matches analysed."""
    begun: list[int] = []

    @contextmanager
    def process(_work: object, match: Any, _seat: object, *, started: Callable[[int], None]) -> Iterator[Pipe]:
        begun.append(match.id)
        started(12345)
        yield pipe

    monkeypatch.setattr(idle_analyses, "analysis_process", process)
    monkeypatch.setattr(trio.from_thread, "check_cancelled", lambda: None)
    opened = OpenedMatches()
    return IdleAnalyses(store, budget, is_asked, opened, lambda: NOW, lambda: pipe.now), opened, begun


def test_the_match_that_was_opened_last_is_analysed_and_stored(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    analyses, opened, begun = idle(own, Pipe([None, ("progress", 1, 2), ("result", VALUES)]), monkeypatch)
    monkeypatch.setattr(idle_queue, "utc_now", lambda: "2026-05-01T10:00:00+00:00")
    IdleQueue(own).add([SECOND])
    monkeypatch.setattr(idle_queue, "utc_now", lambda: "2026-05-01T11:00:00+00:00")
    opened.note(own.match(FIRST))
    assert analyses._look(opened.take())
    assert begun == [FIRST]
    assert StoredChances(own).best(own.match(FIRST), None, HYPP.behaviour) == VALUES
    assert IdleQueue(own).count() == 1
    assert IdleQueue(own).used_seconds(NOW) == 3
    assert IdleQueue(own).used_seconds(NOW.replace(day=2)) == 0


def test_what_is_stored_is_not_computed_again(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    analyses, _, begun = idle(own, Pipe([("result", VALUES)]), monkeypatch)
    assert analyses._look([FIRST])
    assert not analyses._look([FIRST])
    assert begun == [FIRST]
    assert not analyses._look([99])  # it is gone


def test_nothing_runs_beyond_the_budget_of_a_day_and_what_waits_stays(
    own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyses, _, begun = idle(own, Pipe([None] * 9 + [("result", VALUES)]), monkeypatch, budget=10)
    analyses._look([FIRST])
    analyses._look([SECOND])
    assert begun == [FIRST]
    assert IdleQueue(own).next() == SECOND


def test_nothing_is_noted_or_run_without_a_budget(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    analyses, opened, _ = idle(own, Pipe([]), monkeypatch, budget=0)
    opened.note(own.match(FIRST))
    assert opened.take() == []
    trio.run(analyses.run)  # it ends at once


def test_hand_ins_and_requests_come_first(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = [True]
    analyses, _, begun = idle(own, Pipe([("result", VALUES)]), monkeypatch, is_asked=lambda: waits[0])
    analyses._look([FIRST])
    assert begun == []
    waits[0] = False
    monkeypatch.setattr(IdleQueue, "is_idle", lambda _: False)
    analyses._look([])
    assert begun == []
    monkeypatch.undo()


def test_a_process_is_stopped_while_others_have_work_and_its_pause_costs_nothing(
    own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append((pid, number)))
    pipe = Pipe([None, None, None, None, ("result", VALUES)], LOOK_SECONDS)
    idle_at = iter([True, False, False, True])
    analyses, _, begun = idle(own, pipe, monkeypatch)
    monkeypatch.setattr(IdleQueue, "is_idle", lambda _: next(idle_at, True))
    analyses._look([FIRST])
    assert begun == [FIRST]
    assert sent == [(12345, signal.SIGSTOP), (12345, signal.SIGCONT)]
    assert IdleQueue(own).used_seconds(NOW) == LOOK_SECONDS * 3  # two looks of five it stood still


@pytest.mark.parametrize("said", [("failed", "it cannot be analysed"), None])
def test_a_failed_analysis_is_not_tried_again(
    said: tuple[Any, ...] | None, own: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle_analyses, "MOST_SECONDS", 3.0)
    analyses, _, begun = idle(own, Pipe([said] * 9), monkeypatch)
    analyses._look([FIRST])
    analyses._look([FIRST])
    assert begun == [FIRST]
    assert IdleQueue(own).count() == 0


def test_what_waits_is_bounded_and_survives_a_restart(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as store:
        assert IdleQueue(store).next() is None
        IdleQueue(store).add(range(1, MOST_WAITING + 10))
    with open_store(tmp_path / "arena.db", write=True) as store:
        assert IdleQueue(store).count() == MOST_WAITING


def test_only_matches_that_are_over_and_not_too_long_are_noted(own: Store) -> None:
    number = own.add_tournament(played.tournament(HYPP, bots=5, matches=8))
    own.add_matches(number, [played.match(HYPP, seats=5, bots=5)])
    opened = OpenedMatches()
    opened.is_on = True
    under_way = own.match(next(match.id for match in own.matches() if match.tournament is not None))
    assert under_way.event.finished is None
    single = own.match(FIRST)
    long = replace(single, row=replace(single.row, times=bytes(MOST_ANSWERS + 1)))
    for match in (under_way, long, single):
        opened.note(match)
    assert opened.take() == [FIRST]
    assert opened.take() == []


def test_a_server_with_a_hand_in_that_waits_or_is_checked_is_not_idle(own: Store) -> None:
    assert IdleQueue(own).is_idle()
    HandIns(own).receive("club", "club/owl", "owl.py", b"owl")
    assert not IdleQueue(own).is_idle()
    assert HandIns(own).claim(worker_name(), 60.0) is not None
    assert not IdleQueue(own).is_idle()


@pytest.mark.processes
def test_a_match_that_somebody_opens_on_a_server_is_analysed(own: Store) -> None:
    matches = OpenedMatches()
    analyses = IdleAnalyses(own, 1000.0, lambda: False, matches)
    matches.note(own.match(FIRST))

    async def wait() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(analyses.run)
            with trio.fail_after(300):
                while StoredChances(own).best(own.match(FIRST), None, HYPP.behaviour) is None:
                    await trio.testing.wait_all_tasks_blocked(0.01)
            nursery.cancel_scope.cancel()

    trio.run(wait)
    stored = StoredChances(own).best(own.match(FIRST), None, HYPP.behaviour)
    assert stored is not None
    assert "costly" in stored
