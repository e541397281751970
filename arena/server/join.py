"""How somebody without an account takes part: one page, with the commands for this server."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.server.access import access_of
from arena.server.leagues.cache import LeagueView
from arena.server.requests.proxies import site_address
from arena.server.templates import TEMPLATES
from referee.engine.registry import is_listed

USUAL_GAME = "cambio"
"""The game of the commands where no league says another one."""

LOCAL = ("127.0.0.1", "localhost", "::1")


class _OpenLeague(NamedTuple):
    """A league that takes bots."""

    name: str
    game: str
    has_rules: bool


class JoinRoutes:
    """The handler.

    leagues: returns the leagues that somebody sees.
    has_accounts: whether people sign in here and hand in bots.
    sign_in_links: of packages, to other ways to sign in: address and text.
    """

    def __init__(
        self,
        leagues: Callable[[Request], Sequence[LeagueView]],
        *,
        has_accounts: bool,
        sign_in_links: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._leagues = leagues
        self._has_accounts = has_accounts
        self._sign_in_links = sign_in_links

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [("/join", self.page)]

    def page(self, request: Request) -> Response:
        """Return the page."""
        views = [view for view in self._leagues(request) if view.league.state == "open"]
        address = site_address(request)
        parts = urlsplit(address)
        return HTMLResponse(
            TEMPLATES.page(
                "join.html",
                translated=True,
                site=address,
                insecure=parts.scheme == "http" and parts.hostname not in LOCAL,
                leagues=[
                    _OpenLeague(view.league.name, view.definition.game, is_listed(view.definition.game))
                    for view in views
                ],
                game=views[0].definition.game if views else USUAL_GAME,
                has_accounts=self._has_accounts,
                signed_in=access_of(request).account is not None,
                sign_in_links=self._sign_in_links,
            )
        )
