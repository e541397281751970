"""Pseudonyms of closed accounts and their bots, under which readers see them.

The names stay as they were written in what is hashed, that is in definitions, logs and the ratings from which batches
are drawn, and in rows, by which bots are found. They are replaced as rows become values: whatever is loaded has the
names that readers see, but for what is called signed (`signed_text`, `signed_log`), to which the hashes belong, and the
entries by which a league plays (`stored_entries`). Only the modules that load rows know of that;
tests/store/test_closed_names.py lists them. So archives have no such name either (`arena.results.archive.exporting`).

Random ids that are hashed instead of names would let the published hash be verified also from an archive that was made
after an account was closed. They would not make closing simpler: definitions, logs and ratings that are stored have
names, for which all of this would stay, and whoever writes or reads what is hashed would translate ids besides.
"""

import re
from collections.abc import Callable, Iterable
from itertools import count

from sqlalchemy import Connection, func, insert, select

from arena.store.engine.errors import StoreError
from arena.store.engine.schema import closed_names
from arena.values.pseudonyms import ClosedNames
from arena.values.versioned_names import base_name


class OwnerClosed(StoreError):
    """The account of the owner of a bot was closed."""


def load_closed_names(connection: Connection) -> ClosedNames:
    """Return the names that are not shown."""
    return ClosedNames({row.name: row.shown for row in connection.execute(select(closed_names))})


def is_closed_name(connection: Connection, name: str) -> bool:
    """Return whether an account has a name no more, or never: it was closed, or the name is like a pseudonym."""
    is_closed = select(closed_names.c.name).where(closed_names.c.name == name)
    return re.fullmatch(r"closed-\d+", name) is not None or connection.scalar(is_closed) is not None


def check_owner(connection: Connection, bot: str) -> None:
    """Raise OwnerClosed for a new bot, or version, of an owner whose account was closed."""
    owner = base_name(bot).partition("/")[0]
    if is_closed_name(connection, owner):
        raise OwnerClosed(
            f"{bot} cannot be stored: the account {owner} was closed, or its name is one of those under which closed "
            "accounts are shown; choose another owner"
        )


def add_closed_names(connection: Connection, account: str, bots: list[str], is_used: Callable[[str], bool]) -> str:
    """Give an account that is closed, and its bots, pseudonyms, unless they have any; return that of the account.

    bots: the names of its bots, without versions.
    is_used: tells whether somebody has a name, from before these were kept for pseudonyms.
    """
    known = load_closed_names(connection).shown
    shown = known.get(account)
    if shown is None:
        first = sum("/" not in pseudonym for pseudonym in known.values()) + 1
        numbered = (f"closed-{number}" for number in count(first))
        shown = next(candidate for candidate in numbered if candidate not in known.values() and not is_used(candidate))
        connection.execute(insert(closed_names).values(name=account, shown=shown))
    first = sum(pseudonym.startswith(f"{shown}/") for pseudonym in known.values()) + 1
    for number, name in enumerate((name for name in bots if name not in known and name != account), first):
        connection.execute(insert(closed_names).values(name=name, shown=f"{shown}/{number}"))
    return shown


def hide_bots(connection: Connection, bots: Iterable[str]) -> None:
    """Give bots of closed accounts that come later, as in an imported tournament, pseudonyms."""
    known = load_closed_names(connection).shown
    for bot in dict.fromkeys(map(base_name, bots)):
        owner = bot.partition("/")[0]
        if owner in known and bot not in known:
            add_closed_names(connection, owner, [bot], lambda _: False)


def closed_count(connection: Connection) -> int:
    """Return how many names are not shown; it grows whenever an account is closed that had bots, or none before."""
    return connection.scalar(select(func.count()).select_from(closed_names)) or 0
