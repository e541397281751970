"""The commands below `arena tourney`: one file each, imported when it is called."""

import click

from arena.cli.lazy_group import LazyGroup

COMMANDS = {
    "audit": "Look for collusion, forfeits and unequal seats.",
    "enter": "Let a bot take part from the next stage or block on.",
    "export": "Write a tournament with all its matches to a file.",
    "import": "Take in a tournament that was exported.",
    "list": "List the tournaments of the database.",
    "log": "Print what was decided on a tournament.",
    "pause": "Have a tournament stop.",
    "resume": "Go on with a tournament.",
    "run": "Run the tournament that a file defines.",
    "show": "Show a tournament: its definition, hashes, field and progress.",
    "verify": "Play all matches of a tournament again by the rules and check its records.",
    "void": "Let a match count no more.",
    "withdraw": "Take a bot out of a tournament.",
}
"""Name to help; the command NAME is `arena.cli.tourneys.NAME:command`."""


class Tourneys(LazyGroup):
    """A group that also runs by itself; its options do not go with its commands."""

    helps = COMMANDS
    package = "arena.cli.tourneys"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = super().resolve_command(ctx, args)
        for param in ctx.command.params if not ctx.resilient_parsing else ():
            source = ctx.get_parameter_source(param.name or "")
            if source is not None and source.name == "COMMANDLINE":
                raise click.UsageError(
                    f"{param.opts[-1]} stands before the command {found[0]}: put what belongs to it after it",
                    ctx,
                )
        return found
