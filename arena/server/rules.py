"""The pages of rules: their route, and the rules of a game as a page."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.language.languages import LANGUAGE
from arena.replay.rule_pages import NoPage, article
from arena.server.pages.items import pack
from arena.server.templates import TEMPLATES
from referee.engine.errors import UnknownGame
from referee.engine.game import Game
from referee.engine.registry import game, is_listed


def rules_of_game(request: Request) -> Response:
    """Return the rules of a game. Only listed ones: anybody may ask, and to make a game may take much memory."""
    name = request.path_params["game"]
    try:
        if not is_listed(name):
            raise UnknownGame(f'there is no game "{name}"')
        return HTMLResponse(_page(game(name)))
    except (NoPage, UnknownGame) as error:
        raise HTTPException(HTTPStatus.NOT_FOUND, str(error)) from None


def _page(game: Game) -> str:
    """Return the page. Raises NoPage if the game comes without one."""
    heading, text = article(game, LANGUAGE.get())
    return TEMPLATES.page(
        "rules.html",
        translated=True,
        game=game.name,
        heading=heading,
        subtitle=game.title,
        article=text,
        pack=pack(game.name),
    )
