"""What a remote bot proves its name with.

A token is 256 random bits, so its plain SHA-256 is as hard to turn back as the token is to guess: salts and slow hashes
are for what people choose. Only the hash is kept.
"""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import sha256

PREFIX = "arena_"
"""What tokens begin with, so that people and scanners of secrets know one when they see it."""


def new_token() -> str:
    """Return a token that nobody had before."""
    return PREFIX + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Return what is stored of a token: its SHA-256, in hex."""
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def holder(token: str, hashes: Iterable[tuple[str, str]]) -> str | None:
    """Return whose token it is, or None. hashes: of each bot its name and the hash of its token.

    All of them are compared, each in a time that does not depend on what is equal.
    """
    given, found = token_hash(token), None
    for name, known in hashes:
        if hmac.compare_digest(given, known):
            found = name
    return found
