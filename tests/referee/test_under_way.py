"""Matches under way are reported while somebody watches, and only then."""

from types import SimpleNamespace
from typing import Any

import trio
import trio.testing

from referee.engine.chance import Chance
from referee.engine.record import unpack_answers
from referee.games.cambio import CAMBIO
from referee.match.match import Match, MatchLimits
from referee.phase import WATCHED_MATCHES, WATCHED_SECONDS, Phase
from referee.service import REPORT_SECONDS, WATCH_SECONDS, Service
from referee.v1 import work_pb2
from tests.referee.asked import Asked


def match(number: int, asked: Asked) -> Match:
    limits = MatchLimits(0, 0, 3)
    chance = Chance(bytes([number]) * 32)
    return Match(number, CAMBIO, CAMBIO.options(), chance, [asked] * 4, [b""] * 4, limits, lambda _: None)


def phase_of(*matches: Match) -> Phase:
    order = work_pb2.Phase(game="cambio", matches_at_once=64)
    nothing: Any = None
    made = Phase(order, nothing, nothing, nothing, nothing, nothing)
    for each in matches:
        made._matches[each] = []
    return made


async def test_a_match_is_reported_with_its_answers_once_it_has_taken_a_while(
    mock_clock: trio.testing.MockClock,
) -> None:
    asked = Asked()
    quick = match(1, asked)
    quick.advance()
    phase = phase_of(quick)
    assert phase.under_way(trio.current_time()) == []
    mock_clock.jump(WATCHED_SECONDS)
    [report] = phase.under_way(trio.current_time())
    assert (report.match, report.answers) == (1, b"")
    assert phase.under_way(trio.current_time()) == [], "nothing has happened since"
    seat = asked.seats.pop()
    quick.answer(seat, len(seat.legal) - 1, 0.001)
    [report] = phase.under_way(trio.current_time())
    assert unpack_answers(report.answers) == quick._answers != []
    phase.forget_reports()
    assert len(phase.under_way(trio.current_time())) == 1


async def test_of_many_matches_the_oldest_are_reported(mock_clock: trio.testing.MockClock) -> None:
    phase = phase_of(*[match(number, Asked()) for number in range(WATCHED_MATCHES + 3)])
    mock_clock.jump(WATCHED_SECONDS)
    assert [report.match for report in phase.under_way(trio.current_time())] == list(range(WATCHED_MATCHES))


class Watched:
    """A phase of which each look tells something new."""

    def __init__(self) -> None:
        self.looks = 0
        self.forgotten = 0

    def under_way(self, now: float) -> list[work_pb2.UnderWay]:
        self.looks += 1
        return [work_pb2.UnderWay(match=self.looks)]

    def forget_reports(self) -> None:
        self.forgotten += 1


async def test_a_referee_looks_at_its_matches_only_while_somebody_watches(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sent: list[work_pb2.WorkResponse] = []
    stream: Any = SimpleNamespace(send=lambda data: sent.append(work_pb2.WorkResponse.FromString(data)))
    grpc: Any = SimpleNamespace(flush_streams=lambda: None)
    endpoints: Any = None
    service = Service(endpoints, grpc)
    service.accept(stream)
    watched: Any = Watched()
    service._phases.append(watched)
    request = work_pb2.WorkRequest(watch_ms=3000).SerializeToString()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(service._report_regularly)
        await trio.sleep(10)
        assert (watched.looks, sent) == (0, [])
        service.received(request, 0.0)
        service.received(request, 0.0)
        assert watched.forgotten == 1, "who begins to watch knows nothing yet"
        await trio.sleep(20)
        assert watched.looks == len(sent) == 3 / WATCH_SECONDS
        assert REPORT_SECONDS < WATCH_SECONDS
        assert not service._orders
        nursery.cancel_scope.cancel()
