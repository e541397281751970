"""The log of a match: packed or not, its digest and its events are the same."""

from random import Random
from types import ModuleType

import pytest

from referee.codec import pure
from referee.engine.events import Event, digest


def _events(rng: Random, count: int) -> list[Event]:
    numbers = (0, 1, -1, 7, 2**31 - 1, -(2**31))
    return [tuple(rng.choice(numbers) for _ in range(rng.randrange(1, 5))) for _ in range(count)]


@pytest.mark.parametrize("odd", [None, (3, "words"), (2**31,), (-(2**31) - 1,), (10**30,), (5, None), ()])
def test_the_digest_is_that_of_all_events(codec: ModuleType, odd: Event | None) -> None:
    for seed in range(50):
        rng = Random(seed)
        log, events, all_events = codec.EventLog(), [], []
        for number in range(rng.randrange(1, 20)):
            added = _events(rng, rng.randrange(5))
            if number == 3 and odd is not None:
                added.insert(rng.randrange(len(added) + 1), odd)
            events += added
            all_events += added
            log.take(events)
            assert events == []
            assert len(log) == len(all_events)
        assert log.digest() == digest(all_events)
        for first in (0, 1, len(all_events) // 2, len(all_events)):
            assert log.since(first) == all_events[first:]


def test_equal_events_are_one_object_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pure, "MAX_EVENTS", 10)
    logs = [pure.EventLog(), pure.EventLog()]
    for number in range(40):
        for log in logs:
            log.take([(number // 20, "two")])
    first, second = (log.since(0) for log in logs)
    assert first == second
    assert all(one is other for one, other in zip(first[-20:], second[-20:], strict=True))
    assert len(pure._EVENTS) <= 12
