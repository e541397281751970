"""Verification of the divisions of a league: each decision follows from its snapshot, and that from the results.

A decision was taken while batches were under way, so how many results there were is known within bounds only: those of
the ratings from which the batch before it was drawn, and all batches that were drawn after it. That a decision came
late, or not at all as no program ran, is for everybody to see in the log.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from arena.league.divisions.decisions import DIVIDE, DivisionDecision, holders
from arena.league.divisions.rules import divide, ended_span
from arena.league.freeze_verification import FreezeCheck
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.store.batches import Batches
from arena.league.store.league_rows import ACTIVE, BatchRow, EntryRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.store import NoSuchRow, Store, StoreError, StoreUnavailable
from arena.values.rows import DecisionRow


def division_problems(store: Store, league: LeagueRow, definition: LeagueDefinition) -> Iterator[str]:
    """Yield a sentence for everything in the divisions of a league that does not follow."""
    with store.snapshot():
        log, entries = Leagues(store).log(league.id), Leagues(store).entries(league.id)
        decided = [row for row in log if row.kind == DIVIDE]
        if not decided and not definition.divisions:
            return
        batches = Batches(store).of(league.id)[::-1]
    if not definition.divisions:
        yield f"its log decides on divisions {len(decided)} times, and by its definition it has none"
        return
    check = _DivisionCheck(store, league, definition, log, entries, batches)
    yield from check.missing()
    for row in decided:
        try:
            for problem in check.problems(DivisionDecision.of_row(row)):
                yield f"decision {row.number} on divisions: {problem}"
        except StoreUnavailable:
            raise
        except StoreError as error:
            yield f"decision {row.number} on divisions: {error}"


def first_division_before(
    log: Sequence[DecisionRow], number: int, entries: Mapping[int, EntryRow], freezes: FreezeCheck
) -> tuple[int, ...] | None:
    """Return the active entries of the first division at an entry of the log; None where there were no divisions.

    number: of the entry of the log.
    """
    rows = [row for row in log[: number - 1] if row.kind == DIVIDE]
    if not rows:
        return None
    places = DivisionDecision.of_row(rows[-1]).places
    states = freezes.states_before(number)
    return holders(places, entries, [entry for entry, state in states.items() if state in ACTIVE])[0]


class _DivisionCheck:
    """Checks the decisions on the divisions of a league, the oldest first.

    batches: of the league, the oldest first.
    """

    def __init__(
        self,
        store: Store,
        league: LeagueRow,
        definition: LeagueDefinition,
        log: Sequence[DecisionRow],
        entries: Sequence[EntryRow],
        batches: Sequence[BatchRow],
    ) -> None:
        self._store = store
        self._league = league.id
        self._definition = definition
        self._log = log
        self._entries = {entry.number: entry for entry in entries}
        self._anchors = [entry.number for entry in entries if entry.is_anchor]
        self._batches = batches
        self._freezes = FreezeCheck(store, league.id, entries, log, batches)
        self._first_days = {season.number: season.first_day for season in Leagues(store).seasons(league.id)}
        self._before: DivisionDecision | None = None

    def missing(self) -> Iterator[str]:
        """Yield a sentence for each season that has ended with a final, and without a decision on divisions."""
        ends = [row for row in self._log if row.kind == "end-season"]
        for row in ends:
            frozen = next((one for one in self._log if one.kind == "freeze" and _season(one) == _season(row)), None)
            if frozen is None or frozen.details["close"]:
                continue
            between = self._log[frozen.number : row.number - 1]
            if not any(one.kind == DIVIDE and _season(one) == _season(row) for one in between):
                yield f"season {_season(row)} has ended, and its log does not decide on divisions then"

    def problems(self, decision: DivisionDecision) -> Iterator[str]:
        """Yield a sentence for everything that does not follow. Raises StoreError where sums are damaged."""
        before, self._before = self._before, decision
        if wrong := self._wrong_time(decision):
            yield wrong
            return
        try:
            snapshot = Snapshot.from_text(Leagues(self._store).snapshot(self._league, decision.snapshot))
        except (NoSuchRow, DrawError):
            yield f"snapshot {decision.snapshot}, from which it follows, is missing"
            return
        states = self._freezes.states_before(decision.number)
        active = [entry for entry, state in states.items() if state in ACTIVE]
        held = holders(before.places, self._entries, active) if before is not None else ()
        outcome = divide(snapshot, self._anchors, held, self._definition)
        expected = DivisionDecision.of_outcome(
            outcome,
            held,
            self._definition.divisions,
            season=decision.season,
            span=decision.span,
            batch=decision.batch,
            snapshot=decision.snapshot,
        )
        if expected.details() != decision.details():
            yield f"who is in which division does not follow from snapshot {decision.snapshot}"
            return
        if not self._are_all_results(decision, snapshot):
            yield f"it was decided by the ratings after {snapshot.number} batches, and others were stored"
            return
        which = "by which it was decided"
        yield from self._freezes.rating_problems(snapshot, decision.snapshot, decision.number, which)

    def _wrong_time(self, decision: DivisionDecision) -> str:
        """Say what is wrong with when a decision was taken; empty if nothing is."""
        earlier = self._log[: decision.number - 1]
        begun = [_season(row) for row in earlier if row.kind in ("create", "season")]
        if begun[-1:] != [decision.season] or decision.season not in self._first_days:
            return f"it is of season {decision.season}, which did not go on then"
        first_day = date.fromisoformat(self._first_days[decision.season])
        days = (datetime.fromisoformat(decision.created).date() - first_day).days
        ended = ended_span(days, self._definition.division_days)
        is_over = any(row.kind == "final" and _season(row) == decision.season for row in earlier)
        same = (row.details["span"] for row in earlier if row.kind == DIVIDE and _season(row) == decision.season)
        # Its time is read twice, and a day may begin in between.
        if decision.span not in (ended + is_over, max(ended - 1, 0) + is_over) or decision.span <= max(same, default=0):
            return f"it ends span {decision.span} of season {decision.season}, which did not end then"
        return ""

    def _are_all_results(self, decision: DivisionDecision, snapshot: Snapshot) -> bool:
        """Return whether a snapshot may hold all results that were stored when a decision was taken."""
        later = [row.result for row in self._batches if row.number >= decision.batch and row.result is not None]
        earlier = [row for row in self._batches if row.number < decision.batch]
        if any(result <= snapshot.number for result in later):
            return False
        if not earlier:
            return snapshot.number == 0
        try:
            drawn_from = Snapshot.from_text(Leagues(self._store).snapshot(self._league, earlier[-1].snapshot))
        except (NoSuchRow, DrawError):  # that it is missing is found where the batch is checked
            drawn_from = snapshot
        stored = sum(row.result is not None for row in earlier)
        return drawn_from.number <= snapshot.number <= stored


def _season(row: DecisionRow) -> int | None:
    return row.details.get("season")
