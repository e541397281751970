"""The fixtures of arena's own tests."""

from tests.conftest import fork_server, in_process, with_processes
from tests.tournament.conftest import cambio

__all__ = ["cambio", "fork_server", "in_process", "with_processes"]
