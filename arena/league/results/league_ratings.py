"""The ratings of a league: one row per entry."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from arena.league.results.flags import Suspicion
from arena.league.results.league_sums import EntryTotals
from arena.ratings.connectivity import Bound
from arena.ratings.repeats import Repeats

IntervalMethod = Literal["exact", "sampled", "local"]
"""How intervals were computed; see `arena.league.results.interval_estimates`."""


@dataclass(frozen=True, slots=True)
class EntryRating:
    """The rating of an entry."""

    entry: int
    elo: float
    """The difference to the mean of `LeagueRatings.zero`."""
    bound: Bound
    """What `elo` is: ">" a lower bound; "<" an upper bound; "~" not determined by the results; "" none of these."""
    ci95: float | None
    """Half the width of the 95 % interval of that difference; None with fewer than `MIN_DEALS` experiments, or with a
    bound."""
    deals: int
    """Deals in which it met another entry."""
    points: float
    """The points of all comparisons with the others at its tables: 1 for each that it was placed above, a half for each
    tie."""
    comparisons: int
    totals: EntryTotals
    faults: Mapping[str, int]
    """Number of faults by kind."""
    forfeits: int = 0
    """Matches in which it was ranked last, as it had no strikes left."""
    above: int | None = None
    """The next stronger entry of those that are active; None for the first, and for entries that are not active."""
    separated: bool | None = None
    """Whether the 95 % interval of the difference to `above` excludes 0; None if one of the two has no interval."""
    experiments: int = 0
    """As `deals`, but those that repeat each other, or begin from one opening, count once."""


@dataclass(frozen=True, slots=True)
class LeagueRatings:
    """The ratings of a league after some number of batches."""

    rows: tuple[EntryRating, ...]
    """A row for each entry, the strongest first."""
    zero: tuple[int, ...]
    """The entries whose mean is Elo 0: the anchors that can be compared with each other, or the most of them."""
    deals: int
    matches: int
    interval_method: IntervalMethod
    interval_error: float | None
    """The error of the intervals' widths: the root of the mean square of their relative standard errors, estimated
    from the samples. 0 for exact ones, None for local ones."""
    suspicions: tuple[Suspicion, ...] = ()
    """What stood out in the last audit."""
    repeats: Repeats | None = None
    """What was found of repeated matches, where it was looked for."""

    def by_entry(self) -> dict[int, EntryRating]:
        """Return the rows by entry."""
        return {row.entry: row for row in self.rows}
