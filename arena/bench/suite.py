"""Everything that is measured, by group."""

from collections.abc import Callable, Iterator
from functools import cached_property

from arena.bench import clocks, languages, protocol, rules_benchmark, sandboxes, starts, stores, tournament_benchmark
from arena.bench import peers as match_managers
from arena.bench.figures import Figure, Sampling
from arena.bench.peers import Peers
from arena.bench.protocol import BenchTable

GROUPS = (
    "engine",
    "views",
    "protocol",
    "memory",
    "tourney",
    "clock",
    "sandbox",
    "start",
    "languages",
    "store",
    "peers",
)
"""In the order in which they are measured."""


class BenchSuite:
    """The measurements of one game at one table.

    say: is told what referees print.
    peers: what is measured beside arena.
    """

    def __init__(
        self, table: BenchTable, sampling: Sampling, say: Callable[[str], None], peers: Peers | None = None
    ) -> None:
        self.table = table
        self.sampling = sampling
        self.peers = peers or Peers()
        self._say = say

    @cached_property
    def _rules(self) -> rules_benchmark.RulesBenchmark:
        return rules_benchmark.RulesBenchmark(self.table.game, self.table.options, self.table.seats)

    @property
    def _length(self) -> float:
        """The mean number of decisions of a random match."""
        return self._rules.decisions / len(self._rules.matches)

    def measure(self, group: str) -> Iterator[Figure]:
        """Yield the figures of a group as they are found. Raises BenchError, RefereeError."""
        match group:
            case "engine":
                yield from rules_benchmark.measure(self._rules, self.sampling)
            case "views":
                yield from rules_benchmark.measure_views(self._rules, self.sampling)
            case "protocol":
                yield from protocol.measure(self.table, self._length, self.sampling, self._say)
            case "memory":
                yield from protocol.measure_memory(self.table, self.sampling, self._say)
            case "tourney":
                yield from tournament_benchmark.measure(self.table, self.sampling)
            case "clock":
                yield from clocks.measure(self.table, self.sampling)
            case "sandbox":
                yield from sandboxes.measure(self.table, self._length, self.sampling, self._say)
            case "start":
                yield from starts.measure(self.table, self.sampling)
            case "languages":
                yield from languages.measure(self.table, self._length, self.sampling, self._say)
            case "store":
                yield from stores.measure(self.table, self.sampling)
            case "peers":
                yield from match_managers.measure(self.table, self.peers, self.sampling)
            case _:
                raise ValueError(f"there is no group {group}")
