"""Which core a bot is pinned to."""

import os

import pytest

from referee.phase import core_for


@pytest.mark.parametrize(
    ("mine", "shared", "cores"),
    [
        ({1}, {0, 1, 2, 3}, [2, 3, 0, 2]),
        ({3}, {0, 1, 2, 3}, [0, 1, 2, 0]),
        ({0}, {0}, [0, 0, 0, 0]),
        ({0, 1}, {0, 1}, [0, 1, 0, 1]),
    ],
)
def test_bots_take_turns_on_the_cores_that_are_not_the_referee_s(
    monkeypatch: pytest.MonkeyPatch, mine: set[int], shared: set[int], cores: list[int]
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: mine if pid == 0 else shared)
    assert [core_for(place) for place in range(4)] == [(core,) for core in cores]
