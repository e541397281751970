"""Groups of commands: they tell near misses, and import a command's module only when the command is called."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from keyword import iskeyword

import click
from click.shell_completion import CompletionItem


class CommandGroup(click.Group):
    """A group that reports an unknown command with the one most like it.

    aliases: other names of commands, which no help lists.
    """

    aliases: Mapping[str, str] = {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name in known or name in self.aliases or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        raise unknown_command(name, known, ctx)


def unknown_command(name: str, known: Iterable[str], ctx: click.Context | None = None) -> click.UsageError:
    """Return the error about a command that is none of the known ones."""
    from referee.engine.near import did_you_mean  # difflib is a tenth of the time that `arena --help` takes

    names = sorted(known)
    return click.UsageError(
        f'there is no command "{name}"{did_you_mean(name, names)} (commands: {", ".join(names)})', ctx
    )


class LazyGroup(CommandGroup):
    """A group whose commands are the `command` of modules of `package`, so that its `--help` stays quick.

    helps: the one-line help of each command.
    """

    helps: Mapping[str, str] = {}
    package = ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.helps)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self.aliases.get(cmd_name, cmd_name)
        if name not in self.helps:
            return None
        module = f"{name}_" if iskeyword(name) else name.replace("-", "_")
        command: click.Command = import_module(f"{self.package}.{module}").command
        if ctx.resilient_parsing:  # of a shell that completes a line
            from arena.cli.suggestions import suggest_values

            suggest_values(command, f"{self.package}.{module}")
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin with a word, without importing them, and options."""
        items = [
            CompletionItem(name, help=text) for name, text in sorted(self.helps.items()) if name.startswith(incomplete)
        ]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.helps.items()))
