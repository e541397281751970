"""The fixtures of arena's own tests."""

from tests.conftest import database, in_process, postgres
from tests.server.api.conftest import account, client, own, visitor, worker

__all__ = ["account", "client", "database", "in_process", "own", "postgres", "visitor", "worker"]
