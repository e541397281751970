"""`arena match`: play one match; `arena match show`: show a stored one."""

from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from arena.cli.grant_options import Granted, grant_option, secret_option
from arena.cli.invitations import print_invitation
from arena.cli.lazy_group import unknown_command
from arena.cli.match_question import repeat_question
from arena.cli.match_report import TAIL, print_match
from arena.cli.options import (
    MATCH_NUMBER,
    db_option,
    game_options,
    hosting_options,
    json_option,
    owner_option,
    parse_game_options,
    restrict_to_owner,
)
from arena.cli.output import print_progress
from arena.cli.tournament_options import (
    StartTimes,
    bot_option,
    clock_options,
    starts_option,
)
from arena.run.hosting import Hosting

if TYPE_CHECKING:
    from arena.values.definition import TimeControl

OF_TOURNAMENTS = ("mode", "ponder", "most_lag_ms", "slot_ms", "remote_ms")
"""What a clock has only where several matches are played at a time, or bots connect from elsewhere."""


class PlayOrShow(click.Group):
    """A command that plays a match, unless its first word names a subcommand."""

    allow_extra_args = False
    allow_interspersed_args = True

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and (below := self.commands.get(args[0])) is not None:
            return below.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        # Without a game there is nothing to play: the first word was meant as a command.
        if args and not any(arg.startswith(("--game", "--from", "-h", "--help")) for arg in args):
            from referee.engine.near import did_you_mean

            if did_you_mean(args[0], self.commands):
                raise unknown_command(args[0], self.commands)
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return click.Command.parse_args(self, ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        return click.Command.invoke(self, ctx) if ctx.command is self else ctx.command.invoke(ctx)


@click.group("match", cls=PlayOrShow, subcommand_metavar="", no_args_is_help=False)
@click.argument("bots", metavar="BOT BOT...", nargs=-1)
@click.option("--game", metavar="GAME", help="The game to play; `arena games` lists them.")
@game_options
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Derive the deal from a number  [default: random]"
)
@clock_options("start_time_ms", *OF_TOURNAMENTS)
@click.option(
    "--attach",
    type=click.IntRange(min=0),
    multiple=True,
    metavar="SEAT",
    help="Wait for a bot that you start yourself; repeatable.",
)
@click.option("--from", "source", type=MATCH_NUMBER, metavar="ID", help="Repeat a question of match ID.")
@click.option(
    "--move", "ply", type=click.IntRange(min=0), metavar="N", help="With --from: repeat the question of answer N."
)
@bot_option
@grant_option
@starts_option
@hosting_options
@secret_option
@json_option
@db_option
@click.pass_context
def command(
    ctx: click.Context,
    bots: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    seed: int | None,
    time: "TimeControl",
    attach: tuple[int, ...],
    source: int | None,
    ply: int | None,
    clocks: tuple[tuple[str, dict[str, int]], ...],
    granted: Granted,
    starts: StartTimes,
    hosting: Hosting,
    as_json: bool,
    db: str,
) -> None:
    """Play one match, or show a stored one.

    The bots take the seats in the order given, each in a process of its own. A bot is a sample bot, a submitted bot
    (club/owl, or club/owl@3), the path of a program, a Python file or a folder with a bot.toml, or a quoted command
    line:

        arena match --game cambio random ./mybot "node other.js" --seed 7

    With --attach a seat waits for a bot that you start yourself, in a debugger for instance, with the environment
    printed on stderr. It has no clock, and may be restarted.

    The match is stored outside any tournament. `arena match show ID` shows it; `arena replay ID --text` prints its log
    with numbered answers.

    --from 12 --move 57 repeats the question of answer 57 of match 12, to the bot that sat there or to BOT. The bot gets
    everything that its seat saw and was asked before, and its answer is compared with the record. With --attach SEAT it
    is a bot that you start yourself. `arena question export 12 57` keeps the question in a file.
    """
    if source is not None or ply is not None:
        _check_taken_from_match(ctx)
        repeat_question(source, ply, bots, attach, hosting, as_json, db)
        return
    if game is None:
        raise click.UsageError("Missing option '--game'.")
    from arena.packs.roster import open_roster
    from arena.plan.bot_clocks import with_clocks
    from arena.plan.definition_builder import check_time_control
    from arena.plan.field import find_bots, samples, seat_attached
    from arena.plan.grants import grant
    from arena.plan.start_times import with_start_times
    from arena.run.referee_process import EarlyReferees
    from referee.engine import registry

    if not bots and not attach:
        raise click.UsageError("Missing argument 'BOT BOT...'.")
    rules = registry.game(game)
    playing = rules.options.parse(parse_game_options(options))
    time = replace(time, start_time_ms=starts.usual)
    check_time_control(time)
    early = ctx.with_resource(EarlyReferees([None]))
    field = seat_attached(find_bots(bots, samples(game), open_roster(db), game=game), attach, "attached")
    field = with_clocks(with_start_times(grant(field, granted), starts.bots), clocks)
    rules.check(playing, len(field))
    from arena.run.single_match import keep, play_single
    from arena.store import open_store  # slow to import: the referee does the same meanwhile

    with open_store(db, create=True) as store:
        played = play_single(
            rules,
            playing,
            field,
            seed=seed,
            time=time,
            hosting=hosting,
            say=print_progress,
            invite=print_invitation,
            early=early,
        )
        stored = keep(store, played, print_progress)
    print_match(stored, as_json)


def _check_taken_from_match(ctx: click.Context) -> None:
    """Raise UsageError for an option of a new match beside --from."""
    taken = (
        "game",
        "options",
        "seed",
        "move_time",
        "bank",
        "fischer",
        "ready",
        "clocks",
        "granted",
        "starts",
        "secrets",
    )
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if parameter.name in taken and source is not None and source.name in ("COMMANDLINE", "ENVIRONMENT"):
            raise click.UsageError(f"--from takes this from the match: leave out {max(parameter.opts, key=len)}")


@command.command("show")
@click.argument("id", metavar="ID", type=MATCH_NUMBER)
@click.option("--output", "whole", is_flag=True, help=f"Print all output of the bots, not only the last {TAIL} lines.")
@owner_option
@json_option
@db_option
def show(id: int, whole: bool, owner: str | None, as_json: bool, db: str) -> None:
    """Show a stored match.

    Prints its players, seed, result, faults and times, and the output of the bots' processes, which may have played
    other matches too.
    """
    from arena.results.stage_names import StageNames
    from arena.store import open_store

    with open_store(db) as store:
        match = restrict_to_owner(store.match(id), owner)
        stage = StageNames(store).of(match.tournament_id, match.row.deal)
    print_match(match, as_json, whole, stage)
