"""What a phase makes of its order."""

from types import SimpleNamespace
from typing import Any

from referee.phase import Phase, _lower_limit
from referee.v1 import work_pb2


def test_a_wish_only_lower_limits_a_limit() -> None:
    assert [_lower_limit(256, wish) for wish in (0, 64, 512)] == [256, 64, 256]


async def test_only_bots_with_a_clock_have_a_limit_to_get_ready() -> None:
    order = work_pb2.Phase(game="cambio")
    order.players.add(command=["x"])
    order.players.add(attached=True)
    order.players.add(remote_ms=1000)
    order.time.ready_time_ms = 2500

    def nobody(_: Any) -> None:
        raise AssertionError

    endpoints: Any = SimpleNamespace(grpc=SimpleNamespace(unflushed_senders=[]), flood_detector=None)
    confinement: Any = None
    phase = Phase(order, endpoints, confinement, nobody, nobody, nobody)
    assert [player.ready_time for player in phase._players] == [2.5, 0.0, 2.5]


def new_phase(**order: Any) -> Phase:
    message = work_pb2.Phase(game="cambio", **order)
    message.players.add(command=["x"], thinking_ms=2500)
    message.time.most_lag_ms = 100
    endpoints: Any = SimpleNamespace(grpc=SimpleNamespace(unflushed_senders=[]), flood_detector=None)
    nothing: Any = None
    return Phase(message, endpoints, nothing, nothing, nothing, nothing)


def test_who_shares_a_core_is_not_charged_for_it_and_never_paused() -> None:
    for order, is_fair, ponder, lag in (
        ({}, False, True, 0.0),
        ({"shares_core": True}, True, True, 0.0),
        ({"clock": True}, True, False, 0.1),
    ):
        phase = new_phase(**order)
        [player] = phase._players
        assert (player._max_lag, player._thinking) == (lag, 2.5)
        start = phase._local_session(player, phase._order.players[0])
        control: Any = start().__getattribute__("_control_cpu")
        assert (control is not None) == is_fair
        assert control is None or control.keywords["ponder"] == ponder
        assert control is None or (control.keywords["referee"] is not None) == phase._order.clock
