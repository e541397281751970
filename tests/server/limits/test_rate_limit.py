"""Limits on how often something is done under the same key."""

from arena.server.limits.rate_limit import KEYS, RateLimit


def test_actions_are_limited_within_a_time() -> None:
    now = [0.0]
    limit = RateLimit(2, 10, lambda: now[0])
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    now[0] = 4.0
    assert (limit.allows("a"), limit.seconds_left("a")) == (False, 6.0)
    now[0] = 10.0
    assert limit.allows("a")
    assert limit.seconds_left("nobody") == 0.0


def test_keys_that_are_idle_are_forgotten() -> None:
    now = [0.0]
    limit = RateLimit(5, 10, lambda: now[0])
    for number in range(KEYS + 5):
        now[0] = number / KEYS
        limit.allows(f"{number}")
    assert len(limit._times) == KEYS
    now[0] = 20.0
    limit.allows("last")
    assert list(limit._times) == ["last"]
