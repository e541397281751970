"""Referees that say that they cannot play."""

import os
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

import pytest
import trio

from arena.plan.field import find_bots, samples
from arena.plan.schedule import Plan
from arena.run import executor, single_match
from arena.run.backlog import Backlog
from arena.run.core_load import CoreLoad
from arena.run.dispatcher import StageWork
from arena.run.hosting import USUAL
from arena.run.work_units import units
from arena.values.errors import ArenaError
from arena.values.tournament_errors import RefereeError
from referee.engine.registry import game
from referee.v1.work_pb2 import Phase, WorkResponse
from tests.tournament.test_runner import Make

SECRET = bytes(32)


class Refusing:
    """A referee that says that it cannot play, and then keeps its stream and its stderr open."""

    def __init__(self) -> None:
        self.last_words: deque[str] = deque()
        self._heard, self.messages = trio.open_memory_channel[WorkResponse](1)
        self._heard.send_nowait(WorkResponse(error="no core is left"))

    def load(self) -> CoreLoad:
        return CoreLoad(os.getpid())

    def play(self, phase: Phase) -> None:
        """Take a phase."""

    async def why(self) -> str:
        await trio.sleep_forever()
        raise AssertionError


@asynccontextmanager
async def refusing(*_: object) -> AsyncIterator[Refusing]:
    yield Refusing()


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all referees refuse."""
    modules: tuple[ModuleType, ...] = (executor, single_match)
    for module in modules:
        monkeypatch.setattr(module, "running", refusing)


@pytest.mark.usefixtures("refused", "autojump_clock")
async def test_a_tournament_gives_up_at_once(cambio: Make) -> None:
    definition = cambio("random", "cautious", rounds=4, seats=2)
    backlog = Backlog(units(Plan.of(definition, SECRET), (), 1))
    said: list[str] = []
    errors: list[ArenaError] = []

    scope = trio.CancelScope()

    def fail(error: ArenaError) -> None:
        errors.append(error)
        scope.cancel()

    async def keep(_: Any) -> None:
        await trio.lowlevel.checkpoint()

    work = StageWork(definition, SECRET, USUAL, backlog, keep, set(), said.append, fail)
    with trio.fail_after(1), scope:
        await executor.Local().play(work, 1)
    assert said == ["a referee process could not go on, and another one takes over its matches: no core is left"] * 3
    assert list(map(str, errors)) == ["3 referees in a row could not go on with the same matches: no core is left"]


@pytest.mark.usefixtures("refused", "autojump_clock")
async def test_a_single_match_gives_up_at_once() -> None:
    rules, field = game("cambio"), find_bots(["random", "random"], samples("cambio"))
    with trio.fail_after(1), pytest.raises(RefereeError, match="before the match was over: no core is left"):
        await single_match.single(rules, rules.options(), field, say=print)
