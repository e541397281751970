"""The checks of the soak of a league fail where they must."""

import pytest

from arena.bench.figures import BenchError
from tests.soak.league_soak import GROWTH_MIB, growth


def measured(grown: float) -> list[tuple[float, float]]:
    """Return a minute of memory, each second: 100 MiB at first, more from the middle on."""
    return [(float(second), 100.0 + grown * (second >= 30)) for second in range(60)]


def test_memory_that_grows_is_an_error() -> None:
    assert "100 MiB in the first quarter, 100 in the last (+0.00 MiB/min)" in growth(measured(0))
    assert "100 MiB in the first quarter, 124 in the last" in growth(measured(GROWTH_MIB))
    with pytest.raises(BenchError, match="100 MiB in the first quarter, 125 in the last"):
        growth(measured(GROWTH_MIB + 1))
