"""Sources of results: matches that can be read several times, one by one or as a tally."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.values.result import Result

if TYPE_CHECKING:
    from arena.ratings.tally import Tally

CHUNK_MATCHES = 1 << 14
"""Matches of a chunk, not counting the rest of its last deal."""


@dataclass(frozen=True, slots=True)
class ResultSource:
    """A source of results, which may be read more than once."""

    results: Callable[[], Iterable[Result]]
    """Yields all results, the same with each call."""
    load_tally: "Callable[[], Tally] | None" = None
    """Returns the tally of the results; None: it is computed."""
    ordered: bool = False
    """Whether the results are sorted by deal."""

    def tally(self) -> "Tally":
        """Return the tally of the results."""
        from arena.ratings.tally import Tally  # it loads numpy

        return self.load_tally() if self.load_tally else Tally(self.results())

    def chunks(self) -> Iterator[list[Result]]:
        """Yield all results in chunks that share no deal; if they are not ordered by deal, in a single chunk."""
        chunk: list[Result] = []
        for result in self.results():
            if self.ordered and len(chunk) >= CHUNK_MATCHES and result.deal != chunk[-1].deal:
                yield chunk
                chunk = []
            chunk.append(result)
        yield chunk
