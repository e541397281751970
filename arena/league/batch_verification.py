"""Verification of the batches of a league: that draw, records and sums of each follow from what comes before it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from arena.league.plan.batch_draw import deals_of, draw_batch
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import FinalPart
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import MOST_DAYS, batch_secret, day_secret
from arena.league.results.league_sums import LeagueSums
from arena.league.run.batch_sums import batch_sums
from arena.league.store.batches import Batches
from arena.league.store.entry_grants import grants_in_log
from arena.league.store.league_rows import BatchRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.plan.schedule import Plan
from arena.record.event_verification import withdrawal_errors
from arena.record.match_verification import check_event, check_match
from arena.results.match_check import version_error
from arena.results.openings import find_openings, knows_openings
from arena.store import NoSuchRow, Store, StoreError
from arena.values.definition import Definition
from arena.values.rows import NO_LOG, BatchEventRow, MatchRow, StoredMatch

WRONG_SUMS = "its sums are not those of its matches"

UNKNOWN_EXPERIMENTS = (
    "its sums tell experiments apart, and this machine cannot: it has not got the game, or what its options name"
)


class CheckedBatch(NamedTuple):
    """What the verification of a batch found."""

    batch: BatchRow
    problems: list[str]
    """A sentence for everything that does not follow."""
    experiments: bool | None = None
    """Whether its sums tell experiments apart; those that were stored before repeats were looked for do not. None if
    its matches have none to tell apart.
    """


class BatchCheck:
    """Checks the batches of a league, each by itself.

    log, entries, seasons: of the league at the moment when the check is made; seasons by number.
    signed_log: the log as it was written.
    granted: what each entry was granted over time, as `grants_in_log` returns it.
    """

    def __init__(self, store: Store, league: LeagueRow, *, replay: bool) -> None:
        self.log, self.signed_log = Leagues(store).log(league.id), Leagues(store).signed_log(league.id)
        self.entries = Leagues(store).entries(league.id)
        self.seasons = {season.number: season for season in Leagues(store).seasons(league.id)}
        self.granted = grants_in_log(self.log)
        self._store = store
        self._definition = LeagueDefinition.from_json(league.definition)
        rules = self._definition.game, self._definition.options
        self._opening_of, self._knows_openings = find_openings(*rules), knows_openings(*rules)
        self._replay = replay
        self._anchors = [entry.number for entry in self.entries if entry.is_anchor]
        self._challenges = {row.details["batch"]: row.details for row in self.log if row.kind == "challenge"}

    def check(self, batch: BatchRow) -> CheckedBatch:
        """Check a batch."""
        event = self._store.event(batch.event)
        played = Definition.from_json(json.loads(event.definition_text))
        if len(batch.entries) != len(played.field):
            return CheckedBatch(batch, [f"it has {len(batch.entries)} entries, and {len(played.field)} bots"])
        records = self._store.batch_records(batch.event)
        problems = list(self._plan_problems(batch, played, event.secret))
        problems += check_event(event).wrong
        problems += self._field_problems(batch, played)
        problems += self._store.numbering_errors(batch.event)
        if batch.matches != (planned := Plan.of(played, event.secret).matches):
            problems.append(f"its schedule has {planned:,} matches, and {batch.matches:,} are stored as such")
        if (batch.kind == "final") != (batch.part is not None):
            problems.append(f"a batch of kind {batch.kind} has no part {batch.part}")
        if not isinstance(event, BatchEventRow) or event.entropy is not None or event.log_end != NO_LOG:
            problems.append("it is stored as a tournament, or has an entropy or a log of its own")
        problems += withdrawal_errors(event, (), set())
        if batch.state != "stored":
            if records:
                problems.append(f"it has {len(records)} matches, though it was not played to its end")
            return CheckedBatch(batch, problems)
        wrong_records = list(_record_problems(Plan.of(played, event.secret), records))
        problems += wrong_records
        experiments: bool | None = None
        if not wrong_records:  # others cannot be added up: seats may be missing
            sums = batch_sums(records, batch.entries, played.team_of, opening_of=self._opening_of)
            stored = Batches(self._store).packed_sums(batch)
            has_experiments = bool(sums.experiments)
            if (counted := _tell_experiments(sums, stored)) is not None:
                experiments = counted if has_experiments else None
            elif self._knows_openings or not _is_same_but_for_experiments(sums, stored):
                problems.append(WRONG_SUMS)
            else:
                problems.append(UNKNOWN_EXPERIMENTS)
        for record in records if self._replay else ():
            match = StoredMatch(event.first_match + record.number, event, record)
            problems += [f"match {match.id}: {wrong}" for wrong in check_match(match).wrong]
            if record.behaviour != event.behaviour:
                problems.append(f"match {match.id}: {version_error(record, event.behaviour)}")
        return CheckedBatch(batch, problems, experiments)

    def _plan_problems(self, batch: BatchRow, played: Definition, secret: bytes) -> Iterator[str]:
        """Verify what was settled before a batch was played."""
        season = self.seasons.get(batch.season)
        if season is None:
            yield f"it is of season {batch.season}, which the league does not have"
            return
        if not 0 <= batch.day < season.days <= MOST_DAYS:
            yield f"it is of day {batch.day + 1} of a season of {season.days:,} days"
            return
        if secret != batch_secret(day_secret(season, batch.day), season.entropy, batch.number):
            yield f"its secret does not follow from that of day {batch.day + 1} of season {batch.season}"
        if played != self._definition.batch(played.field, played.tables, played.rounds):
            yield "its definition is not that of the league"
        yield from self._draw_problems(batch, played, secret)
        for entry, bot in zip(batch.entries, played.field, strict=False):
            if bot.grants and bot.grants not in [grants.words for grants in self.granted.get(entry, ())]:
                yield f"{bot.name} has {', '.join(bot.grants)}, which no decision of the log grants it"

    def _field_problems(self, batch: BatchRow, played: Definition) -> Iterator[str]:
        """Verify that the bots of a batch are those of its entries."""
        titles = {entry.number: entry.title for entry in self.entries}
        for place, (entry, bot) in enumerate(zip(batch.entries, played.field, strict=False)):
            if bot.submission and bot.submission != titles.get(entry):
                yield f"bot {place} is {bot.submission}, and its entry is {titles.get(entry, 'missing')}"

    def _draw_problems(self, batch: BatchRow, played: Definition, secret: bytes) -> Iterator[str]:
        try:
            snapshot = Snapshot.from_text(Leagues(self._store).snapshot(batch.league, batch.snapshot))
        except NoSuchRow:
            yield f"snapshot {batch.snapshot}, from which it was drawn, is missing"
            return
        tried = next((number for number in batch.entries if number not in self._anchors), None)
        against: Sequence[int] = ()
        if batch.kind == "challenge":
            if batch.number not in self._challenges:
                yield "it is a challenge of which the log has no entry"
                return
            details = self._challenges[batch.number]
            tried, against = details["entry"], details["against"]
        part = None
        if batch.kind == "final":
            final = self.seasons[batch.season].final
            if final is None or final.entries is None or batch.part is None:
                yield f"it is of the final of season {batch.season}, which has none"
                return
            part = FinalPart(final, self._definition.table_size, batch.part)
        tables = len(played.tables)
        try:
            drawn = draw_batch(
                self._definition,
                batch.kind,
                snapshot,
                tables,
                secret,
                deals=self._deals(batch, played),
                tried=tried,
                against=against,
                anchors=self._anchors,
                part=part,
            )
        except DrawError as error:
            yield f"it cannot be drawn from snapshot {batch.snapshot}: {error}"
            return
        seated = [tuple(batch.entries[place] for place in table) for table in played.tables]
        if (drawn.entries, [*drawn.tables], drawn.deals) != (batch.entries, seated, played.rounds):
            yield f"its tables are not those that snapshot {batch.snapshot} and its secret draw"

    def _deals(self, batch: BatchRow, played: Definition) -> int:
        """Return the deals of each table of a draw: as many as usual or, as of slow bots, as were played."""
        usual = deals_of(self._definition, batch.kind)
        may_be_fewer = batch.kind not in ("challenge", "final")
        return min(usual, max(played.rounds, 1)) if may_be_fewer else usual


def without_experiments(checked: Iterable[CheckedBatch]) -> list[int]:
    """Return the batches whose sums tell no experiments apart, though older sums do.

    Older is what was stored before. Of challenges, which are not among the results, it is what was drawn before.
    """
    orders = [(result, *_order(result.batch)) for result in checked if result.experiments is not None]
    first: dict[bool, int] = {}
    for result, is_rated, place in orders:
        if result.experiments:
            first[is_rated] = min(place, first.get(is_rated, place))
    return [
        result.batch.number
        for result, is_rated, place in orders
        if not result.experiments and place > first.get(is_rated, place)
    ]


def _order(batch: BatchRow) -> tuple[bool, int]:
    """Return whether a stored batch is rated, and its place among all that are or are not."""
    return batch.result is not None, batch.result or batch.number


def _tell_experiments(sums: LeagueSums, stored: bytes) -> bool | None:
    """Return whether the stored sums of a batch tell experiments apart; None where they are not those of its matches.

    How long entries took to get ready stands in no match, and is taken as it is stored.
    """
    read = LeagueSums()
    with suppress(StoreError, LookupError, TypeError, ValueError):  # of damaged ones, which differ
        read.add(stored)
    sums.ready_us = read.ready_us
    if not read.experiments:
        sums.forget_experiments()
    return bool(read.experiments) if sums.to_bytes() == stored else None


def _is_same_but_for_experiments(sums: LeagueSums, stored: bytes) -> bool:
    """Return whether the stored sums of a batch are those of its matches, with experiments that these lack."""
    read = LeagueSums()
    try:
        read.add(stored)
    except StoreError:
        return False
    read.forget_experiments()
    return read.to_bytes() == sums.to_bytes()


def _record_problems(plan: Plan, records: list[MatchRow]) -> Iterator[str]:
    """Compare the records of a stored batch with its schedule."""
    planned = list(plan.iter_matches())
    if [record.number for record in records] != [match.number for match in planned]:
        yield f"{len(records)} of its {len(planned)} matches are stored"
        return
    for record, match in zip(records, planned, strict=True):
        deal, players = match.deal, [player.entrant for player in match.players]
        due = (deal.number, deal.round, deal.table, match.rotation, players)
        sat = [seat.entrant for seat in record.seats]
        stored = (record.deal, record.round, record.table, record.rotation, sat)
        if stored != due:
            yield f"match {record.number} of it is not the one of its schedule"
