"""Accounts of people and tokens of remote bots: names, roles and the SHA-256 of each token."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from arena.store.engine.connection import OpenConnection
from arena.store.engine.schema import account_tokens, accounts, tokens
from arena.store.people.account_closing import REVOKED, TEAM, is_name_used, revoke_account
from arena.store.people.closed_names import check_owner, closed_count, is_closed_name
from arena.store.people.outbox_events import add_tokens_replaced
from arena.values.display_names import BadDisplayName, check_display_name, look_alike_key
from arena.values.rows import utc_now

AUTHOR, ORGANISER = "author", "organiser"
"""The roles of accounts of people. An author submits bots and reads the notes and output of their own, or of those of
their team; an organiser does everything."""

Row = TypeVar("Row")


class TokenHolders(Generic[Row]):
    """A table of names and the hashes of their tokens."""

    table: ClassVar[Table]
    """The table, with the columns `name`, `sha256` and `created`, perhaps more."""
    row: Callable[..., Row]
    """The class of the table's rows, which takes all columns by name."""

    def __init__(self, read: OpenConnection, write: OpenConnection) -> None:
        self._read = read
        self._write = write

    def all(self) -> list[Row]:
        """Return all rows, ordered by name."""
        with self._read() as connection:
            rows = connection.execute(select(self.table).order_by(self.table.c.name))
            return [self.row(**columns) for columns in rows.mappings()]

    def find(self, sha256: str) -> Row | None:
        """Return the row whose token has this hash; None if there is none."""
        with self._read() as connection:
            columns = connection.execute(select(self.table).where(self.table.c.sha256 == sha256)).mappings().first()
        return self.row(**columns) if columns else None

    def remove(self, name: str) -> bool:
        """Delete a row by name; return False if there was none."""
        with self._write() as connection:
            return connection.execute(delete(self.table).where(self.table.c.name == name)).rowcount > 0

    def _insert(self, connection: Connection, name: str, sha256: str, **columns: Any) -> bool:
        """Store a row created now, in the caller's transaction; return False if the name is taken."""
        if connection.scalar(select(self.table.c.name).where(self.table.c.name == name)) is not None:
            return False
        connection.execute(insert(self.table).values(name=name, sha256=sha256, created=utc_now(), **columns))
        return True


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account: its name, AUTHOR, ORGANISER or TEAM, the SHA-256 of its token in hex, and when it was made (UTC)."""

    name: str
    role: str
    sha256: str
    created: str
    login: str | None = None
    """The name at the proxy that signs in for the account; None for none."""
    display_name: str | None = None
    """How people are to read who it is; None: by the name."""
    email: str | None = None
    """The address of the person; None where it is not known."""
    id_number: str | None = None
    """The number of a student, as in a gradebook; None where it is not known."""
    group: str | None = None
    """The group of a class; None for none."""
    team: str | None = None
    """The name of the account of the team for which the person acts; None for none."""

    @property
    def owner(self) -> str:
        """The owner of the bots for whom whoever signs in acts: the team, or the account itself."""
        return self.team or self.name


class Accounts(TokenHolders[AccountRow]):
    """The accounts of a database, as `Store.accounts`."""

    table = accounts
    row = AccountRow

    def all(self) -> list[AccountRow]:
        """Return all accounts but revoked ones, ordered by name."""
        return [row for row in super().all() if row.role != REVOKED]

    def add(self, name: str, role: str, sha256: str) -> bool:
        """Store an account; return False if the name is taken, or was that of an account that is closed.

        One that was revoked is replaced.
        """
        with self._write() as connection:
            return add_account(connection, name, role, sha256)

    def find_login(self, login: str) -> AccountRow | None:
        """Return the account of a login, unless it was revoked or closed; None if there is none."""
        of_login = (accounts.c.login == login) & (accounts.c.role != REVOKED)
        with self._read() as connection:
            columns = connection.execute(select(accounts).where(of_login)).mappings().first()
        return AccountRow(**columns) if columns else None

    def with_email(self, email: str) -> list[AccountRow]:
        """Return the accounts of people with an e-mail address, in whatever case, ordered by name."""
        is_of_person = (func.lower(accounts.c.email) == email.lower()) & accounts.c.role.not_in((TEAM, REVOKED))
        with self._read() as connection:
            rows = connection.execute(select(accounts).where(is_of_person).order_by(accounts.c.name)).mappings()
            return [AccountRow(**columns) for columns in rows]

    def of_login(self, login: str, name: str, *, sha256: str | None, claims: str | None = None) -> AccountRow | None:
        """Return the account of somebody whom another program has signed in; None if there is none.

        An account of exactly that name that has no login yet becomes theirs, and whoever had a token of it has none any
        more.

        login: who that is there, for good; one whose account was revoked or closed gets none again.
        claims: the name of an account that becomes theirs; None: the login.
        name: the name of a new account, followed by a number if it is taken or belongs to somebody's bots.
        sha256: the hash of its token; None: none is made.
        """
        of_login = select(accounts).where(accounts.c.login == login)
        with self._read() as connection:
            known = connection.execute(of_login).mappings().first()
        if known is None:
            with self._write() as connection:
                known = connection.execute(of_login).mappings().first()  # made meanwhile, by another request
                claimed = login if claims is None else claims
                if known is None and (_claim(connection, login, claimed) or _create(connection, login, name, sha256)):
                    known = connection.execute(of_login).mappings().one()
        return None if known is None or known["role"] == REVOKED else AccountRow(**known)

    def remove(self, name: str) -> bool:
        """Revoke an account with all its tokens; return False if there was none."""
        with self._write() as connection:
            return revoke_account(connection, name)

    def describe(self, name: str, **details: str | None) -> bool:
        """Store what is known of the person of an account; return False if there is no such account.

        details: by the names of the fields of `AccountRow`: display_name, email, id_number, group.
        """
        is_account = (accounts.c.name == name) & (accounts.c.role != REVOKED)
        with self._write() as connection:
            return connection.execute(update(accounts).where(is_account).values(details)).rowcount > 0

    def display_names(self) -> dict[str, str]:
        """Return the display names of all accounts that have one, by the names of these."""
        is_shown = accounts.c.display_name.is_not(None)
        with self._read() as connection:
            rows = connection.execute(select(accounts.c.name, accounts.c.display_name).where(is_shown))
            return {row.name: row.display_name for row in rows}

    def groups(self) -> dict[str, str]:
        """Return the group of each account that has one, by the names of these.

        A team without a group of its own has that of its members where all have the same.
        """
        with self._read() as connection:
            rows = connection.execute(select(accounts.c.name, accounts.c.group, accounts.c.team)).all()
        known = {row.name: row.group for row in rows if row.group}
        teams: dict[str, set[str | None]] = {}
        for row in rows:
            if row.team:
                teams.setdefault(row.team, set()).add(row.group)
        shared = {team: group for team, (group, *others) in teams.items() if group and not others}
        return shared | known

    def choose_display_name(self, name: str, text: str) -> None:
        """Store the display name that the owner of an account chooses; an empty text for none.

        It may not look like the name, or the display name, of another account. Organisers may give namesakes theirs:
        see `describe`.

        Raises BadDisplayName.
        """
        chosen = check_display_name(text) if text.strip() else None
        with self._write() as connection:
            if chosen is not None and _looks_like_another(connection, name, chosen):
                raise BadDisplayName(
                    f'"{chosen}" reads like the name of another account: choose another display name, or ask the '
                    "organiser to give you this one"
                )
            connection.execute(update(accounts).where(accounts.c.name == name).values(display_name=chosen))

    def closed(self) -> int:
        """Return how many names of accounts and bots are not shown any more, as accounts were closed."""
        with self._read() as connection:
            return closed_count(connection)

    def reset(self, name: str, sha256: str) -> bool:
        """Give an account another token, and revoke all others; return False if it is nobody's, or a team's."""
        with self._write() as connection:
            connection.execute(delete(account_tokens).where(account_tokens.c.account == name))
            is_person = (accounts.c.name == name) & accounts.c.role.not_in((TEAM, REVOKED))
            changed = connection.execute(update(accounts).where(is_person).values(sha256=sha256))
            if changed.rowcount:
                add_tokens_replaced(connection, name, "the tokens of the account were replaced")
            return changed.rowcount > 0


def add_account(connection: Connection, name: str, role: str, sha256: str) -> bool:
    """Store an account in the caller's transaction, as `Accounts.add`."""
    if is_closed_name(connection, name):
        return False
    connection.execute(delete(accounts).where(accounts.c.name == name, accounts.c.role == REVOKED))
    if connection.scalar(select(accounts.c.name).where(accounts.c.name == name)) is not None:
        return False
    values = {"name": name, "role": role, "sha256": sha256, "created": utc_now()}
    connection.execute(insert(accounts).values(values))
    return True


def _looks_like_another(connection: Connection, name: str, chosen: str) -> bool:
    """Tell whether a display name looks like the name, or the display name, of an account other than `name`."""
    key = look_alike_key(chosen)
    others = connection.execute(select(accounts.c.name, accounts.c.display_name).where(accounts.c.name != name))
    return any(look_alike_key(text) == key for row in others for text in row if text is not None)


def _claim(connection: Connection, login: str, name: str) -> bool:
    """Give the account of a name to a login, unless it has one; return False if there is none."""
    unclaimed = (accounts.c.name == name) & accounts.c.login.is_(None) & (accounts.c.role != TEAM)
    if not connection.execute(update(accounts).where(unclaimed).values(login=login, sha256="")).rowcount:
        return False
    connection.execute(delete(account_tokens).where(account_tokens.c.account == name))
    add_tokens_replaced(connection, name, "the account was taken over by its login")
    return True


def _create(connection: Connection, login: str, name: str, sha256: str | None) -> bool:
    """Make an account for a login, by a name that nobody has; return False without a token."""
    if sha256 is None:
        return False
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    free = next(candidate for candidate in names if not is_name_used(connection, candidate))
    values = {"name": free, "role": AUTHOR, "sha256": sha256, "created": utc_now(), "login": login}
    connection.execute(insert(accounts).values(values))
    return True


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The token of a remote bot: the bot's name, the token's SHA-256 in hex, and its creation time (UTC, ISO 8601)."""

    name: str
    sha256: str
    created: str


class Tokens(TokenHolders[TokenRow]):
    """The tokens of remote bots of a database, as `Store.tokens`."""

    table = tokens
    row = TokenRow

    def add(self, name: str, sha256: str) -> bool:
        """Store the hash of a bot's token; return False if it has one already.

        Raises OwnerClosed for a bot of a closed account.
        """
        with self._write() as connection:
            check_owner(connection, name)
            return self._insert(connection, name, sha256)
