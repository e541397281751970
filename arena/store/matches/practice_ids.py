"""The ids of the matches of practice leagues, which lie beyond those of all others.

So whatever lists, counts or searches matches looks at lower ids alone and need not know of practice leagues; and an id
tells its league. A league has its ids for ever: no other gets them once they are removed.
"""

FIRST = 2**40
"""The first id; all others are lower."""

OF_LEAGUE = 2**20
"""The ids of each league."""


def is_of_practice(match: int) -> bool:
    """Return whether a match of that id is of a practice league."""
    return match >= FIRST


def league_of(match: int) -> int:
    """Return the id of the practice league of a match."""
    return (match - FIRST) // OF_LEAGUE


def ids_of(league: int) -> range:
    """Return the ids of the matches of a practice league."""
    first = FIRST + league * OF_LEAGUE
    return range(first, first + OF_LEAGUE)
