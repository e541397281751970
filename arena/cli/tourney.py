"""`arena tourney`: run a tournament and rate the bots."""

from dataclasses import replace

import click
from click.core import ParameterSource

from arena.cli.options import Duration, db_option, game_options, parse_game_options, rated_hosting_options
from arena.cli.play_tournament import resume_tournament, start_tournament
from arena.cli.tournament_options import (
    DealSource,
    OutputOptions,
    RefereeOptions,
    RemoteOptions,
    clock_options,
    deal_options,
    dry_run_option,
    output_options,
    referee_options,
    remote_options,
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
from arena.tournament.plan.entropy import told
from arena.tournament.plan.field import enter, samples, split_names
from arena.tournament.plan.stop_rule import StopRule
from arena.tournament.plan.tie_break import parse_tie_break
from arena.tournament.run.hosting import Hosting
from referee.engine.registry import game as game_named

RUNTIME_OPTIONS = {
    "resume",
    "entropy",
    "jobs",
    "executor",
    "sandbox",
    "affinity",
    "trust_bots",
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
@click.option("--game", metavar="GAME", help="The game; `arena games` lists them.")
@click.option("--rounds", type=int, default=100, show_default=True, help="Duplicate sets that every table plays.")
@click.option(
    "--bots",
    multiple=True,
    metavar="BOT,BOT...",
    help="The field  [default: all submitted bots of the game, else samples]",
)
@click.option("--seats", type=int, help="Seats at a table  [default: the game's recommended size, or the field's]")
@click.option(
    "--teams",
    type=click.Choice(TEAMS),
    default="one",
    show_default=True,
    help="Who plays a team: one bot all its seats, or partners drawn from the field.",
)
@click.option(
    "--schedule", type=click.Choice(SCHEDULES), default="round-robin", show_default=True, help="Who meets whom."
)
@click.option("--challengers", type=int, default=0, help="Gauntlet and ladder: how many of the first bots challenge.")
@click.option(
    "--order-of",
    type=click.IntRange(min=1),
    metavar="ID",
    help="Knockout and ladder: order the field by the ranking of tournament ID; who is new there comes last in a "
    "knockout, and challenges on a ladder.",
)
@click.option("--stages", type=int, default=0, help="Swiss: how many times tables are drawn.")
@click.option(
    "--block",
    type=click.IntRange(min=1),
    help="Rounds between two starts of the bots; who enters late does so with the next  [default: 1000]",
)
@click.option(
    "--rotations",
    type=click.Choice(ROTATIONS),
    default="cycle",
    show_default=True,
    help="In how many ways each deal is played: all move on by a seat, every order (up to 4 places), or once.",
)
@click.option(
    "--tie-break",
    metavar="RULE,RULE...",
    help="Who comes in first of those with equal points: direct, strength, wins, score, seed, lot.",
)
@click.option(
    "--same-author",
    type=click.Choice(SAME_AUTHOR),
    default="any",
    show_default=True,
    help="Round-robin and swiss: whether bots of one author may sit at the same table.",
)
@click.option("--names", is_flag=True, help="Tell bots who sits where; without it opponents are anonymous.")
@deal_options
@click.option(
    "--entropy",
    metavar="TEXT",
    help="Which public value, not known to anybody yet, is mixed into the secret, so that not even you choose the "
    "deals; nothing is played before it is known. With --resume: the value.",
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

    Every deal is played in all rotations of the table, each rotation by fresh processes of the bots. A
    bot is a sample bot, a submitted one (club/owl, or club/owl@3), the path of a program, a Python file or a folder
    with a bot.toml, or a command line in quotes:

    \b
        arena tourney --game cambio --rounds 500 --bots random,./mybot,"node other.js"

    remote:NAME is a bot that plays from its owner's machine: it dials --listen and shows its token (`arena tokens`).
    It cannot be made to forget, so every deal is then played once.

    Matches are stored as they end. After Ctrl-C, or a kill, resume with `arena tourney resume ID`.

    `arena tournament` is another name of this command.

    --sprt elo0=0,elo1=10 (alpha=0.05,beta=0.05 may follow) and --until-separated end it early: --rounds is then the
    most that is played, and the results are looked at after every 250.

    Exit code 0: all matches are played, 2: something is wrong, 3: --until-separated has ended it early, 4: --sprt has,
    with elo1 accepted, 5: with elo0 accepted, 6: paused by its organiser, 130: stopped by Ctrl-C.
    """
    if ctx.invoked_subcommand is not None:
        return
    if resume is not None:
        _refuse_beside_resume(ctx)
        resume_tournament(resume, db, referees, hosting, output, remote, entropy=entropy)
    else:
        if game is None:
            raise click.UsageError("say which game is played: --game cambio (`arena games` lists them)", ctx)
        from arena.submissions.roster import open_roster

        rules = game_named(game)
        playing = rules.options.parse(parse_game_options(options))
        known = samples(game)
        roster = open_roster(db)
        entered = [name for text in bots for name in split_names(text)]
        field = enter(entered or roster.playing(game) or known, known, roster, game=game, remote=True)
        if order_of is not None:
            field, new = _ordered(field, order_of, schedule, db)
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
            time=replace(time, remote_ms=reconnect),
            stop=stop,
            schedule=schedule,
            challengers=challengers or (1 if schedule in ("gauntlet", "ladder") else 0),
            stages=stages,
            rotations=rotations,
            block=block,
            tie_break=parse_tie_break(tie_break) if tie_break is not None else (),
            same_author=same_author,
            names=names,
            entropy="" if entropy is None else told(entropy),
        )
        if has_remote and deals.tournament is not None:
            raise click.UsageError("a remote bot may know the deals of an earlier tournament: leave out --deals-of")
        if dry_run:
            from arena.cli.dry_run import show_plan

            show_plan(definition, deals.seed, db, output.as_json)
        else:
            start_tournament(definition, deals, db, referees, hosting, output, remote)


def _ordered(field: tuple[Entrant, ...], order_of: int, schedule: Schedule, db: str) -> tuple[tuple[Entrant, ...], int]:
    """Return the field in the order of an earlier tournament, and how many did not take part there."""
    from arena.store import open_store
    from arena.tournament.results.seeding import ordered

    if schedule not in ("knockout", "ladder"):
        raise click.UsageError(f"the order of the field means nothing to a {schedule}: leave out --order-of")
    with open_store(db) as store:
        known, new = ordered(field, store, store.tournament(order_of))
    if schedule == "knockout":
        return (*known, *new), len(new)
    if not new:
        raise click.UsageError(f"all bots of the field took part in tournament {order_of}: name one that is new")
    return (*new, *known), len(new)


def _refuse_beside_resume(ctx: click.Context) -> None:
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if param.name not in RUNTIME_OPTIONS and source is not None and source.name in ("COMMANDLINE", "ENVIRONMENT"):
            raise click.UsageError(
                f"{param.opts[-1]} does not go with --resume: all but how it is run (--jobs ...) and told is stored",
                ctx,
            )
