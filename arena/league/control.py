"""What organisers do with leagues."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from arena.league.plan.anchors import store_anchors
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import define_final
from arena.league.plan.secret_chain import new_season
from arena.league.store.batches import Batches
from arena.league.store.league_rows import EntryRow, LeagueRow, NewLeague, SeasonRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.plan.entropy import parse_entropy
from arena.results.control import actor
from arena.store import NoSuchRow, Store
from arena.values.errors import ArenaError, NotOwner, TooOften
from arena.values.rows import PROGRAM, TOMORROW, seconds_to_tomorrow, utc_now

DECISIONS_PER_DAY = 20
"""How often an owner may retire and readmit entries of a league on a day (UTC): each stays in its log for ever."""


class LeagueError(ArenaError):
    """An action that the state of a league does not allow; the message says why."""


class TooManyDecisions(LeagueError, TooOften):
    """An owner has retired and readmitted entries, or challenged others, too often on a day."""


def create(
    store: Store,
    name: str,
    definition: LeagueDefinition,
    entropy: str,
    by: str | None,
    dates: Callable[[SeasonRow], dict[str, Any] | None] = lambda season: None,
) -> tuple[LeagueRow, SeasonRow]:
    """Store a league with its anchors and first season.

    entropy: mixed into all secrets; empty for none.
    dates: returns the details of the decision on the dates of the season; None for none.

    Raises StoreError if there is a league of that name, PlanError for an entropy that cannot be used.
    """
    season = new_season(1, datetime.now(UTC).date(), entropy=parse_entropy(entropy) if entropy else "")
    decided = dates(season)
    anchors = store_anchors(store, definition)
    new = NewLeague(name, definition.game, definition.to_json(), season)
    return Leagues(store).create(new, anchors, actor(by), decided), season


def pause(store: Store, name: str, by: str | None, reason: str) -> None:
    """Let no further batches of a league begin. Raises LeagueError if it is paused or closed."""
    league = open_league(store, name)
    if not Leagues(store).set_state(league.id, "paused", actor(by), reason):
        raise LeagueError(f"the league {name} is paused already")


def resume(store: Store, name: str, by: str | None, reason: str) -> None:
    """Let a paused league go on. Raises LeagueError if it is not paused."""
    league = open_league(store, name)
    if not Leagues(store).set_state(league.id, "open", actor(by), reason):
        raise LeagueError(f"the league {name} is not paused")


def close(store: Store, name: str, by: str | None, reason: str) -> None:
    """Close a league for ever. Raises LeagueError if it is closed."""
    Leagues(store).set_state(open_league(store, name).id, "closed", actor(by), reason)


def end_season(
    store: Store,
    name: str,
    *,
    number: int | None = None,
    top: int | None,
    deals: int | None,
    closes: bool,
    by: str | None,
    reason: str,
) -> tuple[SeasonRow, bool]:
    """Freeze the season of a league, so that a run plays its final; return it, and whether it was open before.

    number: of the season, so that a call that is repeated does not end the next one; None: the newest.
    top, deals, closes: as in `define_final`.

    Raises LeagueError if the league is closed, if that season has ended or if there is none of that number; PlanError
    for a final that cannot be played.
    """
    league = open_league(store, name)
    final = define_final(LeagueDefinition.from_json(league.definition), top, deals, closes=closes)
    number = _season(store, league, number).number
    is_new = Seasons(store).freeze(league.id, number, final, actor(by), reason)
    season = _season(store, league, number)
    if not is_new:
        open_league(store, name)  # it may have been closed since
        if season.ended is not None:
            newest = _season(store, league, None).number
            raise LeagueError(f"season {number} of the league {name} has ended already: the newest is {newest}")
    return season, is_new


def _season(store: Store, league: LeagueRow, number: int | None) -> SeasonRow:
    """Return a season; None: the newest. Raises LeagueError if there is none of that number."""
    seasons = Leagues(store).seasons(league.id)
    for season in reversed(seasons):
        if number in (None, season.number):
            return season
    raise LeagueError(f"the league {league.name} has no season {number}: the newest is {seasons[-1].number}")


def retire(store: Store, name: str, bot: str, by: str | None, reason: str) -> EntryRow:
    """Let an organiser take a bot out of play, as `retire_entry`.

    bot: its name, with or without a version.
    """
    league = open_league(store, name)
    entry = find_entry(store, league, bot)
    retire_entry(store, league, entry.number, actor(by), reason or "retired by the organiser", organiser=True)
    return entry


def readmit(store: Store, name: str, bot: str, by: str | None, reason: str) -> EntryRow:
    """Let an organiser have a bot placed anew, as `readmit_entry`.

    bot: its name, with or without a version.
    """
    league = open_league(store, name)
    entry = find_entry(store, league, bot)
    readmit_entry(store, league, entry.number, actor(by), reason, organiser=True)
    return entry


def find_entry(store: Store, league: LeagueRow, bot: str) -> EntryRow:
    """Return the newest entry of a bot. Raises LeagueError if there is none."""
    entries = [entry for entry in Leagues(store).entries(league.id) if bot in (entry.name, entry.submission[0])]
    if not entries:
        raise LeagueError(f"no bot {bot} takes part in the league {league.name}: see arena league board {league.name}")
    return entries[-1]


def retire_entry(store: Store, league: LeagueRow, number: int, by: str, reason: str, *, organiser: bool) -> None:
    """Take an entry out of play; it keeps its rating.

    An organiser may also retire what its owner has retired, who cannot readmit it then.

    organiser: whether an organiser decides.

    Raises LeagueError if it is not active or belongs to the scale, or if only an organiser may change it; NotOwner if
    it is not an organiser who decides, nor its owner; TooManyDecisions if its owner has decided too often today.
    """
    if not organiser:
        check_owner(_entry(store, league, number), by)

    def check() -> None:
        entry = _entry(store, league, number)
        if entry.is_anchor:
            raise LeagueError(f"{entry.name} is one of the sample bots whose mean is 0 Elo: it stays")
        is_retired = entry.state == "retired"
        if is_retired and not (organiser and by != entry.owner and _is_owners_to_readmit(store, league, entry)):
            raise LeagueError(f"{entry.name} is retired already")
        if entry.state == "suspended" and not organiser:
            raise LeagueError(f"{entry.name} is suspended ({entry.reason}): ask an organiser")
        if not organiser:
            _check_decisions(store, league, by)

    Leagues(store).change_entry(league.id, number, "retired", by, reason, check=check, again=organiser)


def readmit_entry(store: Store, league: LeagueRow, number: int, by: str, reason: str, *, organiser: bool) -> None:
    """Let an entry play again, with its rating.

    organiser: whether an organiser decides.

    Raises LeagueError if it is active, if its version is not the newest of its bot, if it has left a final that is
    played, if its owner has too many active entries, or if only an organiser may change it; NotOwner if it is not an
    organiser who decides, nor its owner; TooManyDecisions if its owner has decided too often today.
    """
    if not organiser:
        check_owner(_entry(store, league, number), by)
    if league.state == "closed":
        raise LeagueError(f"the league {league.name} is closed, for ever")

    def check() -> None:
        entry = _entry(store, league, number)
        if entry.is_active:
            raise LeagueError(f"{entry.name} plays already")
        if not organiser:
            _check_owner_readmits(store, league, entry, by)
        _check_newest(store, entry)
        _check_final(store, league, entry)
        _check_active(store, league, entry)

    Leagues(store).change_entry(league.id, number, "placing", by, reason, check=check)


def check_owner(entry: EntryRow, by: str) -> None:
    """Raise NotOwner if an entry belongs to somebody else."""
    if entry.owner != by:
        raise NotOwner(f"{entry.name} belongs to somebody else")


def _check_owner_readmits(store: Store, league: LeagueRow, entry: EntryRow, by: str) -> None:
    """Raise LeagueError if only an organiser may readmit an entry."""
    if entry.state == "suspended":
        raise LeagueError(f"{entry.name} is suspended ({entry.reason}): hand in a better version, or ask an organiser")
    _check_decisions(store, league, by)
    if not _is_owners_to_readmit(store, league, entry):
        raise LeagueError(f"an organiser has retired {entry.name}: ask one")


def _is_owners_to_readmit(store: Store, league: LeagueRow, entry: EntryRow) -> bool:
    """Return whether it was its owner, or the program, who retired an entry."""
    return Leagues(store).retired_by(league.id, entry.number) in (entry.owner, PROGRAM)


def _check_newest(store: Store, entry: EntryRow) -> None:
    """Raise LeagueError if an entry is not of the newest version of its bot."""
    name, version = entry.submission
    playing = [row for row in store.submissions.versions(name) if row.retired is None and not row.practice_only]
    if [row.version for row in playing][-1:] != [version]:
        raise LeagueError(f"{entry.title} is retired or not the newest version of {name}, which alone plays")


def _check_final(store: Store, league: LeagueRow, entry: EntryRow) -> None:
    """Raise LeagueError if an entry has left a final: who comes back would choose whom it meets there."""
    season = Leagues(store).seasons(league.id)[-1]
    if season.phase == "final" and season.final is not None and entry.number in (season.final.entries or ()):
        raise LeagueError(
            f"{entry.name} has left the final of season {season.number} of the league {league.name}: it may play again "
            "once the season is over"
        )


def _check_active(store: Store, league: LeagueRow, entry: EntryRow) -> None:
    """Raise LeagueError if the owner of an entry has as many active ones as are allowed."""
    most = LeagueDefinition.from_json(league.definition).active_per_owner
    others = [other for other in Leagues(store).entries(league.id) if other.is_active and other.owner == entry.owner]
    if len(others) >= most:
        raise LeagueError(f"{entry.owner} has {most} active in {league.name}, the most: retire {others[0].name} first")


def _check_decisions(store: Store, league: LeagueRow, by: str) -> None:
    """Raise TooManyDecisions if an owner has decided too often today."""
    what = f"decisions of an owner on entries of {league.name}"
    check_daily(store, league, ("retire", "readmit"), by, DECISIONS_PER_DAY, what)


def check_daily(store: Store, league: LeagueRow, kinds: Sequence[str], by: str, most: int, what: str) -> None:
    """Raise TooManyDecisions if somebody has made as many decisions of some kinds today as are allowed.

    kinds: as in the log.
    most: the most decisions on a day.
    what: the decisions in words, for the message.
    """
    now = utc_now()
    rows = (row for kind in kinds for row in Leagues(store).log(league.id, kind))
    if sum(row.who == by and row.created >= now[:10] for row in rows) >= most:
        raise TooManyDecisions(
            f"the most {what} on a day are {most}: the next time may be {TOMORROW}", seconds_to_tomorrow(now)
        )


def take_down(store: Store, bot: str, by: str, reason: str) -> int:
    """Bar all versions of a bot from tournaments and leagues; return how many entries of leagues were active.

    Raises NoSuchRow if there is no such bot.
    """
    versions = store.submissions.versions(bot)
    if not versions:
        raise NoSuchRow(f"there is no bot {bot}: `arena bots` lists them")
    store.submissions.retire(bot, [row.version for row in versions])
    changed = 0
    for league in Leagues(store).all(practice=True):
        barred = [
            entry for entry in Leagues(store).entries(league.id) if entry.submission[0] == bot and not entry.is_anchor
        ]
        for entry in barred:
            if entry.is_active:
                changed += Leagues(store).change_entry(league.id, entry.number, "retired", by, reason)
        if barred:
            Batches(store).void_of(league.id, [entry.number for entry in barred])
    return changed


def _entry(store: Store, league: LeagueRow, number: int) -> EntryRow:
    return next(entry for entry in Leagues(store).entries(league.id) if entry.number == number)


def open_league(store: Store, name: str) -> LeagueRow:
    """Return a league. Raises LeagueError if it is closed, NoSuchRow if there is none of that name."""
    league = Leagues(store).named(name)
    if league.state == "closed":
        raise LeagueError(f"the league {name} is closed, for ever: create another one")
    return league
