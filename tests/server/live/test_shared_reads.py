"""Reads that many streams share, while the database is away."""

import pytest
from trio.testing import MockClock

from arena.server.live.event_streams import HEARTBEAT
from arena.server.live.shared_reads import RETRY_SECONDS, SharedReads
from arena.store import StoreUnavailable


async def test_a_database_that_is_away_ends_no_stream(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    failures = round(HEARTBEAT / RETRY_SECONDS)
    answers: list[int | None] = [1, *[None] * failures, 2]

    def query(_: int | None) -> int:
        answer = answers.pop(0)
        if answer is None:
            raise StoreUnavailable("the server is gone", ": wait")
        return answer

    reads = SharedReads[str, int](1.0)
    seen = [value async for value in reads.changes("league", query, lambda value: value == 2)]
    assert seen == [1, None, 2], "with a sign of life after a while"
    assert capsys.readouterr().err == "the server is gone: wait\n", "once, and as no mistake of arena"
