"""The tokens that identify remote bots.

A token has 256 random bits, so a plain SHA-256 of it cannot be reversed: salts and slow hashes are for passwords. Only
the hash is stored.
"""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import sha256

PREFIX = "arena_"
"""The prefix of tokens, by which people and secret scanners recognise them."""


def new_token() -> str:
    """Return a new random token."""
    return PREFIX + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Return the SHA-256 of a token, in hex: what is stored of it."""
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def token_holder(token: str, hashes: Iterable[tuple[str, str]]) -> str | None:
    """Return the name of the bot with this token, or None.

    Compares all hashes, each in constant time.

    hashes: the name and the token hash of each bot.
    """
    wanted, owner = token_hash(token), None
    for name, known in hashes:
        if hmac.compare_digest(wanted, known):
            owner = name
    return owner
