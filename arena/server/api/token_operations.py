"""Operations on the token that a request shows."""

from typing import Annotated

from msgspec import Meta, Struct

from arena.server.accounts.session_routes import DISPLAY_NAMES, check_turn
from arena.server.api.operations import Call, operation
from arena.server.limits.rate_limit import RateLimit
from arena.store import Store
from arena.store.people.account_tokens import MANAGE, READ, SUBMIT
from arena.values.display_names import LONGEST


class TokenValue(Struct, frozen=True):
    """Whose token a request shows, and what it allows."""

    account: str
    role: str
    """The role of the account: author or organiser."""
    scopes: list[str]
    """The scopes of the token."""
    display_name: str | None = None
    """The display name of the account; null for none."""
    owner: str = ""
    """The owner of the bots for whom the account acts: its team, or itself."""


class DisplayName(Struct, frozen=True, forbid_unknown_fields=True):
    """How people are to read who an account is."""

    display_name: Annotated[str, Meta(max_length=4 * LONGEST)] = ""
    """Letters of any script, digits, spaces and some punctuation, 60 characters at most; empty for none."""


class TokenOperations:
    """The handlers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._renamed = RateLimit(*DISPLAY_NAMES)

    @operation("getToken", "GET", "/token", scopes=(READ, SUBMIT, MANAGE))
    def token(self, call: Call) -> TokenValue:
        """Show whose token it is."""
        return self._value(call, call.account.display_name)

    @operation("chooseDisplayName", "POST", "/display-name", scopes=(SUBMIT,))
    def choose(self, call: Call, body: DisplayName) -> TokenValue:
        """Choose the display name of one's account."""
        check_turn(self._renamed, call.account)
        self._store.accounts.choose_display_name(call.account.name, body.display_name)
        return self._value(call, self._store.accounts.display_names().get(call.account.name))

    def _value(self, call: Call, display_name: str | None) -> TokenValue:
        assert call.identity is not None
        return TokenValue(
            call.account.name, call.account.role, sorted(call.identity.scopes), display_name, call.account.owner
        )
