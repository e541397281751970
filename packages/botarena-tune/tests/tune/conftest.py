"""The fixtures of arena's own tests."""

from tests.conftest import database, in_process, postgres

__all__ = ["database", "in_process", "postgres"]
