"""`arena tourney`: run a tournament and rate the bots."""

import click
from click.core import ParameterSource
from msgspec.structs import replace

from arena.cli.grant_options import Granted, grant_option, secret_option
from arena.cli.options import (
    TOURNAMENT_NUMBER,
    db_option,
    game_options,
    parse_game_options,
    rated_hosting_options,
)
from arena.cli.setting_options import options_of, struct_options
from arena.cli.tournament_options import (
    DealSource,
    OutputOptions,
    RefereeOptions,
    RemoteOptions,
    StartTimes,
    bot_option,
    clock_options,
    deal_options,
    dry_run_option,
    output_options,
    referee_options,
    remote_options,
    starts_option,
    stop_options,
)
from arena.cli.tourneys import Tourneys
from arena.run.hosting import Hosting
from arena.values.definition import Entrant, Schedule, Settings, TimeControl
from arena.values.stop_rule import StopRule


@click.group("tourney", cls=Tourneys, invoke_without_command=True, subcommand_metavar="[COMMAND]")
@click.option("--game", metavar="GAME", help="The game to play; `arena games` lists them.")
@click.option(
    "--bots",
    multiple=True,
    metavar="BOT,BOT...",
    help="The field; repeatable  [default: all submitted bots of the game, else samples]",
)
@bot_option
@grant_option
@starts_option
@struct_options("settings", Settings, *options_of(Settings))
@click.option(
    "--order-of",
    type=TOURNAMENT_NUMBER,
    metavar="ID",
    help="Knockout and ladder: seed the field by the ranking of tournament ID. New bots come last in a knockout, "
    "and challenge on a ladder.",
)
@deal_options
@game_options
@clock_options("start_time_ms")
@stop_options
@dry_run_option
@remote_options
@referee_options()
@rated_hosting_options
@secret_option
@output_options
@db_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str | None,
    bots: tuple[str, ...],
    clocks: tuple[tuple[str, dict[str, int]], ...],
    granted: Granted,
    starts: StartTimes,
    settings: Settings,
    order_of: int | None,
    deals: DealSource,
    stop: StopRule | None,
    dry_run: bool,
    options: tuple[str, ...],
    time: TimeControl,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    db: str,
    remote: RemoteOptions,
) -> None:
    """Run a tournament and rate the bots.

    Every deal is played in all rotations of the table, each rotation by fresh bot processes. A bot is a sample bot, a
    submitted bot (club/owl, or club/owl@3), the path of a program, a Python file or a folder with a bot.toml, or a
    quoted command line:

    \b
        arena tourney --game cambio --rounds 500 --bots random,./mybot,"node other.js"

    remote:NAME is a bot on its owner's machine: it connects to --listen and presents its token (`arena tokens`). As it
    could remember deals, each deal is then played once.

    Matches are stored as they end. Ctrl-C lets those under way end and begins no more; a second one stops at once.
    After that, or a kill, resume with `arena tourney resume ID`.

    `arena tournament` is another name of this command.

    --sprt elo0=0,elo1=10 and --until-separated may stop it early: --rounds is then the maximum. A test takes
    alpha=0.05,beta=0.05, and model=normalized for hypotheses in normalised Elo; it looks at the results every 8 rounds
    (look=8), later whenever there are 2 % more, and a separation every 250.

    Exit code 0: all matches are played, 2: an error, 3: stopped early by --until-separated, 4: by --sprt with elo1
    accepted, 5: by --sprt with elo0 accepted, 6: paused by the organiser, 130: stopped by Ctrl-C.
    """
    if ctx.invoked_subcommand is not None:
        return
    if game is None:
        raise click.UsageError("no game is named: add --game GAME (`arena games` lists them)", ctx)
    from referee.engine.registry import game as game_named

    rules = game_named(game)
    game = rules.name
    playing = rules.options.parse(parse_game_options(options))
    unplayed = dry_run or settings.entropy
    early = ctx.with_resource(referees.start_early(0 if unplayed else settings.rounds, remote))
    from arena.packs.roster import open_roster  # slow to import: the referees start meanwhile
    from arena.plan.bot_clocks import with_clocks
    from arena.plan.definition_builder import define
    from arena.plan.field import find_bots, samples, split_names, usual_samples
    from arena.plan.formats import KINDS
    from arena.plan.grants import grant
    from arena.plan.start_times import with_start_times

    roster = open_roster(db)
    bot_names = [name for text in bots for name in split_names(text)]
    names = bot_names or roster.playing(game) or usual_samples(game)
    field = find_bots(names, samples(game), roster, game=game, remote=True)
    field = with_clocks(with_start_times(grant(field, granted), starts.bots), clocks)
    if order_of is not None:
        field, new = _seed_field(field, order_of, settings.schedule, db)
        if KINDS[settings.schedule].has_challengers and not settings.challengers:
            settings = replace(settings, challengers=new)
    has_remote = any(bot.remote for bot in field)
    if has_remote and ctx.get_parameter_source("rotations") is ParameterSource.DEFAULT:
        settings = replace(settings, rotations="none")
    definition = define(rules, playing, field, settings, time=replace(time, start_time_ms=starts.usual), stop=stop)
    if has_remote and deals.tournament is not None:
        raise click.UsageError("a remote bot may know the deals of an earlier tournament: leave out --deals-of")
    if dry_run:
        from arena.cli.dry_run import show_plan

        show_plan(definition, deals.seed, db, output.as_json, referees.jobs)
    else:
        from arena.cli.play_tournament import start_tournament

        start_tournament(definition, deals, db, referees, hosting, output, remote, early)


def _seed_field(
    field: tuple[Entrant, ...], order_of: int, schedule: Schedule, db: str
) -> tuple[tuple[Entrant, ...], int]:
    """Return the field seeded by an earlier tournament, and the number of bots that are new."""
    from arena.plan.formats import KINDS
    from arena.results.seeding import ordered
    from arena.results.stored_tournament import StoredTournament
    from arena.store import open_store

    kind = KINDS[schedule]
    if not kind.is_seeded:
        raise click.UsageError(f"a {schedule} ignores the order of the field: leave out --order-of")
    with open_store(db) as store:
        known, new = ordered(field, StoredTournament.load(store, order_of))
    if not kind.has_challengers:
        return (*known, *new), len(new)
    if not new:
        raise click.UsageError(f"all bots of the field took part in tournament {order_of}: add a new one")
    return (*new, *known), len(new)
