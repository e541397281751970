import pytest
import trio
import trio.testing

from arena.run import record_buffer
from arena.run.dispatcher import ResultBatch
from arena.run.record_buffer import RecordBuffer
from tests import played
from tests.guessing import GUESSING


def batch(*numbers: int, size: int = 1) -> ResultBatch:
    return ResultBatch([played.match(GUESSING, number) for number in numbers], size=size)


async def test_what_is_put_is_taken_in_order_until_it_is_closed() -> None:
    buffer = RecordBuffer()
    one, two = batch(0, 1), batch(2)
    await buffer.put(one)
    await buffer.put(two)
    assert buffer.matches == 3
    assert await buffer.take(0) == [one, two]
    assert buffer.matches == 3, "until they are stored"
    buffer.stored([one, two])
    assert buffer.matches == 0
    buffer.close()
    assert await buffer.take(0) == []


async def test_one_transaction_stores_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_buffer, "MOST_AT_ONCE", 2)
    buffer = RecordBuffer()
    batches = [batch(0), batch(1), batch(2)]
    for each in batches:
        await buffer.put(each)
    assert await buffer.take(0) == batches[:2]
    assert await buffer.take(0) == batches[2:]


@pytest.mark.parametrize("bound", ["MOST_MATCHES", "MOST_BYTES"])
async def test_who_brings_too_much_waits_until_it_is_stored(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_buffer, bound, 1)
    buffer = RecordBuffer()
    await buffer.put(batch(0))
    brought = []

    async def bring() -> None:
        await buffer.put(batch(1))
        brought.append(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(bring)
        await trio.testing.wait_all_tasks_blocked()
        assert brought == []
        taken = await buffer.take(60)  # at once: it is full
        await trio.testing.wait_all_tasks_blocked()
        assert brought == []
        buffer.stored(taken)
        await trio.testing.wait_all_tasks_blocked()
        assert brought == [1]
