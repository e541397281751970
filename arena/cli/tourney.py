"""`arena tourney`: run a tournament and rate the bots."""

import click
from click.core import ParameterSource

from arena.cli.crew import Crew, crew_options
from arena.cli.database import db_option
from arena.cli.durations import Duration
from arena.cli.gameoptions import game_options, parse_options
from arena.cli.gate import OPTIONS, Listening, gate_options
from arena.cli.hosting import rated_hosting_options
from arena.cli.settings import SETTINGS
from arena.cli.stint import begin, go_on
from arena.cli.telling import Telling, telling_options
from arena.cli.tourneys import Tourneys
from arena.tournament.defining import define
from arena.tournament.definition import (
    MODES,
    MOST_LAG_MS,
    ROTATIONS,
    SAME_AUTHOR,
    SCHEDULES,
    TEAMS,
    Entrant,
    Mode,
    Rotations,
    SameAuthor,
    Schedule,
    Teams,
    TimeControl,
)
from arena.tournament.entropy import told
from arena.tournament.field import enter, samples, split_names
from arena.tournament.hosting import Hosting
from arena.tournament.stoprule import StopRule, parse_sprt
from arena.tournament.tiebreak import parse_tie_break
from referee.engine.registry import game as game_named

WITH_RESUME = {
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
    *OPTIONS,
}


@click.group(
    "tourney", cls=Tourneys, context_settings=SETTINGS, invoke_without_command=True, subcommand_metavar="[COMMAND]"
)
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
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Deals from a number, for development only.")
@click.option(
    "--deals-of", type=click.IntRange(min=1), metavar="ID", help="Deals of an earlier tournament, all of them again."
)
@click.option(
    "--entropy",
    metavar="TEXT",
    help="Which public value, not known to anybody yet, is mixed into the secret, so that not even you choose the "
    "deals; nothing is played before it is known. With --resume: the value.",
)
@game_options
@click.option("--move-time", type=Duration(), default="1s", show_default=True, help="Time for an answer; 0: no limit.")
@click.option("--bank", type=Duration(), default="10s", show_default=True, help="Reserve of a seat in each match.")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="fast",
    show_default=True,
    help="Many matches at once, or clocks that are fair on a busy machine: one match on each core.",
)
@click.option("--ponder", is_flag=True, help="Mode clock: bots may think in the others' time.")
@click.option(
    "--lag",
    type=Duration(),
    help=f"Mode clock: a longer delay of ours makes a match void, it is played again  [default: {MOST_LAG_MS}ms]",
)
@click.option(
    "--slot",
    type=Duration(),
    default="0",
    help="Mode clock: a turn comes no sooner than this after the one before, so that nobody can tell from the delay "
    "whether the holder of a secret card was asked in between (cambio, cucco).",
)
@click.option(
    "--sprt",
    metavar="elo0=E,elo1=E",
    help="Stop once the first bot is known to be elo1, or only elo0, better than the second.",
)
@click.option("--until-separated", is_flag=True, help="Stop once all neighbours of the ranking are told apart at 95 %.")
@click.option(
    "--dry-run", is_flag=True, help="Print the plan, who meets whom and what it will tell apart; play nothing."
)
@gate_options
@crew_options
@rated_hosting_options
@telling_options
@click.option(
    "--resume",
    type=int,
    metavar="ID",
    help="Go on with a tournament; all but how it is run is known.",
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
    seed: int | None,
    deals_of: int | None,
    entropy: str | None,
    sprt: str | None,
    until_separated: bool,
    dry_run: bool,
    options: tuple[str, ...],
    move_time: int,
    bank: int,
    mode: Mode,
    ponder: bool,
    lag: int | None,
    slot: int,
    crew: Crew,
    hosting: Hosting,
    telling: Telling,
    resume: int | None,
    db: str,
    listening: Listening,
) -> None:
    """Run a tournament and rate the bots.

    Every deal is played in all rotations of the table, each rotation by fresh processes of the bots. A
    bot is a sample bot, a submitted one (club/owl, or club/owl@3), the path of a program, a Python file or a folder
    with a bot.toml, or a command line in quotes:

    \b
        arena tourney --game cambio --rounds 500 --bots random,./mybot,"node other.js"

    remote:NAME is a bot that plays from its owner's machine: it dials --listen and shows its token (`arena tokens`).
    It cannot be made to forget, so every deal is then played once.

    Matches are stored as they end. After Ctrl-C, or a kill, --resume ID goes on.

    --sprt elo0=0,elo1=10 (alpha=0.05,beta=0.05 may follow) and --until-separated end it early: --rounds is then the
    most that is played, and the results are looked at after every 250.

    Exit code 0: all matches are played, 2: something is wrong, 3: --until-separated has ended it early, 4: --sprt has,
    with elo1 accepted, 5: with elo0 accepted, 6: paused by its organiser, 130: stopped by Ctrl-C.
    """
    if ctx.invoked_subcommand is not None:
        return
    if resume is not None:
        _refuse_beside_resume(ctx)
        go_on(resume, db, crew, hosting, telling, listening, entropy=entropy)
    else:
        if game is None:
            raise click.UsageError("say which game is played: --game cambio (`arena games` lists them)", ctx)
        from arena.submissions.roster import open_roster

        rules = game_named(game)
        playing = rules.options.parse(parse_options(options))
        known = samples(game)
        roster = open_roster(db)
        entered = [name for text in bots for name in split_names(text)]
        field = enter(entered or roster.playing(game) or known, known, roster, game=game, remote=True)
        if order_of is not None:
            field, new = _ordered(field, order_of, schedule, db)
            challengers = challengers or (new if schedule == "ladder" else 0)
        most_lag = lag if lag is not None else MOST_LAG_MS if mode == "clock" else 0
        time = TimeControl(
            move_time_ms=move_time,
            bank_ms=bank,
            remote_ms=listening.reconnect,
            mode=mode,
            ponder=ponder,
            most_lag_ms=most_lag,
            slot_ms=slot,
        )
        remote = any(bot.remote for bot in field)
        if remote and ctx.get_parameter_source("rotations") is ParameterSource.DEFAULT:
            rotations = "none"
        stop = _stop_rule(sprt, until_separated)
        definition = define(
            rules,
            playing,
            field,
            rounds=rounds,
            seats=seats,
            teams=teams,
            time=time,
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
        if remote and deals_of is not None:
            raise click.UsageError("a remote bot may know the deals of an earlier tournament: leave out --deals-of")
        if seed is not None and deals_of is not None:
            raise click.UsageError("--seed and --deals-of exclude each other")
        if dry_run:
            from arena.cli.plan import show_plan

            show_plan(definition, seed, db, telling.as_json)
        else:
            begin(definition, seed, db, crew, hosting, telling, deals_of, listening)


def _ordered(field: tuple[Entrant, ...], order_of: int, schedule: Schedule, db: str) -> tuple[tuple[Entrant, ...], int]:
    """Return the field in the order of an earlier tournament, and how many did not take part there."""
    from arena.store import open_store
    from arena.tournament.ordering import ordered

    if schedule not in ("knockout", "ladder"):
        raise click.UsageError(f"the order of the field means nothing to a {schedule}: leave out --order-of")
    with open_store(db) as store:
        known, new = ordered(field, store, store.tournament(order_of))
    if schedule == "knockout":
        return (*known, *new), len(new)
    if not new:
        raise click.UsageError(f"all bots of the field took part in tournament {order_of}: name one that is new")
    return (*new, *known), len(new)


def _stop_rule(sprt: str | None, until_separated: bool) -> StopRule | None:
    if sprt is not None and until_separated:
        raise click.UsageError("--sprt and --until-separated exclude each other")
    if sprt is not None:
        return parse_sprt(sprt)
    return StopRule("separated") if until_separated else None


def _refuse_beside_resume(ctx: click.Context) -> None:
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if param.name not in WITH_RESUME and source is not None and source.name in ("COMMANDLINE", "ENVIRONMENT"):
            raise click.UsageError(
                f"{param.opts[-1]} does not go with --resume: all but how it is run (--jobs ...) and told is stored",
                ctx,
            )
