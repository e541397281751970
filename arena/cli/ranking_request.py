"""The options of commands that rate bots, and how they print the table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import add_options
from arena.cli.output import echo, table_width
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.ratings import BotStats, Ranking
    from arena.ratings.control_variate import Reference
    from arena.ratings.source import ResultSource

_TABLES = ("los", "first", "crosstable", "seats", "savings")
_FORMS = ("text", "markdown", "html", "latex", "csv", "json")


class _BotElo(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A bot and its Elo, as BOT=ELO."""

    name = "bot=elo"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """Return the bot and its Elo. Raises BadParameter."""
        bot, _, elo = str(value).rpartition("=")
        try:
            number = float(elo)
        except ValueError:
            number = nan
        if not bot.strip() or not isfinite(number):
            self.fail(f'"{value}" is not BOT=ELO, such as random=1000', param, ctx)
        return bot.strip(), number


@dataclass(frozen=True, slots=True)
class RankingRequest:
    """Which table to print, in which form, and how to rate."""

    what: str
    """The table: "ranking", or one of `_TABLES`."""
    form: str
    """The form of the output: one of `_FORMS`."""
    anchor: tuple[str, float] | None
    """The bot whose Elo is given, and that Elo; None: no bot's is."""
    davidson: bool
    """Whether ties have a parameter of their own."""
    reference: "Reference | None" = None
    """What measures the luck of each deal, which is subtracted; None: it is not."""

    def rate(self, source: "ResultSource") -> "Ranking":
        """Return the ranking of the matches."""
        from arena.ratings import fit_ranking
        from arena.ratings.anchor import Anchor

        anchor = Anchor(*self.anchor) if self.anchor else None
        if self.reference is None:
            return fit_ranking(source.tally(), anchor=anchor, davidson=self.davidson)
        tally = source.tally()
        return fit_ranking(tally, anchor=anchor, luck=self.reference.luck_of_pairs(source.results(), tally.totals()))


def rating_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a ranking, handed on together as `request`: a RankingRequest."""

    @wraps(function)
    def command(*args: Any, anchor: tuple[str, float] | None, davidson: bool, form: str | None, **others: Any) -> Any:
        what = _only([name for name in _TABLES if others.pop(name)])
        forms = [name for name in ("json", "csv") if others.pop(f"as_{name}")]
        if form:
            forms.append(form)
        request = RankingRequest(what or "ranking", _only(forms) or "text", anchor, davidson)
        return function(*args, request=request, **others)

    return add_options(command, *_OPTIONS)


def _only(chosen: list[str]) -> str:
    if len(set(chosen)) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    return chosen[0] if chosen else ""


_OPTIONS = (
    click.option("--los", is_flag=True, help="Print the likelihood that each bot is better than each other instead."),
    click.option("--first", is_flag=True, help="Print how likely each bot is the best, and its likely ranks, instead."),
    click.option("--crosstable", is_flag=True, help="Print the points of each bot against each other instead."),
    click.option("--seats", is_flag=True, help="Print the results and the advantage of each seat instead."),
    click.option("--savings", is_flag=True, help="Print how many matches rotations and common deals saved instead."),
    click.option(
        "--anchor", type=_BotElo(), metavar="BOT=ELO", help="Fix the Elo of one bot  [default: the mean is 0]"
    ),
    click.option("--davidson", is_flag=True, help="Model ties with a parameter of their own; two-player tables only."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead, with the matrix of --los."),
    click.option("--csv", "as_csv", is_flag=True, help="Print CSV instead."),
    click.option("--format", "form", type=click.Choice(_FORMS), help="Form of the output  [default: text]"),
)


@dataclass(frozen=True, slots=True)
class _Report:
    """A table in all its forms."""

    text: Callable[[str, int | None], str]
    """Returns it in one of the forms of `arena.values.text_table`, no wider than so many cells."""
    csv: Callable[[], str]
    json: Callable[[], dict[str, Any]]
    """Returns the keys that the table adds to a JSON object."""


def show(
    request: RankingRequest,
    table: "Ranking",
    conduct: Mapping[str, "BotStats"],
    source: "ResultSource",
    frame: Mapping[str, Any],
    head: Iterable[str],
    scale: float = 1,
) -> None:
    """Print the requested table.

    source: the results that were rated.
    frame: further keys of the JSON object.
    head: the lines above a text.
    scale: points of a score in one of its display units.
    """
    from arena.ratings import ranking_output

    report = _report(request, table, conduct, source, scale)
    if request.form == "json":
        ranking = {
            "ranking": ranking_output.ranking_json(table, conduct),
            "notes": table.notes,
            "tie": table.tie,
            "repeats": None if table.repeats is None else table.repeats.to_json(),
        }
        content = {**frame, **ranking, **ranking_output.los_json(table), **report.json()}
        echo(json_text(content))
    elif request.form == "csv":
        echo(report.csv(), nl=False)
    else:
        if request.form == "text":
            for line in head:
                echo(line)
            echo()
        echo(report.text(request.form, table_width()))


def _report(
    request: RankingRequest,
    table: "Ranking",
    conduct: Mapping[str, "BotStats"],
    source: "ResultSource",
    scale: float,
) -> _Report:
    from arena.ratings import (
        crosstable_output,
        rank_probabilities,
        ranking_output,
        variance_reduction,
    )
    from arena.ratings.crosstable import build_crosstable, seat_results

    bots = [row.bot for row in table.rows]
    what = request.what
    if what == "savings":
        saved = variance_reduction.variance_reductions(source, request.reference)
        return _Report(
            partial(variance_reduction.reductions_text, saved),
            partial(variance_reduction.reductions_csv, saved),
            lambda: {"savings": variance_reduction.reductions_json(saved)},
        )
    if what == "los":
        return _Report(partial(ranking_output.los_text, table), partial(ranking_output.los_csv, table), dict)
    if what == "first":
        likely = rank_probabilities.rank_probabilities(table)
        return _Report(
            partial(rank_probabilities.probabilities_text, likely),
            partial(rank_probabilities.probabilities_csv, likely),
            lambda: {"first": rank_probabilities.probabilities_json(likely)},
        )
    if what == "crosstable":
        points = build_crosstable(source.tally().totals(), bots)
        return _Report(
            partial(crosstable_output.crosstable_text, points),
            partial(crosstable_output.crosstable_csv, points),
            lambda: {"crosstable": crosstable_output.crosstable_json(points)},
        )
    if what == "seats":
        results, advantages = seat_results(source.tally().totals(), bots, scale), _seat_advantages(source)
        return _Report(
            partial(crosstable_output.seats_text, results, advantages),
            partial(crosstable_output.seats_csv, results),
            lambda: {"seats": crosstable_output.seats_json(results, advantages)},
        )
    return _Report(
        partial(ranking_output.ranking_text, table, conduct), partial(ranking_output.ranking_csv, table, conduct), dict
    )


def _seat_advantages(source: "ResultSource") -> Any:
    """Return the advantage of each seat; where it is unknown, say so on stderr and return none."""
    from arena.ratings.seat_advantage import seat_advantages
    from arena.values.errors import RatingError

    try:
        return seat_advantages(source)
    except RatingError as error:
        echo(str(error), err=True)
        return ()
