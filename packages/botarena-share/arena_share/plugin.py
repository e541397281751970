"""What the package adds to arena."""

from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from arena.hooks.specifications import MatchPart, Preview, Routes, SitePart, SiteShared, hookimpl

if TYPE_CHECKING:
    from starlette.requests import Request

    from arena.server.tournaments.ranking_cache import CachedRanking
    from arena.values.rows import StoredMatch, TournamentRow

FILES = ("share.js", "embed.css")


@hookimpl
def arena_site() -> SitePart:
    """Return the pictures and the frames."""
    from arena_share.match_routes import EMBED, MatchRoutes
    from arena_share.pictures import PictureCache
    from arena_share.ranking_routes import RankingRoutes

    def routes(shared: SiteShared) -> Routes:
        pictures = PictureCache()
        matches = MatchRoutes(shared.store, shared.replays, pictures)
        return [*matches.routes(), *RankingRoutes(shared.store, shared.rankings, shared.leagues, pictures).routes()]

    return SitePart("share", routes, framed=(EMBED,))


@hookimpl
def arena_scripts() -> dict[str, str]:
    """Return the script of the button that copies the code of a frame, and the style of the frame."""
    return {name: (files("arena_share") / "files" / name).read_text("utf-8") for name in FILES}


@hookimpl(trylast=True)
def arena_match_page(match: "StoredMatch") -> MatchPart:
    """Return the button that copies the code of a frame."""
    from arena_share.embed import frame_button

    return MatchPart([frame_button()], {"data-share": f"/matches/{match.id}"}, ["share.js"])


@hookimpl
def arena_preview(request: "Request", about: tuple[Any, ...]) -> Preview | None:
    """Return the preview of a match, a tournament, a board or an entry."""
    from arena_share.previews import preview

    return preview(request, about)


@hookimpl
def arena_ranking_picture(tournament: "TournamentRow", ranking: "CachedRanking") -> Mapping[str, bytes]:
    """Return the picture that the preview of a tournament has."""
    from arena_share.cards import draw, tournament_card
    from arena_share.png import PictureFailed, draws_png, png

    svg = draw(tournament_card(tournament, ranking))
    drawn = {"svg": svg.encode()}
    if draws_png():
        with suppress(PictureFailed):
            drawn["png"] = png(svg)
    return drawn
