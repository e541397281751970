"""The count of Coch and Zifuli: 19 card points in a deal, and a second count of 82 where they are shared equally.

Source: the Korean rule book of Cuckoo cards, "counting" of sections 5 and 6.
"""

from collections.abc import Collection
from typing import Final

from referee.engine.events import Line, LineTable
from referee.games import tricks
from referee.games.cuckoo_pack import CUCKOO, LION
from referee.games.tricks import KINDS, PACK, Tricks

NOTHING: Final = dict.fromkeys(KINDS, 0)

HALVES: Final = {**NOTHING, **dict.fromkeys(range(5, 10), 1), **dict.fromkeys(range(10, 16), 2), LION: 2}
"""What each card counts, in half points: 10 to 15 and the lion a point, 5 to 9 half a point."""

AGAIN: Final = {**NOTHING, **{card: card % 5 for card in range(1, CUCKOO)}, CUCKOO: 5, LION: 6}
"""What each card counts the second time: 1 6 11 one, 2 7 12 two, 3 8 13 three, 4 9 14 four, 15 five, the lion six."""

COUNTED: Final = "the card points of the deal, 19 in all"

ALL_HALVES: Final = sum(HALVES[card] for card in PACK)
ALL_AGAIN: Final = sum(AGAIN[card] for card in PACK)


LOG: Final = tricks.LOG.extended()
COUNT: Final = LOG.line("one side has {} points, the other {}", COUNTED)
RECOUNT: Final = LOG.line(
    "counted again: {} to {}", "card points were equal: the second count of the same sides, 82 in all", joined=True
)


def log_of(side: str, rest: str) -> LineTable:
    """Return the table of a game in which `side` is counted against `rest`, to be added to."""
    return LOG.extended({COUNT: Line(f"{side} {{}} points, {rest} {{}}", COUNTED)})


class CountedTricks(Tricks):
    """Tricks counted in half points."""

    __slots__ = ()

    values = HALVES

    def _compare(self, side: Collection[int]) -> int:
        """Count the deal. Return 1 where the seats of `side` have more than the rest, -1 where less, 0 where equal."""
        ours = sum([self.points[seat] for seat in side])
        theirs = ALL_HALVES - ours
        self.events.append((COUNT, f"{ours / 2:g}", f"{theirs / 2:g}"))
        if ours == theirs:
            ours = sum([AGAIN[card] for card in self._taken(side)])
            theirs = ALL_AGAIN - ours
            self.events.append((RECOUNT, ours, theirs))
        return (ours > theirs) - (ours < theirs)
