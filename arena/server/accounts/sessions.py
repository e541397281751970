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


@dataclass(frozen=True, slots=True)
class _Session:
    token_hash: str  # the account is looked up at each request, so revoking a token takes effect at once
    expires: float


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
        secret = token_urlsafe(32)
        with self._lock:
            self._make_room(account.sha256)
            self._sessions[_hash(secret)] = _Session(account.sha256, self._clock() + LIFETIME)
        return secret, account

    def _make_room(self, token_hash: str) -> None:
        """End sessions that have expired, and the oldest where there are too many: they are kept in their order."""
        now = self._clock()
        for secret in [secret for secret, session in self._sessions.items() if session.expires <= now]:
            del self._sessions[secret]
        own = [secret for secret, session in self._sessions.items() if session.token_hash == token_hash]
        if len(own) >= MOST_OF_ACCOUNT:
            del self._sessions[own[0]]
        while len(self._sessions) >= MOST:
            del self._sessions[next(iter(self._sessions))]

    def account(self, secret: str) -> AccountRow | None:
        """Return the account of a session by its secret; None if there is no session."""
        session = self._sessions.get(_hash(secret))
        if session is None or session.expires <= self._clock():
            return None
        return self._store.accounts.find(session.token_hash)

    def sign_out(self, secret: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(_hash(secret), None)


def set_session_cookie(response: Response, secret: str, *, secure: bool) -> None:
    """Set the session cookie, for this site alone and not readable by scripts."""
    response.set_cookie(COOKIE, secret, max_age=LIFETIME, httponly=True, samesite="strict", secure=secure)


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
