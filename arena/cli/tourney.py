"""`arena tourney`: run a tournament and rate the bots."""

from dataclasses import replace

import click
from click.core import ParameterSource

from arena.cli.grant_options import Granted, grant_option, secret_option
from arena.cli.options import (
    TOURNAMENT_NUMBER,
    Duration,
    db_option,
    game_options,
    parse_game_options,
    rated_hosting_options,
)
from arena.cli.play_tournament import resume_tournament, start_tournament
from arena.cli.tournament_options import (
    DealSource,
    OutputOptions,
    RefereeOptions,
    RemoteOptions,
    StartTimes,
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
from arena.tournament.plan.definition import (
    ROTATIONS,
    SAME_AUTHOR,
    SCHEDULES,
    TEAMS,
    Entrant,
    Rotations,
    SameAuthor,
    Schedule,
    Teams,
    TimeControl,
)
from arena.tournament.plan.definition_builder import define
from arena.tournament.plan.entropy import parse_entropy
from arena.tournament.plan.field import find_bots, samples, split_names
from arena.tournament.plan.grants import grant
from arena.tournament.plan.start_times import with_start_times
from arena.tournament.plan.stop_rule import StopRule
from arena.tournament.plan.tie_break import parse_tie_break
from arena.tournament.run.hosting import Hosting
from referee.engine.registry import game as game_named

RUNTIME_OPTIONS = {
    "resume",
    "entropy",
    "jobs",
    "executor",
    "busy_limit",
    "sandbox",
    "affinity",
    "trust_bots",
    "secrets",
    "db",
    "as_json",
    "live",
    "events",
    "listen",
    "cert",
    "key",
}
"""The runtime options, by the names of their parameters: the only ones that `--resume` allows."""


@click.group("tourney", cls=Tourneys, invoke_without_command=True, subcommand_metavar="[COMMAND]")
@click.option("--game", metavar="GAME", help="The game to play; `arena games` lists them.")
@click.option(
    "--rounds",
    type=int,
    default=100,
    show_default=True,
    help="Rounds: each table plays this many deals, in all rotations.",
)
@click.option(
    "--bots",
    multiple=True,
    metavar="BOT,BOT...",
    help="The field; repeatable  [default: all submitted bots of the game, else samples]",
)
@grant_option
@starts_option
@click.option("--seats", type=int, help="Seats at a table  [default: recommended by the game, or the field if smaller]")
@click.option(
    "--teams",
    type=click.Choice(TEAMS),
    default="one",
    show_default=True,
    help="one: one bot plays all seats of a team; mixed: partners are drawn.",
)
@click.option(
    "--schedule", type=click.Choice(SCHEDULES), default="round-robin", show_default=True, help="Pairing system."
)
@click.option(
    "--challengers",
    type=int,
    default=0,
    help="Gauntlet and ladder: number of challengers, the first bots of the field.",
)
@click.option(
    "--order-of",
    type=TOURNAMENT_NUMBER,
    metavar="ID",
    help="Knockout and ladder: seed the field by the ranking of tournament ID. New bots come last in a knockout, "
    "and challenge on a ladder.",
)
@click.option("--stages", type=int, default=0, help="Swiss: number of stages.")
@click.option(
    "--block",
    type=click.IntRange(min=1),
    help="Rounds after which bots are restarted and late entries join  [default: 1000]",
)
@click.option(
    "--rotations",
    type=click.Choice(ROTATIONS),
    default="cycle",
    show_default=True,
    help="How each deal is rotated: cycle: one seat at a time; all: every order (up to 4 places); none: played once.",
)
@click.option(
    "--tie-break",
    metavar="RULE,RULE...",
    help="Tie-breaks in order: direct, strength, wins, score, seed, lot.",
)
@click.option(
    "--same-author",
    type=click.Choice(SAME_AUTHOR),
    default="any",
    show_default=True,
    help="Round-robin and swiss: whether bots of one author may share a table.",
)
@click.option("--names", is_flag=True, help="Tell bots the names of their opponents  [default: anonymous]")
@deal_options
@click.option(
    "--entropy",
    metavar="TEXT",
    help="Announce a future public value, to be mixed into the secret so that nobody can choose the deals. Nothing is "
    "played until `arena tourney resume ID --entropy VALUE`.",
)
@game_options
@clock_options
@stop_options
@dry_run_option
@remote_options
@click.option(
    "--reconnect", type=Duration(), default="30s", show_default=True, help="Time for a remote bot to reconnect."
)
@referee_options()
@rated_hosting_options
@secret_option
@output_options
@click.option(
    "--resume",
    type=int,
    metavar="ID",
    hidden=True,
    help="Resume a tournament, as `arena tourney resume ID`; only runtime options apply.",
)
@db_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str | None,
    rounds: int,
    bots: tuple[str, ...],
    granted: Granted,
    starts: StartTimes,
    seats: int | None,
    teams: Teams,
    schedule: Schedule,
    challengers: int,
    order_of: int | None,
    stages: int,
    block: int | None,
    rotations: Rotations,
    tie_break: str | None,
    same_author: SameAuthor,
    names: bool,
    deals: DealSource,
    entropy: str | None,
    stop: StopRule | None,
    dry_run: bool,
    options: tuple[str, ...],
    time: TimeControl,
    reconnect: int,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    resume: int | None,
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

    Matches are stored as they end. After Ctrl-C, or a kill, resume with `arena tourney resume ID`.

    `arena tournament` is another name of this command.

    --sprt elo0=0,elo1=10 (optionally alpha=0.05,beta=0.05) and --until-separated may stop it early: --rounds is then
    the maximum, and results are tested every 250 rounds.

    Exit code 0: all matches are played, 2: an error, 3: stopped early by --until-separated, 4: by --sprt with elo1
    accepted, 5: by --sprt with elo0 accepted, 6: paused by the organiser, 130: stopped by Ctrl-C.
    """
    if ctx.invoked_subcommand is not None:
        return
    if resume is not None:
        _check_resume_options(ctx)
        resume_tournament(resume, db, referees, hosting, output, remote, entropy=entropy)
    else:
        if game is None:
            raise click.UsageError("no game is named: add --game GAME (`arena games` lists them)", ctx)
        from arena.submissions.roster import open_roster

        rules = game_named(game)
        game = rules.name
        playing = rules.options.parse(parse_game_options(options))
        unplayed = dry_run or entropy is not None
        early = ctx.with_resource(referees.start_early(0 if unplayed else rounds, remote))
        sample_bots = samples(game)
        roster = open_roster(db)
        bot_names = [name for text in bots for name in split_names(text)]
        field = find_bots(bot_names or roster.playing(game) or sample_bots, sample_bots, roster, game=game, remote=True)
        field = with_start_times(grant(field, granted), starts.bots)
        if order_of is not None:
            field, new = _seed_field(field, order_of, schedule, db)
            challengers = challengers or (new if schedule == "ladder" else 0)
        has_remote = any(bot.remote for bot in field)
        if has_remote and ctx.get_parameter_source("rotations") is ParameterSource.DEFAULT:
            rotations = "none"
        definition = define(
            rules,
            playing,
            field,
            rounds=rounds,
            seats=seats,
            teams=teams,
            time=replace(time, remote_ms=reconnect, start_time_ms=starts.usual),
            stop=stop,
            schedule=schedule,
            challengers=challengers or (1 if schedule in ("gauntlet", "ladder") else 0),
            stages=stages,
            rotations=rotations,
            block=block,
            tie_break=parse_tie_break(tie_break) if tie_break is not None else (),
            same_author=same_author,
            names=names,
            entropy="" if entropy is None else parse_entropy(entropy),
        )
        if has_remote and deals.tournament is not None:
            raise click.UsageError("a remote bot may know the deals of an earlier tournament: leave out --deals-of")
        if dry_run:
            from arena.cli.dry_run import show_plan

            show_plan(definition, deals.seed, db, output.as_json, referees.jobs)
        else:
            start_tournament(definition, deals, db, referees, hosting, output, remote, early)


def _seed_field(
    field: tuple[Entrant, ...], order_of: int, schedule: Schedule, db: str
) -> tuple[tuple[Entrant, ...], int]:
    """Return the field seeded by an earlier tournament, and the number of bots that are new."""
    from arena.store import open_store
    from arena.tournament.results.seeding import ordered
    from arena.tournament.results.stored_tournament import StoredTournament

    if schedule not in ("knockout", "ladder"):
        raise click.UsageError(f"a {schedule} ignores the order of the field: leave out --order-of")
    with open_store(db) as store:
        known, new = ordered(field, StoredTournament.load(store, order_of))
    if schedule == "knockout":
        return (*known, *new), len(new)
    if not new:
        raise click.UsageError(f"all bots of the field took part in tournament {order_of}: add a new one")
    return (*new, *known), len(new)


def _check_resume_options(ctx: click.Context) -> None:
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if param.name not in RUNTIME_OPTIONS and source is not None and source.name in ("COMMANDLINE", "ENVIRONMENT"):
            raise click.UsageError(
                f"--resume takes runtime options only, as the definition is stored: leave out {param.opts[-1]}",
                ctx,
            )
