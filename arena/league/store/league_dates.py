"""The dates of a season of a league, as its log has them: the newest decision holds.

All moments are UTC, ISO 8601 to the second, in one form, so that they compare as texts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from arena.league.store.league_log import DECISION
from arena.store import Store
from arena.store.engine.schema import hand_ins, league_log, seasons
from arena.values.rows import DecisionRow
from arena.values.versioned_names import owner

DATES = "dates"
"""The kind of a decision that sets the dates of a season. details: season, opens, deadline, hides, ends, zone; a moment
that is not set is an empty text. Those of an older arena lack hides."""

EXTEND = "extend"
"""The kind of a decision that sets the deadline of one owner. details: season, owner, until; empty: taken back."""


@dataclass(frozen=True, slots=True)
class LeagueDates:
    """The dates of a season; those that are not set are empty."""

    opens: str = ""
    """Before it nothing is played; bots may be handed in."""
    deadline: str = ""
    """What is received before it counts for the season."""
    hides: str = ""
    """From then on visitors see no new results until the season is frozen."""
    ends: str = ""
    """From then on the season is frozen, and its final is played."""
    zone: str = ""
    """The time zone in which the organiser gave them, as of the tz database; empty for UTC."""
    extensions: Mapping[str, str] = field(default_factory=dict)
    """The later deadlines of single owners."""

    def deadline_of(self, owner: str) -> str:
        """Return until when hand-ins of an owner count; empty for no deadline."""
        return max(self.deadline, self.extensions.get(owner, "")) if self.deadline else ""

    def takes(self, owner: str, received: str) -> bool:
        """Return whether a hand-in of an owner that was received at a moment counts for the season."""
        deadline = self.deadline_of(owner)
        return not deadline or received < deadline


NO_DATES = LeagueDates()
"""Those of a season of which nothing was decided."""


def dates_of(log: Iterable[DecisionRow], season: int) -> LeagueDates:
    """Return the dates of a season after the decisions of a log."""
    values: dict[str, Any] = {}
    extensions: dict[str, str] = {}
    for row in log:
        if row.details.get("season") != season:
            continue
        if row.kind == DATES:
            values = {name: row.details.get(name, "") for name in ("opens", "deadline", "hides", "ends", "zone")}
        elif row.kind == EXTEND:
            extensions[row.details["owner"]] = row.details["until"]
    return LeagueDates(**values, extensions={owner: until for owner, until in extensions.items() if until})


def read_dates(connection: Connection, league: int, season: int | None = None) -> LeagueDates:
    """Return the dates of a season with the names of owners as they were written.

    season: its number; None: the newest.
    """
    if season is None:
        newest = select(seasons.c.number).where(seasons.c.league_id == league).order_by(seasons.c.number.desc())
        season = connection.scalar(newest.limit(1)) or 0
    of_dates = (league_log.c.league_id == league) & league_log.c.kind.in_((DATES, EXTEND))
    rows = connection.execute(select(*DECISION.columns).where(of_dates).order_by(league_log.c.number))
    return dates_of(map(DECISION.load, rows), season)


def has_unchecked(store: Store, dates: LeagueDates) -> bool:
    """Return whether the check of a bot that was received before its deadline is not over; False without a deadline."""
    if not dates.deadline:
        return False
    latest = max([dates.deadline, *dates.extensions.values()])
    unfinished = hand_ins.c.ended.is_(None) & (hand_ins.c.created < latest)
    unfinished &= hand_ins.c.submission.is_(None)  # an accepted one that is checked again plays meanwhile
    with store.read() as connection:
        rows = connection.execute(select(hand_ins.c.name, hand_ins.c.created).where(unfinished)).all()
    return any(dates.takes(owner(row.name), row.created) for row in rows)
