"""Verification of the rows of a league beside its batches: that they say what its log and its sums say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from arena.league.results.league_fit import LeagueFit
from arena.league.results.rating_history import unpack_ratings
from arena.league.store.batches import Batches
from arena.league.store.league_dates import dates_of
from arena.league.store.league_rows import EntryRow, EntryState, LeagueRow, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.record.unverified import UNVERIFIED
from arena.store import NoSuchRow, Store, StoreError, StoreUnavailable
from arena.values.rows import DecisionRow

UNVERIFIED_OF_LEAGUES: Mapping[str, tuple[str, ...]] = UNVERIFIED | {
    "when the league, its entries, batches and ratings were stored": (
        "leagues.created", "league_ratings.created", "snapshots.created", "entries.entered", "entries.placed",
        "batches.created", "batches.ended", "seasons.ended", "seasons.frozen",
    ),
    "whether it is closed, where its log does not say": ("leagues.state",),
    "owners of entries": ("entries.owner",),
    "when the owner of a practice league last looked at it": ("leagues.seen",),
    "who played batches, in which attempts, and for how long": (
        "batches.attempt", "batches.failed", "batches.runner", "batches.lease_until", "batches.seconds",
        "batch_attempts.league_id", "batch_attempts.batch", "batch_attempts.attempt", "batch_attempts.runner",
        "batch_attempts.began", "batch_attempts.ended", "batch_attempts.outcome", "batch_attempts.reason",
    ),
    "intervals of ratings, and ratings other than the newest": (
        "league_ratings.league_id", "league_ratings.number", "league_ratings.packed",
    ),
    "batches that were not played, and snapshots from which none was drawn": (),
    "how long entries took to get ready for matches, in the sums of batches": (),
    "from which of several ratings a batch was drawn, where all draw the same": ("batches.snapshot",),
    "whether the sums of all batches are stored, which spare runs adding them up": ("total_sums.league_id",),
    "dates and public values of seasons without batches": ("seasons.first_day", "seasons.entropy"),
}  # fmt: skip
"""What cannot be verified of leagues, with the columns that hold it, as in `UNVERIFIED`."""

TOLERANCE = 0.05
"""Elo: by so much a fit may differ on another machine, after it was rounded."""

_STATES: dict[str, EntryState] = {
    "enter": "placing", "readmit": "placing", "place": "standing", "suspend": "suspended", "retire": "retired",
}  # fmt: skip
"""The states of entries after decisions, by their kinds."""


def row_problems(
    store: Store,
    league: LeagueRow,
    log: Sequence[DecisionRow],
    entries: Sequence[EntryRow],
    seasons: Sequence[SeasonRow],
) -> Iterator[str]:
    """Yield a sentence for each row of a league, but for its batches, that says something else than its log.

    log, entries, seasons: of the league at one moment.
    """
    defined = league.definition.get("game", league.game)
    if league.game != defined:
        yield f"its game is {league.game}, and by its definition {defined}"
    closes = [row for row in log if row.kind == "close"]
    switches = [row.kind for row in log if row.kind in ("pause", "resume")]
    state = "closed" if closes else "paused" if switches[-1:] == ["pause"] else "open"
    if league.state not in (state, "closed"):
        yield f"it is stored as {league.state}, and by its log it is {state}"
    yield from _season_problems(log, seasons)
    for season in seasons:
        if season.ended is None and Seasons(store).standings(league.id, season.number) is not None:
            yield f"season {season.number} has a final table, and has not ended"
        stored, decided = Seasons(store).hides(league.id, season.number), dates_of(log, season.number).hides or None
        if stored != decided and (stored is not None or season.ended is None):  # archives leave it out of old seasons
            yield f"its board is hidden since {stored} in season {season.number}, and by its log since {decided}"
    # Of an imported league the log ends with its last season, and its entries may have changed since.
    yield from _entry_problems(log, entries, has_states=league.state != "closed" or bool(closes))
    yield from _snapshot_problems(store, league)
    yield from _rating_problems(store, league, [entry.number for entry in entries if entry.is_anchor])


def _season_problems(log: Sequence[DecisionRow], seasons: Sequence[SeasonRow]) -> Iterator[str]:
    begun = {row.details["season"]: row.details for row in log if row.kind in ("create", "season")}
    if list(begun) != [season.number for season in seasons]:
        yield f"it has {len(seasons)} seasons, and by its log {len(begun)}"
    last = max(begun, default=0)
    for season in seasons:
        decided = {row.kind for row in log if row.details.get("season") == season.number}
        if season.commitment != begun.get(season.number, {}).get("commitment", season.commitment):
            yield f"the commitment of season {season.number} is not that of the log"
        if ("freeze" in decided) != (season.final is not None):
            yield f"season {season.number} has {'no' if season.final is None else 'a'} final, unlike its log"
        is_over = "end-season" in decided or season.number < last
        if is_over and season.ended is None:
            yield f"season {season.number} goes on, and by its log it has ended"


def _entry_problems(log: Sequence[DecisionRow], entries: Sequence[EntryRow], *, has_states: bool) -> Iterator[str]:
    entered = {row.details["entry"]: row.details.get("bot") for row in log if row.kind == "enter"}
    if sorted(entered) != [entry.number for entry in entries]:
        yield f"it has {len(entries)} entries, and by its log {len(entered)}"
    last: dict[int, DecisionRow] = {row.details["entry"]: row for row in log if row.kind in _STATES}
    for entry in entries:
        if entry.name != (entered.get(entry.number) or entry.name):
            yield f"entry {entry.number} is stored as {entry.name}, and by the log is {entered[entry.number]}"
        decision = last.get(entry.number)
        if decision is None or not has_states:
            continue
        state = "standing" if entry.is_anchor else _STATES[decision.kind]
        reason = "" if decision.kind == "enter" else decision.reason
        if (entry.state, entry.reason) != (state, reason):
            yield f"{entry.name} is not stored as {state}, or not for the reason that the log has"


def _snapshot_problems(store: Store, league: LeagueRow) -> Iterator[str]:
    for number, hashed in Leagues(store).snapshot_hashes(league.id):
        try:
            if sha256(Leagues(store).signed_snapshot(league.id, number)).hexdigest() != hashed:
                yield f"snapshot {number} does not have its hash"
        except NoSuchRow:  # dropped meanwhile
            continue
        except StoreUnavailable:
            raise
        except StoreError as error:
            yield f"snapshot {number}: {error}"


def _rating_problems(store: Store, league: LeagueRow, anchors: Sequence[int]) -> Iterator[str]:
    """Compare the newest ratings with a fit of the sums of the batches in them."""
    fit = LeagueFit()
    try:
        row = Leagues(store).ratings(league.id)
        if row is None:
            return
        for _, _, packed in Batches(store).sums(league.id, 0, up_to=row.number):
            fit.add(packed)
        stored = unpack_ratings(row)
    except StoreUnavailable:
        raise
    except (StoreError, KeyError, TypeError, ValueError) as error:
        yield f"its newest ratings cannot be checked: {error}"
        return
    if row.number > Leagues(store).named(league.name, practice=True).results:
        yield f"its newest ratings are of {row.number} batches, which it does not have"
        return
    computed = fit.fit(anchors, intervals=False)
    rows = computed.by_entry()
    repeats = None if computed.repeats is None else replace(computed.repeats, shares={})
    if stored.repeats != repeats:
        yield "its newest ratings were made with other repeats than its batches have"
    if (stored.matches, stored.deals) != (computed.matches, computed.deals) or stored.rows.keys() != rows.keys():
        yield "its newest ratings are of other matches than its batches have"
        return
    for number, rated in stored.rows.items():
        own = rows[number]
        counts = (rated.deals, rated.matches, rated.decisions, rated.charged_us, dict(rated.faults))
        totals = own.totals
        true = (own.deals, totals.matches, totals.decisions, totals.charged_us, dict(own.faults))
        if abs(rated.elo - own.elo) > TOLERANCE or counts != true:
            yield f"the rating of entry {number} does not follow from the results"
