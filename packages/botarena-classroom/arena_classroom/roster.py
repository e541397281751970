"""`arena accounts import`: the people of a class, as a table.

    name,account,email,id,group,team
    "Müller, Jörg",,joerg@example.org,4711,B,Lab 3
    김민수,minsu,minsu@example.org,4712,B,Lab 3

It is read as spreadsheets write it (`owners_file`). All mistakes are told before anything is stored, and what is stored
is stored in one transaction.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, select, update

from arena.packs.names import check_account_name, word_from
from arena.store.engine.schema import accounts
from arena.store.people.account_closing import REVOKED, TEAM
from arena.store.people.account_details import check_details
from arena.store.people.accounts import AUTHOR, add_account
from arena.store.people.closed_names import is_closed_name
from arena.store.people.teams import add_team, join_team
from arena.values.display_names import check_display_name
from arena.values.errors import ArenaError
from arena_classroom.errors import RosterError
from arena_classroom.owners_file import listed, numbered, read_csv

COLUMNS = {
    "name": ("name", "full_name", "display_name"),
    "first": ("first_name", "firstname", "given_name"),
    "last": ("last_name", "lastname", "surname", "family_name"),
    "account": ("account", "username", "user_name"),
    "email": ("email", "e_mail", "email_address", "mail"),
    "id_number": ("id", "id_number", "idnumber", "student_id"),
    "group": ("group", "groups"),
    "team": ("team",),
}
"""Column to the titles that it may have, in small letters with underscores."""

DETAILS = {"display_name": "name", "email": "email", "id_number": "id", "group": "group", "team": "team"}
"""What is stored of each person, by the fields of `AccountRow`, and what it is called."""

MOST_ROWS = 20_000
"""Rows of a roster."""


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A person of a roster."""

    number: int
    """The number of the row, as a spreadsheet counts."""
    text: str
    """The name as it is written."""
    account: str
    details: Mapping[str, str]
    """What the row says of the person: by the fields of `AccountRow`, without those that are empty."""


@dataclass(slots=True)
class Roster:
    """The rows of a roster."""

    rows: list[RosterRow] = field(default_factory=list)
    teams: dict[str, str] = field(default_factory=dict)
    """The display names of the teams, by the names of their accounts."""
    ignored: list[str] = field(default_factory=list)
    """The titles of columns that mean nothing here."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a row changes."""

    row: RosterRow
    is_new: bool
    values: Mapping[str, tuple[str | None, str]]
    """What is stored, before and after, by the fields of `AccountRow`."""

    @property
    def sentence(self) -> str:
        """What is changed, in words."""
        facts = [
            f"{DETAILS[key]} {after}" if before is None else f"{DETAILS[key]} {before} -> {after}"
            for key, (before, after) in self.values.items()
        ]
        return f"row {self.row.number}: {self.row.account}: {'; '.join((['new'] if self.is_new else []) + facts)}"


def read_roster(path: Path) -> Roster:
    """Return the people of a roster.

    Raises OwnersError for a file that is no table, RosterError with all rows that are wrong.
    """
    lines = read_csv(path)
    top, titles = next(numbered(lines), (0, []))
    roster = Roster()
    columns = _columns(path, titles, roster)
    reader, mistakes = _RowReader(roster), []
    for number, line in numbered(lines, top):
        if len(roster.rows) >= MOST_ROWS:
            raise RosterError(f"{path} has more than {MOST_ROWS:,} rows: import it in parts")
        cells = {key: line[place] if place < len(line) else "" for key, place in columns.items()}
        mistakes += [f"row {number}: {mistake}" for mistake in reader.add(number, cells)]
    if not mistakes:
        mistakes = [
            f'row {row.number}: {row.account} is the name of a team ("{roster.teams[row.account]}"): give the person '
            "another account"
            for row in roster.rows
            if row.account in roster.teams
        ]
    if mistakes:
        raise RosterError(f"{path} has mistakes, so no account was created:{listed(mistakes)}")
    if not roster.rows:
        raise RosterError(f"{path} has no row below its titles")
    return roster


def _columns(path: Path, titles: Sequence[str], roster: Roster) -> dict[str, int]:
    """Return the place of each column. Raises RosterError."""
    known = [re.sub(r"[\s-]+", "_", title.casefold()) for title in titles]
    columns: dict[str, int] = {}
    for key, names in COLUMNS.items():
        places = [place for place, title in enumerate(known) if title in names]
        if len(places) > 1:
            shown = ", ".join(titles[place] for place in places)
            raise RosterError(f"{path} has two columns for the same ({shown}): leave one of them")
        if places:
            columns[key] = places[0]
    if "name" not in columns and not {"first", "last"} <= set(columns) and "account" not in columns:
        raise RosterError(f'{path} has no column "name": its first row must name the columns')
    roster.ignored = [title for place, title in enumerate(titles) if title and place not in columns.values()]
    return columns


class _RowReader:
    """Makes rows of cells, and compares them with those above."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._above: dict[tuple[str, str], tuple[int, str]] = {}

    def add(self, number: int, cells: Mapping[str, str]) -> list[str]:
        """Add a row, unless it is wrong; return what is."""
        mistakes: list[str] = []
        text = cells.get("name") or " ".join(filter(None, (cells.get("first"), cells.get("last"))))
        account = cells.get("account") or word_from(text)
        if not account:
            mistakes.append(
                f'no account can be named "{text}": use letters from a to z, or name one in the column "account"'
            )
        else:
            mistakes += _mistakes_of(partial(check_account_name, account))
        details: dict[str, str] = {}
        given = {key: cells.get(key, "") for key in ("email", "id_number", "group")}
        for key, cell in {"display_name": text, **given}.items():
            if cell and (account or key != "display_name"):
                mistakes += _mistakes_of(partial(_keep, details, key, cell))
        if cells.get("team"):
            mistakes += self._team(cells["team"], details)
        shown = text or account
        for what, value in (("account", account), ("id", details.get("id_number")), ("email", details.get("email"))):
            if value:
                above, other = self._above.setdefault((what, value.casefold()), (number, shown))
                if above != number and what == "account":
                    mistakes.append(f'"{shown}" and "{other}" both become {value}: change one')
                elif above != number:
                    mistakes.append(f"the {what} {value} is in row {above} already")
        if not mistakes:
            self._roster.rows.append(RosterRow(number, shown, account, details))
        return mistakes

    def _team(self, text: str, details: dict[str, str]) -> list[str]:
        team = word_from(text)
        if not team:
            return [f'no team can be named "{text}": use letters from a to z']
        other = self._roster.teams.setdefault(team, text)
        if other != text:
            return [f'the teams "{text}" and "{other}" both become {team}: change one']
        details["team"] = team
        return [*_mistakes_of(partial(check_account_name, team)), *_mistakes_of(partial(check_display_name, text))]


def _keep(details: dict[str, str], key: str, text: str) -> None:
    """Add a detail as it is stored. Raises BadDetail and BadDisplayName."""
    value = check_details({key: text})[key]
    if value is not None:
        details[key] = value


def _mistakes_of(check: Callable[[], object]) -> list[str]:
    """Return what a check refuses, as a sentence; none if it passes."""
    try:
        check()
    except ArenaError as error:
        return [str(error)]
    return []


def changes(connection: Connection, roster: Roster, role: str) -> list[Change]:
    """Return what a roster changes in a database, row by row. Raises RosterError with all rows that cannot be stored.

    role: of new accounts.
    """
    known = {row["name"]: row for row in connection.execute(select(accounts)).mappings()}
    mistakes = [
        f'the team "{text}": {team} is, or was, the account of a person: name the team otherwise'
        for team, text in roster.teams.items()
        if (known[team]["role"] != TEAM if team in known else is_closed_name(connection, team))
    ]
    ids = {row["id_number"].casefold(): row["name"] for row in known.values() if row["id_number"]}
    found = []
    for row in roster.rows:
        stored = known.get(row.account)
        is_new = stored is None or stored["role"] == REVOKED
        holder = ids.get(row.details.get("id_number", "").casefold())
        if holder not in (None, row.account):
            mistakes.append(f"row {row.number}: the id {row.details['id_number']} is that of the account {holder}")
        if stored is not None and stored["role"] == TEAM:
            mistakes.append(f"row {row.number}: {row.account} is a team: give the person another account")
        elif is_new and is_closed_name(connection, row.account):
            mistakes.append(f"row {row.number}: the account {row.account} was closed: choose another name")
        elif "team" in row.details and (role if is_new or stored is None else stored["role"]) != AUTHOR:
            mistakes.append(f"row {row.number}: {row.account} is an organiser: only authors act for a team")
        values = {
            key: (None if is_new or stored is None else stored[key], after)
            for key, after in row.details.items()
            if is_new or stored is None or stored[key] != after
        }
        if is_new or values:
            found.append(Change(row, is_new, values))
    if mistakes:
        raise RosterError(f"the roster cannot be stored, so nothing was:{listed(mistakes)}")
    return found


def store_changes(
    connection: Connection, roster: Roster, found: Sequence[Change], role: str, hashes: Mapping[str, str]
) -> None:
    """Store what a roster changes, in the caller's transaction.

    role: of new accounts.
    hashes: of their tokens, by name.
    """
    teams = {change.row.details["team"] for change in found if "team" in change.values}
    have = set(connection.scalars(select(accounts.c.name).where(accounts.c.role == TEAM)))
    for team in sorted(teams - have):
        add_team(connection, team, roster.teams[team])
    for change in found:
        name = change.row.account
        if change.is_new:
            add_account(connection, name, role, hashes[name])
        values = {key: after for key, (_, after) in change.values.items() if key != "team"}
        if values:
            connection.execute(update(accounts).where(accounts.c.name == name).values(values))
        if "team" in change.values:
            join_team(connection, name, change.values["team"][1])
