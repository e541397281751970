"""Every tournament and match, in an SQLite file or on a PostgreSQL server.

with open_store("arena.db", create=True) as store:
    number = store.add_tournament(NewTournament(...))
    store.add_matches(number, [MatchRow(...), ...])      # one transaction

rows       what goes in and comes out, as plain values; failure_rows: of processes that failed
opening    find, create, upgrade or refuse a database; sqlite and postgres know the two kinds
store      Store: writing, on top of ...
           inserting takes values apart to rows; foreign is a tournament from elsewhere; summing keeps summaries
reading    ... Reader: everything that only looks
           span: where a tournament lies; assembly puts rows together to values; counting asks for what rankings need,
           pacing for how fast it went, listing for matches
editions   whether a match is still what it was
counted    which matches of a tournament its ranking counts
log        the log of a tournament: what its organiser decided
submissions  submitted bots and their files; tokens and accounts are holders of tokens
process_failures  processes of bots that failed, however they did
schema     the tables; migrations/ holds how they came to be
backup     a copy while others write, and whether a database is sound
packing    the blobs of a row; moment: times as they are kept; resting: so that others come to write
errors     what can be wrong, as sentences

Importing this package costs nothing; SQLAlchemy is loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store.errors import NoDatabase, NoSuchRow, StoreError, StoreUnavailable, hidden
    from arena.store.opening import open_store
    from arena.store.store import Store

__all__ = ["NoDatabase", "NoSuchRow", "Store", "StoreError", "StoreUnavailable", "hidden", "open_store"]

_HOME = {"Store": "store", "open_store": "opening"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'errors')}"), name)
