"""What the pages of a league share: links, times, and the scale of intervals."""

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple
from urllib.parse import quote

from arena.language.messages import gettext as _
from arena.league.results.board import BoardRow
from arena.server.templates import TEMPLATES

SCALE_STEP = 50
"""Elo: the ends of a scale are multiples of it, so that they seldom change."""


class Scale(NamedTuple):
    """The range of Elo of a column of bars."""

    low: float
    high: float


def scale_of(rows: Iterable[BoardRow]) -> Scale:
    """Return a scale for entries. A few that are far from all others are drawn at its edge."""
    ends = [
        (row.elo - (row.ci95 or 0), row.elo + (row.ci95 or 0)) for row in rows if row.elo is not None and not row.bound
    ]
    if not ends:
        return Scale(-SCALE_STEP, SCALE_STEP)
    middles = [(low + high) / 2 for low, high in ends]
    centre = median(middles)
    reach = max(4 * median(abs(middle - centre) for middle in middles), 100.0)
    low = max(min(low for low, _ in ends), centre - reach)
    high = min(max(high for _, high in ends), centre + reach)
    return Scale(SCALE_STEP * (min(low, 0) // SCALE_STEP), -SCALE_STEP * (-max(high, 0) // SCALE_STEP))


def league_path(league: str) -> str:
    """Return the path of the page of a league."""
    return f"/leagues/{quote(league, safe='')}"


entry_link = TEMPLATES.macro("macros.html", "entry_link")
trail = TEMPLATES.macro("leagues/parts.html", "trail")


def duration(seconds: float) -> str:
    """Format a time that something takes, roughly."""
    if seconds < 90:
        return _("{0} s", max(round(seconds), 1))
    return _("{0} min", round(seconds / 60)) if seconds < 5400 else _("{0} h", f"{seconds / 3600:.1f}")


def percent(share_: float) -> str:
    """Format a probability, which is never certain."""
    return f"{min(max(share_ * 100, 0.1), 99.9):.1f} %" if not 0.01 < share_ < 0.99 else f"{share_ * 100:.0f} %"
