"""The ranking of a stored tournament, as far as it has been played."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from arena.ratings import BotStats, Ranking, fit_ranking
from arena.ratings.source import ResultSource
from arena.store.rows import ContentionRow, VerdictRow
from arena.tournament.errors import PlanError
from arena.tournament.plan.multi_stage import Placing
from arena.tournament.results.stored_tournament import StoredTournament
from referee.engine.registry import in_units


@dataclass(frozen=True, slots=True)
class Standings:
    """A ranking, with what else is shown of its bots.

    table: the ranking. source: the results that it rests on. conduct: by bot. matches, decisions: in all. verdict: why
    the tournament ended early; then only the matches on which that rests are rated. undecided: the state of a test that
    has not ended it. placing: who came in where, in formats with stages that are over. contention: the time that the
    machine could not give, where that was measured.
    """

    table: Ranking
    source: ResultSource
    conduct: dict[str, BotStats]
    matches: int
    decisions: int
    verdict: VerdictRow | None = None
    placing: Placing | None = None
    contention: ContentionRow | None = None
    undecided: str = ""


def standings(
    tournament: StoredTournament,
    rate: Callable[[ResultSource], Ranking] = lambda source: fit_ranking(source.tally()),
) -> Standings:
    """Rate the bots of a tournament by all its stored matches, from one snapshot of the database.

    rate: how, if not by the plain fit.
    """
    store = tournament.store
    with store.snapshot():
        summary, verdict, source = tournament.summary, tournament.ending.verdict, tournament.source
        table = rate(source)
        contention = store.contention(tournament.id)
        failures = store.process_failures.counts(tournament.id)
        placing, undecided = tournament.placing, "" if verdict else _test_status(tournament)
    stats = {
        tournament.names[place]: conduct(
            summary.faults.get(place, {}),
            effort.decisions,
            effort.charged_us,
            contention.waited_us.get(place, 0) if contention and contention.waited_us else None,
            failures.get(place, {}),
        )
        for place, effort in summary.efforts.items()
    }
    decisions = sum(effort.decisions for effort in summary.efforts.values())
    ranking = in_game_units(table, tournament.game)
    return Standings(ranking, source, stats, table.matches, decisions, verdict, placing, contention, undecided)


def _test_status(tournament: StoredTournament) -> str:
    """Return the state of a sequential test by all complete blocks; empty without one, as a ranking shows its own."""
    if tournament.row.definition.stop != "sprt":
        return ""
    try:
        monitor = tournament.ending.monitor or tournament.stop_monitor(lambda: tournament.summary.tally)
    except PlanError:  # a tournament of any version can be rated
        return ""
    if monitor is None:
        return ""
    monitor.evaluate()
    return monitor.status


def conduct(
    faults: Mapping[str, int],
    decisions: int,
    charged_us: int,
    waited_us: int | None = None,
    process_failures: Mapping[str, int] = {},
) -> BotStats:
    """Return how a bot behaved, from its faults by kind and the time that it was charged for its decisions.

    waited_us: that it was not charged, as it waited for a core; None where nobody looked. process_failures: how many
    of its processes failed, by kind.
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
