"""`arena tune`: tune the parameters of a bot. Each command imports what it needs when it is called."""

import click

from arena.cli.lazy_group import LazyGroup, unknown_command
from referee.engine.near import did_you_mean

COMMANDS = {
    "apply": "Write the values of a run into the bot.toml of its bot.",
    "list": "List the runs of the database.",
    "resume": "Go on with a run.",
    "run": "Begin a run; `arena tune BOT` does the same.",
    "show": "Show a run: its parameters, and how far they are known.",
    "verify": "Play the tuned bot against itself as it was, and print the Elo.",
}
"""Name to help; the command NAME is `arena_tune.tune_commands.NAME:command`."""

_NAMES = ("-h", "--help")


class TuneGroup(LazyGroup):
    """The group `arena tune`, which begins a run where the first word is none of its commands."""

    helps = COMMANDS
    package = "arena_tune.tune_commands"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*COMMANDS, *_NAMES):
            if args[0].isalpha() and len(args) == 1 and did_you_mean(args[0], COMMANDS):
                raise unknown_command(args[0], COMMANDS, ctx)
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.command("tune", cls=TuneGroup, subcommand_metavar="[COMMAND]")
def command() -> None:
    """Tune the parameters of a bot by playing it against itself.

    A parameter is a number in the command that starts a bot. {caution} stands for it there:

    \b
        arena tune --game kille "python3 bot.py --caution {caution}" --parameter caution=0.5,0..1

    A folder with a bot.toml may declare its own ([parameters.caution]). `arena tune run --help` has all options.
    """
