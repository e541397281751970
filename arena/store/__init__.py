"""Every tournament and match, in an SQLite file or on a PostgreSQL server.

with open_store("arena.db", create=True) as store:
    number = store.add_tournament(NewEvent(...))
    store.add_matches(number, [MatchRow(...), ...])      # one transaction

opening    open, create or upgrade a database
store      Store: the open database; writes, on top of reader
reader     Reader: queries
backup     back up a database while others write, and check its integrity
matches/   tournaments and matches
people/    accounts, tokens, and the bots that were submitted
engine/    what databases are: SQLite or PostgreSQL, tables, errors, the outbox; migrations/ the steps since the first
           release

What is kept of leagues and hand-ins lies with them, in `arena.league.store` and `arena.bots`, and is made from an open
database, as `Leagues(store)`. Their tables are declared here, as a database has all of them, whoever opens it, and one
version; and lists of matches name the leagues to which these belong.

Importing this package costs nothing; SQLAlchemy is loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store.engine.errors import NoDatabase, NoSuchRow, StoreError, StoreUnavailable, hide_password
    from arena.store.opening import open_store
    from arena.store.store import Store

__all__ = ["NoDatabase", "NoSuchRow", "Store", "StoreError", "StoreUnavailable", "hide_password", "open_store"]

_HOME = {"Store": "store", "open_store": "opening"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'engine.errors')}"), name)
