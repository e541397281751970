"""The subcommands of `arena tourney`: one file each, imported when it is called."""

import click

from arena.cli.lazy_group import LazyGroup

COMMANDS = {
    "audit": "Look for collusion, forfeits and unequal seats.",
    "enter": "Enter a bot late, from the next stage or block on.",
    "export": "Export a tournament with all its matches to a file.",
    "import": "Import an exported tournament.",
    "list": "List the tournaments of the database.",
    "log": "Print the log of decisions on a tournament.",
    "pause": "Pause a tournament.",
    "resume": "Resume a tournament.",
    "run": "Run a tournament defined in a file.",
    "show": "Show a tournament: its definition, hashes, field and progress.",
    "verify": "Verify the records of a tournament by replaying its matches.",
    "void": "Void a match.",
    "withdraw": "Withdraw a bot from a tournament.",
}
"""Name to help; the command NAME is `arena.cli.tourneys.NAME:command`."""


class Tourneys(LazyGroup):
    """The group `arena tourney`, which also runs by itself; its options do not apply to its subcommands."""

    helps = COMMANDS
    package = "arena.cli.tourneys"
    path = "tourney"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        resolved = super().resolve_command(ctx, args)
        for param in ctx.command.params if not ctx.resilient_parsing else ():
            source = ctx.get_parameter_source(param.name or "")
            if source is not None and source.name == "COMMANDLINE":
                raise click.UsageError(
                    f"{param.opts[-1]} stands before the command {resolved[0]}: put it after {resolved[0]}",
                    ctx,
                )
        return resolved
