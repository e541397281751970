"""Groups of commands that import a command's module only when the command is called, so that `--help` stays quick."""

from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword

import click


class LazyGroup(click.Group):
    """A group whose commands are the `command` of modules of `package`.

    helps: the one-line help of each command. aliases: other names of commands, which no help lists.
    """

    helps: Mapping[str, str] = {}
    aliases: Mapping[str, str] = {}
    package = ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.helps)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self.aliases.get(cmd_name, cmd_name)
        if name not in self.helps:
            return None
        module = f"{name}_" if iskeyword(name) else name
        command: click.Command = import_module(f"{self.package}.{module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in self.helps or name in self.aliases or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from referee.engine.near import did_you_mean  # difflib is a tenth of the time that `arena --help` takes

        hint = did_you_mean(name, self.helps)
        raise click.UsageError(f'there is no command "{name}"{hint} (commands: {", ".join(sorted(self.helps))})', ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.helps.items()))
