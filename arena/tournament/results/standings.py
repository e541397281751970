"""The ranking of a stored tournament, as far as it has been played."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from arena.ratings import BotStats, Ranking, Result, fit_ranking
from arena.ratings.source import ResultSource
from arena.store import Store
from arena.store.rows import ContentionRow, TournamentRow, VerdictRow
from arena.store.rows import ResultRow as StoredResult
from arena.tournament.errors import PlanError
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.formats import STAGED, Course, course_of
from arena.tournament.plan.multi_stage import Placing
from arena.tournament.plan.schedule import Plan
from arena.tournament.results.early_stopping import Stopping, Verdict
from arena.tournament.results.summaries import Summary, summary
from arena.tournament.results.team_results import team_result
from referee.engine.registry import in_units


@dataclass(frozen=True, slots=True)
class Standings:
    """A ranking with what else is told of its bots.

    table: the ranking. source: the matches that it is made of. conduct: by bot. matches, decisions: in all. verdict:
    why it ended early; then only the matches on which that rests are rated. undecided: how a test stands that may end
    it, and has not. placing: who came in where, in events in stages that are over. strain: what the machine could not
    give in time, where that was looked at.
    """

    table: Ranking
    source: ResultSource
    conduct: dict[str, BotStats]
    matches: int
    decisions: int
    verdict: Verdict | None = None
    placing: Placing | None = None
    strain: ContentionRow | None = None
    undecided: str = ""


def results(store: Store, tournament: TournamentRow, numbers: range | None = None) -> Iterator[Result]:
    """Yield what the stored matches of a tournament say about its bots.

    numbers: of the matches that are wanted; without it all.
    """
    names = tournament.names
    return (
        team_result(stored, names, tournament.definition.team_of) for stored in store.results(tournament.id, numbers)
    )


def _placing(store: Store, tournament: TournamentRow) -> Placing | None:
    """Return who came in where, in an event in stages, or with rules for ties; others are told by the ranking."""
    plan = tournament.definition
    if plan.schedule not in STAGED and not plan.tie_break:  # a tournament of any version can be rated
        return None
    course, _ = going_on(store, tournament)
    return course.placing(partial(results, store, tournament))


def going_on(store: Store, tournament: TournamentRow) -> tuple[Course, Decisions]:
    """Return how a tournament goes on, and what its organiser has decided. Raises PlanError as `decided`."""
    decisions = decided(store, tournament)
    definition = decisions.whole(Definition.from_json(tournament.definition.values))
    return course_of(definition, tournament.mixed_secret, decisions), decisions


def decided(store: Store, tournament: TournamentRow) -> Decisions:
    """Return what the organiser of a tournament has decided. Raises PlanError where its definition is unknown."""
    return Decisions.of(Definition.from_json(tournament.definition.values), store.decisions(tournament.id))


def omitted(store: Store, tournament: TournamentRow) -> frozenset[int]:
    """Return the bots whose matches do not count, by places; a tournament of any version can be rated."""
    return frozenset(
        entry.details["place"]
        for entry in store.decisions(tournament.id)
        if entry.kind == "withdraw" and entry.details["results"] == "omit"
    )


def stopping(store: Store, tournament: TournamentRow, sums: Callable[[], Summary] | None = None) -> Stopping | None:
    """Return what decides when the tournament ends, with all that is stored before it; None where nothing does.

    sums: returns those over all its matches; without it these are read one by one, which is slower and trusts nothing.
    """
    if not tournament.definition.stop:
        return None
    definition = Definition.from_json(tournament.definition.values)
    assert definition.stop is not None
    plan = Plan.of(definition, tournament.mixed_secret)
    names = tournament.names
    added_up = (lambda: sums().tally) if sums else None
    found = Stopping(definition.stop, names, plan, lambda numbers: results(store, tournament, numbers), added_up)
    found.add(store.played(tournament.id) | decided(store, tournament).unreplayed)
    return found


def rated(store: Store, tournament: TournamentRow, *, forfeited: bool = True) -> Iterator[StoredResult]:
    """Yield the stored results that count: all, or those on which the verdict rests where one ended it early.

    Not those of bots that were withdrawn with all their results. forfeited: also those in which a seat was forfeited.
    """
    verdict, *_ = _verdict(store, tournament)
    left_out = omitted(store, tournament)
    found = store.results(tournament.id, range(verdict.matches) if verdict else None, forfeited=forfeited)
    return (each for each in found if left_out.isdisjoint(each.entrants)) if left_out else found


def rated_results(store: Store, tournament: TournamentRow, *, forfeited: bool = True) -> Iterator[Result]:
    """Yield the same with the names of the bots."""
    names, counting = tournament.names, rated(store, tournament, forfeited=forfeited)
    return (team_result(stored, names, tournament.definition.team_of) for stored in counting)


def source(store: Store, tournament: TournamentRow, sums: Summary | None = None) -> ResultSource:
    """Return the matches that count, as ratings read them. sums: over all its matches, where they are at hand."""
    _, known, _ = _verdict(store, tournament)
    return _source(store, tournament, known, sums)


def _source(store: Store, tournament: TournamentRow, known: bool, sums: Summary | None) -> ResultSource:
    """Return the same. known: whether the sums know what counts."""
    read = partial(rated_results, store, tournament)
    return ResultSource(read, (lambda: _current(store, tournament, sums).tally) if known else None, ordered=True)


def _current(store: Store, tournament: TournamentRow, sums: Summary | None) -> Summary:
    """Return the sums, read once more where it was noted meanwhile which matches count."""
    if sums is None or (not sums.settled and store.verdict(tournament.id) is not None):
        return summary(store, tournament)
    return sums


def settle(store: Store, tournament: TournamentRow, decider: Stopping | None = None) -> None:
    """Note what ended a finished tournament that may end early, so that nobody needs to find out again.

    decider: what has looked at its matches; without it, they are read one by one.
    """
    found = ending(store, tournament, decider)
    if found is not None:
        store.save_verdict(tournament.id, found)


def ending(store: Store, tournament: TournamentRow, decider: Stopping | None = None) -> VerdictRow | None:
    """Return what is to be noted of a tournament that may end early; None of others. decider: as in `settle`."""
    if not tournament.definition.stop:
        return None
    decider = decider or stopping(store, tournament)
    found = decider.look() if decider else None
    if found is None:
        return VerdictRow(tournament.definition.rounds, tournament.matches, "", 0)
    return VerdictRow(found.rounds, found.matches, found.sentence, found.code)


def _verdict(store: Store, tournament: TournamentRow) -> tuple[Verdict | None, bool, Stopping | None]:
    """Return what ended a tournament early, whether its sums know that, and what had to look at the matches for it."""
    if not tournament.definition.stop:
        return None, True, None
    noted = store.verdict(tournament.id)
    if noted is not None:
        told = Verdict(noted.rounds, noted.matches, noted.sentence, noted.code) if noted.sentence else None
        return told, True, None
    decider = stopping(store, tournament, lambda: summary(store, tournament))
    verdict = decider.look() if decider else None
    return verdict, verdict is None, decider


def standings(
    store: Store,
    tournament: TournamentRow,
    rate: Callable[[ResultSource], Ranking] = lambda source: fit_ranking(source.tally()),
    sums: Summary | None = None,
) -> Standings:
    """Rate the bots of a tournament by all its stored matches.

    rate: how, where not in the plain way. sums: over all its matches, where they are at hand.
    """
    names = tournament.names
    verdict, known, decider = _verdict(store, tournament)
    found = _current(store, tournament, sums)
    counting = _source(store, tournament, known, found)
    table = rate(counting)
    placing = _placing(store, tournament)
    strain = store.contention(tournament.id)
    waited = strain.waited_us if strain else None
    failures = store.process_failures.counts(tournament.id)
    behaved = {
        names[place]: conduct(
            found.faults.get(place, {}),
            effort.decisions,
            effort.charged_us,
            waited.get(place, 0) if waited else None,
            failures.get(place, {}),
        )
        for place, effort in found.efforts.items()
    }
    decisions = sum(effort.decisions for effort in found.efforts.values())
    ranking = in_game_units(table, tournament.game)
    undecided = "" if verdict else _undecided(store, tournament, decider, found)
    return Standings(ranking, counting, behaved, table.matches, decisions, verdict, placing, strain, undecided)


def _undecided(store: Store, tournament: TournamentRow, decider: Stopping | None, sums: Summary) -> str:
    """Return how a test stands by all complete blocks, in a few words; a ranking that is not settled shows itself.

    decider: what has looked at the matches, if anything has. sums: over all matches of a tournament that is settled.
    """
    if tournament.definition.stop != "sprt":
        return ""
    if decider is None:
        try:
            decider = stopping(store, tournament, lambda: sums)
        except PlanError:  # a tournament of any version can be rated
            return ""
        assert decider is not None
        decider.look()
    return decider.told


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
