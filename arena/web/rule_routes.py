"""The route of the pages of rules."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.viewer.rule_pages import NoPage
from arena.web.pages.rules import rules
from referee.engine.errors import UnknownGame
from referee.engine.registry import game


def rules_of_game(request: Request) -> Response:
    """Return the rules of a game."""
    try:
        return HTMLResponse(rules(game(request.path_params["game"])))
    except (NoPage, UnknownGame) as error:
        raise HTTPException(HTTPStatus.NOT_FOUND, str(error)) from None
