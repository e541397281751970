"""The ranking of a stored tournament, as far as it has been played."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from arena.language.message import Message
from arena.plan.multi_stage import Placing
from arena.ratings import BotStats, Ranking, fit_ranking
from arena.ratings.source import ResultSource
from arena.results.stored_tournament import StoredTournament
from arena.values.rows import ContentionRow, VerdictRow
from arena.values.tournament_errors import PlanError
from referee.engine.registry import in_units

if TYPE_CHECKING:
    from arena.ratings.stopped_estimate import StoppedEstimate
    from arena.results.early_stopping import StopMonitor


@dataclass(frozen=True, slots=True)
class Standings:
    """A ranking, with what else is shown of its bots."""

    table: Ranking
    """The ranking."""
    source: ResultSource
    """The results that the ranking rests on."""
    conduct: dict[str, BotStats]
    """How each bot behaved, by its name."""
    matches: int
    """The number of matches in the ranking."""
    decisions: int
    """The number of decisions in all stored matches."""
    verdict: VerdictRow | None = None
    """Why the tournament ended early; then only the matches on which that rests are rated. None if it did not."""
    placing: Placing | None = None
    """Who came in where, in formats with stages, as far as these are over, or with tie-breaks; None elsewhere."""
    exits: Mapping[str, Message] = field(default_factory=dict)
    """The stage of a knockout in which each bot lost that plays no more, by its name."""
    contention: ContentionRow | None = None
    """The time that the machine could not give; None where that was not measured."""
    undecided: str = ""
    """The state of a sequential test that has not ended the tournament; empty without one."""
    estimate: "StoppedEstimate | None" = None
    """The difference of the two bots of a sequential test, corrected for its stopping; None where there is none."""


def standings(
    tournament: StoredTournament,
    rate: Callable[[ResultSource], Ranking] = lambda source: fit_ranking(source.tally()),
) -> Standings:
    """Rate the bots of a tournament by all its stored matches, from one snapshot of the database.

    rate: fits the ranking; by default the plain fit.
    """
    store = tournament.store
    with store.snapshot():
        summary, verdict, source = tournament.summary, tournament.ending.verdict, tournament.source
        table = rate(source)
        contention = store.contention(tournament.id)
        failures = store.process_failures.counts(tournament.id)
        placing, exits, test = tournament.placing, tournament.exits, _sequential_test(tournament)
    definition = tournament.row.definition
    grants = definition.grants
    stats = {
        tournament.names[place]: replace(
            conduct(
                summary.faults.get(place, {}),
                effort.decisions,
                effort.charged_us,
                contention.waited_us.get(place, 0) if contention and contention.waited_us else None,
                failures.get(place, {}),
            ),
            grants=grants.get(place, ()),
            clock=str(definition.clock_of(place)) if definition.odds else "",
        )
        for place, effort in summary.efforts.items()
    }
    decisions = sum(effort.decisions for effort in summary.efforts.values())
    ranking = in_game_units(table, tournament.game)
    undecided = test.status if test is not None and verdict is None else ""
    estimate = test.estimate if test is not None else None
    return Standings(
        ranking, source, stats, table.matches, decisions, verdict, placing, exits, contention, undecided, estimate
    )


def _sequential_test(tournament: StoredTournament) -> "StopMonitor | None":
    """Return a sequential test after all complete blocks; None without one, as a ranking shows its own state."""
    stop = tournament.row.definition.stop
    if stop is None or stop.kind != "sprt":
        return None
    try:
        monitor = tournament.ending.monitor or tournament.stop_monitor(lambda: tournament.summary.tally)
    except PlanError:  # a tournament of any version can be rated
        return None
    if monitor is not None:
        monitor.evaluate()
    return monitor


def conduct(
    faults: Mapping[str, int],
    decisions: int,
    charged_us: int,
    waited_us: int | None = None,
    process_failures: Mapping[str, int] = {},
) -> BotStats:
    """Return how a bot behaved, from its faults by kind and the time that it was charged for its decisions.

    waited_us: the time that it was not charged, as it waited for a core; None where nobody looked.
    process_failures: how many of its processes failed, by kind.
    """
    if not decisions:
        return BotStats(faults, process_failures=process_failures)
    waited = None if waited_us is None else waited_us / decisions / 1000
    return BotStats(faults, charged_us / decisions / 1000, waited, process_failures)


def in_game_units(table: Ranking, game: str) -> Ranking:
    """Return a ranking with its scores as people of the game count them."""
    rows = [
        replace(
            row,
            score=in_units(game, row.score),
            score_ci95=None if row.score_ci95 is None else in_units(game, row.score_ci95),
        )
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows))
