"""The page on why a bot loses: its findings, what it chooses otherwise than better bots, and the same deals."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arena.replay.html import Element
from arena_insight.templates import TEMPLATES
from arena_insight.weaknesses.contest import Contest
from arena_insight.weaknesses.costly_decisions import CostlyDecision, CostlyDecisions
from arena_insight.weaknesses.decisions import Decision
from arena_insight.weaknesses.differences import ChoiceComparison, ChoiceDifference
from arena_insight.weaknesses.report import WeaknessReport
from arena_insight.weaknesses.same_deals import DealResult, SameDeals
from arena_insight.weaknesses.sentences import COST, METHOD, POINTS, headlines, points, position, reference

SHOWN = 25
"""Differences of choice on the page."""

RELOAD = 5
"""Seconds after which a browser without JavaScript loads a page again on which a search is under way."""

WIDTH, HEIGHT, MARGIN = 120, 18, 8
"""Size of the drawing of two frequencies, and the margin at both ends of its scale, in pixels."""

PARTS = "weaknesses/parts.html"

_findings = TEMPLATES.macro(PARTS, "findings", english=True)
_choices = TEMPLATES.macro(PARTS, "choices", english=True)
_two_frequencies = TEMPLATES.macro(PARTS, "two_frequencies", english=True)
_worst_deals = TEMPLATES.macro(PARTS, "worst_deals", english=True)
_by_seat = TEMPLATES.macro(PARTS, "by_seat", english=True)
_by_opponent = TEMPLATES.macro(PARTS, "by_opponent", english=True)
_faults = TEMPLATES.macro(PARTS, "faults", english=True)

Moment = tuple[int, int]
"""A decision in a replay: the id of the match, and the number of the move."""


class Search(NamedTuple):
    """The search of the costliest decisions of a bot, as a visitor sees it."""

    action: str | None
    """The address where the visitor can ask for it; None: nowhere."""
    state: dict[str, Any] | None
    """The state of a search that is not finished or has failed, as `AnalysisQueue.state` returns it; None without one.
    """
    result: CostlyDecisions | None
    """The result of the last search; None without one."""


class _Difference(NamedTuple):
    """A difference of choice, as the page shows it."""

    position: str
    action: str
    own: str
    """How often the bot chose it, in per cent."""
    other: str
    """How often better bots did."""
    drawing: Element
    own_decisions: int
    other_decisions: int
    per_match: str
    against: str
    """The points against better bots."""
    examples: Sequence[Moment]
    counterexamples: Sequence[Moment]


def show(
    name: str, above: Element | str, parts: Sequence[Element], search: Search, *, here: str, game: str, is_first: bool
) -> str:
    """Return the page.

    above: where the bot played.
    parts: as `parts` returns them.
    here: as `page.html` takes it.
    game: its name.
    is_first: whether the bot leads the event, or has won it.
    """
    findings, *further = parts
    result, state = search.result, search.state
    found = [decision for decision in result.decisions if decision.is_separated] if result else []
    failed = state is not None and state["state"] == "failed"
    return TEMPLATES.page(
        "weaknesses/weaknesses.html",
        title=f"Where {name} gives points away" if is_first else f"Why {name} loses",
        game=game,
        here=here,
        above=above,
        findings=findings,
        further=further,
        action=search.action,
        costly=None if result is None else list(map(_costly, found)),
        searched=""
        if result is None
        else f"Of {result.candidates:,} decisions after which it lost, by {result.playouts:,} playouts. ",
        meaning=COST
        if found
        else "No cost is separated from 0: one decision changes the chance to win by less than so many can tell.",
        words="" if state is None else f"The search failed: {state['sentence']}" if failed else "It is being searched.",
        is_open=state is not None and not failed,
        scripts=("words.js", "dom.js", "address.js", "analyse.js") if search.action and further else (),
        reload=RELOAD if state else None,
    )


def _costly(costly: CostlyDecision) -> tuple[Moment | int | str, ...]:
    choice = costly.decision.choice
    return (
        _moment(costly.decision),
        costly.decision.sitting.place.seat,
        f"{choice.question}, {choice.position}".removesuffix(", "),
        costly.decision.move,
        costly.better,
        f"{100 * costly.chance:.1f}",
        f"{100 * costly.better_chance:.1f}",
        f"{100 * costly.cost:.1f} ± {100 * costly.error:.1f}",
    )


def _moment(decision: Decision) -> Moment:
    return decision.sitting.match, decision.position


def parts(report: WeaknessReport) -> Iterator[Element]:
    """Yield the parts of the page."""
    contest, deals = report.contest, report.deals
    yield _findings(headlines(report))
    if report.choices is not None and report.choices.differences:
        yield _compared(contest, report.choices)
    if deals.worst:
        yield _worst_deals(deals.compared, [_worst(contest, result) for result in deals.worst], POINTS)
    if deals.seats:
        yield _by_seat(_seats(deals))
    if deals.opponents:
        yield _by_opponent(_opponents(contest, deals))
    if deals.faults:
        yield _faults(
            [
                (
                    fault.kind,
                    f"{fault.faults:,}",
                    f"{fault.sittings:,}",
                    f"{fault.forfeits:,}",
                    points(fault.difference),
                )
                for fault in deals.faults
            ],
            points(deals.without_faults),
        )


def _compared(contest: Contest, choices: ChoiceComparison) -> Element:
    whom = reference(contest)
    sentence = (
        f"{choices.own:,} of its decisions and {choices.better:,} of {whom} in the same seats of the same deals, "
        f"from {choices.matches:,} matches; {choices.tests:,} tests. "
    )
    if choices.unreadable:
        sentence += f"{choices.unreadable:,} matches cannot be replayed by the installed rules. "
    shown = [_difference(difference) for difference in choices.differences[:SHOWN]]
    return _choices(whom, sentence, METHOD, shown, len(choices.differences) - len(shown))


def _difference(difference: ChoiceDifference) -> _Difference:
    frequency, counterexample = difference.side.frequency, difference.counterexample
    against = "-"
    if difference.shortfall is not None:
        against = points(difference.shortfall._replace(mean=-difference.shortfall.mean))
    return _Difference(
        position(difference),
        difference.side.action,
        f"{100 * frequency.own:.0f}",
        f"{100 * frequency.other:.0f}",
        two_frequencies(frequency.own, frequency.other),
        frequency.own_decisions,
        frequency.other_decisions,
        f"{difference.per_match:.2f}",
        against,
        list(map(_moment, difference.examples)),
        [] if counterexample is None else [_moment(counterexample)],
    )


def two_frequencies(own: float, other: float) -> Element:
    """Draw two frequencies on a scale from 0 to 1: the own one filled, the other hollow."""

    def x(share: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * share, 1)

    words = f"{100 * own:.0f} % against {100 * other:.0f} %"
    return _two_frequencies(x(own), x(other), words, WIDTH, HEIGHT, x(0), x(1))


def _worst(contest: Contest, result: DealResult) -> tuple[int | str, ...]:
    sitting = result.sitting
    return (
        sitting.match,
        sitting.deal,
        sitting.place.seat,
        f"{sitting.score:g}",
        f"{result.others_score:.1f}",
        f"{100 * sitting.points:.0f}",
        f"{100 * result.others_points:.0f}",
        contest.names[result.best.bot],
        result.best.match,
    )


def _seats(deals: SameDeals) -> Iterator[tuple[int | str, ...]]:
    for seat in deals.seats:
        own, others = f"{100 * seat.points:.1f}", f"{100 * seat.others_points:.1f}"
        yield seat.seat, f"{seat.sittings:,}", own, others, points(seat.difference)


def _opponents(contest: Contest, deals: SameDeals) -> Iterator[tuple[str, ...]]:
    for opponent in deals.opponents:
        expected = "-" if opponent.expected is None else f"{100 * opponent.expected:.1f}"
        name, own = contest.names[opponent.bot], f"{100 * opponent.points:.1f}"
        yield name, f"{opponent.matches:,}", own, expected, points(opponent.beyond)
