"""Play matches and tournaments from Python: scripts, notebooks, training loops.

    from arena.api import tournament

    def mine(question):
        return question.legal[0]

    results = tournament("cambio", {"mine": mine, "random": "random", "other": "./bot.py"}, rounds=50)
    results.ranking          # a table with error bars
    results.matches[0].replay

match_play       play: one match
tournament_play  tournament: a tournament, with its Results; tournament_plan: what is settled before
field            the bots as callers name them: programs, sample bots, submitted bots, functions and classes
grants           what single bots are granted, and the environment variables that they get
in_process       functions and classes as bots: a thread for each, connected to its referee
background       runs trio in a thread, for callers with any event loop or none, and stops it
databases        temporary databases
results          Results: the ranking and the matches of a tournament
ranking_table    RankingTable: a ranking as a table; ranking_html: the same for notebooks, with its intervals drawn
match            Match: a match that was played, and its Replay
settings         durations, options and seeds as callers write them
progress         on stderr, or to a function of the caller
frames           tables of Arrow, for pandas, polars and others

Everything that is not listed in `__all__` may change. docs/library.md is the manual.
"""

from typing import TYPE_CHECKING, Any

from arena.sdk import Bot, Question
from arena.values.errors import ArenaError

if TYPE_CHECKING:
    from arena.api.match import Match, Replay
    from arena.api.match_play import play, play_async
    from arena.api.ranking_table import RankingTable
    from arena.api.results import Results, load_results
    from arena.api.tournament_play import (
        resume_tournament,
        resume_tournament_async,
        tournament,
        tournament_async,
    )

_HOME = {
    "Match": "match",
    "RankingTable": "ranking_table",
    "Replay": "match",
    "Results": "results",
    "load_results": "results",
    "play": "match_play",
    "play_async": "match_play",
    "resume_tournament": "tournament_play",
    "resume_tournament_async": "tournament_play",
    "tournament": "tournament_play",
    "tournament_async": "tournament_play",
}
"""The modules of names that need slow imports, which are imported on first use."""

__all__ = [
    "ArenaError",
    "Bot",
    "Match",
    "Question",
    "RankingTable",
    "Replay",
    "Results",
    "load_results",
    "play",
    "play_async",
    "resume_tournament",
    "resume_tournament_async",
    "tournament",
    "tournament_async",
]


if not TYPE_CHECKING:  # or type checkers would let any name pass

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"arena.api.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
