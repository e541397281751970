"""Verification of a league: that everything stored of it follows from its definition, its secrets and the matches."""

from collections.abc import Iterator, Sequence

from arena.league.plan.batch_draw import draw_batch
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.errors import DrawError
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import batch_secret, belongs, day_secret
from arena.league.run.batch_sums import batch_sums
from arena.replay.match_verification import check_match
from arena.store import NoSuchRow, Store
from arena.store.league_rows import BatchRow, LeagueRow
from arena.store.rows import MatchRow, StoredMatch
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.schedule import Plan


def league_problems(store: Store, league: LeagueRow, *, replay: bool = True) -> Iterator[str]:
    """Yield a sentence for everything in a league that does not follow from what comes before it.

    Checked are the log, the chains of secrets, and of each batch: its secret, its draw, its schedule, its records and
    its sums. replay: whether to replay each match, which takes by far the longest.

    Raises PlanError if this version of arena cannot read its definition.
    """
    if league.definition.hash != league.definition_hash:
        yield "the definition does not have the hash that was published"
    yield from _log_problems(store, league)
    check = _BatchCheck(store, league, replay=replay)
    for season in check.seasons.values():
        if not belongs(season.secret, season.days - 1, season.commitment):
            yield f"the secrets of season {season.number} do not lead to its commitment"
    places = []
    for batch in reversed(store.batches.of(league.id)):
        if batch.result is not None:
            places.append(batch.result)
        for problem in check.problems(batch):
            yield f"batch {batch.number}: {problem}"
    if sorted(places) != list(range(1, league.results + 1)):
        yield f"the places of the stored batches are not 1 to {league.results}"


def _log_problems(store: Store, league: LeagueRow) -> Iterator[str]:
    digest = league.definition_hash
    for number, row in enumerate(store.leagues.log(league.id), 1):
        if row.number != number or row.digest != row.chained_digest(digest):
            yield f"entry {number} of the log was changed, or one before it is missing"
            return
        digest = row.digest


class _BatchCheck:
    """Checks the batches of a league. seasons: by number."""

    def __init__(self, store: Store, league: LeagueRow, *, replay: bool) -> None:
        self.seasons = {season.number: season for season in store.leagues.seasons(league.id)}
        self._store = store
        self._definition = LeagueDefinition.from_json(league.definition.values)
        self._replay = replay
        self._anchors = [entry.number for entry in store.leagues.entries(league.id) if entry.is_anchor]
        self._challenges = {row.details["batch"]: row.details for row in store.leagues.log(league.id, "challenge")}

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
        records = self._store.batch_records(batch.event)
        if batch.state != "stored":
            if records:
                yield f"it has {len(records)} matches, though it was not played to its end"
            return
        yield from _record_problems(Plan.of(played, event.secret), records)
        if batch_sums(records, batch.entries, played.team_of).to_bytes() != self._store.batches.packed_sums(batch):
            yield "its sums are not those of its matches"
        for record in records if self._replay else ():
            match = StoredMatch(event.first_match + record.number, event, record)
            for wrong in check_match(match).wrong:
                yield f"match {match.id}: {wrong}"

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
            )
        except DrawError as error:
            yield f"it cannot be drawn from snapshot {batch.snapshot}: {error}"
            return
        seated = [tuple(batch.entries[place] for place in table) for table in played.tables]
        if (drawn.entries, [*drawn.tables], drawn.deals) != (batch.entries, seated, played.rounds):
            yield f"its tables are not those that snapshot {batch.snapshot} and its secret draw"


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
