"""The time that the matches of a check may take: a slow bot plays fewer, and one that takes too long is refused.

A bot that thinks for as long as it may has thousands of answers to give at the usual number of matches: half an hour
for some games, in which nobody else is checked.
"""

from dataclasses import dataclass

from arena.submissions.manifest import FILE

MATCHES = 20
"""Matches at typical tables of each game."""

REPEATED_MATCHES = 8
"""Matches that are played again, one at a time."""

FEW_MATCHES, FEW_REPEATED = 4, 2
"""The same of a slow bot; so many are played first, to see how slow a bot is."""

SHARE = 0.5
"""Of the time that a game has: what its usual matches may take. The rest is for those at odd tables."""


@dataclass(frozen=True, slots=True)
class MatchBudget:
    """The time of all matches of a check in seconds, and the number of games that share it."""

    seconds: float
    games: int

    def is_slow(self, took: float, matches: int) -> bool:
        """Return whether a bot plays few matches of a game. took: by the first `FEW_MATCHES`. matches: otherwise."""
        repeated = min(matches, REPEATED_MATCHES)
        return took / FEW_MATCHES * (matches + repeated) > self.seconds / self.games * SHARE

    def exceeded(self, played: int) -> str:
        """Return the sentence about a bot that took too long. played: the number of games that it has played."""
        begun = "" if self.games == 1 else f", with {played} of {self.games} games played"
        fewer = "" if self.games == 1 else f", or name fewer games in its {FILE}"
        return (
            f"its matches took longer than {self.seconds:g} s{begun}: "
            f"let it think less before it answers, or play several matches at once{fewer}"
        )
