"""Errors in files of results."""

import re
from collections.abc import Sequence

from arena.values.errors import ArenaError
from arena.values.result import Team

MAX_NUMBER = 10**12
"""The largest absolute rank or score: the sum of a million such values fits in 64 bits."""

_MAX_QUOTED = 80
"""The most characters of a quoted text."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
"""Control characters of ASCII only: what is read as ISO 8859-1 may be of Windows, whose letters and quotes go on from
\\x80."""


class ReadingError(ArenaError):
    """A file of results cannot be read; the message names file and line."""


def check_players(teams: Sequence[Team], where: str) -> None:
    """Check that names can be printed, and that nobody plays against itself, which would count as a match.

    teams
        The players of a match, by seat; a team is a tuple of names.
    where
        File and line.

    Raises ReadingError.
    """
    seen: set[str] = set()
    for team in teams:
        members = {team} if isinstance(team, str) else set(team)
        for name in sorted(members):
            if (control := _CONTROL.search(name)) is not None:
                raise ReadingError(
                    f"{where}: the name {shorten(name)} has the control character \\x{ord(control[0]):02x}: take it out"
                )
        if twice := sorted(members & seen):
            raise ReadingError(
                f"{where}: {shorten(twice[0])} plays against itself: give the two other names, or leave the match out"
            )
        seen |= members


def shorten(text: str) -> str:
    """Shorten a text that a message quotes."""
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"
