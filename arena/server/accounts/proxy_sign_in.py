"""Sign-in by a trusted proxy, which names the person in a header of each request.

Only requests that come from the addresses of the proxy may have the header; others are refused and logged, as anybody
could send it. The proxy has to remove the header from the requests of its own clients.
"""

from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import Scope

from arena.server.accounts.logins import LoginRefused, account_of_login
from arena.server.limits.rate_limit import RateLimit
from arena.server.requests.proxies import TrustedProxies, peer_of
from arena.store import Store
from arena.store.people.accounts import AccountRow
from arena.values.errors import ArenaError
from arena.values.texts import printable
from arena.values.visitors import visitor_key


class ProxyRefused(ArenaError):
    """A request has the header of the proxy and must not, or names nobody who has an account."""


NOBODY = "(null)"
"""What Apache sends as a variable that is not set: nobody has signed in."""


class ProxySignIn:
    """Signs in whom the proxy names.

    header: the name of the header in which the proxy names who is signed in.
    proxies: where requests with it come from.
    creates: whether people without an account get one, as authors.
    say: called with what the organiser should know.
    """

    def __init__(
        self,
        store: Store,
        header: str,
        proxies: TrustedProxies,
        say: Callable[[str], None],
        *,
        creates: bool = False,
    ) -> None:
        self._store = store
        self._header = header.lower()
        self._proxies = proxies
        self._creates = creates
        self._say = say
        self._said = RateLimit(1, 60.0)

    def account(self, scope: Scope) -> AccountRow | None:
        """Return the account of the person whom a request names; None without the header. Raises ProxyRefused."""
        logins = Headers(scope=scope).getlist(self._header)
        if not logins:
            return None
        address = peer_of(scope)
        if not self._proxies.trusts(address):
            if self._said.allows(visitor_key(address)):
                self._say(f"{printable(address)} sent {self._header} and is not a trusted proxy: it was refused")
            raise ProxyRefused(f"{self._header} is accepted from the proxy alone")
        login = logins[0].strip(" \t")
        if login == NOBODY:
            return None
        if len(logins) > 1:
            raise ProxyRefused("the proxy names several people: ask the organiser")
        try:
            return account_of_login(self._store, login, _text_of(login), creates=self._creates)
        except LoginRefused as error:
            raise ProxyRefused(str(error)) from None


def _text_of(login: str) -> str:
    """Return a login as its reader sees it. Headers are read as Latin-1; most proxies write them in UTF-8.

    An account is found by the login as it was read, so that none is given to somebody else.
    """
    try:
        return login.encode("latin-1").decode()
    except UnicodeDecodeError:
        return login
