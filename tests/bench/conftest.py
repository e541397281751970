import pytest

from arena.bench import protocol, sandboxes
from arena.bench.figures import Sampling
from arena.bench.protocol import BenchTable
from referee.engine.registry import game


@pytest.fixture
def table() -> BenchTable:
    """Short matches of Cambio at a table of two."""
    rules = game("cambio")
    return BenchTable(rules, rules.options.parse({"chips": 2}), 2, "bwrap")


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> int:
    """So many matches under way at once, where it would be as many as in a tournament."""
    for module in (protocol, sandboxes):
        monkeypatch.setattr(module, "MATCHES_AT_ONCE", 16)
    return 16


@pytest.fixture
def sampling() -> Sampling:
    """As little as can be."""
    return Sampling(
        runs=2,
        whole_runs=1,
        seconds=0.0,
        decisions={2: 100, 64: 100},
        rounds=2,
        pinnings=("one core",),
        starts=1,
        confined_starts=2,
        stored=300,
        languages={1: 20, 8: 1500},
        yardstick=0.0,
        alternations=1,
        peer_moves=400,
    )
