"""Sources of results: matches that can be read several times, one by one or as a tally."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.ratings.result import Result

if TYPE_CHECKING:
    from arena.ratings.tally import Tally

CHUNK_MATCHES = 1 << 14
"""Matches of a portion, and those that belong to the last of its deals."""


@dataclass(frozen=True, slots=True)
class ResultSource:
    """Where ratings come from.

    results: yields all of them, the same with each call. added_up: returns their tally; without it they are added up.
    ordered: the numbers of their deals never fall.
    """

    results: Callable[[], Iterable[Result]]
    added_up: "Callable[[], Tally] | None" = None
    ordered: bool = False

    def tally(self) -> "Tally":
        """Return the results added up."""
        from arena.ratings.tally import Tally  # it loads numpy

        return self.added_up() if self.added_up else Tally(self.results())

    def portions(self) -> Iterator[list[Result]]:
        """Yield all results in portions, no deal in two of them; where deals come in no order, in a single one."""
        portion: list[Result] = []
        for result in self.results():
            if self.ordered and len(portion) >= CHUNK_MATCHES and result.deal != portion[-1].deal:
                yield portion
                portion = []
            portion.append(result)
        yield portion
