"""Who is signed in: sessions by a secret that the browser keeps as a cookie. They end with the server at the latest."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe
from threading import Lock
from time import monotonic

from starlette.responses import Response

from arena.remote.tokens import token_hash
from arena.store import Store
from arena.store.accounts import AccountRow

COOKIE = "arena"
LIFETIME = 12 * 3600
"""Seconds after which one signs in again."""

MOST = 1000
"""Sessions at the same time; the oldest ends for a new one."""


@dataclass(frozen=True, slots=True)
class _Session:
    token: str  # its hash, by which the account is looked up at each request: revoked is revoked at once
    until: float


class Sessions:
    """All of them; safe to be asked from several threads. Of a session's secret only the hash is kept."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._sessions: dict[str, _Session] = {}
        self._lock = Lock()

    def sign_in(self, token: str) -> tuple[str, AccountRow] | None:
        """Begin a session for the account of a token; return its secret, or None where there is no such account."""
        account = self._store.accounts.find(token_hash(token.strip()))
        if account is None:
            return None
        secret = token_urlsafe(32)
        with self._lock:
            while len(self._sessions) >= MOST:
                del self._sessions[next(iter(self._sessions))]
            self._sessions[_hash(secret)] = _Session(account.sha256, self._clock() + LIFETIME)
        return secret, account

    def account(self, secret: str) -> AccountRow | None:
        """Return who is signed in with a secret; None where nobody is."""
        session = self._sessions.get(_hash(secret))
        if session is None or session.until <= self._clock():
            return None
        return self._store.accounts.find(session.token)

    def sign_out(self, secret: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(_hash(secret), None)


def keep(response: Response, secret: str, *, secure: bool) -> None:
    """Have the browser keep a session's secret: for this site alone, out of reach of scripts."""
    response.set_cookie(COOKIE, secret, max_age=LIFETIME, httponly=True, samesite="strict", secure=secure)


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
