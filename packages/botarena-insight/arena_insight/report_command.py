"""The report on why a bot loses, as `arena tourney why` and `arena league why` print it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from arena.cli.options import add_options
from arena.cli.output import echo, print_progress, table_text
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.store import Store
    from arena.values.rows import StoredMatch
    from arena_insight.weaknesses.contest import Contest
    from arena_insight.weaknesses.decisions import Decision
    from arena_insight.weaknesses.differences import ChoiceDifference
    from arena_insight.weaknesses.report import WeaknessReport

SHOWN = 15
"""Differences of choice that are printed."""

SHOWN_DEALS = 10
"""Deals that are printed."""

COSTLY = (
    word_column("moment"),
    Column("seat", drop=1),
    text_column("question, position", drop=4),
    text_column("played"),
    text_column("better"),
    Column("chance to win in %", drop=2),
    Column("better", drop=3),
    Column("cost ± error"),
)
DEALS = (
    Column("match"),
    Column("deal", drop=1),
    Column("seat", drop=3),
    Column("score", drop=5),
    Column("of others", drop=4),
    Column("points in %"),
    Column("of others"),
    text_column("best of them"),
    Column("its match", drop=2),
)
HELD_SEATS = (
    Column("seat"),
    Column("held", drop=1),
    Column("points in %"),
    Column("others"),
    Column("difference ± 95 %"),
)
OPPONENTS = (
    text_column("against"),
    Column("matches", drop=1),
    Column("points in %"),
    Column("expected", drop=2),
    Column("beyond ± 95 %"),
)

DECISIONS = 200_000
"""Decisions that are replayed by default: about twenty seconds."""

MIN_PLAYOUTS = 200
"""With fewer playouts no cost is separated from 0."""


PROGRESS_SECONDS = 3.0


class Effort(NamedTuple):
    """How much is computed, as the options say; playouts is None where no costly decisions are searched."""

    decisions: int
    playouts: int | None
    seed: int
    jobs: int


def report_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of both commands; hand `decisions`, `playouts`, `seed` and `jobs` on as one `effort`."""

    @wraps(command)
    def wrapped(decisions: int, playouts: int | None, seed: int, jobs: int, **more: Any) -> Any:
        return command(effort=Effort(decisions, playouts, seed, jobs), **more)

    return add_options(
        wrapped,
        click.option(
            "--decisions",
            type=click.IntRange(min=1),
            metavar="N",
            default=DECISIONS,
            show_default=True,
            help="Replay matches with about N decisions to compare choices.",
        ),
        click.option(
            "--playouts",
            type=click.IntRange(min=MIN_PLAYOUTS),
            metavar="N",
            help="Search the costliest decisions, with about N playouts in all.",
        ),
        click.option("--seed", type=click.IntRange(min=0), metavar="N", default=0, help="Seed of the playouts."),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            metavar="N",
            default=1,
            show_default=True,
            help="Processes for playouts.",
        ),
    )


def print_report(store: "Store", contest: "Contest", effort: Effort, about: dict[str, Any], as_json: bool) -> None:
    """Compute the report of a bot and print it.

    about: what comes first in JSON: the tournament, or the league.
    """
    from arena_insight.weaknesses.candidates import choose_candidates
    from arena_insight.weaknesses.costly_decisions import candidates_for, find_costly_decisions
    from arena_insight.weaknesses.loading import load_matches
    from arena_insight.weaknesses.report import report_weaknesses
    from arena_insight.weaknesses.report_json import report_values

    def load(ids: Sequence[int]) -> Iterator["StoredMatch"]:
        return load_matches(store, ids)

    report = report_weaknesses(contest, load, effort.decisions, _Progress("replayed", "matches").tell)
    if effort.playouts is not None:
        candidates = choose_candidates(contest, report.choices, load, candidates_for(effort.playouts))
        costly = find_costly_decisions(
            candidates,
            effort.playouts,
            seed=effort.seed,
            jobs=effort.jobs,
            progress=_Progress("played", "playouts").tell,
        )
        report = replace(report, costly=costly)
    if as_json:
        echo(json_text({**about, **report_values(report)}))
        return
    for line in _lines(report):
        echo(line)


class _Progress:
    """Prints how much has been done, every few seconds.

    verb, noun: what is done to what.
    """

    def __init__(self, verb: str, noun: str) -> None:
        self._verb = verb
        self._noun = noun
        self._printed = monotonic()

    def tell(self, done: int, total: int) -> None:
        """Note how much has been done."""
        if monotonic() - self._printed >= PROGRESS_SECONDS:
            self._printed = monotonic()
            print_progress(f"{self._verb} {done:,} of about {total:,} {self._noun}")


def _lines(report: "WeaknessReport") -> Iterator[str]:
    from arena_insight.weaknesses.sentences import headlines

    yield from headlines(report)
    for part in (_choices, _costly, _deals, _seats, _opponents):
        yield from part(report)


def _choices(report: "WeaknessReport") -> Iterator[str]:
    """Yield the differences of choice."""
    from arena_insight.weaknesses.sentences import METHOD, reference

    choices = report.choices
    if choices is None or not choices.differences:
        return
    whom = reference(report.contest)
    yield ""
    yield f"What it chooses otherwise than {whom}: {choices.own:,} of its decisions, {choices.better:,} of theirs"
    columns = [
        text_column("question, position"),
        text_column("its choice"),
        Column("in %"),
        Column(f"{whom} in %"),
        Column("of its", drop=2),
        Column("of theirs", drop=1),
        Column("a match", drop=4),
        text_column("moments", drop=3),
    ]
    rows = [_choice(difference) for difference in choices.differences[:SHOWN]]
    yield table_text(columns, rows)
    if len(choices.differences) > SHOWN:
        yield f"... and {len(choices.differences) - SHOWN} more, which --json prints"
    yield METHOD
    if choices.unreadable:
        yield f"{choices.unreadable:,} matches were left out: the installed rules cannot replay them."
    example = next(iter(choices.differences[0].examples), None)
    if example is not None:
        yield f"a moment, match and move: arena replay {example.sitting.match} --at {example.position}"


def _choice(difference: "ChoiceDifference") -> list[object]:
    from arena_insight.weaknesses.sentences import position

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


def _costly(report: "WeaknessReport") -> Iterator[str]:
    """Yield the costliest decisions."""
    from arena_insight.weaknesses.sentences import COST

    costly = report.costly
    if costly is None:
        return
    yield ""
    mistakes = [decision for decision in costly.decisions if decision.is_separated]
    searched = f"of {costly.candidates:,} candidates, by {costly.playouts:,} playouts"
    if not mistakes:
        yield f"Costliest decisions, {searched}: none has a cost that is separated from 0; more --playouts tell more"
        return
    yield f"Its costliest decisions, {searched}"
    rows = [
        [
            _moment(mistake.decision),
            mistake.decision.sitting.place.seat,
            f"{mistake.decision.choice.question}, {mistake.decision.choice.position}".removesuffix(", "),
            mistake.decision.move,
            mistake.better,
            f"{100 * mistake.chance:.1f}",
            f"{100 * mistake.better_chance:.1f}",
            f"{100 * mistake.cost:.1f} ± {100 * mistake.error:.1f}",
        ]
        for mistake in mistakes
    ]
    yield table_text(COSTLY, rows)
    yield COST


def _moment(decision: "Decision") -> str:
    return f"{decision.sitting.match}:{decision.position}"


def _deals(report: "WeaknessReport") -> Iterator[str]:
    """Yield the worst deals."""
    from arena_insight.weaknesses.sentences import POINTS

    deals = report.deals
    if not deals.worst:
        return
    yield ""
    yield f"Its worst deals, of {deals.compared:,} seats that others held as well"
    rows = [
        [
            deal.sitting.match,
            deal.sitting.deal,
            deal.sitting.place.seat,
            f"{deal.sitting.score:g}",
            f"{deal.others_score:.1f}",
            f"{100 * deal.sitting.points:.0f}",
            f"{100 * deal.others_points:.0f}",
            report.contest.names[deal.best.bot],
            deal.best.match,
        ]
        for deal in deals.worst[:SHOWN_DEALS]
    ]
    yield table_text(DEALS, rows)
    yield POINTS


def _seats(report: "WeaknessReport") -> Iterator[str]:
    """Yield the results by seat."""
    from arena_insight.weaknesses.sentences import points

    seats = report.deals.seats
    if not seats:
        return
    yield ""
    rows = [
        [
            seat.seat,
            f"{seat.sittings:,}",
            f"{100 * seat.points:.1f}",
            f"{100 * seat.others_points:.1f}",
            points(seat.difference),
        ]
        for seat in seats
    ]
    yield table_text(HELD_SEATS, rows)


def _opponents(report: "WeaknessReport") -> Iterator[str]:
    """Yield the results by opponent."""
    from arena_insight.weaknesses.sentences import points

    opponents = report.deals.opponents
    if not opponents:
        return
    yield ""
    rows = [
        [
            report.contest.names[opponent.bot],
            f"{opponent.matches:,}",
            f"{100 * opponent.points:.1f}",
            "-" if opponent.expected is None else f"{100 * opponent.expected:.1f}",
            points(opponent.beyond),
        ]
        for opponent in opponents
    ]
    yield table_text(OPPONENTS, rows)
