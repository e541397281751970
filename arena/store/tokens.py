"""Tokens of remote bots in the database: whose they are, and their hashes."""

from dataclasses import dataclass

from arena.store.schema import tokens
from arena.store.token_holders import TokenHolders


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The token of a remote bot: the bot's name, the token's SHA-256 in hex, and when it was made (UTC, ISO 8601)."""

    name: str
    sha256: str
    created: str


class Tokens(TokenHolders[TokenRow]):
    """What a database knows of tokens; got from `Store.tokens`."""

    table = tokens
    row = TokenRow

    def add(self, name: str, sha256: str) -> bool:
        """Store the hash of a bot's token; return whether it had none."""
        return self._add(name, sha256)
