"""What a browser keeps of a sign-in that has begun, in a cookie: so whoever comes back is who began.

`state` refuses answers to what another browser has begun, `nonce` tokens of another sign-in, and `verifier` (PKCE)
codes that somebody else was sent. Nothing says where to go afterwards: it is always a page of the site.
"""

import base64
import hashlib
import hmac
from secrets import token_urlsafe
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

LIFETIME = 600
"""Seconds in which somebody signs in at the provider."""

_SIZE = 43
"""Characters of each part: 256 bits."""


class Flow(NamedTuple):
    """A sign-in that has begun."""

    state: str
    nonce: str
    verifier: str

    @classmethod
    def begin(cls) -> "Flow":
        """Return a new one."""
        return cls(token_urlsafe(32), token_urlsafe(32), token_urlsafe(32))

    @property
    def challenge(self) -> str:
        """What the provider is told of the verifier (RFC 7636)."""
        return base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()

    def began_with(self, state: str) -> bool:
        """Return whether an answer belongs to it."""
        return hmac.compare_digest(self.state.encode(), state.encode("utf-8", "surrogateescape"))


class FlowCookie:
    """The cookie of a site.

    is_secure: whether the site is reached by https: then no other host of the domain can set it.
    """

    def __init__(self, *, is_secure: bool) -> None:
        self._name = "__Host-arena-openid" if is_secure else "arena-openid"
        self._is_secure = is_secure

    def set(self, response: Response, flow: Flow) -> None:
        """Have a browser keep a sign-in. It comes back from another site, so the cookie is no strict one."""
        response.set_cookie(
            self._name, ".".join(flow), max_age=LIFETIME, httponly=True, samesite="lax", secure=self._is_secure
        )

    def read(self, request: Request) -> Flow | None:
        """Return the sign-in that a browser has begun; None if it has none."""
        parts = request.cookies.get(self._name, "").split(".")
        is_whole = len(parts) == len(Flow._fields) and all(len(part) == _SIZE and part.isascii() for part in parts)
        return Flow(*parts) if is_whole else None

    def delete(self, response: Response) -> None:
        """Have a browser forget it."""
        response.delete_cookie(self._name, httponly=True, samesite="lax", secure=self._is_secure)
