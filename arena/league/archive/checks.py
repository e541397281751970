"""What the types of the lines of a league do not say: its names, times, decisions and ratings make sense."""

import re
from collections.abc import Mapping
from typing import Any

from arena.league.archive.lines import EntryLine, LeagueLine
from arena.league.plan.definition import is_league_name
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.store.entry_grants import GRANT, REVOKE
from arena.league.store.league_details import missing_detail
from arena.packs.errors import BadName
from arena.packs.names import check_name
from arena.results.archive.errors import MAX_SENTENCE, ArchiveError
from arena.values.pseudonyms import is_pseudonym
from referee.engine.clean_text import clean
from referee.sandbox.grants import GrantError, read_grants

MOST_VERSION = 2**31 - 1
MOST_CHARACTERS = 200
"""The most characters of the name of an entry, and of its owner."""


def check_details(kind: str, details: Mapping[str, Any], where: str) -> None:
    """Raise ArchiveError unless the details of a decision say what is read of them."""
    if name := missing_detail(kind, details):
        raise ArchiveError(f"{where}: a decision of kind {kind} does not say {name}")
    if kind in (GRANT, REVOKE):
        try:
            read_grants(details["words"])
        except GrantError as error:
            raise ArchiveError(f"{where}: {clean(str(error), MAX_SENTENCE)}") from None


def check_snapshot(snapshot: Snapshot, where: str) -> None:
    """Raise ArchiveError unless a snapshot has numbers, and such as ratings may have."""
    for entry in snapshot.entries:
        if wrong := _wrong_value(entry):
            raise ArchiveError(f"{where}: an entry has no {wrong}")
    if type(snapshot.number) is not int:
        raise ArchiveError(f"{where} does not say how many batches it rests on")


def _wrong_value(entry: RatedEntry) -> str | None:
    """Return the name of a value that is none; None if all are."""
    for name in RatedEntry.__slots__:
        value = getattr(entry, name)
        if name == "is_placing":
            fits = type(value) is bool
        elif name == "owner" and type(value) is str:
            fits = value.isprintable()
        else:
            fits = (value is None and name == "ci95") or (type(value) is int and abs(value) < 2**53)
        if not fits:
            return name
    return None


def check_league_name(line: LeagueLine, file: str) -> None:
    """Raise ArchiveError unless a league may have this name."""
    if not is_league_name(line.name):
        raise ArchiveError(f"{file}: {line.name[:80]!a} is no name of a league")


def check_entry_names(line: EntryLine, file: str) -> None:
    """Raise ArchiveError unless an entry may have this name, owner, bot and hash of files."""
    where = f"{file}: entry {line.number}"
    try:
        if not is_pseudonym(line.bot):
            check_name(line.bot)
    except BadName as error:
        raise ArchiveError(f"{where}: {error}") from None
    if not 1 <= line.version <= MOST_VERSION:
        raise ArchiveError(f"{where}: a bot has no version {line.version}")
    if not re.fullmatch("[0-9a-f]{64}", line.content):
        raise ArchiveError(f"{where}: {line.content[:80]!a} is no SHA-256 of files")
    for name in (line.name, line.owner):
        if not name.isprintable() or len(name) > MOST_CHARACTERS:
            raise ArchiveError(f"{where}: {name[:80]!a} is no name of an entry or an owner")
