"""The matches of a tournament held against its schedule and the rules, in lots that several processes check at a time.

To play a match again takes a millisecond or two of one core, to find it in the database much less. Who checks opens the
database for itself, so that little goes from process to process; and ends with the process that asked.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import NamedTuple

from arena.replay.match_verification import VerificationResult, check_match
from arena.store import Store, open_store
from arena.store.rows import MatchRow, StoredMatch, TournamentRow
from arena.tournament.errors import PlanError
from arena.tournament.plan.schedule import MatchPlan
from arena.tournament.results.recount import differences

LOT = 500
"""Matches that are checked together."""

_AHEAD = 4
"""Lots for each process that are handed out before the first of them is taken back."""

_WORTH = 4
"""So many lots for each process make it worth its start."""


class Part(NamedTuple):
    """What was checked: matches, how many; found: the verdicts by subject, of matches only those that say something.

    missing: the numbers of matches that should be stored, and are not.
    """

    found: list[tuple[str, VerificationResult]]
    matches: int = 0
    missing: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Lot:
    """Matches by their numbers. plans: what the schedule says of them; None where it is not known.

    stored: which of them were stored when the schedule was looked at, and are checked; None: all that are stored.
    due: which of them must be stored.
    """

    numbers: range
    plans: tuple[MatchPlan, ...] | None
    stored: frozenset[int] | None = None
    due: frozenset[int] = frozenset()


def lots(
    tournament: TournamentRow,
    planned: Iterator[MatchPlan] | None,
    stored: frozenset[int] | None = None,
    due: Callable[[MatchPlan], bool] | None = None,
) -> Iterator[Lot]:
    """Yield all matches of a tournament. planned: the schedule, by numbers. stored: as in `Lot`.

    due: tells whether a match must be stored; without it none must.
    """
    ahead: MatchPlan | None = None
    for low in range(0, tournament.matches, LOT):
        numbers = range(low, min(low + LOT, tournament.matches))
        there = None if stored is None else stored.intersection(numbers)
        if planned is None:
            yield Lot(numbers, None, there)
            continue
        plans = [ahead] if ahead is not None else []
        ahead = None
        for plan in planned:
            if plan.number >= numbers.stop:
                ahead = plan
                break
            plans.append(plan)
        wanted = frozenset(plan.number for plan in plans if due(plan)) if due else frozenset[int]()
        yield Lot(numbers, tuple(plans), there, wanted)


def check_lot(store: Store, tournament: TournamentRow, lot: Lot) -> Part:
    """Check the stored matches of a lot."""
    plans = None if lot.plans is None else {plan.number: plan for plan in lot.plans}
    found: list[tuple[str, VerificationResult]] = []
    matches, said, missing = 0, set[tuple[str, ...]](), set(lot.due)
    for row in store.records(tournament.id, lot.numbers):
        if lot.stored is not None and row.number not in lot.stored:
            continue
        matches += 1
        missing.discard(row.number)
        id = tournament.first_match + row.number
        verdict = check_match(StoredMatch(id, tournament, row))
        if plans is not None:
            verdict = VerificationResult(
                (*verdict.wrong, *_misplaced(row, plans.get(row.number), tournament)), verdict.remarks
            )
        if verdict.wrong or verdict.remarks not in said:
            found.append((f"match {id}", verdict))
        said |= {(), verdict.remarks}
    told = [(subject, verdict) for subject, verdict in found if verdict != VerificationResult(())]
    return Part(told, matches, frozenset(missing))


def check_sums(store: Store, tournament: TournamentRow) -> Part:
    """Check that the summaries of a tournament are the sums of its matches."""
    return Part(
        [(f"summaries of tournament {tournament.id}", VerificationResult(tuple(differences(store, tournament))))]
    )


def parts(store: Store, where: str, tournament: TournamentRow, work: Iterator[Lot], jobs: int) -> Iterator[Part]:
    """Yield what is found in each lot, in their order, and in the summaries.

    where: the database, as it is opened. jobs: processes at the most; few matches are checked by this one.

    Raises PlanError where one of the processes is killed.
    """
    jobs = min(jobs, store.count(tournament.id) // (_WORTH * LOT))
    if jobs < 2:
        for lot in work:
            yield check_lot(store, tournament, lot)
        yield check_sums(store, tournament)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin)
    try:
        summed = pool.submit(_sums, where, tournament.id)
        waiting: deque[Future[Part]] = deque()
        for lot in work:
            waiting.append(pool.submit(_lot, where, tournament.id, lot))
            if len(waiting) > _AHEAD * jobs or waiting[0].done():
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        yield summed.result()
    except BrokenProcessPool:
        raise PlanError("a process that checks matches was killed, perhaps for want of memory: fewer --jobs") from None
    except BaseException:
        # Nobody reads what they find any more, and a single task may take them a minute.
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to who started this process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


@cache
def _opened(where: str, number: int) -> tuple[Store, TournamentRow]:
    """Return the database of this process, open until it ends."""
    store = open_store(where)
    return store, store.tournament(number)


def _sums(where: str, number: int) -> Part:
    return check_sums(*_opened(where, number))


def _lot(where: str, number: int, lot: Lot) -> Part:
    return check_lot(*_opened(where, number), lot)


def _misplaced(row: MatchRow, plan: MatchPlan | None, tournament: TournamentRow) -> Iterator[str]:
    """Yield what of a match is not as its schedule says."""
    if plan is None:
        yield "it is no match of the schedule"
        return
    seated = [seat.entrant for seat in row.seats]
    expected = [player.entrant for player in plan.players]
    if seated != expected:
        yield f"at its table sit {_names(seated, tournament)}, and by the schedule {_names(expected, tournament)}"
    if row.deal != plan.deal.number:
        yield f"it was played with deal {row.deal}, and by the schedule has deal {plan.deal.number}"
    if (row.round, row.table, row.rotation) != (plan.deal.round, plan.deal.table, plan.rotation):
        yield (
            f"it is stored as round {row.round}, table {row.table}, rotation {row.rotation}, and by the schedule is "
            f"round {plan.deal.round}, table {plan.deal.table}, rotation {plan.rotation}"
        )


def _names(entrants: list[int], tournament: TournamentRow) -> str:
    return ", ".join(tournament.entrants[entrant].name for entrant in entrants)
