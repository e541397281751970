"""The fixtures of arena's own tests of its pages."""

from tests.conftest import in_process
from tests.server.conftest import browser, database, league_database, public, serve, site, store, visit

__all__ = ["browser", "database", "in_process", "league_database", "public", "serve", "site", "store", "visit"]
