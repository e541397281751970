"""Results on the same deals: what a bot made of its seats, and what others made of them.

All differences are of points: the share of the seats of other teams that a seat beat, ties counting one half.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from arena_insight.weaknesses.contest import Contest, Interval, Sitting, mean_by_deal

WORST = 20
"""The deals that are listed."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """A seat that the bot held, and what the others made of it."""

    sitting: Sitting
    """The seat as the bot held it."""
    others: int
    """How many others held it."""
    others_score: float
    """The mean score of the others."""
    others_points: float
    """The mean points of the others."""
    best: Sitting
    """Of the others, the one with the most points."""

    @property
    def difference(self) -> float:
        """The points of the bot beyond those of the others."""
        return self.sitting.points - self.others_points


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The results of the bot in one seat."""

    seat: int
    sittings: int
    """How often the bot held the seat in a deal in which others held it as well."""
    points: float
    """The mean points of the bot."""
    others_points: float
    """The mean points of the others."""
    difference: Interval
    """The mean of `DealResult.difference`."""


@dataclass(frozen=True, slots=True)
class OpponentSummary:
    """The results of the bot against another."""

    bot: int
    """The number of the other bot."""
    matches: int
    """The number of matches in which they met."""
    points: float
    """The mean points of the bot against the other."""
    expected: float | None
    """The points that both ratings predict; None if one of the bots has no rating."""
    beyond: Interval | None
    """The points beyond the expected ones; None without these."""


@dataclass(frozen=True, slots=True)
class FaultSummary:
    """One kind of fault of the bot."""

    kind: str
    faults: int
    """The number of such faults."""
    sittings: int
    """The number of its seats with such a fault."""
    forfeits: int
    """How many of these seats were forfeited."""
    difference: Interval | None
    """The mean of `DealResult.difference` over those of them that others held as well; None without any."""


@dataclass(frozen=True, slots=True)
class SameDeals:
    """The results of the bot on deals that others played in the same seat."""

    sittings: int
    """The number of seats that the bot held."""
    compared: int
    """The number of those that others held as well."""
    points: tuple[float, float] | None
    """The mean points of the bot and of the others in the compared seats; None without any."""
    difference: Interval | None
    """The mean of `DealResult.difference` over the compared seats; None without any."""
    without_faults: Interval | None
    """The mean of `DealResult.difference` over the compared seats without a fault of the bot; None without any."""
    worst: Sequence[DealResult]
    """The deals in which the bot made fewer points than the others, those with the lowest difference first; at most
    `WORST`.
    """
    seats: Sequence[SeatSummary]
    opponents: Sequence[OpponentSummary]
    faults: Sequence[FaultSummary]


def compare_deals(contest: Contest) -> SameDeals:
    """Return the results of the bot on the same deals."""
    results = [result for sitting in contest.own if (result := _deal_result(contest, sitting)) is not None]
    flawless = [result for result in results if not result.sitting.faults]
    ordered = sorted(results, key=lambda result: (result.difference, result.sitting.score - result.others_score))
    return SameDeals(
        len(contest.own),
        len(results),
        (fmean(result.sitting.points for result in results), fmean(result.others_points for result in results))
        if results
        else None,
        _difference(results) if results else None,
        _difference(flawless) if flawless else None,
        [result for result in ordered if result.difference < 0][:WORST],
        [_seat(seat, [result for result in results if result.sitting.place.seat == seat]) for seat in _seats(results)],
        sorted(
            _opponents(contest),
            key=lambda opponent: (opponent.beyond.mean if opponent.beyond else 0.0, opponent.points, opponent.bot),
        ),
        sorted(_faults(results, contest.own), key=lambda fault: (-fault.faults, fault.kind)),
    )


def _deal_result(contest: Contest, sitting: Sitting) -> DealResult | None:
    others = contest.others.get(sitting.place, ())
    if not others:
        return None
    return DealResult(
        sitting,
        len(others),
        fmean(other.score for other in others),
        fmean(other.points for other in others),
        max(others, key=lambda other: (other.points, other.score, -other.match)),
    )


def _difference(results: Sequence[DealResult]) -> Interval:
    return mean_by_deal((result.sitting.place.deal, result.difference) for result in results)


def _seats(results: Sequence[DealResult]) -> list[int]:
    return sorted({result.sitting.place.seat for result in results})


def _seat(seat: int, results: Sequence[DealResult]) -> SeatSummary:
    return SeatSummary(
        seat,
        len(results),
        fmean(result.sitting.points for result in results),
        fmean(result.others_points for result in results),
        _difference(results),
    )


def _opponents(contest: Contest) -> list[OpponentSummary]:
    met: dict[int, list[tuple[Sitting, float]]] = defaultdict(list)
    for sitting in contest.own:
        for bot, points in sitting.rivals:
            if bot != contest.bot:
                met[bot].append((sitting, points))
    summaries = []
    for bot, meetings in met.items():
        expected = _expected(contest, bot)
        beyond = None
        if expected is not None:
            beyond = mean_by_deal((sitting.place.deal, points - expected) for sitting, points in meetings)
        matches = len({sitting.match for sitting, _ in meetings})
        summaries.append(OpponentSummary(bot, matches, fmean(points for _, points in meetings), expected, beyond))
    return summaries


def _expected(contest: Contest, bot: int) -> float | None:
    """Return the points that the ratings predict against another bot."""
    own, other = contest.elo.get(contest.bot), contest.elo.get(bot)
    return None if own is None or other is None else 1 / (1 + 10 ** ((other - own) / 400))


def _faults(results: Sequence[DealResult], own: Sequence[Sitting]) -> list[FaultSummary]:
    summaries = []
    for kind in sorted({kind for decision in own for kind in decision.faults}):
        faulty = [decision for decision in own if kind in decision.faults]
        compared = [result for result in results if kind in result.sitting.faults]
        summaries.append(
            FaultSummary(
                kind,
                sum(result.faults[kind] for result in faulty),
                len(faulty),
                sum(result.forfeit for result in faulty),
                _difference(compared) if compared else None,
            )
        )
    return summaries
