import os
from collections.abc import Callable

import pytest

from tests.tournament.processes import command, descendants


@pytest.fixture
def remaining_processes() -> Callable[[], dict[int, str]]:
    """Returns the command lines of processes that were started since; what earlier tests have left does not count."""
    before = set(descendants(os.getpid()))
    return lambda: {pid: command(pid) for pid in descendants(os.getpid()) if pid not in before}
