"""Operations on the token that a request shows."""

from msgspec import Struct

from arena.server.api.operations import Call, Operation
from arena.store.people.account_tokens import MANAGE, READ, SUBMIT


class TokenValue(Struct, frozen=True):
    """Whose token a request shows, and what it allows."""

    account: str
    role: str
    """The role of the account: author or organiser."""
    scopes: list[str]
    """The scopes of the token."""


def token_operations() -> list[Operation]:
    """Return the declarations."""
    return [
        Operation(
            "getToken",
            "GET",
            "/token",
            "Show whose token it is.",
            _show,
            TokenValue,
            scopes=(READ, SUBMIT, MANAGE),
        )
    ]


def _show(call: Call) -> TokenValue:
    assert call.identity is not None
    return TokenValue(call.account.name, call.account.role, sorted(call.identity.scopes))
