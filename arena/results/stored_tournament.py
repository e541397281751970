"""A stored tournament: what follows from its definition, its log and its matches.

Summaries, and what ends a tournament early, load numpy and scipy, which take as long as the start of the first bots:
they are imported where they are needed.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Self

from msgspec import structs

from arena.language.message import Message
from arena.packs.roster import Roster
from arena.plan.decisions import Decisions
from arena.plan.field import check_unchanged, unpack_submissions
from arena.plan.formats import KINDS, Format, format_of
from arena.plan.multi_stage import Placing
from arena.plan.schedule import Plan
from arena.ratings.experiments import Experiments, LoggedResult
from arena.ratings.source import ResultSource
from arena.results.openings import OpeningOf, find_openings
from arena.results.team_results import team_result
from arena.store import Store
from arena.store.engine.backoff import back_off
from arena.store.matches.summaries import BATCH
from arena.values.definition import Definition
from arena.values.result import Result
from arena.values.rows import DecisionRow, ResultRow, SummedResults, TournamentRow, VerdictRow
from arena.values.tournament_errors import PlanError
from referee.engine.registry import game

if TYPE_CHECKING:
    from arena.ratings.tally import Tally
    from arena.results.early_stopping import StopMonitor
    from arena.results.summary import Summary

_MOST = 2 * BATCH
"""Matches that are summarised in one transaction: nobody else writes to a database file meanwhile."""


class Ending(NamedTuple):
    """Whether, and why, a tournament ended early."""

    verdict: VerdictRow | None
    """What ended it early; None where nothing did."""
    is_settled: bool
    """Whether the summaries hold exactly the matches that count."""
    monitor: "StopMonitor | None"
    """What had to evaluate the matches to find the verdict; None where it was stored, or nothing can end the tournament
    early.
    """


class StoredTournament:
    """A stored tournament with its definition, results and log.

    What it has read from the store it keeps, so it shows one moment; `reload` returns a later one. A tournament of
    any version of arena can be rated; what needs to know how it is played raises PlanError where this version does not.

    store: the database.
    row: the row of the tournament in it.
    """

    def __init__(self, store: Store, row: TournamentRow) -> None:
        self.store = store
        self.row = row
        self.id = row.id
        self.game = row.game
        self.names = row.names

    @classmethod
    def load(cls, store: Store, number: int | None = None) -> Self:
        """Return a tournament by its number; without one the latest. Raises NoSuchRow."""
        return cls(store, store.tournament(number))

    def reload(self) -> Self:
        """Return the tournament as it is stored now."""
        return self.load(self.store, self.id)

    # The plan

    @cached_property
    def definition(self) -> Definition:
        """The definition, with the field that began it. Raises PlanError where this version cannot play it."""
        return Definition.from_json(json.loads(self.row.definition_text))

    @cached_property
    def log(self) -> tuple[DecisionRow, ...]:
        """The decisions of its organiser, and the legs that have begun, oldest first."""
        return tuple(self.store.decisions(self.id))

    @cached_property
    def decisions(self) -> Decisions:
        """The effect of its log. Raises PlanError as `definition`."""
        return Decisions.of(self.definition, self.log)

    @cached_property
    def format(self) -> Format:
        """How it goes on, stage by stage. Raises PlanError as `definition`."""
        return format_of(self.decisions.apply(self.definition), self.row.mixed_secret, self.decisions)

    @property
    def state(self) -> str:
        """One of "finished", "awaits entropy", "paused", "unfinished"; whether it is being played is not known."""
        if self.row.finished:
            return "finished"
        if self.row.awaited_entropy:
            return "awaits entropy"
        switches = [entry.kind for entry in self.log if entry.kind in ("pause", "resume")]
        return "paused" if switches[-1:] == ["pause"] else "unfinished"

    def resumable_definition(self, roster: Roster | None = None, in_process: Mapping[str, str] = {}) -> Definition:
        """Return the definition with the field that began it, as its bots lie on this machine.

        roster: the submitted bots of the database.
        in_process: the fingerprints of the in-process bots of this program.

        Raises PlanError where the rules or the schedule have changed since, FieldError where a bot has.
        """
        definition, installed = self.definition, game(self.game).behaviour
        if installed != definition.behaviour:
            raise PlanError(
                f"tournament {self.id} was begun with version {definition.behaviour} of the rules of {definition.game},"
                f" and version {installed} is installed: their results cannot be mixed; resume it with the version of "
                "arena that began it"
            )
        field = self.decisions.field
        check_unchanged(field, in_process)
        unpack_submissions(field[len(definition.field) :], roster or Roster())
        return structs.replace(definition, field=unpack_submissions(definition.field, roster or Roster()))

    # Its results

    def results(self, numbers: range | None = None) -> Iterator[Result]:
        """Yield the results of all stored matches, or of those with these numbers in the schedule."""
        return map(self._named, self.store.results(self.id, numbers))

    def logged_results(self, numbers: range | None = None) -> Iterator[LoggedResult]:
        """Yield what `results` does, of a game with openings."""
        return self._logged(self.store.logged_results(self.id, numbers), self.names)

    @cached_property
    def opening_of(self) -> OpeningOf | None:
        """What tells the openings of its matches; None where every deal is an experiment of its own."""
        return find_openings(self.game, self.row.options)

    def rated_rows(self, *, forfeited: bool = True) -> Iterator[ResultRow]:
        """Yield the stored results that count in the ranking.

        Where a verdict ended the tournament early, only those it rests on; none of bots withdrawn with their results.

        forfeited: whether to yield also matches in which a seat was forfeited.
        """
        omitted = self.omitted
        rows = self.store.results(self.id, self._decided, forfeited=forfeited)
        return (row for row in rows if omitted.isdisjoint(row.entrants)) if omitted else rows

    def rated_logs(self, names: Sequence[str] | None = None, *, forfeited: bool = True) -> Iterator[LoggedResult]:
        """Yield what `rated_rows` does, of a game with openings.

        names: of the field, if others than its own.
        """
        omitted = self.omitted
        rows = self.store.logged_results(self.id, self._decided, forfeited=forfeited)
        return self._logged((row for row in rows if omitted.isdisjoint(row.entrants)), names or self.names)

    def rated_results(self, *, forfeited: bool = True) -> Iterator[Result]:
        """Yield the results that count in the ranking, as `rated_rows`; those of one experiment have the same deal."""
        if self.opening_of is None:
            return map(self._named, self.rated_rows(forfeited=forfeited))
        return Experiments().add(self.rated_logs(forfeited=forfeited))

    @property
    def _decided(self) -> range | None:
        """The matches on which the verdict rests that ended it early; None without one."""
        verdict = self.ending.verdict
        return range(verdict.matches) if verdict else None

    def _named(self, row: ResultRow) -> Result:
        return team_result(row, self.names, self.row.definition.team_of)

    def _logged(self, rows: Iterable[ResultRow], names: Sequence[str]) -> Iterator[LoggedResult]:
        assert self.opening_of is not None
        team_of = self.row.definition.team_of
        for row in rows:
            opening = self.opening_of(row.seed, len(row.entrants))
            yield LoggedResult(team_result(row, names, team_of), row.digest, opening)

    @property
    def omitted(self) -> frozenset[int]:
        """The bots whose matches do not count in the ranking, by places in the field."""
        return frozenset(
            entry.details["place"]
            for entry in self.log
            if entry.kind == "withdraw" and entry.details["results"] == "omit"
        )

    @cached_property
    def summary(self) -> "Summary":
        """The sums over all stored matches."""
        from arena.results.summary import Summary

        return Summary.of(self.row, [self.store.rating_sums(self.id)])

    @property
    def source(self) -> ResultSource:
        """The results that count in the ranking."""
        if self.opening_of is not None:
            return ResultSource(self.rated_results, cache(lambda: Experiments().tally(self.rated_logs())))
        added_up = (lambda: self.summary.tally) if self.ending.is_settled else None
        return ResultSource(self.rated_results, added_up, ordered=True)

    @cached_property
    def placing(self) -> Placing | None:
        """Who came in where, in formats with stages or rules for ties; None elsewhere: the ranking says it."""
        plan = self.row.definition
        return self.format.placing(self.results) if self.has_stages or plan.tie_break else None

    @property
    def exits(self) -> Mapping[str, Message]:
        """The stage of a knockout in which each bot lost that plays no more, by its name."""
        if not self.has_stages:
            return {}
        self.placing  # noqa: B018 - finds them
        return self.format.exits

    @property
    def has_stages(self) -> bool:
        """Whether it is a Swiss, a knockout or a ladder."""
        return KINDS[self.row.definition.schedule].format.is_multi_stage

    def stage_of(self, deal: int) -> Message | None:
        """Return what the stage of a deal is called; None in formats without stages, and where that is unknown.

        deal: its number.
        """
        if not self.has_stages:
            return None
        try:
            return self.format.stage_name(deal // self.row.rounds, self.results)  # all tables play the same deals
        except PlanError:  # a tournament of any version can be listed
            return None

    @property
    def stage(self) -> Message | None:
        """What the last stage that has begun is called; None before the first, and as `stage_of`."""
        legs = [entry.details["leg"] for entry in self.log if entry.kind == "leg"]
        return self.stage_of(max(legs) * self.row.rounds) if legs else None

    # What may end it early

    def stop_monitor(self, added_up: "Callable[[], Tally] | None" = None) -> "StopMonitor | None":
        """Return what decides whether it ends early, knowing which matches are stored; None where nothing does.

        added_up: returns the tally of all its matches; without it they are read one by one, which is slower and trusts
            no summary.
        """
        rule = self.definition.stop if self.row.definition.stop else None
        if rule is None:
            return None
        from arena.results.early_stopping import StopMonitor

        plan = Plan.of(structs.replace(self.definition, rounds=self.row.rounds), self.row.mixed_secret)
        logged = self.logged_results if self.opening_of is not None else None
        monitor = StopMonitor(rule, self.names, plan, self.results, added_up, logged)
        monitor.add(self.store.played(self.id) | self.decisions.unreplayed)
        return monitor

    def run_monitor(self) -> "StopMonitor | None":
        """Return a `stop_monitor` for who plays it: each evaluation reads the summaries of its own moment."""
        return self.stop_monitor(lambda: self.reload().summary.tally)

    @cached_property
    def ending(self) -> Ending:
        """What ended it early, if anything did."""
        if not self.row.definition.stop:
            return Ending(None, True, None)
        stored = self.store.verdict(self.id)
        if stored is not None:
            return Ending(stored if stored.sentence else None, True, None)
        monitor = self.stop_monitor(lambda: self.summary.tally)
        verdict = monitor.evaluate() if monitor else None
        return Ending(verdict, verdict is None, monitor)

    def find_verdict(self, evaluate: Callable[[], VerdictRow | None] | None = None) -> VerdictRow | None:
        """Return the verdict to be stored of a finished tournament that may end early; None of any other.

        evaluate: of the monitor of who played it; without it its matches are read one by one.
        """
        if not self.row.definition.stop:
            return None
        if evaluate is None and (monitor := self.stop_monitor()):
            evaluate = monitor.evaluate
        verdict = evaluate() if evaluate else None
        return verdict or VerdictRow(self.row.rounds, self.row.matches, "", 0)

    def save_verdict(self, evaluate: Callable[[], VerdictRow | None] | None = None) -> None:
        """Store the verdict, so that nobody needs to find it again.

        evaluate: as in `find_verdict`.
        """
        verdict = self.find_verdict(evaluate)
        if verdict is not None:
            self.store.save_verdict(self.id, verdict)

    # Its summaries in the store

    def count_unread(self) -> int:
        """Return how many matches a ranking would have to read one by one; 0 where they are few."""
        if self.row.definition.stop and self.row.finished and self.store.verdict(self.id) is None:
            return self.store.count(self.id)  # which of them count is not stored yet
        count = self.store.unsummarised(self.id)
        return count if count >= 2 * BATCH else 0

    def summarise(self, *, is_over: bool = False) -> None:
        """Summarise stored matches, as long as enough of them are not summarised yet.

        is_over: whether no more matches will come, so that several summaries become one.
        """

        def add_up(results: SummedResults) -> bytes:
            from arena.results.summary import Summary

            return Summary.of(self.row, [results]).to_bytes()

        began = monotonic()
        while self.store.summarise(self.id, add_up, min_matches=BATCH, max_matches=_MOST) == _MOST:
            back_off(began)
            began = monotonic()
        if is_over and self.store.count(self.id) >= BATCH:
            self.store.summarise(self.id, add_up, min_matches=0, max_matches=BATCH, merge_all=True)
