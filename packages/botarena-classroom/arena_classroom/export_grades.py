"""`arena grades`: the grades of students, for the gradebook of Moodle."""

import csv
import io
import os
import re
from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import PathType, db_option
from arena.cli.output import echo
from arena.values.texts import csv_value
from arena_classroom.errors import GradesError
from arena_classroom.grades import Grade, RatedBot, Rule, best_bots, linear, passed, percentiles

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.people.accounts import AccountRow

_ANCHOR = re.compile(r"(.+)=([+-]?\d+(?:\.\d+)?)")
_ELO = re.compile(r"[+-]?\d+(?:\.\d+)?")

SHOWN = 20
"""Names that a message lists."""

LARGEST = 1e9
"""The largest grade."""


class Mark(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A grade: a finite number."""

    name = "grade"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number of a text. Raises BadParameter."""
        try:
            number = float(value)
        except ValueError:
            number = nan
        if not abs(number) <= LARGEST:
            self.fail(f"a grade is a number, not {value}", param, ctx)
        return number


@click.command("grades")
@click.argument("league", metavar="[LEAGUE]", required=False)
@click.option("--season", metavar="NUMBER", type=click.IntRange(min=1), help="By the final table of this season.")
@click.option("--tournament", metavar="NUMBER", type=click.IntRange(min=1), help="By the ranking of a tournament.")
@click.option("--percentile", is_flag=True, help="Rule: by rank, from --worst to --best; ties share.")
@click.option(
    "--linear",
    "anchors",
    metavar="LOW HIGH",
    nargs=2,
    help="Rule: linear in Elo between two points, each BOT=GRADE or ELO=GRADE.",
)
@click.option("--beats", metavar="BOT", help="Rule: --best for who is stronger than BOT with 95 %, --worst for others.")
@click.option("--best", type=Mark(), default=100.0, show_default=True, help="The best grade.")
@click.option("--worst", type=Mark(), default=0.0, show_default=True, help="The worst grade.")
@click.option("--no-bot", metavar="GRADE", type=Mark(), help="Grade of students without a rated bot  [default: empty]")
@click.option("--group", "groups", metavar="NAME", multiple=True, help="Only students of this group; repeatable.")
@click.option("--item", metavar="NAME", default="Grade", show_default=True, help="The heading of the grades.")
@click.option("--to", metavar="FILE", type=PathType(path_type=Path), help="New file that only you can read.")
@db_option
def command(
    league: str | None,
    season: int | None,
    tournament: int | None,
    percentile: bool,
    anchors: tuple[str, str] | None,
    beats: str | None,
    best: float,
    worst: float,
    no_bot: float | None,
    groups: tuple[str, ...],
    item: str,
    to: Path | None,
    db: str,
) -> None:
    """Print grades of students as CSV, as the gradebook of Moodle imports it.

    \b
        arena grades cambio --percentile
        arena grades cambio --linear samples/random=50 samples/cautious=100 --no-bot 0
        arena grades cambio --beats samples/cautious
        arena grades --tournament 3 --linear 0=50 200=100

    Its columns are the ID number, the grade, and as feedback the Elo with its 95 % interval, and from what the grade
    was made. Students are the authors with an ID number (arena accounts import). Each has the grade of the best active
    bot of their team, or of their own.
    """
    from arena.store import open_store

    if sum(map(bool, (percentile, anchors, beats))) != 1:
        raise click.UsageError("choose one rule: --percentile, --linear or --beats")
    if (league is None) == (tournament is None):
        raise click.UsageError("name a league, or a tournament with --tournament")
    if beats is not None and (tournament is not None or season is not None):
        raise click.UsageError("--beats needs the board of a league, without --season and --tournament")
    with open_store(db) as store, store.snapshot():
        students = _students(store, groups)
        if tournament is not None:
            bots = _tournament_bots(store, tournament)
        elif season is not None:
            bots = _season_bots(store, league or "", season)
        else:
            bots = _board_bots(store, league or "")
        if anchors:
            rule = linear(_anchor(anchors[0], bots), _anchor(anchors[1], bots))
        elif beats is not None:
            rule = _beats(store, league or "", beats, bots, worst, best)
        else:
            rule = percentiles(worst, best)
    text = _table(students, _grades(bots, students, rule), no_bot, item)
    if to is None:
        echo(text, nl=False)
    else:
        _write(to, text)


def _students(store: "Store", groups: Sequence[str]) -> "list[AccountRow]":
    """Return the authors with ID numbers, by these; say who has none. Raises GradesError if nobody has."""
    authors = [row for row in store.accounts.all() if row.role == "author" and (not groups or row.group in groups)]
    students = sorted((row for row in authors if row.id_number), key=lambda row: row.id_number or "")
    without = [row.name for row in authors if not row.id_number]
    if not students:
        where = f" in the group {' or '.join(groups)}" if groups else ""
        raise GradesError(
            f"no author{where} has an ID number: import a roster with the column id (arena accounts import), or store "
            "it with `arena accounts describe NAME --id-number NUMBER`"
        )
    if without:
        more = f" and {len(without) - SHOWN} more" if len(without) > SHOWN else ""
        echo(f"left out, as they have no ID number: {', '.join(without[:SHOWN])}{more}", err=True)
    return students


def _board_bots(store: "Store", name: str) -> list[RatedBot]:
    from arena.league.results.board import load_board

    rows = load_board(store, name).rows
    return [
        RatedBot(row.entry.name, row.entry.owner, row.rank, row.elo, row.bound, row.ci95, row.entry.number)
        for row in rows
        if row.elo is not None
    ]


def _season_bots(store: "Store", name: str, number: int) -> list[RatedBot]:
    """Return the bots of a final table, by their Elo as the season was frozen: all have one, on the same scale."""
    from arena.league.results.season_report import report_season
    from arena.league.store.leagues import Leagues

    report = report_season(store, Leagues(store).named(name), number)
    if not report.places:
        raise GradesError(f"season {number} of the league {name} has no final table: leave --season out for the board")
    return [
        RatedBot(entry.name, entry.owner, place.rank, place.elo, "", place.ci95, entry.number)
        for place, entry in report.places
    ]


def _tournament_bots(store: "Store", number: int) -> list[RatedBot]:
    from arena.results.standings import standings
    from arena.results.stored_tournament import StoredTournament
    from arena.values.versioned_names import owner

    tournament = StoredTournament.load(store, number)
    if store.tournament(number).finished is None:
        echo(f"tournament {number} is not over: grades may change", err=True)
    rows = standings(tournament).table.rows
    if len({row.group for row in rows}) > 1:
        raise GradesError(f"the bots of tournament {number} did not all meet, so their Elo cannot be compared")
    return [RatedBot(row.bot, owner(row.bot), row.rank, row.elo, row.bound, row.ci95) for row in rows]


def _anchor(text: str, bots: Sequence[RatedBot]) -> tuple[str, float, float]:
    """Return what a point of a line is called, its Elo, and its grade. Raises BadParameter and GradesError."""
    match = _ANCHOR.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text} is no point of a line: write BOT=GRADE or ELO=GRADE", param_hint="--linear")
    if _ELO.fullmatch(match[1]):
        return f"Elo {float(match[1]):+g}", float(match[1]), float(match[2])
    bot = _find(match[1], bots)
    return bot.bot, bot.elo, float(match[2])


def _find(name: str, bots: Sequence[RatedBot]) -> RatedBot:
    """Return the bot of a name, with or without a version. Raises GradesError."""
    from arena.values.versioned_names import base_name

    found = [bot for bot in bots if name in (bot.bot, base_name(bot.bot)) and bot.bound != "~"]
    if not found:
        known = ", ".join(bot.bot for bot in bots[:SHOWN]) or "none"
        raise GradesError(f"there is no rated bot {name}: there are {known}")
    return max(found, key=lambda bot: bot.entry)


def _beats(store: "Store", league: str, name: str, bots: Sequence[RatedBot], worst: float, best: float) -> Rule:
    from arena.league.results.comparisons import LeagueComparisons
    from arena.league.store.leagues import Leagues

    rival = _find(name, bots)
    comparisons = LeagueComparisons(store, Leagues(store).named(league).id)
    comparisons.update()
    chances = {bot.entry: comparisons.los(bot.entry, rival.entry) for bot in bots if bot.entry != rival.entry}
    return passed(rival.bot, lambda bot: chances.get(bot.entry), worst, best)


def _grades(bots: Sequence[RatedBot], students: "Sequence[AccountRow]", rule: Rule) -> dict[str, Grade]:
    """Return the grade of each owner for whom a student acts and who has a rated bot."""
    return dict(rule(best_bots(bots, {student.owner for student in students})))


def _table(students: "Sequence[AccountRow]", grades: dict[str, Grade], no_bot: float | None, item: str) -> str:
    """Return the grades as CSV; no text in it runs as a formula."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(map(csv_value, ("ID number", item, "Feedback")))
    for student in students:
        grade = grades.get(student.owner)
        if grade is None:
            row = (student.id_number, "" if no_bot is None else _number(no_bot), "no rated bot")
        else:
            row = (student.id_number, _number(grade.value), grade.words)
        writer.writerow((csv_value(row[0]), row[1], csv_value(row[2])))
    return lines.getvalue()


def _number(value: float) -> str:
    """Return a grade with at most two decimals."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # no negative zero


def _write(path: Path, text: str) -> None:
    """Write a new file that only its owner can read. Raises GradesError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", newline="", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise GradesError(f"{path} cannot be made: {error.strerror}; name a new file") from None
