"""The fixtures of arena's own tests."""

from collections.abc import Iterator
from multiprocessing.context import BaseContext

import pytest

from tests.conftest import fork_server, in_process, with_processes

__all__ = ["fork_server", "in_process", "with_processes"]


@pytest.fixture(scope="module")
def forked_checks(fork_server: BaseContext) -> Iterator[None]:
    """The processes that check bots are forked, where their own start is not the subject: it takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena_classroom.check_pool.get_context", lambda method: fork_server)
        yield
