"""What a search found: a value with its standard error for each move, and the note that says so."""

from dataclasses import dataclass
from math import inf, sqrt

MOVES_IN_NOTE = 4
"""How many moves a note names; the others are counted."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What a search found out about one move."""

    move: str
    """The text of the move."""
    mean: float
    """Its estimated value to the seat: the share of the others that it ends ahead of, 0 to 1; 0.5 is average."""
    error: float
    """The standard error of the mean; infinite with fewer than two worlds."""
    playouts: int
    """In how many playouts it was played."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a search found out about the moves of a question."""

    moves: tuple[MoveValue, ...]
    """Every legal move, the best first."""
    worlds: int
    """In how many worlds they were played."""
    playouts: int
    """How many playouts there were."""
    seconds: float
    """How long it took, by the clock of the search."""
    reason: str
    """Why it ended: "decided" (no other move can be the best), "time", "worlds", or "forced" (a single legal move)."""
    planned: str = ""
    """What the seat's own policy plays, with which all moves were compared; empty where it has none."""

    @property
    def best(self) -> str:
        """The best move."""
        return self.moves[0].move

    def note(self) -> str:
        """Return it as a line for `question.note`: "exchange 0.41 ± 0.03, keep 0.35 ± 0.02; 812 worlds"."""
        if self.reason == "forced":
            return f"{self.best}, the only legal move"
        named = [_text(value) for value in self.moves[:MOVES_IN_NOTE]]
        if others := len(self.moves) - len(named):
            named.append(f"{others} other{'s' * (others > 1)}")
        return f"{', '.join(named)}; {self.worlds} world{'s' * (self.worlds != 1)}"


def _text(value: MoveValue) -> str:
    if not value.playouts:
        return f"{value.move} not tried"
    return f"{value.move} {value.mean:.2f}" + (f" ± {value.error:.2f}" if value.error < inf else "")


class Mean:
    """The weighted mean of values that come in clusters: those of one world depend on each other.

    The error is that of a ratio of sums, over the clusters.
    """

    __slots__ = ("count", "clusters", "weight", "total", "weights", "totals", "products")

    def __init__(self) -> None:
        self.count = 0
        self.clusters = 0
        self.weight = 0.0
        self.total = 0.0
        self.weights = 0.0
        self.totals = 0.0
        self.products = 0.0

    def add(self, count: int, weight: float, total: float) -> None:
        """Add a cluster.

        count: of its values.
        weight: the sum of their weights.
        total: the sum of the values, each times its weight.
        """
        self.count += count
        self.clusters += 1
        self.weight += weight
        self.total += total
        self.weights += weight * weight
        self.totals += total * total
        self.products += weight * total

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / self.weight if self.weight else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite where there are fewer than two clusters."""
        if self.clusters < 2 or not self.weight:
            return inf
        mean = self.mean
        squares = self.totals - 2 * mean * self.products + mean * mean * self.weights
        return sqrt(max(0.0, squares) * self.clusters / (self.clusters - 1)) / self.weight
