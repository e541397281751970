"""The time that the matches of a check may take: a slow bot plays fewer, and one that takes too long is refused.

A bot that thinks for as long as it may has thousands of answers to give at the usual number of matches: half an hour
for some games, in which nobody else is checked.
"""

from collections.abc import Collection
from dataclasses import dataclass

from arena.bots.trial_tables import edge_tables
from arena.packs.manifest import FILE
from arena.run.progress import duration
from arena.values.definition import TimeControl
from referee.engine.game import Game

MATCH_SECONDS = 1200.0
"""How long the matches of a check may take: a slow bot plays few, and a server refuses it if these take longer. A bot
of one game that thinks for 1 s before each answer takes half."""

MATCHES = 20
"""Matches at typical tables of each game."""

REPEATED_MATCHES = 8
"""Matches that are played again, one at a time."""

FEW_MATCHES, FEW_REPEATED = 4, 2
"""The same of a slow bot; so many are played first, to see how slow a bot is."""

SHARE = 0.5
"""Of the time that a game has: what its usual matches may take. The rest is for those at odd tables."""


def granted_seconds(games: Collection[Game], time: TimeControl) -> float:
    """Return how much longer matches may take, in seconds, as bots may take longer than usual to start and get ready.

    A slow bot that takes all of that, before each phase and each match that it plays, is in time.
    """
    usual = TimeControl()
    start = max(0, time.start_time_ms - usual.start_time_ms)
    ready = max(0, time.ready_time_ms - usual.ready_time_ms)
    edges = [edge_tables(game) for game in games]
    phases = sum(2 + len(tables) for tables in edges)
    matches = sum(FEW_MATCHES + FEW_REPEATED + sum(len(table.matches) for table in tables) for tables in edges)
    return (start * phases + ready * matches) / 1000


@dataclass(frozen=True, slots=True)
class MatchBudget:
    """The time of all matches of a check in seconds, and the number of games that share it."""

    seconds: float
    games: int = 1

    def is_slow(self, took: float, matches: int) -> bool:
        """Return whether a bot plays few matches of a game.

        took: the seconds that the first `FEW_MATCHES` took.
        matches: how many it plays otherwise.
        """
        repeated = min(matches, REPEATED_MATCHES)
        return took / FEW_MATCHES * (matches + repeated) > self.seconds / self.games * SHARE

    def warning(self, took: float) -> str:
        """Return the sentence about a bot that took too long for a server, where nobody waits; empty if it did not.

        took: the seconds that all matches took.
        """
        if took <= self.seconds:
            return ""
        return (
            f"its matches took {duration(took)}: a server refuses a bot whose matches take longer than "
            f"{duration(self.seconds)}"
        )

    def exceeded(self, played: int) -> str:
        """Return the sentence about a bot that took too long.

        played: the number of games that it has played.
        """
        begun = "" if self.games == 1 else f", with {played} of {self.games} games played"
        fewer = "" if self.games == 1 else f", or name fewer games in its {FILE}"
        return (
            f"its matches took longer than {self.seconds:g} s{begun}: "
            f"let it think less before it answers, or play several matches at once{fewer}"
        )
