"""Every tournament and match, in an SQLite file or on a PostgreSQL server.

with open_store("arena.db", create=True) as store:
    number = store.add_tournament(NewEvent(...))
    store.add_matches(number, [MatchRow(...), ...])      # one transaction

rows              the values that are stored and loaded; failure_rows: failed processes
stored_definition a definition of any version, and its hash
opening           open, create or upgrade a database; sqlite and postgres: the two kinds
store             Store: writes, on top of reader; row_saving turns values into rows
reader            Reader: queries; row_loading turns rows into values
aggregates        aggregate queries for rankings
summaries         stored sums of many matches, and the unsummarised matches
seat_results      the results of a tournament seat by seat
counted_matches   which matches of a tournament its ranking counts
runs              which processes play tournaments
chances           the chances to win that were estimated throughout matches
closed_names      pseudonyms of closed accounts and their bots; pseudonyms: what replaces names by them;
                  closed_results: what is stored of batches in which such bots still played
versioned_names   the names under which bots are shown; bot_names: queries by these names
match_filter      SQL conditions: the id range of a tournament, the filters of a list; time_limit: of searches
numbering         whether the rows of seats, faults and processes of an event go together
speed             how fast a tournament was played
decision_log      the log of a tournament: its organiser's decisions
submissions       submitted bots and their files
hand_ins          what owners hand in, until it is checked and after; hand_in_rows: its values; hand_in_queue: who is
                  next
leagues           leagues: seasons, entries, log; league_rows: values of leagues and batches; stored_ratings: their
                  ratings
league_entries    entries, league_log: logs and locks, season_rows: seasons; in the transactions of others
entry_grants      what organisers of leagues grant entries
seasons           the end of a season of a league; imported_leagues: leagues from archives
batches           the batches of leagues, leased to runners, on top of batch_queries; batch_results: their results,
                  batch_names: their names in lists, old_notes: deletes notes of old ones, dropped_batches: those
                  that are not played any more
total_sums        the sums of all batches of a league
worker_name       names of processes that take work from the database, and whether they are dead
accounts          accounts of people, and tokens of remote bots; account_tokens: tokens with scopes, for programs
webhooks          where owners want to hear of events, and the outbox; webhook_events, webhook_rows: events, values
invitations       to make an account; account_closing: what is wiped with one
process_failures  failed processes of bots
server_counts     what those who watch a server want to know: counts of hand-ins, batches and entries
schema            the tables; migrations/ holds the steps that made them
backup            back up a database while others write, and check its integrity
blobs             compressed columns
backoff           let other writers have a turn between transactions
errors            errors of databases, as sentences

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
