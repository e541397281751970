"""Which provider signs people in, and whom."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from arena.values.errors import ArenaError
from arena.values.secrets import read_secret

SECRET, SECRET_FILE = "ARENA_OPENID_SECRET", "ARENA_OPENID_SECRET_FILE"
"""The environment variables with the secret of the client."""

NameClaim = Literal["preferred_username", "email", "sub"]

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class OpenIdError(ArenaError):
    """Nobody can be signed in as it is asked for."""


class ProviderAway(OpenIdError):
    """The provider does not answer."""


@dataclass(frozen=True, slots=True)
class OpenIdSettings:
    """How people are signed in."""

    issuer: str
    """The provider, as it calls itself."""
    client: str
    """The name of arena at the provider."""
    secret: str
    """The secret of arena at the provider; empty for a public client."""
    name: NameClaim = "preferred_username"
    """The claim by which somebody is called."""
    domains: tuple[str, ...] = ()
    """The domains of addresses that are let in; none: all."""
    groups: tuple[str, ...] = ()
    """The groups that are let in; none: all."""
    groups_claim: str = "groups"
    """The claim that has somebody's groups."""
    scopes: tuple[str, ...] = ()
    """What is asked for beside openid, profile and email."""
    creates: bool = False
    """Whether whoever is let in and has no account gets one, as an author."""

    @property
    def host(self) -> str:
        """The host of the provider, as people know it."""
        return urlsplit(self.issuer).hostname or ""


def check_url(url: object, what: str, *, local: bool = False) -> str:
    """Return a URL of the provider. Raises OpenIdError if it is none that is reached by TLS.

    what: what it is, for the error.
    local: whether one of this machine may be without TLS.
    """
    try:
        parts = urlsplit(url if isinstance(url, str) else "")
        is_good = isinstance(url, str) and url.isascii() and url.isprintable() and bool(parts.hostname)
    except ValueError:
        is_good, parts = False, urlsplit("")
    is_local = local and parts.scheme == "http" and parts.hostname in LOOPBACK
    if not is_good or "@" in parts.netloc or parts.fragment or (parts.scheme != "https" and not is_local):
        raise OpenIdError(f"{str(url)[:80]!r} is no {what}: it must begin with https://")
    return str(url)


def parse_issuer(text: str) -> str:
    """Return the provider, as it calls itself. Raises OpenIdError."""
    issuer = check_url(text, "issuer of OpenID Connect", local=True)
    if urlsplit(issuer).query:
        raise OpenIdError(f"{issuer[:80]!r} is no issuer of OpenID Connect: it has a query")
    return issuer


def secret_of(environment: Mapping[str, str] = os.environ) -> str:
    """Return the secret of the client; empty where none is set. Raises OpenIdError."""
    secret = read_secret(environment, SECRET, SECRET_FILE, OpenIdError)
    if not secret and SECRET_FILE in environment:
        raise OpenIdError(f"{SECRET_FILE}: {environment[SECRET_FILE]} is empty")
    return secret
