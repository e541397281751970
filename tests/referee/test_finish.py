"""A referee that is told to finish begins no more matches, and ends its phases with those under way."""

from types import SimpleNamespace
from typing import Any

from referee.phase import Phase
from referee.service import Service
from referee.v1 import work_pb2

NOTHING: Any = None


def phase_of(orders: int) -> Phase:
    order = work_pb2.Phase(game="cambio", matches_at_once=1)
    for number in range(orders):
        order.matches.add(match=number)
    return Phase(order, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)


async def test_a_phase_ends_with_the_matches_under_way() -> None:
    phase = phase_of(3)
    phase._queue.popleft()
    under_way: Any = object()
    phase._matches[under_way] = []
    phase.begin_no_more()
    assert phase.all_begun.is_set()
    assert not phase._all_over.is_set()
    del phase._matches[under_way]
    phase._begin_more()
    assert phase._all_over.is_set()


async def test_a_phase_without_a_match_under_way_is_over() -> None:
    phase = phase_of(3)
    phase.begin_no_more()
    assert phase._all_over.is_set()


class Told:
    """A phase that keeps what it is told."""

    times = 0

    def begin_no_more(self) -> None:
        self.times += 1


async def test_phases_that_have_not_begun_end_at_once() -> None:
    sent: list[work_pb2.WorkResponse] = []
    stream: Any = SimpleNamespace(send=lambda data: sent.append(work_pb2.WorkResponse.FromString(data)))
    grpc: Any = SimpleNamespace(flush_streams=lambda: None)
    service = Service(NOTHING, grpc)
    service.accept(stream)
    told: Any = Told()
    service._phases.append(told)

    def receive(**request: Any) -> None:
        service.received(work_pb2.WorkRequest(**request).SerializeToString(), 0.0)

    players = [work_pb2.Player(), work_pb2.Player()]
    receive(phase=work_pb2.Phase(id=7, players=players))
    assert sent == []
    receive(finish=True)
    assert told.times == 1
    assert [(end.phase, len(end.players)) for message in sent for end in message.ends] == [(7, 2)]
    later = work_pb2.Phase(id=8, players=players, game="no such game")
    assert service._begin(later, NOTHING) is None
    assert [end.phase for message in sent for end in message.ends] == [7, 8]
    assert not any(message.error for message in sent)
