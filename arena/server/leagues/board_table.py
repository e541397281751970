"""The rows of a board, one for each entry, drawn anew only where they show something else."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from arena.language.languages import LANGUAGE
from arena.language.messages import gettext as _
from arena.language.messages import translate
from arena.league.results.board import BoardRow
from arena.league.results.flags import sentence
from arena.league.results.rating_history import RatingPoint
from arena.league.store.league_rows import EntryRow
from arena.ratings.elo_text import elo_text, rank_text
from arena.ratings.ranking_output import grants_text
from arena.replay.html import Element
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import Scale
from arena.server.templates import TEMPLATES

SPARK_WIDTH, SPARK_HEIGHT = 84, 20
"""Size of a line of Elo, in pixels."""

SPARK_RANGE = 30.0
"""The least range of Elo that a line shows, so that chance does not look like progress."""


def has_grants(view: LeagueView) -> bool:
    """Return whether the organiser of a league grants any entry more than others."""
    return any(row.entry.grants.words for row in view.board.rows)


class _Shown(NamedTuple):
    """What a row shows: as long as that stays the same, so does its markup. Elo is rounded."""

    entry: EntryRow
    rank: str
    elo: int | None
    bound: str
    ci95: int | None
    change: int | None
    version_change: int | None
    line: tuple[RatingPoint, ...]
    matches: int
    batch: tuple[int, str] | None
    faults: int
    audit: str
    is_own: bool
    grants: str | None
    author: str | None
    place: str | None
    """The place in the group, on the board of one."""


def board_row(
    view: LeagueView,
    row: BoardRow,
    scale: Scale,
    names: Mapping[str, str],
    owner: str | None = None,
    *,
    with_grants: bool,
    in_group: bool = False,
) -> Element:
    """Return the row of an entry.

    names: the display names of accounts that the visitor sees.
    owner: whose rows are marked.
    with_grants: whether it has the column of grants.
    in_group: whether it is on the board of a group.
    """
    elo, ci95, day, version = (
        None if value is None else round(value) for value in (row.elo, row.ci95, row.change, row.version_change)
    )
    batch = None if row.played is None else (row.played.number, row.played.ended[:16])
    faults = sum((row.faults or {}).values())
    audit = "; ".join(translate(sentence(flag, view.board.names)) for flag in row.flags)
    is_own = bool(owner) and row.entry.owner == owner
    shown = _Shown(
        row.entry, rank_text(row.rank, row.separated), elo, row.bound, ci95, day, version, row.line, row.matches, batch,
        faults, audit, is_own, grants_text(row.entry.grants.words) if with_grants else None,
        names.get(row.entry.owner),
        None if not in_group else "-" if row.group_rank is None else str(row.group_rank),
    )  # fmt: skip
    return _drawn(view.league.name, shown, scale, LANGUAGE.get())


@lru_cache(maxsize=4096)
def _drawn(league: str, row: _Shown, scale: Scale, _language: str) -> Element:
    """Return the row, in the language of the request."""
    return TEMPLATES.macro("leagues/board_parts.html", "board_row")(league, row, scale, _sparkline(row.line))


class _Sparkline(NamedTuple):
    """The Elo of an entry over time, as a line."""

    points: Sequence[str]
    """Where it runs, in pixels."""
    words: str
    """What it shows."""

    @property
    def end(self) -> list[str]:
        """Where it ends, as x and y."""
        return self.points[-1].split(",")


def _sparkline(points: Sequence[RatingPoint]) -> _Sparkline | None:
    if len(points) < 2:
        return None
    times = [datetime.fromisoformat(point.when).timestamp() for point in points]
    elos = [point.elo for point in points]
    middle = (max(elos) + min(elos)) / 2
    reach = max(max(elos) - min(elos), SPARK_RANGE) / 2
    span = max(times[-1] - times[0], 1.0)

    def at(time: float, elo: float) -> str:
        x = 2 + (SPARK_WIDTH - 6) * (time - times[0]) / span
        return f"{x:.1f},{SPARK_HEIGHT / 2 - (SPARK_HEIGHT / 2 - 3) * (elo - middle) / reach:.1f}"

    since = points[0].when[:16].replace("T", " ")
    words = _("Elo from {0} to {1} since {2} UTC", elo_text(elos[0]), elo_text(elos[-1]), since)
    return _Sparkline([at(time, elo) for time, elo in zip(times, elos, strict=True)], words)
