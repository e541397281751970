"""Whether leagues do what they should: draw and play.

Each run writes how it gets on (`arena.league.store.league_runs`). A league is healthy where a run of it has no problem,
and where there is nothing to do: it is paused, in its quiet hours, or has no entries but anchors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from arena.league.plan.definition import unplayable
from arena.league.store.batches import Batches
from arena.league.store.league_rows import ACTIVE, BatchRow, LeagueRow
from arena.league.store.league_runs import LeagueRunRow, LeagueRuns
from arena.league.store.leagues import Leagues
from arena.store import Store
from arena.store.engine.schema import batches, entries

FAILING = timedelta(minutes=3)
"""How long a league may stand still before it counts as failing: what passes by itself is no alarm."""

SILENT = timedelta(minutes=2)
"""After which a run that has written nothing counts as gone."""

STUCK = timedelta(minutes=30)
"""How long no batch may be stored, though some wait or are played: many times as long as one takes."""


@dataclass(frozen=True, slots=True)
class LeagueHealth:
    """How a league gets on."""

    league: str
    """Its name."""
    stored: datetime | None
    """When its last batch was stored; None if none was."""
    since: datetime | None
    """Since when nothing can be drawn or played; None where it can, or where there is nothing to do."""
    reason: str
    """Why not; also of one run where others play. Empty if there is no problem."""
    is_failing: bool
    """Whether it has lasted too long."""

    def sentence(self, now: datetime, *, reason: bool = True) -> str:
        """Say what is wrong; empty if nothing is.

        reason: whether to say why, which may name folders and bots.
        """
        if not self.reason:
            return ""
        why = f": {self.reason}" if reason else ""
        if self.since is None:
            return f"a run of the league {self.league} can neither draw nor play, while others do{why}"
        return f"the league {self.league} has drawn or played nothing for {in_words(now - self.since)}{why}"


def league_health(store: Store, now: datetime, began: datetime | None = None) -> list[LeagueHealth]:
    """Return how each open league gets on.

    began: since when somebody watches; what was before is no standstill.
    """
    with store.snapshot():
        leagues = Leagues(store).all()
        stored = {league.id: moment for league in leagues if (moment := _last_stored(store, league.id)) is not None}
        return [_health(store, league, stored, now, began) for league in leagues if league.state == "open"]


def problem_of(store: Store, league: str) -> str:
    """Return why an open league cannot be drawn or played, as a sentence; empty where it can."""
    now = datetime.now(UTC)
    return "".join(found.sentence(now) for found in league_health(store, now) if found.league == league)


def _health(
    store: Store, league: LeagueRow, stored: Mapping[int, datetime], now: datetime, began: datetime | None
) -> LeagueHealth:
    since, reason = None, ""
    if (entered := _first_entered(store, league.id)) is not None:
        if cannot := unplayable(league.definition):
            since, reason = entered, cannot
        else:
            runs, unplayed = LeagueRuns(store).of(league.id), Batches(store).unplayed(league.id)
            is_played = any(row.state == "leased" for row in unplayed)  # or else those of other leagues may be
            last = stored.get(league.id) if is_played else max(stored.values(), default=None)
            since, reason = _standstill(now, entered, unplayed, runs, last)
    is_failing = since is not None and now - max(since, began or since) >= FAILING
    return LeagueHealth(league.name, stored.get(league.id), since, reason, is_failing)


def _standstill(
    now: datetime,
    entered: datetime,
    unplayed: Sequence[BatchRow],
    runs: Sequence[LeagueRunRow],
    stored: datetime | None,
) -> tuple[datetime | None, str]:
    """Return since when a league with entries stands still, and why; None where it does not.

    entered: when the first of these was entered.
    stored: when a batch was stored last by which the league is known to go on.
    """
    alive = [run for run in runs if now - _moment(run.heard) < SILENT]
    if not alive:
        since = max([entered, *(_moment(run.heard) for run in runs)])
        return since, "nothing runs it: start `arena serve` or `arena league run`, whose log says why if one is up"
    if any(run.is_quiet for run in alive):
        return None, ""
    failing = [(_moment(run.failing_since), run.problem) for run in alive if run.failing_since is not None]
    if len(failing) == len(alive):
        return max(failing)
    if unplayed:
        last = max(moment for moment in (stored, *(_moment(run.began) for run in alive)) if moment is not None)
        last = max(last, _moment(min(row.created for row in unplayed)))
        if now - last >= STUCK:
            return last, f"batches to be played: {len(unplayed)}, of which none has come to a result"
    return None, failing[0][1] if failing else ""


def _first_entered(store: Store, league: int) -> datetime | None:
    """Return when the first of the active entries of a league was entered, anchors apart; None if there are none."""
    is_meant = (entries.c.league_id == league) & entries.c.state.in_(ACTIVE) & entries.c.is_anchor.is_(False)
    with store.read() as connection:
        entered = connection.scalar(select(func.min(entries.c.entered)).where(is_meant))
    return None if entered is None else _moment(entered)


def _last_stored(store: Store, league: int) -> datetime | None:
    """Return when the last stored batch of a league was stored; None if there is none."""
    of_league = (batches.c.league_id == league) & (batches.c.state == "stored")
    with store.read() as connection:
        ended = connection.scalar(select(batches.c.ended).where(of_league).order_by(batches.c.number.desc()).limit(1))
    return None if ended is None else _moment(ended)


def in_words(lasted: timedelta) -> str:
    """Return a span of time in words, such as "13 minutes"."""
    minutes = int(lasted.total_seconds() // 60)
    for unit, size in (("day", 1440), ("hour", 60)):
        if minutes >= 2 * size:
            return f"{minutes // size} {unit}s"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
