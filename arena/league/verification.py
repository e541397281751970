"""Verification of a league: that everything stored of it follows from its definition, its secrets and the matches."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain

from arena.league.batch_verification import WRONG_SUMS, BatchCheck, CheckedBatch, without_experiments
from arena.league.control import LeagueError
from arena.league.dates.verification import date_problems
from arena.league.division_verification import division_problems
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.secret_chain import MOST_DAYS, belongs
from arena.league.results.league_sums import LeagueSums
from arena.league.row_verification import row_problems
from arena.league.season_verification import season_problems
from arena.league.store.batches import Batches
from arena.league.store.entry_grants import NOTHING
from arena.league.store.league_rows import BatchRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.total_sums import TotalSums
from arena.store import Store, StoreError, StoreUnavailable, open_store
from arena.values.canonical_json import hash_of_definition
from arena.values.process_pool import map_in_order, process_pool
from arena.values.rows import log_problems

WORTH = 500
"""Matches for each process that make it worth starting: a league may have few batches, of hundreds of matches each."""

_QUEUED = 4
"""Batches for each process that are handed out before the result of the first is awaited."""


def league_problems(
    store: Store,
    league: LeagueRow,
    *,
    replay: bool = True,
    where: str = "",
    jobs: int = 1,
    on_batch: Callable[[BatchRow], None] = lambda batch: None,
    say: Callable[[str], None] = lambda what: None,
) -> Iterator[str]:
    """Yield a sentence for everything in a league that does not follow from what comes before it.

    Checked are the log, the chains of secrets, the finals and final tables of seasons, the grants of entries, and of
    each batch: its secret, its draw, its grants, its schedule, its records and its sums. The league may be played
    meanwhile: it is verified as it is at the beginning.

    replay: whether to replay each match, which takes by far the longest.
    where: the database, as several processes open it.
    jobs: how many processes check batches.
    on_batch: is called with each batch that was checked.
    say: is told what is done next.

    Raises PlanError if this version of arena cannot read its definition, LeagueError if one of the processes is killed.
    """
    say("reading the league")
    with store.snapshot():
        league = Leagues(store).named(league.name, practice=True)
        check = BatchCheck(store, league, replay=replay)
        batches = Batches(store).of(league.id)[::-1]
        unfinished = [check.check(row) for row in batches if row.state in ("waiting", "leased")]
    yield from _log_problems(league, check)
    yield from date_problems(check.signed_log)
    yield from row_problems(store, league, check.log, check.entries, list(check.seasons.values()))
    say(f"checking {len(batches):,} batches{', and replaying their matches' if replay else ''}")
    checked = []
    finished = [row for row in batches if row.state not in ("waiting", "leased")]
    # What is finished never changes, and needs no snapshot, which must not last long.
    for result in chain(unfinished, _check_all(check, finished, (where, league.name, replay), jobs)):
        checked.append(result)
        yield from (f"batch {result.batch.number}: {problem}" for problem in result.problems)
        on_batch(result.batch)
    for number in without_experiments(checked):
        yield f"batch {number}: {WRONG_SUMS}, as experiments are missing"
    say("checking the seasons")
    definition = LeagueDefinition.from_json(league.definition)
    yield from season_problems(store, league, definition)
    yield from division_problems(store, league, definition)
    if [row.number for row in batches] != list(range(1, len(batches) + 1)):
        yield f"its batches are not numbered from 1 to {len(batches)}"
    if sorted(row.result for row in batches if row.result is not None) != list(range(1, league.results + 1)):
        yield f"the places of the stored batches are not 1 to {league.results}"
    say("adding up the sums of all batches")
    yield from _sums_problems(store, league)


def _check_all(
    check: BatchCheck, rows: Sequence[BatchRow], what: tuple[str, str, bool], jobs: int
) -> Iterator[CheckedBatch]:
    """Check batches, in several processes if there are many.

    what: from which these make their `BatchCheck`.
    """
    jobs = min(jobs, len(rows), sum(row.matches for row in rows) // WORTH)
    if jobs < 2:
        yield from map(check.check, rows)
        return
    killed = LeagueError("a process that checks batches was killed, perhaps for want of memory: fewer --jobs")
    with process_pool(jobs, killed) as pool:
        yield from map_in_order(pool, partial(_check, what), rows, _QUEUED * jobs)


def _check(what: tuple[str, str, bool], row: BatchRow) -> CheckedBatch:
    return _batch_check(*what).check(row)


@cache
def _batch_check(where: str, name: str, replay: bool) -> BatchCheck:
    """Return what checks batches in a process of its own; its database stays open until this process ends."""
    store = open_store(where)
    return BatchCheck(store, Leagues(store).named(name, practice=True), replay=replay)


def _log_problems(league: LeagueRow, check: BatchCheck) -> Iterator[str]:
    """Verify the log, and what it says of secrets and grants."""
    if hash_of_definition(league.definition) != league.definition_hash:
        yield "the definition does not have the hash that was published"
    yield from log_problems(check.signed_log, league.definition_hash, league.log_end)
    for entry in check.entries:
        if entry.grants != check.granted.get(entry.number, [NOTHING])[-1]:
            yield f"the grants of {entry.name} are not those that the log gives it"
    for season in check.seasons.values():
        is_chain = 1 <= season.days <= MOST_DAYS
        if not is_chain or not belongs(season.secret, season.days - 1, season.commitment):
            yield f"the secrets of season {season.number} do not lead to its commitment"


def _sums_problems(store: Store, league: LeagueRow) -> Iterator[str]:
    """Compare the sums with which runs begin with those of the batches."""
    sums = LeagueSums()
    try:
        results, packed = TotalSums(store).newest(league.id)
        if not results:
            return
        for _, _, batch in Batches(store).sums(league.id, up_to=results):
            sums.add(batch)
    except StoreUnavailable:
        raise
    except StoreError as error:
        yield str(error)
        return
    if results > Leagues(store).named(league.name, practice=True).results or sums.to_bytes() != packed:
        yield f"the sums of its first {results} batches are not those of the batches"
