"""`arena match`: play one match; `arena match show`: show a stored one."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from arena.cli.lazy_group import unknown_command
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
from arena.cli.output import echo, print_progress
from arena.cli.tournament_options import bank_option, move_time_option
from arena.texts import json_text
from arena.tournament.run.hosting import Hosting

if TYPE_CHECKING:
    from arena.checking.repeated_question import RepeatedAnswer, RepeatedQuestions
    from arena.store.rows import StoredMatch
    from referee.v1.work_pb2 import Invitation


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
@move_time_option
@bank_option("Extra time of a seat, for the whole match.")
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
@hosting_options
@json_option
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
    everything that its seat saw and was asked before, and its answer is compared with the record.
    """
    if source is not None or ply is not None:
        _ask_again(ctx, source, ply, bots, hosting, as_json, db)
        return
    if game is None:
        raise click.UsageError("Missing option '--game'.")
    from arena.submissions.roster import open_roster
    from arena.tournament.plan.definition import TimeControl
    from arena.tournament.plan.field import find_bots, samples, seat_attached
    from arena.tournament.run.referee_process import EarlyReferees
    from referee.engine import registry

    if not bots and not attach:
        raise click.UsageError("Missing argument 'BOT BOT...'.")
    rules = registry.game(game)
    playing = rules.options.parse(parse_game_options(options))
    early = ctx.with_resource(EarlyReferees([None]))
    field = seat_attached(find_bots(bots, samples(game), open_roster(db), game=game), attach, "attached")
    rules.check(playing, len(field))
    from arena.store import open_store  # slow to import: the referee does the same meanwhile
    from arena.tournament.run.single_match import keep, play_single

    with open_store(db, create=True) as store:
        time = TimeControl(move_time_ms=move_time, bank_ms=bank)
        played = play_single(
            rules,
            playing,
            field,
            seed=seed,
            time=time,
            hosting=hosting,
            say=print_progress,
            invite=_invite,
            early=early,
        )
        stored = keep(store, played, print_progress)
    print_match(stored, as_json)


def _ask_again(
    ctx: click.Context,
    source: int | None,
    ply: int | None,
    bots: tuple[str, ...],
    hosting: Hosting,
    as_json: bool,
    db: str,
) -> None:
    """Repeat a recorded question. Exit code 1 if the bot fails to answer."""
    import trio

    from arena.checking.repeated_question import ask_again, seat_at
    from arena.replay.played_rules import version_remark
    from arena.store import open_store
    from arena.submissions.roster import open_roster
    from arena.tournament.plan.decisions import Decisions
    from arena.tournament.plan.definition import Definition, TimeControl
    from arena.tournament.plan.field import find_bots, samples, unpack_submissions

    if source is None or ply is None:
        raise click.UsageError("--from and --move need each other: --from 12 --move 57 is answer 57 of match 12")
    for name in ("game", "options", "seed", "attach", "move_time", "bank"):
        source_of_value = ctx.get_parameter_source(name)
        if source_of_value is not None and source_of_value.name in ("COMMANDLINE", "ENVIRONMENT"):
            raise click.UsageError(f"--from takes this from the match: leave out --{name.replace('_', '-')}")
    if len(bots) > 1:
        raise click.UsageError("--from asks one bot: name one, or none for the bot that sat there")
    with open_store(db) as store:
        match = store.match(source)
        log = store.decisions_of(match)
    if remark := version_remark(match):
        print_progress(remark)
    event = match.event
    if bots:
        (bot,) = find_bots(bots, samples(event.game), open_roster(db), game=event.game)
    else:
        field = Decisions.of(Definition.from_json(event.definition.values), log).field
        entrant = field[match.row.seats[seat_at(match, ply)].entrant]
        if entrant.attached:
            raise click.UsageError("the bot that sat there was attached, not started by arena: name the bot to ask")
        (bot,) = unpack_submissions([entrant], open_roster(db))
    hosting.check_mode()
    answers = trio.run(ask_again, match, ply, bot, TimeControl(), hosting.sandbox)
    if as_json:
        echo(json_text(_again_json(match, bot.name, answers)))
    else:
        for line in _again_lines(match, bot.name, answers):
            echo(line)
    if answers.meant is None:
        raise SystemExit(1)


_MOST_DIFFERING = 10
"""Earlier answers that differ, shown at the most."""


def _again_lines(match: "StoredMatch", bot: str, answers: "RepeatedQuestions") -> Iterator[str]:
    """Yield what the bot answers now, as lines for people."""
    count, otherwise, meant = len(answers.before), answers.otherwise, answers.meant
    if count:
        differing = f"{len(otherwise):,} of them otherwise:" if otherwise else "all of them as in the record"
        yield f"{bot} was asked {count:,} questions before, and answers {differing}"
    yield from (f"    {_answer_text(asked)}" for asked in otherwise[:_MOST_DIFFERING])
    if len(otherwise) > _MOST_DIFFERING:
        yield f"    and {len(otherwise) - _MOST_DIFFERING:,} more"
    if meant is not None:
        same = "as in the record" if meant.move == meant.recorded else "otherwise than in the record"
        yield f"match {match.id}, answer {meant.ply}, seat {meant.seat}: {bot} answers {same}"
        yield f"    {_answer_text(meant)}"
        yield from (f'    {title}: "{text}"' for title, text in (("note", meant.note), ("says", meant.said)) if text)
    if answers.failure:
        yield f"{bot} failed: {answers.failure}"
    if answers.output:
        yield f"{bot} printed:"
        yield from (f"    {line}" for line in answers.output.splitlines())


def _answer_text(asked: "RepeatedAnswer") -> str:
    return f"{asked.ply}. {asked.move}    [recorded: {asked.recorded}; legal: {', '.join(asked.legal)}]"


def _again_json(match: "StoredMatch", bot: str, answers: "RepeatedQuestions") -> dict[str, Any]:
    """Return what --json prints of the bot's answers now."""
    return {
        "match": match.id,
        "bot": bot,
        "answer": None if answers.meant is None else asdict(answers.meant),
        "before": len(answers.before),
        "otherwise": [asdict(asked) for asked in answers.otherwise],
        "failure": answers.failure or None,
        "output": answers.output,
    }


def _invite(invitation: "Invitation") -> None:
    """Print how to start the bot of an attached seat."""
    if invitation.gone:
        print_progress(
            f"the bot of seat {invitation.player} is gone ({invitation.gone}); restart it with this environment:"
        )
    else:
        print_progress(f"seat {invitation.player} waits for its bot; start it with this environment:")
    print_progress(f"ARENA_ADDRESS={invitation.address} ARENA_TOKEN={invitation.token}")


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
    from arena.store import open_store

    with open_store(db) as store:
        match = restrict_to_owner(store.match(id), owner)
    print_match(match, as_json, whole)
