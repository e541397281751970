"""Checks the matches of a tournament against its schedule and the rules, in batches, in several processes.

Replaying a match takes a millisecond or two of one core, finding it in the database much less. Each process opens the
database itself, so little passes between processes, and ends with the process that started it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from arena.plan.schedule import MatchPlan
from arena.record.match_verification import VerificationResult, check_match
from arena.results.stored_tournament import StoredTournament
from arena.results.summary_check import summary_errors
from arena.store import open_store
from arena.values.process_pool import map_in_order, process_pool
from arena.values.rows import MatchRow, StoredMatch
from arena.values.tournament_errors import PlanError

BATCH_MATCHES = 500
"""Matches that are checked together."""

_QUEUED = 4
"""Batches for each process that are handed out before the result of the first is awaited."""

_WORTH = 4
"""Batches for each process that make it worth starting."""


class CheckedPart(NamedTuple):
    """What was found in a part of a tournament that was checked."""

    findings: list[tuple[str, VerificationResult]]
    """The result for each subject, for matches only where there is something to report."""
    matches: int = 0
    """The number of matches that were checked."""
    missing: frozenset[int] = frozenset()
    """The numbers of the matches that should be stored and are not."""


@dataclass(frozen=True, slots=True)
class MatchBatch:
    """Matches that are checked together, by their numbers."""

    numbers: range
    plans: tuple[MatchPlan, ...] | None
    """What the schedule says of the matches; None where it is unknown."""
    stored: frozenset[int] | None = None
    """The matches that were stored when the schedule was computed; only they are checked. None: all that are stored."""
    due: frozenset[int] = frozenset()
    """The matches that must be stored."""


def batches(
    matches: int,
    planned: Iterator[MatchPlan] | None,
    stored: frozenset[int] | None = None,
    due: Callable[[MatchPlan], bool] | None = None,
) -> Iterator[MatchBatch]:
    """Yield the matches of a tournament.

    matches: how many there are.
    planned: the schedule, in the order of numbers; None where it is unknown.
    stored: as in `MatchBatch`.
    due: tells whether a match must be stored; without it none must.
    """
    next_plan: MatchPlan | None = None
    for low in range(0, matches, BATCH_MATCHES):
        numbers = range(low, min(low + BATCH_MATCHES, matches))
        present = None if stored is None else stored.intersection(numbers)
        if planned is None:
            yield MatchBatch(numbers, None, present)
            continue
        plans = [next_plan] if next_plan is not None else []
        next_plan = None
        for plan in planned:
            if plan.number >= numbers.stop:
                next_plan = plan
                break
            plans.append(plan)
        required = frozenset(plan.number for plan in plans if due(plan)) if due else frozenset[int]()
        yield MatchBatch(numbers, tuple(plans), present, required)


def check_batch(tournament: StoredTournament, batch: MatchBatch) -> CheckedPart:
    """Check the stored matches of a batch."""
    plans = None if batch.plans is None else {plan.number: plan for plan in batch.plans}
    findings: list[tuple[str, VerificationResult]] = []
    matches, reported, missing = 0, set[tuple[str, ...]]([()]), set(batch.due)
    for row in tournament.store.records(tournament.id, batch.numbers):
        if batch.stored is not None and row.number not in batch.stored:
            continue
        matches += 1
        missing.discard(row.number)
        id = tournament.row.first_match + row.number
        result = check_match(StoredMatch(id, tournament.row, row))
        wrong, remarks = result.wrong, result.remarks
        if plans is not None:
            wrong = (*wrong, *_schedule_errors(row, plans.get(row.number), tournament))
        if row.behaviour != tournament.row.behaviour:
            wrong = (*wrong, version_error(row, tournament.row.behaviour))
        if wrong or remarks not in reported:
            findings.append((f"match {id}", VerificationResult(wrong, remarks)))
        reported.add(remarks)
    return CheckedPart(findings, matches, frozenset(missing))


def check_summaries(tournament: StoredTournament) -> CheckedPart:
    """Check that the summaries of a tournament are the sums of its matches."""
    return CheckedPart(
        [(f"summaries of tournament {tournament.id}", VerificationResult(tuple(summary_errors(tournament))))]
    )


def check_batches(
    tournament: StoredTournament, where: str, work: Iterator[MatchBatch], jobs: int
) -> Iterator[CheckedPart]:
    """Check batches, then the summaries; yield the results in that order.

    where: the database, as it is opened.
    jobs: the most processes; few matches are checked in this one.

    Raises PlanError where one of the processes is killed.
    """
    jobs = min(jobs, tournament.store.count(tournament.id) // (_WORTH * BATCH_MATCHES))
    if jobs < 2:
        for batch in work:
            yield check_batch(tournament, batch)
        yield check_summaries(tournament)
        return
    killed = PlanError("a process that checks matches was killed, perhaps for want of memory: fewer --jobs")
    with process_pool(jobs, killed) as pool:
        summaries = pool.submit(_check_summaries, where, tournament.id)
        yield from map_in_order(pool, partial(_check_batch, where, tournament.id), work, _QUEUED * jobs)
        yield summaries.result()


@cache
def _tournament(where: str, number: int) -> StoredTournament:
    """Return the tournament; its database stays open until this process ends."""
    return StoredTournament.load(open_store(where), number)


def _check_summaries(where: str, number: int) -> CheckedPart:
    return check_summaries(_tournament(where, number))


def _check_batch(where: str, number: int, batch: MatchBatch) -> CheckedPart:
    return check_batch(_tournament(where, number), batch)


def _schedule_errors(row: MatchRow, plan: MatchPlan | None, tournament: StoredTournament) -> Iterator[str]:
    """Yield a sentence for whatever of a match differs from its schedule."""
    if plan is None:
        yield "it is no match of the schedule"
        return
    stored = [seat.entrant for seat in row.seats]
    expected = [player.entrant for player in plan.players]
    if stored != expected:
        yield f"at its table sit {_names(stored, tournament)}, and by the schedule {_names(expected, tournament)}"
    if row.deal != plan.deal.number:
        yield f"it was played with deal {row.deal}, and by the schedule has deal {plan.deal.number}"
    if (row.round, row.table, row.rotation) != (plan.deal.round, plan.deal.table, plan.rotation):
        yield (
            f"it is stored as round {row.round}, table {row.table}, rotation {row.rotation}, and by the schedule is "
            f"round {plan.deal.round}, table {plan.deal.table}, rotation {plan.rotation}"
        )


def version_error(row: MatchRow, behaviour: int) -> str:
    """Return the sentence on a match that was played by other rules than those of its event, `behaviour`."""
    return f"it was played by version {row.behaviour} of the rules, and not by version {behaviour}, as its event"


def _names(entrants: list[int], tournament: StoredTournament) -> str:
    return ", ".join(tournament.row.entrants[entrant].name for entrant in entrants)
