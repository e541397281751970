"""Ray that does not start: a second attempt, and a sentence. Ray itself is replaced by a module that fails."""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from arena_cluster import ray_cluster as module
from arena_cluster.ray_cluster import ray_cluster

from arena.store import open_store
from arena.values.tournament_errors import ExecutorError


class FailingRay(ModuleType):
    """Fails to start as often as it is told; counts what is called."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__("ray")
        self.__spec__ = ModuleSpec("ray", None)
        self.errors = list(errors)
        self.calls: list[str] = []

    def init(self, address: str | None, **options: Any) -> None:
        self.calls.append("init")
        if self.errors:
            raise self.errors.pop(0)

    def shutdown(self) -> None:
        self.calls.append("shutdown")

    def remote(self, **options: Any) -> Any:
        return lambda function: function


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr(module, "sleep", seconds.append)
    return seconds


def test_a_second_attempt_succeeds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, waits: list[float]) -> None:
    ray = FailingRay(Exception("\nThe current node timed out during startup.\nSee the logs"))
    monkeypatch.setitem(sys.modules, "ray", ray)
    said: list[str] = []
    with open_store(tmp_path / "arena.db", create=True) as store, ray_cluster(None, store, said.append):
        assert ray.calls == ["init", "shutdown", "init"]
    assert waits == [2.0]
    assert said == [
        "Ray on this machine did not start or answer (The current node timed out during startup.); trying once more"
    ]
    assert ray.calls[3:] == ["shutdown"]


def test_where_both_fail_it_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ray = FailingRay(RuntimeError("no shared memory"), RuntimeError("no shared memory"))
    monkeypatch.setitem(sys.modules, "ray", ray)
    message = "there is no Ray cluster on this machine that could be joined: no shared memory; start one with"
    store = open_store(tmp_path / "arena.db", create=True)
    with store, pytest.raises(ExecutorError, match=message), ray_cluster(None, store):
        pass
    assert ray.calls == ["init", "shutdown", "init", "shutdown"]
