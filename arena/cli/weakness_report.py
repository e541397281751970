"""The report on why a bot loses, as `arena tourney why` and `arena league why` print it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import add_options
from arena.cli.output import echo, print_progress
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.store import Store
    from arena.weaknesses.contest import Contest
    from arena.weaknesses.decisions import Decision
    from arena.weaknesses.differences import ChoiceDifference
    from arena.weaknesses.report import WeaknessReport

SHOWN = 15
"""Differences of choice that are printed."""

SHOWN_DEALS = 10
"""Deals that are printed."""

DECISIONS = 200_000
"""Decisions that are replayed by default: about twenty seconds."""


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of both commands."""
    return add_options(
        command,
        click.option(
            "--decisions",
            type=click.IntRange(min=1),
            metavar="N",
            default=DECISIONS,
            show_default=True,
            help="Replay matches with about N decisions to compare choices.",
        ),
    )


def print_report(store: "Store", contest: "Contest", decisions: int, about: dict[str, Any], as_json: bool) -> None:
    """Compute the report of a bot and print it. about: what comes first in JSON: the tournament, or the league."""
    from arena.weaknesses.loading import load_matches
    from arena.weaknesses.report import report_weaknesses
    from arena.weaknesses.report_json import report_values

    report = report_weaknesses(contest, lambda ids: load_matches(store, ids), decisions, _Progress().read)
    if as_json:
        echo(json_text({**about, **report_values(report)}))
        return
    for line in _lines(report):
        echo(line)


class _Progress:
    """Prints how many matches have been replayed, about every tenth of them."""

    def __init__(self) -> None:
        self._tenth = 0

    def read(self, done: int, total: int) -> None:
        """Note that a match has been replayed."""
        if total >= 100 and 10 * done // total > self._tenth:
            self._tenth = 10 * done // total
            print_progress(f"replayed {done:,} of {total:,} matches")


def _lines(report: "WeaknessReport") -> Iterator[str]:
    from arena.weaknesses.sentences import headlines

    yield from headlines(report)
    for part in (_choices, _deals, _seats, _opponents):
        yield from part(report)


def _choices(report: "WeaknessReport") -> Iterator[str]:
    """Yield the differences of choice."""
    from arena.ratings.text_table import TextTable
    from arena.weaknesses.sentences import METHOD, reference

    choices = report.choices
    if choices is None or not choices.differences:
        return
    whom = reference(report.contest)
    yield ""
    yield f"What it chooses otherwise than {whom}: {choices.own:,} of its decisions, {choices.better:,} of theirs"
    headers = ["question, position", "its choice", "in %", f"{whom} in %", "of its", "of theirs", "a match", "moments"]
    rows = [_choice(each) for each in choices.differences[:SHOWN]]
    yield TextTable(headers, rows, (0, 1, 7), []).render()
    if len(choices.differences) > SHOWN:
        yield f"... and {len(choices.differences) - SHOWN} more, which --json prints"
    yield METHOD
    if choices.unreadable:
        yield f"{choices.unreadable:,} matches were left out: the installed rules cannot replay them."
    example = next(iter(choices.differences[0].examples), None)
    if example is not None:
        yield f"a moment, match and move: arena replay {example.sitting.match} --at {example.position}"


def _choice(difference: "ChoiceDifference") -> list[object]:
    from arena.weaknesses.sentences import position

    frequency = difference.side.frequency
    return [
        position(difference),
        difference.side.action,
        f"{100 * frequency.own:.0f}",
        f"{100 * frequency.other:.0f}",
        f"{frequency.own_decisions:,}",
        f"{frequency.other_decisions:,}",
        f"{difference.per_match:.2f}",
        " ".join(map(_moment, difference.examples)),
    ]


def _moment(decision: "Decision") -> str:
    return f"{decision.sitting.match}:{decision.position}"


def _deals(report: "WeaknessReport") -> Iterator[str]:
    """Yield the worst deals."""
    from arena.ratings.text_table import TextTable
    from arena.weaknesses.sentences import POINTS

    deals = report.deals
    if not deals.worst:
        return
    yield ""
    yield f"Its worst deals, of {deals.compared:,} seats that others held as well"
    headers = ["match", "deal", "seat", "score", "of others", "points in %", "of others", "best of them", "its match"]
    rows = [
        [
            each.sitting.match,
            each.sitting.deal,
            each.sitting.place.seat,
            f"{each.sitting.score:g}",
            f"{each.others_score:.1f}",
            f"{100 * each.sitting.points:.0f}",
            f"{100 * each.others_points:.0f}",
            report.contest.names[each.best.bot],
            each.best.match,
        ]
        for each in deals.worst[:SHOWN_DEALS]
    ]
    yield TextTable(headers, rows, (7,), []).render()
    yield POINTS


def _seats(report: "WeaknessReport") -> Iterator[str]:
    """Yield the results by seat."""
    from arena.ratings.text_table import TextTable
    from arena.weaknesses.sentences import points

    seats = report.deals.seats
    if not seats:
        return
    yield ""
    rows = [
        [
            each.seat,
            f"{each.sittings:,}",
            f"{100 * each.points:.1f}",
            f"{100 * each.others_points:.1f}",
            points(each.difference),
        ]
        for each in seats
    ]
    yield TextTable(["seat", "held", "points in %", "others", "difference ± 95 %"], rows, (), []).render()


def _opponents(report: "WeaknessReport") -> Iterator[str]:
    """Yield the results by opponent."""
    from arena.ratings.text_table import TextTable
    from arena.weaknesses.sentences import points

    opponents = report.deals.opponents
    if not opponents:
        return
    yield ""
    rows = [
        [
            report.contest.names[each.bot],
            f"{each.matches:,}",
            f"{100 * each.points:.1f}",
            "-" if each.expected is None else f"{100 * each.expected:.1f}",
            points(each.beyond),
        ]
        for each in opponents
    ]
    headers = ["against", "matches", "points in %", "expected", "beyond ± 95 %"]
    yield TextTable(headers, rows, (0,), []).render()
