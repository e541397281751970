"""Operations on the token that a request shows."""

from msgspec import Struct

from arena.store.account_tokens import MANAGE, READ, SUBMIT
from arena.web.api.operations import Call, Operation


class TokenValue(Struct, frozen=True):
    """Whose token it is. role: author or organiser. scopes: what it allows."""

    account: str
    role: str
    scopes: list[str]


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
