"""What is wrong with the database where a command has failed over it."""

from collections.abc import Iterable

import click

from arena.errors import ArenaError

_META = "arena.db"


def remember(context: click.Context, db: str) -> None:
    """Note which database a command uses, for `damage`."""
    context.find_root().meta[_META] = db


def damage(context: click.Context) -> str | None:
    """Return what is wrong with the database that the command used, as a sentence; None where nothing is.

    Whatever a damaged database makes a command stumble over is no mistake of arena's.
    """
    db = context.find_root().meta.get(_META)
    if db is None:
        return None
    try:
        first = next(iter(faults(db)), None)
    except ArenaError as error:
        return str(error)
    if first is None:
        return None
    from arena.store import hide_password

    return f"the database {hide_password(db)} is damaged ({first}): restore it from a copy, or use another --db"


def faults(db: str) -> Iterable[str]:
    """Return what is wrong with a database, in words: with its pages, or else with its values."""
    from arena.store import open_store
    from arena.store.backup import database_faults
    from arena.store.errors import StoreError
    from arena.tournament.integrity import unsound_values

    with open_store(db) as store:
        try:
            file = store.file
        except StoreError:  # a server sees to its pages by itself
            file = None
        return (database_faults(file) if file is not None else []) or store.query(unsound_values)
