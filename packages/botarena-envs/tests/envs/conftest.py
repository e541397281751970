"""A game of another package, for the tests of what such games bring."""

from pathlib import Path

import pytest

from arena.envs import observation
from referee.engine.game import Game

HARBOUR = Path(__file__).parents[4] / "tests/third_party/harbour"


@pytest.fixture
def harbour(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game in which all answer together, whose layout is registered as if it were installed."""
    monkeypatch.syspath_prepend(str(HARBOUR))
    register(monkeypatch, "arena_harbour.layout:harbour")
    from arena_harbour.harbour import HARBOUR as game

    return game


def register(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """Have the entry point of its layout lead to a target."""
    monkeypatch.setattr(observation, "targets", lambda group: {"harbour": target} if group == "arena.layouts" else {})
