"""What was found of matches that repeat others, or begin as others did (see `arena.ratings.experiments`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.ratings.keyed_sums import Floats


@dataclass(frozen=True, slots=True)
class Repeats:
    """What was found of repeats in some matches."""

    sets: int
    """The number of sets."""
    repeated: int
    """The number of sets that repeat an earlier one."""
    largest: int
    """The number of matches of the largest set."""
    openings: int
    """The number of different openings; 0 where all matches begin alike."""
    shares: Mapping[str, float]
    """The share of matches that repeat no other, by name of the bot, or in a league by number of the entry."""
    matches: int = 0
    """The number of matches."""
    different: int | None = None
    """The number of matches that differ, by their logs; None if that is unknown."""
    is_estimate: bool = False
    """Whether repeats and openings were counted in a sample."""

    @property
    def brief(self) -> str:
        """How many sets repeat others, for people."""
        about = "about " if self.is_estimate else ""
        return f"{about}{self.repeated:,} of {self.sets:,} {self._nouns} repeat others"

    @property
    def noun(self) -> str:
        """What people call one set."""
        return {1: "match", 2: "pair"}.get(self.largest, "set of matches")

    @property
    def _nouns(self) -> str:
        return {1: "matches", 2: "pairs"}.get(self.largest, "sets of matches")

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people."""
        noun, notes = self.noun, list[str]()
        if self.repeated:
            brief = self.brief[0].upper() + self.brief[1:]
            notes.append(
                f"{brief}, move for move: bars and likelihoods take a {noun} and its repeats for one experiment."
            )
        if self.openings and (self.openings < self.sets or self.different is not None):
            about = "about " if self.is_estimate else ""
            openings = f"{about}{self.openings:,} opening{'s' * (self.openings > 1)}"
            begin = f"The {self.sets:,} {self._nouns} begin from {openings}"
            if self.different is not None:
                part = "all" if self.different == self.matches else f"{self.different:,} of"
                begin += f", and {part} {self.matches:,} matches are different"
            if self.openings < self.sets:
                begin += ": bars and likelihoods take those of one opening for one experiment"
            notes.append(f"{begin}.")
        return tuple(notes)

    def inflate(self, naive: "Floats", bots: Sequence[str]) -> "Floats":
        """Return naive covariances of bots as they are if repeats do not count as independent comparisons."""
        import numpy as np

        shares = np.array([self.shares.get(bot, 1.0) for bot in bots])
        inflated: Floats = naive / np.sqrt(np.outer(shares, shares))
        return inflated

    def to_json(self) -> dict[str, int]:
        """Return the numbers of sets, of those that repeat others, of openings, and of matches that differ if known."""
        known = {} if self.different is None else {"different": self.different}
        return {"sets": self.sets, "repeated": self.repeated, "openings": self.openings, **known}
