"""Matches that may be read again and again, by the match or added up."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.ratings.result import Result

if TYPE_CHECKING:
    from arena.ratings.tally import Tally


@dataclass(frozen=True, slots=True)
class Source:
    """Where ratings come from.

    results: yields all of them, anew with each call. added_up: returns their tally; without it they are added up.
    """

    results: Callable[[], Iterable[Result]]
    added_up: "Callable[[], Tally] | None" = None

    def tally(self) -> "Tally":
        """Return the results added up."""
        from arena.ratings.tally import Tally  # it loads numpy

        return self.added_up() if self.added_up else Tally(self.results())
