"""The result of one match, and the statistics of a bot that do not enter its rating."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Team = str | tuple[str, ...]
"""A team: the bot that plays alone or in all seats of the team, or the tuple of its members."""


class Result(NamedTuple):
    """The result of one match; the tuples have one entry per team: without partners, one per seat."""

    deal: int
    """The number of the deal, 0 to 2**31 - 1, shared by its matches in every rotation and at every table."""

    teams: tuple[Team, ...]
    """The teams that played; a bot may be in several."""

    ranks: tuple[int, ...]
    """1 = best, equal for ties. Only their order counts."""

    scores: tuple[int, ...]
    """In the game's unit."""


def bots_of(result: Result) -> set[str]:
    """Return the bots that played."""
    return {bot for team in result.teams for bot in ([team] if isinstance(team, str) else team)}


@dataclass(frozen=True, slots=True)
class BotStats:
    """Statistics of a bot that are shown beside its rating and do not affect it."""

    faults: Mapping[str, int] = field(default_factory=dict)
    """Number of faults by kind."""

    ms_per_decision: float | None = None
    """Mean time per decision in milliseconds; None if the bot made no decision."""

    ms_waited: float | None = None
    """Mean time per decision in milliseconds that it waited for a core, not charged; None if not measured."""

    process_failures: Mapping[str, int] = field(default_factory=dict)
    """Number of its processes that failed, by kind."""

    grants: tuple[str, ...] = ()
    """What the organiser granted it beyond other bots: "network", or "device:" and a path."""

    clock: str = ""
    """Its clock, for people, where the organiser gave bots different ones (time odds)."""
