"""Errors in files of results."""

from collections.abc import Sequence

from arena.errors import ArenaError
from arena.ratings.result import Team

MAX_NUMBER = 10**12
"""The largest absolute rank or score: the sum of a million such values fits in 64 bits."""

_MAX_QUOTED = 80
"""The most characters of a quoted text."""


class ReadingError(ArenaError):
    """A file of results cannot be read; the message names file and line."""


def check_opponents(teams: Sequence[Team], where: str) -> None:
    """Check that nobody plays against itself, which would tell nothing and count as a match.

    teams
        The players of a match, by seat; a team is a tuple of names.
    where
        File and line.

    Raises ReadingError.
    """
    seen: set[str] = set()
    for team in teams:
        members = {team} if isinstance(team, str) else set(team)
        if twice := sorted(members & seen):
            raise ReadingError(
                f"{where}: {shorten(twice[0])} plays against itself: give the two other names, or leave the match out"
            )
        seen |= members


def shorten(text: str) -> str:
    """Shorten a text that a message quotes."""
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"
