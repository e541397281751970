"""Accounts of people whom another program has signed in, a proxy or a provider: the rules by which they get one."""

from arena.packs.names import RESERVED, word_from
from arena.run.remote.tokens import new_token, token_hash
from arena.store import Store
from arena.store.people.accounts import AccountRow
from arena.values.errors import ArenaError

LONGEST_LOGIN = 200
"""Characters of how somebody is called."""


class LoginRefused(ArenaError):
    """Somebody is signed in elsewhere, and has no account here, or can have none."""


def account_of_login(store: Store, login: str, text: str, *, creates: bool, claims: str | None = None) -> AccountRow:
    """Return the account of a login. Raises LoginRefused if there is none.

    An account of exactly that name that has no login becomes theirs; so organisers' accounts are made before.

    login: who that is, for good.
    text: how people read it; a new account is named after what stands before the @.
    creates: whether who has no account gets one, as an author.
    claims: the name of an account that becomes theirs; None: the login.
    """
    name = word_from(text.partition("@")[0])[:28].rstrip("-")  # with room for a number
    if name in RESERVED:
        name = f"{name}-1"
    if not name or len(text) > LONGEST_LOGIN or not text.isprintable():
        raise LoginRefused("you are signed in by a name that no account can have: ask the organiser")
    sha256 = token_hash(new_token()) if creates else None
    account = store.accounts.of_login(login, name, sha256=sha256, claims=claims)
    if account is None:
        raise LoginRefused("you have no account here: ask the organiser for one")
    return account
