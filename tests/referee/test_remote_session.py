"""Remote bots at a referee: they dial in time, come back, or have failed (trio's MockClock)."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import trio
import trio.testing

from referee.connection.endpoints import Endpoint, Endpoints
from referee.connection.grpc_server import GrpcServers
from referee.connection.stream import Stream
from referee.match.faults import FaultKind
from referee.process import awake_clock
from referee.process.awake_clock import AwakeClock, Beat
from referee.process.bot_process import FAILED_STARTS
from referee.session.remote_session import RemoteSession
from referee.v1.play_pb2 import Hello
from referee.v1.work_pb2 import Invitation, ProcessFailure

NewTable = Callable[..., Any]


class DiscardingStream:
    """A stream to nobody."""

    sent_at: float | None = 0.0
    listener: Any = None

    writes_begun = writes_done = 0
    has_deferred = False

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        self.writes_begun = self.writes_done = self.writes_done + 1
        return self.writes_done

    def defer(self, payload: bytes, stamp: float) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Endpoint(Endpoints(GrpcServers()), untrusted=False)


def session(player: Any, endpoint: Endpoint, invited: list[Invitation]) -> RemoteSession:
    endpoints, invitation = Endpoints(GrpcServers()), Invitation(token="t")
    return RemoteSession(player, "heap", endpoints, endpoint, invitation, invited.append, 30.0)


async def test_who_does_not_dial_in_time_has_failed_to_start_and_three_times_are_too_many(
    new_table: NewTable, autojump_clock: trio.testing.MockClock, endpoint: Endpoint
) -> None:
    player = new_table().bot().player
    invited: list[Invitation] = []
    for count in range(FAILED_STARTS):
        assert not player.withdrawn
        began = trio.current_time()
        one = session(player, endpoint, invited)
        await one.run()
        assert trio.current_time() - began == 30.0
        assert one.fault == (FaultKind.START, "it was not connected within 30 s")
        assert len(invited) == count + 1
    assert player.withdrawn


async def test_a_remote_bot_has_a_clock_and_what_it_leaves_open_waits(
    new_table: NewTable, mock_clock: trio.testing.MockClock, endpoint: Endpoint
) -> None:
    table = new_table(move_time=1.0, bank=1.0)
    a, b = table.bot(), table.bot()
    match = table.match([a, b], size=2)
    table.flush()
    a.player.lose_connection("it was elsewhere")
    a.questions()
    invited: list[Invitation] = []
    one = session(a.player, endpoint, invited)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        await trio.testing.wait_all_tasks_blocked()
        assert endpoint.redeem("not this one") is None
        assert endpoint.redeem(endpoint.token) is one
        assert endpoint.redeem(endpoint.token) is None, "a token is good for one hello"
        one.welcome(cast(Stream, DiscardingStream()), Hello(), 1)
        assert a.player.deadline() is None, "nothing has left yet"
        table.flush()
        assert a.player.deadline() == 2.0
        one.ended("it ended its side of the stream")
    assert not match._faults
    assert a.player.deadline() is None
    again = table.again(a)
    (question,) = again.questions()
    assert question.again
    again.answer((question.id, "two"))
    table.flush()
    assert match.state.asked == (0, 1), "the match goes on"


async def test_a_lost_connection_is_reported_with_the_matches_it_was_asked_in(
    new_table: NewTable, mock_clock: trio.testing.MockClock, endpoint: Endpoint
) -> None:
    reports: list[ProcessFailure] = []
    table = new_table(report=reports.append)
    a, b = table.bot(), table.bot()
    table.match([a, b])
    table.match([a, b])
    table.flush()
    one = session(a.player, endpoint, [])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        await trio.testing.wait_all_tasks_blocked()
        one.welcome(cast(Stream, DiscardingStream()), Hello(), 1)
        table.match([a, b])
        one.ended("the network is down")
    (failure,) = reports
    assert failure.kind == ProcessFailure.KIND_CONNECTION
    assert failure.sentence == "its connection was lost: the network is down"
    assert list(failure.matches) == [2], "those that this connection was asked"
    assert not failure.HasField("guilty")
    assert failure.time_us > 0


def test_a_connection_that_a_pause_of_this_machine_cut_is_no_failure(
    new_table: NewTable, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(awake_clock, "perf_counter", lambda: now)
    clock = AwakeClock()

    async def lose(later: float) -> list[ProcessFailure]:
        nonlocal now
        reports: list[ProcessFailure] = []
        table = new_table(report=reports.append)
        a, b = table.bot(), table.bot()
        one = session(a.player, endpoint, [])
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.run)
            await trio.testing.wait_all_tasks_blocked()
            one.welcome(cast(Stream, DiscardingStream()), Hello(), 1)
            match = table.match([a, b], size=2)
            table.flush()
            before, now = now, now + 25
            clock.beat(Beat(before, 0.0, 0.0, 10), Beat(now, 0.0, 0.0, 12))
            before, now = now, now + later
            clock.beat(Beat(before, 0.0, 0.0, 12), Beat(now, 0.0, 0.0, 9999))
            one.ended("the network is down")
        (question,) = table.again(a).questions()
        assert question.again
        assert not match._faults
        return reports

    assert trio.run(lose, 20.0, clock=clock) == []
    assert len(trio.run(lose, 40.0, clock=clock)) == 1


async def test_whoever_goes_too_often_is_withdrawn(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table(max_failed_matches=3)
    a, b = table.bot(), table.bot()
    table.match([a, b])
    table.flush()
    for _ in range(3):
        a.player.lose_connection("it went")
        assert not a.player.withdrawn
        assert [question.again for question in table.again(a).questions() or a.questions()]
    a.player.lose_connection("it went")
    assert a.player.withdrawn
    assert (
        a.player._withdrawal[1] == "the bot is withdrawn: 4 times it failed or lost its connection, the last: it went"
    )


def test_an_address_whose_server_has_ended_already_needs_no_refusal(endpoint: Endpoint) -> None:
    endpoint.disconnect("it sent too much after its hello")
    Path(endpoint.address.removeprefix("unix:")).unlink(missing_ok=True)
    endpoint.refuse_connections()
