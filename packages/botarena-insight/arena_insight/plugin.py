"""What the package adds to arena."""

from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from arena.hooks.specifications import CommandPart, MatchPart, Routes, SitePart, SiteShared, hookimpl

if TYPE_CHECKING:
    from arena.server.access import Access
    from arena.store import Store
    from arena.values.rows import StoredMatch

SCRIPTS = ("analyse.js", "what-if.js")


@hookimpl
def arena_command(command: str) -> CommandPart | None:
    """Let `arena replay` play a match on from another move, and servers analyse matches in idle time."""
    if command == "serve":
        from arena_insight.server_options import server_options

        return CommandPart(server_options())
    if command != "replay":
        return None
    from arena_insight.what_if_options import HELP, replay_options

    return CommandPart(replay_options(), HELP)


@hookimpl
def arena_replay(options: Mapping[str, Any], store: "Store", match: "StoredMatch") -> "tuple[StoredMatch, str] | None":
    """Play the match on from the move that the options name."""
    from arena_insight.what_if_options import play_given

    return play_given(options, store, match)


@hookimpl
def arena_site(store: "Store", options: Mapping[str, Any]) -> SitePart:
    """Return the pages, the queue of what visitors have computed, and what is computed in idle time."""
    import trio

    from arena_insight.analysis_queue import AnalysisQueue
    from arena_insight.analysis_routes import AnalysisRoutes
    from arena_insight.idle_analyses import IdleAnalyses
    from arena_insight.weakness_routes import WeaknessRoutes
    from arena_insight.what_if_matches import WhatIfMatches
    from arena_insight.what_if_routes import WhatIfRoutes

    analyses = AnalysisQueue()
    idle = IdleAnalyses(store, options.get("analysis_cpu", 0) / 1000, analyses.is_busy)

    def routes(shared: SiteShared) -> Routes:
        others = WhatIfRoutes(WhatIfMatches(shared.store, shared.hosting)).routes() if shared.hosting else []
        reports = WeaknessRoutes(shared.store, shared.rankings, shared.leagues, analyses).routes()
        return [*AnalysisRoutes(shared.store, analyses).routes(), *reports, *others]

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(analyses.run)
            nursery.start_soon(idle.run)

    return SitePart("insight", routes, run)


@hookimpl
def arena_scripts() -> dict[str, str]:
    """Return the scripts of the pages."""
    return {name: (files("arena_insight") / "files" / name).read_text("utf-8") for name in SCRIPTS}


@hookimpl
def arena_match_page(match: "StoredMatch", access: "Access", hosted: bool) -> MatchPart:
    """Return the form to have chances to win estimated, and what makes other moves buttons."""
    from arena_insight.analysis_routes import may_analyse
    from arena_insight.idle_analyses import OPENED
    from arena_insight.match_tools import analysis_form
    from arena_insight.what_if_matches import stand_ins

    OPENED.note(match)
    others = stand_ins(access) if hosted and match.event.finished is not None else None
    analysable = may_analyse(access)
    return MatchPart(
        [analysis_form(match.id)] if analysable else [],
        {"data-what-if": others} if others else {},
        [*(["analyse.js"] if analysable else []), *(["what-if.js"] if others else [])],
    )


@hookimpl
def arena_bot_link(event: str, number: int, is_first: bool) -> tuple[str, str]:
    """Return the link to the report on why a bot loses; of the first, where it could do better."""
    from arena_insight.report_words import report_words

    path = f"why/{number}" if event.startswith("/tournaments/") else f"entries/{number}/why"
    return f"{event}/{path}", report_words(is_first=is_first)


@hookimpl
def arena_replay_values(store: "Store", match: "StoredMatch", seat: int | None) -> dict[str, Any]:
    """Return the stored chances to win, if there are any."""
    from arena.record.played_rules import rules
    from arena_insight.stored_chances import StoredChances

    chances = StoredChances(store).best(match, seat, rules(match).game.behaviour)
    return {} if chances is None else {"chances": chances}
