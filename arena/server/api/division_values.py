"""The divisions of a league, as the API shows them."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from arena.league.divisions.report import DivisionReport, report_json
from arena.values.struct_types import ready


class DivisionRowValue(Struct, frozen=True):
    """An entry in its division."""

    place: int | None
    """Its place in the division by the ratings now, from 1; None without a rating."""
    rank: int | None
    """Its rank on the board, as that of an entry."""
    entry: int
    bot: str
    owner: str
    state: str
    elo: float | None
    bound: str
    """Whether `elo` is only a bound, as `bound` of an entry."""
    ci95: float | None
    move: str
    """Where it would go if the span ended now: "up", "down", or nowhere, which is empty."""
    to: int | None
    """The number of the division to which it would go; None: it would stay."""
    other: int | None
    """The entry with which it would change places; None where it would get a free place, or stay."""
    sure: float | None
    """The probability that the better of the two is really stronger; None where it is unknown."""


class DivisionValue(Struct, frozen=True):
    """A division."""

    division: int
    """Its number, from 1, the highest."""
    free: int
    """The number of its places that nobody has."""
    rows: list[DivisionRowValue]


class PromotionValue(Struct, frozen=True):
    """An entry that was promoted or relegated."""

    entry: int
    bot: str
    division: int
    """The number of its new division."""


class DivisionDecisionValue(Struct, frozen=True):
    """The decision at the end of a span."""

    season: int
    span: int
    """The number of the span in the season, from 1."""
    decided: str
    """When it was taken, UTC."""
    snapshot: int
    """The number of the ratings from which it follows."""
    up: list[PromotionValue]
    down: list[PromotionValue]


class DivisionsValue(Struct, frozen=True):
    """The divisions of a league."""

    league: str
    ends: str | None
    """The day on which the span ends; None: with the season."""
    divisions: list[DivisionValue]
    """The divisions, the highest first; empty for a league that has none, and one before the first decision."""
    decisions: list[DivisionDecisionValue]
    """The latest decisions, the newest first."""


def divisions_value(league: str, report: DivisionReport | None, names: Mapping[int, str]) -> DivisionsValue:
    """Return the divisions of a league; None: it has none."""
    if report is None:
        return DivisionsValue(league, None, [], [])
    return msgspec.convert({"league": league, **report_json(report, names)}, ready(DivisionsValue))
