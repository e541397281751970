"""The time that the matches of a check may take: a slow bot plays fewer, and one that takes too long is refused.

A bot that thinks for as long as it may has thousands of answers to give at the usual number of matches: half an hour
for some games, in which nobody else is checked.
"""

from collections.abc import Collection
from dataclasses import dataclass

from arena.bots.trial_pace import match_size
from arena.bots.trial_tables import edge_tables, typical_tables
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


HOPELESS = 1.5
"""How many times as long as they may the matches of all games must be expected to take for a bot to be refused after
the first ones: what is expected may be wrong by a third."""


def least_answers(game: Game) -> int:
    """Return about how many answers a bot gives in the fewest matches of a game that a check plays."""
    usual, edges = typical_tables(game, FEW_MATCHES), edge_tables(game)
    repeated = match_size(usual).own * (FEW_MATCHES + FEW_REPEATED)
    return repeated + sum(match_size(tables).own * len(tables.matches) for tables in edges)


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

    def hopeless(self, game: str, expected: float, *, names_games: bool) -> str:
        """Return the sentence about a bot that plays several games too slowly; empty if it may be in time.

        game: the one of which it has played the first matches.
        expected: the seconds that the matches of all games take at their pace.
        names_games: whether it names those that it plays; otherwise it plays all.
        """
        if expected <= HOPELESS * self.seconds:
            return ""
        pace = (
            f"at the pace of its first matches of {game}, those of {self.games} games would take about "
            f"{expected / 60:.0f} minutes, and {self.seconds / 60:.0f} are the most"
        )
        if names_games:
            return f"{pace}: name fewer games, let it think less before it answers, or play several matches at once"
        return (
            f"{pace}: it names no game, so it is checked in all; name those that it plays, as "
            f'games = ["{game}"] in its {FILE}, or in Python games = ("{game}",) in the class of the bot'
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
