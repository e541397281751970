"""`arena tune run`: begin a run."""

from dataclasses import replace
from pathlib import Path

import click

from arena.cli.options import PathType, db_option, game_options, parse_game_options, rated_hosting_options
from arena.cli.setting_options import struct_options
from arena.cli.tournament_options import RefereeOptions, RemoteOptions, clock_options, referee_options
from arena.run.hosting import Hosting
from arena.values.definition import Settings, TimeControl
from arena_tune.plan import SEARCHES

MOST_ITERATIONS = 1_000_000


@click.command("run")
@click.argument("bot", metavar="BOT")
@click.option("--game", metavar="GAME", required=True, help="The game to play; `arena games` lists them.")
@click.option(
    "--parameter",
    "given",
    multiple=True,
    metavar="NAME=START,MIN..MAX[,STEP]",
    help="A parameter, which stands in the command of the bot as {NAME}: an integer if all three are. STEP: by how "
    "much it is changed at the end; repeatable  [default of STEP: a twentieth of the range]",
)
@click.option(
    "--parameters",
    "file",
    type=PathType(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A file of them, as of OpenBench: NAME, int or float, START, MIN, MAX, C_END, R_END on each line.",
)
@click.option(
    "--iterations",
    type=click.IntRange(1, MOST_ITERATIONS),
    default=200,
    show_default=True,
    metavar="N",
    help="How often the parameters are changed and the result played out.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 100_000),
    default=64,
    show_default=True,
    metavar="N",
    help="Deals of an iteration, each played in all rotations.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    metavar="R",
    help="By how many steps each win more than losses moves a parameter at the end  [default: 2 divided by the "
    "root of the number of matches]",
)
@click.option(
    "--side-by-side",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Iterations played at a time  [default: as many as keep all referees busy]",
)
@click.option(
    "--search",
    type=click.Choice(SEARCHES),
    default=SEARCHES[0],
    show_default=True,
    help="spsa: the bot against itself; tpe (Optuna) and grid: each iteration plays one candidate against --against.",
)
@click.option(
    "--against",
    metavar="BOT",
    help="The bot that candidates play, all on the same deals  [default: the bot with its start values]",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Derive deals and changes from a number.")
@game_options
@struct_options("settings", Settings, "seats", "rotations", "names")
@clock_options()
@referee_options()
@rated_hosting_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@db_option
def command(
    bot: str,
    game: str,
    given: tuple[str, ...],
    file: Path | None,
    iterations: int,
    deals: int,
    rate: float | None,
    side_by_side: int | None,
    search: str,
    against: str | None,
    seed: int | None,
    options: tuple[str, ...],
    settings: Settings,
    time: TimeControl,
    referees: RefereeOptions,
    hosting: Hosting,
    as_json: bool,
    db: str,
) -> None:
    """Begin a run; `arena tune BOT` does the same.

    Each iteration moves all parameters a step up or down at random, and plays the bot with these values against itself
    with the opposite ones, each deal in all rotations. Each win more than losses moves them that way (SPSA, with the
    gains of fishtest). BOT is a command line with {NAME} for each parameter, or a folder whose bot.toml declares them:

    \b
        arena tune --game kille "python3 bot.py --caution {caution}" --parameter caution=0.5,0..1

    Iterations are stored as they end. After Ctrl-C or a kill, `arena tune resume ID` goes on exactly as if nothing had
    been.
    """
    from arena_tune.beginning import NewRun, begin
    from arena_tune.parameters import parse_option, read_file
    from arena_tune.reporting import play_and_report
    from referee.engine.registry import game as game_named

    rules = game_named(game)
    playing = rules.options.parse(parse_game_options(options))
    declared = [*(read_file(file) if file is not None else ()), *map(parse_option, given)]
    new = NewRun(bot, rules, playing, settings, time, tuple(declared), iterations, deals)
    new = replace(new, rate=rate, side_by_side=side_by_side, seed=seed, search=search, against=against)
    with referees.start_early(iterations, RemoteOptions()) as early:
        number = begin(new, db, referees, hosting)
        play_and_report(number, db, referees, hosting, early, as_json=as_json)
