"""The fixtures of arena's own tests of its pages."""

from tests.conftest import in_process
from tests.server.conftest import (
    address,
    browser,
    database,
    league_database,
    public,
    serve,
    site,
    store,
    undrawn_png,
    visit,
)

__all__ = [
    "address",
    "browser",
    "database",
    "in_process",
    "league_database",
    "public",
    "serve",
    "site",
    "store",
    "undrawn_png",
    "visit",
]
