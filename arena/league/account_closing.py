"""Close an account: what its owner wrote is wiped, and results stay.

Wiped is what `arena.store.people.account_closing` says. The entries of the account leave their leagues, batches that
wait for them become void, and its practice leagues go. All of that happens in one transaction; packages read of it in
the outbox.
"""

from sqlalchemy import Connection, select

from arena.league.store.dropped_batches import void_batches_of
from arena.league.store.league_entries import change_entry
from arena.league.store.league_log import lock_league
from arena.league.store.league_rows import ACTIVE
from arena.league.store.practice_leagues import forget_owner
from arena.store import Store
from arena.store.engine.schema import entries
from arena.store.people.account_closing import WipedAccount, wipe_account


def close_account(store: Store, name: str, who: str = "arena") -> WipedAccount | None:
    """Close an account; None if there is none of that name.

    One that was revoked is closed, too, and so is the name of an owner of bots who never had one.

    who: the person who decided it.
    """
    with store.write(numbers=True) as connection:
        in_leagues = _entries_of(connection, name)
        for league in sorted(in_leagues):  # first, as whoever stores a batch locks its league before anything else
            lock_league(connection, league)
        wiped = wipe_account(connection, name)
        if wiped is None:
            return None
        for league, numbers in sorted(in_leagues.items()):
            for number in numbers:
                change_entry(connection, league, number, "retired", who, "the account is closed", ACTIVE)
            void_batches_of(connection, league, numbers)
        forget_owner(connection, name)
        return wiped


def _entries_of(connection: Connection, name: str) -> dict[int, list[int]]:
    """Return the numbers of an owner's entries, by the id of their league."""
    found: dict[int, list[int]] = {}
    query = select(entries.c.league_id, entries.c.number).where(entries.c.owner == name)
    for row in connection.execute(query.order_by(entries.c.league_id, entries.c.number)):
        found.setdefault(row.league_id, []).append(row.number)
    return found
