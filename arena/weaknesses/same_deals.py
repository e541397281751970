"""Results on the same deals: what a bot made of its seats, and what others made of them.

All differences are of points: the share of the seats of other teams that a seat beat, ties counting one half.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.weaknesses.contest import Contest, Interval, Sitting, mean_by_deal

WORST = 20
"""The deals that are listed."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """A seat that the bot held, and what the others made of it.

    others: how many held it. score, points: of the bot; others_score, others_points: their means. best: of the others,
    the one with the most points.
    """

    sitting: Sitting
    others: int
    others_score: float
    others_points: float
    best: Sitting

    @property
    def difference(self) -> float:
        """The points of the bot beyond those of the others."""
        return self.sitting.points - self.others_points


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The results of the bot in one seat. sittings: that others held as well. difference: as in `DealResult`."""

    seat: int
    sittings: int
    points: float
    others_points: float
    difference: Interval


@dataclass(frozen=True, slots=True)
class OpponentSummary:
    """The results of the bot against another. points: their mean; expected: by both ratings, None without them.

    matches: in which they met. beyond: the points beyond the expected ones.
    """

    bot: int
    matches: int
    points: float
    expected: float | None
    beyond: Interval | None


@dataclass(frozen=True, slots=True)
class FaultSummary:
    """One kind of fault of the bot. sittings: with it. forfeits: of these.

    difference: in those seats that others held as well, as in `DealResult`; None if there are none.
    """

    kind: str
    faults: int
    sittings: int
    forfeits: int
    difference: Interval | None


@dataclass(frozen=True, slots=True)
class SameDeals:
    """The results of the bot on deals that others played in the same seat.

    sittings: the seats it held; compared: those that others held as well. points: of the bot and of the others, the
    means over all of these; difference: of both;
    without_faults: over those without a fault; None without any. worst: the deals with the lowest difference.
    """

    sittings: int
    compared: int
    points: tuple[float, float] | None
    difference: Interval | None
    without_faults: Interval | None
    worst: Sequence[DealResult]
    seats: Sequence[SeatSummary]
    opponents: Sequence[OpponentSummary]
    faults: Sequence[FaultSummary]


def compare_deals(contest: Contest) -> SameDeals:
    """Return the results of the bot on the same deals."""
    results = [result for sitting in contest.own if (result := _deal_result(contest, sitting)) is not None]
    flawless = [result for result in results if not result.sitting.faults]
    ordered = sorted(results, key=lambda each: (each.difference, each.sitting.score - each.others_score))
    return SameDeals(
        len(contest.own),
        len(results),
        (fmean(each.sitting.points for each in results), fmean(each.others_points for each in results))
        if results
        else None,
        _difference(results) if results else None,
        _difference(flawless) if flawless else None,
        [result for result in ordered if result.difference < 0][:WORST],
        [_seat(seat, [each for each in results if each.sitting.place.seat == seat]) for seat in _seats(results)],
        sorted(_opponents(contest), key=lambda each: (each.beyond.mean if each.beyond else 0.0, each.points, each.bot)),
        sorted(_faults(results, contest.own), key=lambda each: (-each.faults, each.kind)),
    )


def _deal_result(contest: Contest, sitting: Sitting) -> DealResult | None:
    others = contest.others.get(sitting.place, ())
    if not others:
        return None
    return DealResult(
        sitting,
        len(others),
        fmean(each.score for each in others),
        fmean(each.points for each in others),
        max(others, key=lambda each: (each.points, each.score, -each.match)),
    )


def _difference(results: Sequence[DealResult]) -> Interval:
    return mean_by_deal((each.sitting.place.deal, each.difference) for each in results)


def _seats(results: Sequence[DealResult]) -> list[int]:
    return sorted({each.sitting.place.seat for each in results})


def _seat(seat: int, results: Sequence[DealResult]) -> SeatSummary:
    return SeatSummary(
        seat,
        len(results),
        fmean(each.sitting.points for each in results),
        fmean(each.others_points for each in results),
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
    for kind in sorted({kind for each in own for kind in each.faults}):
        faulty = [each for each in own if kind in each.faults]
        compared = [each for each in results if kind in each.sitting.faults]
        summaries.append(
            FaultSummary(
                kind,
                sum(each.faults[kind] for each in faulty),
                len(faulty),
                sum(each.forfeit for each in faulty),
                _difference(compared) if compared else None,
            )
        )
    return summaries
