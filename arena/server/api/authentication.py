"""Who shows a token, and what it lets them do.

Cookies do not count here: a browser sends them along with requests that other sites make it send.
"""

from contextlib import suppress
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.run.remote.tokens import token_hash
from arena.server.access import Access, account_access, visitor_of
from arena.server.limits.rate_limit import RateLimit
from arena.store import Store, StoreError
from arena.store.people.account_tokens import READ, Identity

LONGEST_TOKEN = 200
"""Characters."""

WRONG_TOKENS = (10, 300.0)
"""So many wrong tokens of one visitor within so many seconds."""


class TokenAuthentication:
    """Identifies requests by their tokens.

    access: what requests without a token may see.
    accounts: whether people can sign in here, and so accounts count.
    """

    def __init__(self, store: Store, access: Access, *, accounts: bool) -> None:
        self._store = store
        self._access = access
        self._accounts = accounts
        self._wrong = RateLimit(*WRONG_TOKENS)

    def identify(self, request: Request) -> Identity | None:
        """Return who shows a token; None without one. Raises HTTPException for a wrong one."""
        header = request.headers.get("authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        token = token.strip()
        if not self._accounts:
            raise HTTPException(
                HTTPStatus.FORBIDDEN, "this server has no accounts: ask without a token, or serve with --sign-in"
            )
        identity = None
        if scheme.lower() == "bearer" and 0 < len(token) <= LONGEST_TOKEN:
            identity = self._store.account_tokens.identify(token_hash(token))
        if identity is None:
            # Only wrong tokens are limited, so others behind the same address lock nobody out.
            visitor = visitor_of(request)
            if not self._wrong.allows(visitor):
                raise too_many("too many wrong tokens: try again later", self._wrong.seconds_left(visitor))
            raise unauthorised("the token is unknown, expired or revoked: ask the organiser for another one")
        if identity.token is not None:
            with suppress(StoreError):  # a database that cannot be written can be read
                self._store.account_tokens.note_use(identity.token)
        return identity

    def access(self, identity: Identity | None) -> Access:
        """Return what somebody may see. A token that may not read sees what a visitor does."""
        if identity is None or READ not in identity.scopes:
            return self._access
        return account_access(identity.account, self._access.names)

    def check_scope(self, identity: Identity | None, scopes: tuple[str, ...]) -> None:
        """Raise HTTPException unless an operation that needs one of some scopes is allowed."""
        if not scopes:
            return
        if not self._accounts:
            raise HTTPException(HTTPStatus.FORBIDDEN, "this server has no accounts: it must be run with --sign-in")
        if identity is None:
            raise unauthorised("this needs a token: send it as Authorization: Bearer TOKEN")
        if not identity.scopes & set(scopes):
            needed = " or ".join(scopes)
            raise HTTPException(
                HTTPStatus.FORBIDDEN,
                f"this token lacks the scope {needed}: use one that has it",
                {"www-authenticate": f'Bearer error="insufficient_scope", scope="{" ".join(scopes)}"'},
            )

    def check_is_valid(self, request: Request, identity: Identity) -> None:
        """Raise HTTPException if the token of a request was revoked while its body arrived."""
        if not self.is_valid(request, identity):
            raise unauthorised("the token was revoked or has expired meanwhile: nothing was done")

    def is_valid(self, request: Request, identity: Identity) -> bool:
        """Return whether the token of a request still is what it was, after its body has arrived."""
        token = request.headers.get("authorization", "").partition(" ")[2].strip()
        now = self._store.account_tokens.identify(token_hash(token))
        return now is not None and (now.account, now.scopes) == (identity.account, identity.scopes)


def unauthorised(sentence: str) -> HTTPException:
    """Return the error for a request without a valid token."""
    return HTTPException(HTTPStatus.UNAUTHORIZED, sentence, {"www-authenticate": 'Bearer realm="arena"'})


def too_many(sentence: str, seconds: float) -> HTTPException:
    """Return the error for a request beyond a limit.

    seconds: the seconds until it may be repeated.
    """
    return HTTPException(HTTPStatus.TOO_MANY_REQUESTS, sentence, {"retry-after": str(int(seconds) + 1)})
