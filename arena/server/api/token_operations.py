"""Operations on the token that a request shows."""

from msgspec import Struct

from arena.server.api.operations import Call, operation
from arena.store.people.account_tokens import MANAGE, READ, SUBMIT


class TokenValue(Struct, frozen=True):
    """Whose token a request shows, and what it allows."""

    account: str
    role: str
    """The role of the account: author or organiser."""
    scopes: list[str]
    """The scopes of the token."""


class TokenOperations:
    """The handler."""

    @operation("getToken", "GET", "/token", scopes=(READ, SUBMIT, MANAGE))
    def token(self, call: Call) -> TokenValue:
        """Show whose token it is."""
        assert call.identity is not None
        return TokenValue(call.account.name, call.account.role, sorted(call.identity.scopes))
