"""What a run needs of the tournament that it plays.

An interface, so that `run` does not depend on `arena.results`, which reads what runs have stored and gives them its
`StoredTournament`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, Self

from arena.store import Store
from arena.values.result import Result
from arena.values.rows import DecisionRow, TournamentRow, VerdictRow


class StopMonitor(Protocol):
    """Decides whether a tournament ends early."""

    @property
    def status(self) -> str:
        """How the test or ranking stands, in a few words; empty before the first look."""

    def add(self, numbers: Iterable[int]) -> bool:
        """Learn which matches are stored now; return whether to evaluate them."""

    def evaluate(self) -> VerdictRow | None:
        """Return what ends the tournament; None as long as nothing does."""


class PlayedTournament(Protocol):
    """A stored tournament, as a run plays it. What it has read it keeps; `reload` returns a later moment."""

    store: Store
    row: TournamentRow
    id: int

    @property
    def log(self) -> Sequence[DecisionRow]:
        """The decisions of its organiser, and the legs that have begun, oldest first."""

    def reload(self) -> Self:
        """Return the tournament as it is stored now."""

    def results(self, numbers: range | None = None) -> Iterator[Result]:
        """Yield the results of all stored matches, or of those with these numbers in the schedule."""

    def run_monitor(self) -> StopMonitor | None:
        """Return what decides whether it ends early, knowing which matches are stored; None where nothing does."""

    def save_verdict(self, evaluate: Callable[[], VerdictRow | None] | None = None) -> None:
        """Store what ended it early, so that nobody needs to find it again.

        evaluate: of the monitor that knows all matches; without it they are read one by one.
        """

    def summarise(self, *, is_over: bool = False) -> None:
        """Summarise stored matches, as long as enough of them are not summarised yet.

        is_over: whether no more matches will come.
        """
