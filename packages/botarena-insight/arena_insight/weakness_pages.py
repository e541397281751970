"""The page on why a bot loses: its findings, what it chooses otherwise than better bots, and the same deals."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arena.replay.html import Child, Element, tag
from arena.server.pages.layout import bot_link, content, count, page, sheet, table
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

WIDTH, HEIGHT = 120, 18
"""Size of the drawing of two frequencies, in pixels."""


class Search(NamedTuple):
    """The search of the costliest decisions of a bot, as a visitor sees it."""

    action: str | None
    """The address where the visitor can ask for it; None: nowhere."""
    state: dict[str, Any] | None
    """The state of a search that is not finished or has failed, as `AnalysisQueue.state` returns it; None without one.
    """
    result: CostlyDecisions | None
    """The result of the last search; None without one."""


def show(name: str, above: Child, parts: Sequence[Element], search: Search, *, here: str) -> str:
    """Return the page.

    above: where the bot played.
    parts: as `parts` returns them.
    here: as `page` takes it.
    """
    title = f"Why {name} loses"
    findings, *further = parts
    return page(
        title,
        content(
            title,
            tag("p", {"class": "soft"}, above) if isinstance(above, str) else above,
            findings,
            _costly(search) if further else None,
            further,
        ),
        here=here,
        styles=("site.css", "league.css"),
        scripts=("words.js", "dom.js", "address.js", "analyse.js") if search.action and further else (),
        reload=RELOAD if search.state else None,
    )


def _costly(search: Search) -> Element | None:
    """Return the costliest decisions, and the form to have them searched; None if there is neither."""
    if search.result is None and search.action is None:
        return None
    return sheet(
        tag("h2", {}, "Its costliest decisions"),
        None if search.result is None else _costly_table(search.result),
        None if search.action is None else _search_form(search, search.action),
        id="costly",
    )


def _costly_table(costly: CostlyDecisions) -> list[Element]:
    searched = f"Of {count(costly.candidates)} decisions after which it lost, by {count(costly.playouts)} playouts. "
    found = [each for each in costly.decisions if each.is_separated]
    if not found:
        sentence = "No cost is separated from 0: one decision changes the chance to win by less than so many can tell."
        return [tag("p", {"class": "soft"}, searched, sentence)]
    headers = (
        *("moment", "seat", "question, position", "played", "better", "chance to win in %", "with the better move"),
        "cost in % ± error",
    )

    def row(each: CostlyDecision) -> tuple[Child, ...]:
        choice = each.decision.choice
        return (
            _moments([each.decision]),
            each.decision.sitting.place.seat,
            f"{choice.question}, {choice.position}".removesuffix(", "),
            each.decision.move,
            each.better,
            f"{100 * each.chance:.1f}",
            f"{100 * each.better_chance:.1f}",
            f"{100 * each.cost:.1f} ± {100 * each.error:.1f}",
        )

    return [table(headers, map(row, found), (1, 5, 6, 7), (1, 5, 6)), tag("p", {"class": "soft"}, searched, COST)]


def _search_form(search: Search, action: str) -> Element:
    state = search.state
    words = None
    if state is not None:
        words = f"The search failed: {state['sentence']}" if state["state"] == "failed" else "It is being searched."
    is_open = state is not None and state["state"] != "failed"
    return tag(
        "form",
        {"id": "analyse", "method": "post", "action": action},
        tag(
            "button",
            {"title": "by playouts of a sample bot, in some minutes"},
            "search its costliest decisions" if search.result is None else "search again",
        ),
        " ",
        tag("span", {"id": "analysis", "role": "status", "data-open": is_open}, words),
    )


def parts(report: WeaknessReport) -> Iterator[Element]:
    """Yield the parts of the page."""
    contest = report.contest
    sentences = [tag("li", {}, sentence) for sentence in headlines(report)]
    yield tag("div", {"class": "verdict", "id": "findings"}, tag("ul", {}, sentences))
    if report.choices is not None and report.choices.differences:
        yield _choices(contest, report.choices)
    if report.deals.worst:
        yield _worst(contest, report.deals)
    if report.deals.seats:
        yield _seats(report.deals)
    if report.deals.opponents:
        yield _opponents(contest, report.deals)
    if report.deals.faults:
        yield _faults(report.deals)


def _choices(contest: Contest, choices: ChoiceComparison) -> Element:
    whom = reference(contest)
    shown = choices.differences[:SHOWN]
    more = len(choices.differences) - len(shown)
    headers = (
        *("question, position", "its choice", "its %", "their %", "● its, ○ their"),
        *("decisions", "of theirs", "a match", "points against them", "its moments", "theirs"),
    )
    return sheet(
        tag("h2", {}, f"What it chooses otherwise than {whom}"),
        tag(
            "p",
            {"class": "soft"},
            f"{count(choices.own)} of its decisions and {count(choices.better)} of {whom} in the same seats of the "
            f"same deals, from {count(choices.matches)} matches; {count(choices.tests)} tests. ",
            f"{count(choices.unreadable)} matches cannot be replayed by the installed rules. "
            if choices.unreadable
            else None,
        ),
        table(headers, [_choice(each) for each in shown], (2, 3, 5, 6, 7, 8), (5, 6, 7, 8)),
        tag("p", {"class": "soft"}, f"And {count(more)} more, which the command prints with --json.") if more else None,
        tag("p", {"class": "soft"}, f"{METHOD} A moment is named by its match and move."),
        id="choices",
    )


def _choice(difference: ChoiceDifference) -> tuple[Child, ...]:
    frequency = difference.side.frequency
    against = "-"
    if difference.shortfall is not None:
        against = points(difference.shortfall._replace(mean=-difference.shortfall.mean))
    return (
        position(difference),
        difference.side.action,
        f"{100 * frequency.own:.0f}",
        f"{100 * frequency.other:.0f}",
        two_frequencies(frequency.own, frequency.other),
        count(frequency.own_decisions),
        count(frequency.other_decisions),
        f"{difference.per_match:.2f}",
        against,
        _moments(difference.examples),
        None if difference.counterexample is None else _moments([difference.counterexample]),
    )


def two_frequencies(own: float, other: float) -> Element:
    """Draw two frequencies on a scale from 0 to 1: the own one filled, the other hollow."""

    def x(share: float) -> float:
        return round(8 + (WIDTH - 16) * share, 1)

    y = HEIGHT / 2
    return tag(
        "svg",
        {"class": "frequencies", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT, "role": "img",
         "aria-label": f"{100 * own:.0f} % against {100 * other:.0f} %"},
        tag("line", {"class": "scale", "x1": x(0), "x2": x(1), "y1": y, "y2": y}),
        tag("line", {"class": "gap", "x1": x(own), "x2": x(other), "y1": y, "y2": y}),
        tag("circle", {"class": "other", "cx": x(other), "cy": y, "r": 4}),
        tag("circle", {"class": "own", "cx": x(own), "cy": y, "r": 4}),
    )  # fmt: skip


def _moments(decisions: Sequence[Decision]) -> list[Child]:
    """Return links to decisions in replays."""
    links: list[Child] = []
    for decision in decisions:
        match, move = decision.sitting.match, decision.position
        address = f"/matches/{match}#move={move}"
        link = tag(
            "a", {"class": "moment", "href": address, "aria-label": f"match {match}, move {move}"}, f"{match}:{move}"
        )
        links += [" " if links else "", link]
    return links


def _match(match: int) -> Element:
    return tag("a", {"href": f"/matches/{match}"}, str(match))


def _worst(contest: Contest, deals: SameDeals) -> Element:
    headers = (
        *("match", "deal", "seat", "its score", "score of the others", "its points in %", "points of the others"),
        *("best of the others", "its match", "both"),
    )

    def row(result: DealResult) -> tuple[Child, ...]:
        sitting = result.sitting
        return (
            _match(sitting.match),
            sitting.deal,
            sitting.place.seat,
            f"{sitting.score:g}",
            f"{result.others_score:.1f}",
            f"{100 * sitting.points:.0f}",
            f"{100 * result.others_points:.0f}",
            bot_link(contest.names[result.best.bot]),
            _match(result.best.match),
            tag("a", {"href": f"/matches/{sitting.match}/compare?with={result.best.match}#seat={sitting.place.seat}"},
                "side by side"),
        )  # fmt: skip

    return sheet(
        tag("h2", {}, "Its worst deals"),
        tag("p", {"class": "soft"}, f"Of {count(deals.compared)} seats that it held, and others in the same deal. "),
        table(headers, map(row, deals.worst), (0, 1, 2, 3, 4, 5, 6, 8), (1, 3, 4)),
        tag("p", {"class": "soft"}, POINTS),
        id="deals",
    )


def _seats(deals: SameDeals) -> Element:
    rows = [
        (each.seat, count(each.sittings), f"{100 * each.points:.1f}", f"{100 * each.others_points:.1f}",
         points(each.difference))
        for each in deals.seats
    ]  # fmt: skip
    headers = ("seat", "held", "its points in %", "points of the others", "difference ± 95 %")
    return sheet(tag("h2", {}, "By seat"), table(headers, rows, range(5)), id="seats")


def _opponents(contest: Contest, deals: SameDeals) -> Element:
    rows = [
        (
            bot_link(contest.names[each.bot]),
            count(each.matches),
            f"{100 * each.points:.1f}",
            "-" if each.expected is None else f"{100 * each.expected:.1f}",
            points(each.beyond),
        )
        for each in deals.opponents
    ]
    headers = ("against", "matches", "its points in %", "expected", "beyond ± 95 %")
    return sheet(
        tag("h2", {}, "By opponent"),
        table(headers, rows, (1, 2, 3, 4)),
        tag("p", {"class": "soft"}, "Expected: by the ratings of both."),
        id="opponents",
    )


def _faults(deals: SameDeals) -> Element:
    rows = [
        (each.kind, count(each.faults), count(each.sittings), count(each.forfeits), points(each.difference))
        for each in deals.faults
    ]
    headers = ("fault", "times", "matches", "forfeits", "points against the others ± 95 %")
    return sheet(
        tag("h2", {}, "What its faults cost"),
        table(headers, rows, (1, 2, 3, 4)),
        tag("p", {"class": "soft"}, f"In matches without a fault: {points(deals.without_faults)}."),
        id="faults",
    )
