"""The report on a bot in sentences, for the terminal and the pages."""

from collections.abc import Iterator

from arena_insight.weaknesses.contest import Contest, Interval
from arena_insight.weaknesses.differences import ALL_POSITIONS, ChoiceComparison, ChoiceDifference
from arena_insight.weaknesses.report import WeaknessReport
from arena_insight.weaknesses.same_deals import SameDeals

POINTS = (
    "Points: the share of the other seats (of other teams) that a seat beat, ties counting one half. Others: all bots "
    "that held the same seat of the same deal, and so had the same cards or dice, though not the same opponents."
)

METHOD = (
    "Frequencies over all positions are weighted by the positions of the bot. Only differences are listed that are "
    "separated: deals are the unit of sampling, and Holm's method keeps the probability that any is due to chance at "
    "5 %. They are sorted by how often the bot chooses otherwise, times the points that better bots made beyond its "
    "own in those seats. That is where it loses, which need not be why: look at the moments."
)

COST = (
    "Chances to win, by playouts of the deals that the seat could not tell from the real one, with a sample bot in "
    "every seat: ± the standard error. They come from playouts of their own, not from those by which the decisions "
    "were chosen, and only costs that are separated from 0 are listed (Holm's method, 5 %)."
)


def percent(share: float) -> str:
    """Format a frequency: 42 %."""
    return f"{100 * share:.0f} %"


def points(interval: Interval | None) -> str:
    """Format a difference of points in percent, with its 95 % interval."""
    if interval is None:
        return "-"
    return f"{100 * interval.mean:+.1f}" + ("" if interval.ci95 is None else f" ± {100 * interval.ci95:.1f}")


def position(difference: ChoiceDifference) -> str:
    """Return question and position of a difference in one line."""
    return f"{difference.question}, {difference.position or 'all positions'}"


def reference(contest: Contest) -> str:
    """Return with whom the bot is compared."""
    return "the other bots" if contest.is_best else "better bots"


def headlines(report: WeaknessReport) -> Iterator[str]:
    """Yield the findings that matter most, in a sentence each."""
    contest, name = report.contest, report.contest.names[report.contest.bot]
    if not contest.own:
        yield f"{name} has played no match that counts yet."
        return
    yield from _results(report.deals, name)
    if contest.is_best and contest.better:
        yield f"No bot that held its seats is rated higher, so {name} is compared with all others."
    if report.choices is None:
        yield "Nobody else held its seats in the same deals, so there is nothing to compare: each deal was played once."
        return
    yield from _choices(report.choices, contest)
    for fault in report.deals.faults:
        where = f"{fault.sittings:,} {'match' if fault.sittings == 1 else 'matches'}"
        is_clear = fault.difference is not None and fault.difference.ci95 is not None
        cost = f", where it made {points(fault.difference)} points against the others" if is_clear else ""
        yield f"Faults: {fault.kind} {fault.faults:,} times in {where}{cost}."


def _results(deals: SameDeals, name: str) -> Iterator[str]:
    if deals.difference is None or deals.points is None:
        return
    own, others = deals.points
    yield (
        f"In the same seats with the same cards, {name} made {100 * own:.1f} % of the points and the others "
        f"{100 * others:.1f} %: {points(deals.difference)}."
    )


def _choices(choices: ChoiceComparison, contest: Contest) -> Iterator[str]:
    if not choices.tests:
        yield (
            f"Too few decisions, or deals, to compare its choices with those of {reference(contest)}: "
            f"{choices.own:,} and {choices.better:,} decisions."
        )
        return
    if not choices.differences:
        yield (
            f"No difference between its choices and those of {reference(contest)} is separated, in {choices.own:,} and "
            f"{choices.better:,} decisions."
        )
        return
    first = choices.differences[0]
    sentence = choice_sentence(first, reference(contest))
    yield f"{sentence[:1].upper()}{sentence[1:]}."
    if first.position == ALL_POSITIONS:
        inside = [
            difference
            for difference in choices.differences
            if difference.question == first.question and difference.position
        ]
        if inside:
            yield f"Above all: {choice_sentence(inside[0], reference(contest))}."


def choice_sentence(difference: ChoiceDifference, whom: str) -> str:
    """Return a difference in a sentence without a full stop.

    whom: with whom the bot is compared.
    """
    frequency = difference.side.frequency
    how = "more often" if difference.is_excess else "less often"
    return (
        f'{position(difference)}: it chooses "{difference.side.action}" {how}, in {percent(frequency.own)} of its '
        f"decisions, {whom} in {percent(frequency.other)}"
    )
