"""Every tournament and match, in an SQLite file or on a PostgreSQL server.

with open_store("arena.db", create=True) as store:
    number = store.add_tournament(NewTournament(...))
    store.add_matches(number, [MatchRow(...), ...])      # one transaction

rows     what goes in and comes out, as plain values; failure_rows: of failed processes
opening  find, create, upgrade or refuse a database; sqlite and postgres know the two kinds
store    Store: writing, on top of ...
                  row_saving splits values into rows; imported takes tournaments from elsewhere; summaries are kept up
reader            ... Reader: everything that only looks
                  id_range: the ids of a tournament; row_loading makes values of rows; aggregates for rankings,
                  pace for speed, match_filter for lists
match_version     the cache key of a stored match
counted_matches   which matches of a tournament its ranking counts
decision_log      the log of a tournament: what its organiser decided
submissions       submitted bots and their files; tokens and accounts are token_holders
process_failures  processes of bots that failed, however they did
schema            the tables; migrations/ holds how they came to be
backup            a copy while others write, and whether a database is sound
blobs             the compressed columns; timestamps: UTC; backoff: other writers get a turn
errors            what can be wrong, as sentences

Importing this package costs nothing; SQLAlchemy is loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store.errors import NoDatabase, NoSuchRow, StoreError, StoreUnavailable, hide_password
    from arena.store.opening import open_store
    from arena.store.store import Store

__all__ = ["NoDatabase", "NoSuchRow", "Store", "StoreError", "StoreUnavailable", "hide_password", "open_store"]

_HOME = {"Store": "store", "open_store": "opening"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'errors')}"), name)
