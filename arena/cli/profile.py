"""`arena profile`: say where the time of a bot goes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import (
    MATCH_NUMBER,
    PathType,
    db_option,
    game_options,
    json_option,
    parse_game_options,
    sandbox_option,
)
from arena.cli.output import echo, print_progress, write_text
from arena.cli.tournament_options import clock_options
from arena.run.hosting import Hosting
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.values.definition import Entrant, TimeControl
    from arena.values.rows import StoredMatch

OF_TOURNAMENTS = ("mode", "ponder", "most_lag_ms", "slot_ms", "remote_ms", "start_time_ms")
"""What a clock has only where several matches are played at a time, or bots connect from elsewhere."""


@click.command("profile")
@click.argument("bots", metavar="BOT [OPPONENT]...", nargs=-1, required=True)
@click.option("--game", metavar="GAME", help="Play a match of this game first  [default: the first that BOT names]")
@game_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Derive its deal from a number.")
@clock_options(*OF_TOURNAMENTS)
@click.option("--from", "source", type=MATCH_NUMBER, metavar="ID", help="Take the questions of match ID instead.")
@click.option("--seat", type=click.IntRange(min=0), help="With --from: those of this seat  [default: 0]")
@click.option(
    "--limit", type=click.IntRange(0, 1000), default=5, show_default=True, help="Slowest questions that are shown."
)
@click.option(
    "--functions", type=click.IntRange(0, 1000), default=15, show_default=True, help="Functions that are shown."
)
@click.option(
    "--output",
    type=PathType(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the times of functions to a file for viewers such as snakeviz.",
)
@sandbox_option
@json_option
@db_option
def command(
    bots: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    seed: int,
    time: "TimeControl",
    source: int | None,
    seat: int | None,
    limit: int,
    functions: int,
    output: Path | None,
    sandbox: str,
    as_json: bool,
    db: str,
) -> None:
    """Say where the time of a bot goes.

    It plays a match against OPPONENTs, or random bots, confined as in any match. Then it is asked all questions of its
    seat again, alone and one after the other, and for each is told how long it took (wall), how long its processes ran
    (CPU), and what a referee charges.

    A bot in Python is asked once more with Python's profiler, for the times of its functions: its own first, those of
    arena.sdk and protobuf as one. --output writes them for viewers such as snakeviz.

    \b
        arena profile ./mybot --game cambio
        arena profile ./mybot --from 12 --seat 1 --output mybot.pstats

    Exit code 0: it answered all questions, 1: it failed at one, 2: there is no such bot or match.
    """
    from arena.bots.bot_profile import profile_bot, pstats_content
    from arena.bots.question_export import plies_of, recorded_question
    from arena.cli.profile_report import ProfileReport

    Hosting(sandbox).check_mode()
    if source is not None:
        match, entrant, seat = _stored(source, bots, seat or 0, db)
    elif seat is not None:
        raise click.UsageError("--seat needs --from: in a match that is played now, BOT has seat 0")
    else:
        match, entrant, seat = _played(bots, game, options, seed, time, sandbox, db)
    plies = tuple(plies_of(match, seat))
    if not plies:
        raise click.UsageError(f"seat {seat} is asked nothing in this match: choose another --seat or --seed")
    recorded = recorded_question(match, plies[-1])
    print_progress(f"asking {entrant.name} {len(plies):,} questions of {recorded.game}")
    profile = profile_bot(recorded, entrant, sandbox)
    report = ProfileReport(entrant.name, entrant.folder, recorded, plies, profile)
    if as_json:
        echo(json_text(report.to_json()))
    else:
        for line in report.lines(limit, functions):
            echo(line)
    if output is not None:
        if not profile.functions:
            why = profile.no_functions or profile.failure
            raise click.BadParameter(f"there is nothing to write: {why}", param_hint="--output")
        write_text(output, pstats_content(profile.functions), "--output")
    raise SystemExit(1 if profile.failure else 0)


def _stored(source: int, bots: tuple[str, ...], seat: int, db: str) -> "tuple[StoredMatch, Entrant, int]":
    """Return a stored match, the bot that is measured, and its seat."""
    from arena.packs.roster import open_roster
    from arena.plan.field import find_bots, samples
    from arena.record.played_rules import version_remark
    from arena.store import open_store

    _check_taken_from_match()
    if len(bots) > 1:
        raise click.UsageError("--from asks one bot: leave out the opponents")
    with open_store(db) as store:
        match = store.match(source)
    if remark := version_remark(match):
        print_progress(remark)
    if seat >= len(match.players):
        raise click.BadParameter(f"match {source} has the seats 0 to {len(match.players) - 1}", param_hint="--seat")
    game = match.event.game
    [bot] = find_bots(bots, samples(game), open_roster(db), game=game)
    return match, bot, seat


def _check_taken_from_match() -> None:
    """Raise UsageError for an option of a new match beside --from."""
    context = click.get_current_context()
    taken = ("game", "options", "seed", "move_time", "bank", "fischer", "ready")
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        if parameter.name in taken and given is not None and given.name in ("COMMANDLINE", "ENVIRONMENT"):
            raise click.UsageError(f"--from takes this from the match: leave out {max(parameter.opts, key=len)}")


def _played(
    bots: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    seed: int,
    time: "TimeControl",
    sandbox: str,
    db: str,
) -> "tuple[StoredMatch, Entrant, int]":
    """Play a match, and return it with the bot that is measured and its seat."""
    from arena.bots.findings import stored
    from arena.bots.templates.project import others
    from arena.packs.roster import open_roster
    from arena.plan.definition_builder import check_time_control
    from arena.plan.field import find_bots, samples
    from arena.run.single_match import play_single
    from referee.engine import registry

    roster = open_roster(db)
    if game is None:
        [bot] = find_bots(bots[:1], samples(None), roster)
        if not bot.games:
            raise click.UsageError(f"{bot.name} names no game: name one with --game")
        game = bot.games[0]
    rules = registry.game(game)
    playing = rules.options.parse(parse_game_options(options))
    check_time_control(time)
    names = bots if len(bots) > 1 else (*bots, *others(rules).split())
    field = find_bots(names, samples(rules.name), roster, game=rules.name)
    rules.check(playing, len(field))
    print_progress(f"playing a match of {rules.name} against {', '.join(names[1:])}")
    played = play_single(rules, playing, field, seed=seed, time=time, hosting=Hosting(sandbox), say=print_progress)
    return stored(played), field[0], 0
