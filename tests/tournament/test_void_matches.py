"""Void matches where no tournament plays them again: single matches, and those of a check."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Self

import pytest

from arena.bots.trial_matches import PHASE_MATCHES, TrialReferee
from arena.bots.trial_tables import typical_tables
from arena.plan.field import find_bots, samples
from arena.run import single_match
from arena.run.hosting import USUAL
from arena.values.definition import TimeControl
from arena.values.tournament_errors import RefereeError
from referee.engine.registry import game
from referee.v1.work_pb2 import Phase, PhaseEnd, PlayerEnd, Record, WorkResponse

pytestmark = pytest.mark.usefixtures("in_process")

BOTS = find_bots(["random", "random"], samples("torionfo"))


class FakeReferee:
    """Answers each phase with the next response.

    orders: the phases so far.
    """

    def __init__(self, responses: Iterable[WorkResponse]) -> None:
        self._responses = list(responses)
        self.orders: list[Phase] = []

    def play(self, phase: Phase) -> None:
        self.orders.append(phase)

    async def why(self) -> str:
        return ""

    @property
    def messages(self) -> Self:
        return self

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> WorkResponse:
        return self._responses[len(self.orders) - 1]


def ended(phase: int, *matches: int, void: int = 0) -> WorkResponse:
    records = [
        Record(match=match, scores=[1, 0], ranks=[1, 2], decisions=[1, 1], charged_us=[1, 1]) for match in matches
    ]
    return WorkResponse(records=records, ends=[PhaseEnd(phase=phase, void=void, players=[PlayerEnd(), PlayerEnd()])])


def let_play(referee: FakeReferee, monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def running(*_: Any) -> AsyncIterator[FakeReferee]:
        yield referee

    monkeypatch.setattr(single_match, "running", running)


async def play() -> single_match.Single:
    rules = game("torionfo")
    return await single_match.single(rules, rules.options(), tuple(BOTS), say=print)


async def test_a_single_match_that_is_void_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    referee = FakeReferee([ended(0, void=1), ended(0, 0)])
    let_play(referee, monkeypatch)
    assert (await play()).match.number == 0
    assert referee.orders[0] == referee.orders[1]


async def test_a_single_match_that_is_always_void_has_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    let_play(FakeReferee([ended(0, void=1)] * 3), monkeypatch)
    with pytest.raises(RefereeError, match="came to no result 3 times in a row"):
        await play()


async def test_a_phase_of_a_check_with_void_matches_is_played_again() -> None:
    tables = typical_tables(game("torionfo"), 2)
    numbers = [PHASE_MATCHES, PHASE_MATCHES + 1]
    referee = FakeReferee([ended(1, numbers[0], void=1), ended(1, *numbers)])
    trial = TrialReferee(referee, BOTS[0], BOTS[1], TimeControl(), USUAL)  # type: ignore[arg-type]
    [outcome] = await trial.play([tables])
    assert sorted(outcome.records) == [0, 1]
    assert referee.orders[0] == referee.orders[1]
