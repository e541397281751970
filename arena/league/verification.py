"""Verification of a league: that everything stored of it follows from its definition, its secrets and the matches."""

from collections.abc import Iterator, Sequence

from arena.league.plan.batch_draw import draw_batch
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import FinalPart
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import batch_secret, belongs, day_secret
from arena.league.results.league_sums import LeagueSums
from arena.league.run.batch_sums import batch_sums
from arena.league.season_verification import season_problems
from arena.replay.match_verification import check_match
from arena.store import NoSuchRow, Store, StoreError, StoreUnavailable
from arena.store.entry_grants import NOTHING, grants_in_log
from arena.store.league_rows import BatchRow, LeagueRow
from arena.store.rows import MatchRow, StoredMatch, log_problems
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.schedule import Plan

WRONG_SUMS = "its sums are not those of its matches"


def league_problems(store: Store, league: LeagueRow, *, replay: bool = True) -> Iterator[str]:
    """Yield a sentence for everything in a league that does not follow from what comes before it.

    Checked are the log, the chains of secrets, the finals and final tables of seasons, the grants of entries, and of
    each batch: its secret, its draw, its grants, its schedule, its records and its sums.

    replay: whether to replay each match, which takes by far the longest.

    The league may be played meanwhile: it is verified as it is at the beginning.

    Raises PlanError if this version of arena cannot read its definition.
    """
    with store.snapshot():
        league = store.leagues.named(league.name)
        check = _BatchCheck(store, league, replay=replay)
        batches = store.batches.of(league.id)[::-1]
        unfinished = {row.number: list(check.problems(row)) for row in batches if row.state in ("waiting", "leased")}
    yield from _log_problems(league, check)
    for batch in batches:  # those that are finished never change: this needs no snapshot, which must not last long
        for problem in unfinished[batch.number] if batch.number in unfinished else check.problems(batch):
            yield f"batch {batch.number}: {problem}"
    for number in check.uncounted():
        yield f"batch {number}: {WRONG_SUMS}, as forfeits are missing"
    yield from season_problems(store, league, LeagueDefinition.from_json(league.definition.values))
    if sorted(row.result for row in batches if row.result is not None) != list(range(1, league.results + 1)):
        yield f"the places of the stored batches are not 1 to {league.results}"
    yield from _sums_problems(store, league)


def _log_problems(league: LeagueRow, check: "_BatchCheck") -> Iterator[str]:
    """Verify the log, and what it says of secrets and grants."""
    if league.definition.hash != league.definition_hash:
        yield "the definition does not have the hash that was published"
    yield from log_problems(check.log, league.definition_hash)
    for entry in check.entries:
        if entry.grants != check.granted.get(entry.number, [NOTHING])[-1]:
            yield f"the grants of {entry.name} are not those that the log gives it"
    for season in check.seasons.values():
        if not belongs(season.secret, season.days - 1, season.commitment):
            yield f"the secrets of season {season.number} do not lead to its commitment"


def _sums_problems(store: Store, league: LeagueRow) -> Iterator[str]:
    """Compare the sums with which runs begin with those of the batches."""
    sums = LeagueSums()
    try:
        results, packed = store.total_sums.newest(league.id)
        if not results:
            return
        for _, _, batch in store.batches.sums(league.id, up_to=results):
            sums.add(batch)
    except StoreUnavailable:
        raise
    except StoreError as error:
        yield str(error)
        return
    if results > store.leagues.named(league.name).results or sums.to_bytes() != packed:
        yield f"the sums of its first {results} batches are not those of the batches"


class _BatchCheck:
    """Checks the batches of a league. log, entries, seasons: of the league, as it is made; seasons by number.

    granted: what each entry was granted over time, as `grants_in_log` returns it.
    """

    def __init__(self, store: Store, league: LeagueRow, *, replay: bool) -> None:
        self.log = store.leagues.log(league.id)
        self.entries = store.leagues.stored_entries(league.id)
        self.seasons = {season.number: season for season in store.leagues.seasons(league.id)}
        self.granted = grants_in_log(self.log)
        self._store = store
        self._definition = LeagueDefinition.from_json(league.definition.values)
        self._replay = replay
        self._counted: list[BatchRow] = []
        self._uncounted: list[BatchRow] = []
        self._anchors = [entry.number for entry in self.entries if entry.is_anchor]
        self._challenges = {row.details["batch"]: row.details for row in self.log if row.kind == "challenge"}

    def problems(self, batch: BatchRow) -> Iterator[str]:
        """Yield a sentence for everything in a batch that does not follow."""
        event = self._store.event(batch.event)
        season = self.seasons[batch.season]
        if event.secret != batch_secret(day_secret(season, batch.day), season.entropy, batch.number):
            yield f"its secret does not follow from that of day {batch.day + 1} of season {batch.season}"
        played = Definition.from_json(event.definition.values)
        if played != self._definition.batch(played.field, played.tables, played.rounds):
            yield "its definition is not that of the league"
        yield from self._draw_problems(batch, played, event.secret)
        for entry, bot in zip(batch.entries, played.field, strict=False):
            if bot.grants and bot.grants not in [grants.words for grants in self.granted.get(entry, ())]:
                yield f"{bot.name} has {', '.join(bot.grants)}, which no decision of the log grants it"
        records = self._store.batch_records(batch.event)
        if batch.state != "stored":
            if records:
                yield f"it has {len(records)} matches, though it was not played to its end"
            return
        yield from _record_problems(Plan.of(played, event.secret), records)
        if not self._are_sums_right(batch, batch_sums(records, batch.entries, played.team_of)):
            yield WRONG_SUMS
        for record in records if self._replay else ():
            match = StoredMatch(event.first_match + record.number, event, record)
            for wrong in check_match(match).wrong:
                yield f"match {match.id}: {wrong}"

    def _are_sums_right(self, batch: BatchRow, sums: LeagueSums) -> bool:
        """Compare the stored sums of a batch with those of its matches.

        Sums had no forfeits before there was an audit. Those of that time are compared without them, and noted for
        `uncounted`.
        """
        stored = self._store.batches.packed_sums(batch)
        if sums.to_bytes() == stored:
            if sums.forfeits:
                self._counted.append(batch)
            return True
        sums.forfeits.clear()
        if sums.to_bytes() != stored:
            return False
        self._uncounted.append(batch)
        return True

    def uncounted(self) -> list[int]:
        """Return the batches, of those checked, whose sums lack forfeits though older sums have them.

        Older is what was stored before. Of challenges, which are not among the results, it is what was drawn before.
        """
        first: dict[bool, int] = {}
        for batch in self._counted:
            is_rated, place = _order(batch)
            first[is_rated] = min(place, first.get(is_rated, place))
        orders = ((batch.number, *_order(batch)) for batch in self._uncounted)
        return [number for number, is_rated, place in orders if is_rated in first and place > first[is_rated]]

    def _draw_problems(self, batch: BatchRow, played: Definition, secret: bytes) -> Iterator[str]:
        try:
            snapshot = Snapshot.from_text(self._store.leagues.snapshot(batch.league, batch.snapshot).decode())
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


def _order(batch: BatchRow) -> tuple[bool, int]:
    """Return whether a stored batch is rated, and its place among all that are or are not."""
    return batch.result is not None, batch.result or batch.number


def _record_problems(plan: Plan, records: list[MatchRow]) -> Iterator[str]:
    """Compare the records of a stored batch with its schedule."""
    planned = list(plan.iter_matches())
    if [record.number for record in records] != [match.number for match in planned]:
        yield f"{len(records)} of its {len(planned)} matches are stored"
        return
    for record, match in zip(records, planned, strict=True):
        due = (match.deal.number, match.deal.table, match.rotation, [player.entrant for player in match.players])
        stored = (record.deal, record.table, record.rotation, [seat.entrant for seat in record.seats])
        if stored != due:
            yield f"match {record.number} of it is not the one of its schedule"
