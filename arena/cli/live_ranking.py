"""The ranking of a tournament while it is played (`--live`), redrawn at the bottom of the terminal."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from time import monotonic
from types import TracebackType
from typing import NamedTuple, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena.ratings import BotStats, Tally, fit_ranking
from arena.ratings.ranking_output import ranking_text
from arena.results.standings import in_game_units
from arena.results.team_results import team_result
from arena.run.progress import Pace
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow, TournamentRow
from arena.values.texts import printable

SECONDS = 2.0
"""The least time between two drawings."""

SHARE = 0.02
"""The largest share of the time spent on drawing."""


class Counting(NamedTuple):
    """The matches of a tournament that count for its ranking."""

    tally: Tally
    """The results that count."""
    played: int
    """The number of all stored matches."""
    omitted: AbstractSet[int] = frozenset()
    """The places in the field of bots whose matches do not count."""


class LiveRanking:
    """An `arena.run.runner.Watcher` that draws the ranking; a context manager.

    counting: what counts so far; new matches are added to it.
    names: the names of the field, which may grow.
    decided: returns what counts now, after a decision that may change it; otherwise None.
    """

    def __init__(
        self,
        tournament: TournamentRow,
        counting: Counting,
        console: Console | None = None,
        names: Sequence[str] | None = None,
        decided: Callable[[], Counting | None] = lambda: None,
    ) -> None:
        self._pace = Pace(tournament.matches, counting.played)
        self._tournament = tournament
        self._names = names or tournament.names
        self._decided = decided
        self._tally, _, self._omitted = counting
        odds = tournament.definition.odds
        self._clocks = {tournament.names[place]: BotStats(clock=str(clock)) for place, clock in odds.items()}
        self._due = monotonic()
        self._live = Live(
            console=console or Console(stderr=True), auto_refresh=False, transient=True, vertical_overflow="crop"
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def stored(self, rows: Sequence[MatchRow]) -> None:
        """Add matches, and redraw the ranking if it is due."""
        self._pace.add(rows)
        for row in rows:
            result = row.result
            if self._omitted.isdisjoint(result.entrants):
                self._tally.add(team_result(result, self._names, self._tournament.definition.team_of))
        if monotonic() >= self._due:
            self._draw()

    def failed(self, rows: Sequence[ProcessFailureRow]) -> None:
        """Ignore processes that failed: the first is reported by `say`."""

    def say(self, line: str) -> None:
        """Show a line above the ranking."""
        self._live.console.print(printable(line), markup=False, highlight=False)

    def recount(self, stored: int) -> None:
        """Correct the number of stored matches."""
        self._pace.recount(stored)

    def stands(self, how: str) -> None:
        """Show how the tournament stands: its stage, or a test that may end it."""
        self._pace.stands(how)

    def _draw(self) -> None:
        began = monotonic()
        if (counting := self._decided()) is not None:
            self._tally, _, self._omitted = counting
            self._pace.recount(counting.played)
        table = in_game_units(fit_ranking(self._tally), self._tournament.game)
        pace = self._pace
        matches = f"{pace.done:,} of {pace.total:,} matches, {pace.speed()}"
        width = self._live.console.width
        text = "\n".join([matches, pace.standing, ranking_text(table, self._clocks, width=width)])
        self._live.update(Text(printable(text), no_wrap=True, overflow="ellipsis"), refresh=True)
        self._due = monotonic() + max(SECONDS, (monotonic() - began) / SHARE)
