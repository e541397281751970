from collections.abc import Callable
from pathlib import Path

import pytest

from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.values.definition import Definition, Settings
from referee.engine.registry import game


@pytest.fixture
def cambio() -> Callable[..., Definition]:
    """Define a tournament of Cambio between sample bots."""

    def make(*names: str, rounds: int = 3, seats: int | None = None) -> Definition:
        rules = game("cambio")
        field = find_bots(names, samples("cambio"))
        return define(rules, rules.options(), field, Settings(rounds=rounds, seats=seats or 0))

    return make


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Path]:
    """Write a file that may be executed."""

    def write(name: str, content: bytes, mode: int = 0o755) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        path.chmod(mode)
        return path

    return write
