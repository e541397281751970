"""`arena match`: play one match; `arena match show`: show a stored one."""

from typing import TYPE_CHECKING, Any

import click

from arena.cli.database import db_option
from arena.cli.durations import Duration
from arena.cli.echo import echo
from arena.cli.gameoptions import game_options, parse_options
from arena.cli.hosting import hosting_options
from arena.cli.matchsheet import TAIL, print_match
from arena.cli.owner import for_owner, owner_option
from arena.cli.settings import SETTINGS
from arena.texts import json_text

if TYPE_CHECKING:
    from referee.v1.work_pb2 import Invitation


class PlayOrShow(click.Group):
    """A command that plays, unless its first word names a subcommand."""

    allow_extra_args = False
    allow_interspersed_args = True

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and (below := self.commands.get(args[0])) is not None:
            return below.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return click.Command.parse_args(self, ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        return click.Command.invoke(self, ctx) if ctx.command is self else ctx.command.invoke(ctx)


@click.group("match", context_settings=SETTINGS, cls=PlayOrShow, subcommand_metavar="", no_args_is_help=False)
@click.argument("bots", metavar="BOT BOT...", nargs=-1)
@click.option("--game", metavar="GAME", help="The game; `arena games` lists them.")
@game_options
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Deal from a number  [default: a random deal]")
@click.option("--move-time", type=Duration(), default="1s", show_default=True, help="Time for an answer; 0: no limit.")
@click.option("--bank", type=Duration(), default="10s", show_default=True, help="Reserve of each seat.")
@click.option(
    "--attach", type=click.IntRange(min=0), multiple=True, metavar="SEAT", help="Wait for a bot started by yourself."
)
@click.option("--from", "source", type=click.IntRange(min=1), metavar="ID", help="Ask a question of match ID again.")
@click.option("--move", "ply", type=click.IntRange(min=0), metavar="N", help="With --from: the question of answer N.")
@hosting_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
@click.pass_context
def command(
    ctx: click.Context,
    bots: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    seed: int | None,
    move_time: int,
    bank: int,
    attach: tuple[int, ...],
    source: int | None,
    ply: int | None,
    sandbox: str,
    affinity: bool,
    as_json: bool,
    db: str,
) -> None:
    """Play one match, or show a stored one.

    The bots sit down in the order in which they are named, each in a process of its own. A bot is a
    sample bot, a submitted one (club/owl, or club/owl@3), the path of a program, a Python file or a folder with a
    bot.toml, or a command line in quotes:

        arena match --game cambio random ./mybot "node other.js" --seed 7

    With --attach a seat is left to a bot that you start yourself, in a debugger for instance: what it must find
    in its environment is printed on stderr. It has no clock, and may be stopped and started again.

    The match is stored; it belongs to no tournament. `arena match show ID` shows a stored match,
    `arena replay ID --text` tells its story, and numbers its answers.

    --from 12 --move 57 asks the question of answer 57 of match 12 again, of the bot that sat there or of the one that
    is named: it is told and asked all that this seat was until then, and what it says is held against the record.
    """
    if source is not None or ply is not None:
        _again(ctx, source, ply, bots, sandbox, as_json, db)
        return
    if game is None:
        raise click.UsageError("Missing option '--game'.")
    from arena.store import open_store
    from arena.submissions.roster import open_roster
    from arena.tournament.plan.definition import TimeControl
    from arena.tournament.plan.field import attach as seat_attached
    from arena.tournament.plan.field import enter, samples
    from arena.tournament.run.hosting import Hosting
    from arena.tournament.run.single_match import keep, play_single
    from referee.engine import registry

    if not bots and not attach:
        raise click.UsageError("Missing argument 'BOT BOT...'.")
    rules = registry.game(game)
    playing = rules.options.parse(parse_options(options))
    field = seat_attached(enter(bots, samples(game), open_roster(db), game=game), attach, "attached")
    rules.check(playing, len(field))
    with open_store(db, create=True) as store:
        time = TimeControl(move_time_ms=move_time, bank_ms=bank)
        hosting = Hosting(sandbox, affinity)
        played = play_single(rules, playing, field, seed=seed, time=time, hosting=hosting, say=_say, invite=_invite)
        stored = keep(store, played, _say)
    print_match(stored, as_json)


def _again(
    ctx: click.Context, source: int | None, ply: int | None, bots: tuple[str, ...], sandbox: str, as_json: bool, db: str
) -> None:
    """Ask a recorded question again. Exit code 1 where the bot fails to answer."""
    import trio

    from arena.checking.repeated_question import ask_again, seat_at
    from arena.cli.again import again_json, again_lines
    from arena.replay.played_rules import older_or_newer
    from arena.store import open_store
    from arena.submissions.roster import open_roster
    from arena.tournament.plan.decisions import Decisions
    from arena.tournament.plan.definition import Definition, TimeControl
    from arena.tournament.plan.field import enter, samples, unpack_again
    from arena.tournament.run.hosting import Hosting

    if source is None or ply is None:
        raise click.UsageError("--from and --move go together: --from 12 --move 57 is answer 57 of match 12")
    for name in ("game", "options", "seed", "attach", "move_time", "bank"):
        given = ctx.get_parameter_source(name)
        if given is not None and given.name in ("COMMANDLINE", "ENVIRONMENT"):
            raise click.UsageError(f"--{name.replace('_', '-')} does not go with --from: the match says it")
    if len(bots) > 1:
        raise click.UsageError("one bot is asked: name one, or none to ask the one that sat there")
    with open_store(db) as store:
        match = store.match(source)
        log = store.decisions_of(match)
    if remark := older_or_newer(match):
        _say(remark)
    frame = match.tournament
    if bots:
        (bot,) = enter(bots, samples(frame.game), open_roster(db), game=frame.game)
    else:
        field = Decisions.of(Definition.from_json(frame.definition), log).field
        sat = field[match.row.seats[seat_at(match, ply)].entrant]
        if sat.attached:
            raise click.UsageError("the bot that sat there was started by somebody else: name the one to ask")
        (bot,) = unpack_again([sat], open_roster(db))
    Hosting(sandbox).settled()
    found = trio.run(ask_again, match, ply, bot, TimeControl(), sandbox)
    if as_json:
        echo(json_text(again_json(match, bot.name, found)))
    else:
        for line in again_lines(match, bot.name, found):
            echo(line)
    if found.meant is None:
        raise SystemExit(1)


def _say(line: str) -> None:
    echo(line, err=True)


def _invite(invitation: "Invitation") -> None:
    """Tell how the bot of an attached seat is started."""
    if invitation.gone:
        _say(f"the bot of seat {invitation.player} is gone ({invitation.gone}); start it again with:")
    else:
        _say(f"seat {invitation.player} waits for its bot; start it with this environment:")
    _say(f"ARENA_ADDRESS={invitation.address} ARENA_TOKEN={invitation.token}")


@command.command("show", context_settings=SETTINGS)
@click.argument("id", metavar="ID", type=click.IntRange(min=1))
@click.option("--output", "whole", is_flag=True, help=f"All that the bots printed, not only the last {TAIL} lines.")
@owner_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
def show(id: int, whole: bool, owner: str | None, as_json: bool, db: str) -> None:
    """Show a stored match.

    Its players, seed, result, faults and times, and what the bots printed: each in its whole process,
    which may have played other matches too.
    """
    from arena.store import open_store

    with open_store(db) as store:
        match = for_owner(store.match(id), owner)
    print_match(match, as_json, whole)
