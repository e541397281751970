"""The route of the pages of rules."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.viewer.rule_pages import NoPage
from arena.web.pages.rules import rules
from referee.engine.errors import UnknownGame
from referee.engine.registry import game, is_listed


def rules_of_game(request: Request) -> Response:
    """Return the rules of a game. Only listed ones: anybody may ask, and to make a game may take much memory."""
    name = request.path_params["game"]
    try:
        if not is_listed(name):
            raise UnknownGame(f'there is no game "{name}"')
        return HTMLResponse(rules(game(name)))
    except (NoPage, UnknownGame) as error:
        raise HTTPException(HTTPStatus.NOT_FOUND, str(error)) from None
