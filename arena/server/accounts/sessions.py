"""Sessions of signed-in visitors, identified by a secret in a cookie; kept in memory only."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe
from threading import Lock
from time import monotonic

from starlette.responses import Response

from arena.run.remote.tokens import token_hash
from arena.store import Store
from arena.store.people.accounts import AccountRow

COOKIE = "arena"
LIFETIME = 12 * 3600
"""Seconds after which a session expires."""

MOST = 50_000
"""The largest number of sessions; a new one ends the oldest. Those of thousands of accounts have room."""

MOST_OF_ACCOUNT = 20
"""The largest number of sessions of an account; a new one ends its oldest, and nobody else's."""

LONGEST_GOODBYE = 4000
"""Characters of an address at which somebody signs out elsewhere; a longer one is not kept."""


@dataclass(frozen=True, slots=True)
class _Session:
    token_hash: str  # the account is looked up at each request, so revoking a token takes effect at once
    expires: float
    login: str | None = None  # of who was signed in elsewhere, by which the account is looked up
    goodbye: str = ""


class Sessions:
    """All sessions; thread-safe. Only hashes of their secrets are kept."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._sessions: dict[str, _Session] = {}
        self._lock = Lock()

    def sign_in(self, token: str) -> tuple[str, AccountRow] | None:
        """Start a session for the account of a token; return its secret and the account, or None if there is none."""
        account = self._store.accounts.find(token_hash(token.strip()))
        if account is None:
            return None
        return self._add(_Session(account.sha256, self._clock() + LIFETIME)), account

    def start(self, account: AccountRow, goodbye: str = "") -> str:
        """Start a session for an account with a login, whose owner was signed in elsewhere; return its secret.

        It ends as the account is revoked, or gets other tokens.

        goodbye: where its owner signs out there; empty: nowhere.
        """
        goodbye = goodbye if len(goodbye) <= LONGEST_GOODBYE else ""
        return self._add(_Session(account.sha256, self._clock() + LIFETIME, account.login, goodbye))

    def _add(self, session: _Session) -> str:
        secret = token_urlsafe(32)
        with self._lock:
            self._make_room(session)
            self._sessions[_hash(secret)] = session
        return secret

    def _make_room(self, added: _Session) -> None:
        """End sessions that have expired, and the oldest where there are too many: they are kept in their order."""
        now = self._clock()
        for secret in [secret for secret, session in self._sessions.items() if session.expires <= now]:
            del self._sessions[secret]
        key = added.token_hash, added.login
        own = [secret for secret, session in self._sessions.items() if (session.token_hash, session.login) == key]
        if len(own) >= MOST_OF_ACCOUNT:
            del self._sessions[own[0]]
        while len(self._sessions) >= MOST:
            del self._sessions[next(iter(self._sessions))]

    def account(self, secret: str) -> AccountRow | None:
        """Return the account of a session by its secret; None if there is no session."""
        session = self._sessions.get(_hash(secret))
        if session is None or session.expires <= self._clock():
            return None
        if session.login is None:
            return self._store.accounts.find(session.token_hash)
        account = self._store.accounts.find_login(session.login)
        return account if account is not None and account.sha256 == session.token_hash else None

    def sign_out(self, secret: str) -> str:
        """End a session; return where its owner signs out of what signed them in, empty if that is nowhere."""
        with self._lock:
            session = self._sessions.pop(_hash(secret), None)
        return "" if session is None else session.goodbye


def set_session_cookie(response: Response, secret: str, *, secure: bool) -> None:
    """Set the session cookie, for this site alone and not readable by scripts."""
    response.set_cookie(COOKIE, secret, max_age=LIFETIME, httponly=True, samesite="strict", secure=secure)


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
