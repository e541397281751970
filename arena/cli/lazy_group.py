"""Groups of commands: they tell near misses, and import a command's module only when the command is called."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click
from click.shell_completion import CompletionItem

from arena.hooks.commands import PluginCommand, commands_below
from arena.hooks.published import remedy


class CommandGroup(click.Group):
    """A group that reports an unknown command with the one most like it."""

    aliases: Mapping[str, str] = {}
    """Other names of commands, each with the name that it stands for; no help lists them."""
    path: str | None = None
    """How the group is typed below `arena`, if packages may add commands to it; "" is `arena` itself."""

    def __init__(self, *args: Any, path: str | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self.path = self.path if path is None else path

    def plugin_commands(self) -> dict[str, PluginCommand]:
        """Return the commands that packages add, by name."""
        return {} if self.path is None else commands_below(self.path)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self.plugin_commands()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if (command := super().get_command(ctx, cmd_name)) is not None:
            return command
        added = self.plugin_commands().get(cmd_name)
        return None if added is None else self._completed(ctx, cmd_name, added.load())

    def _completed(self, ctx: click.Context, name: str, command: click.Command) -> click.Command:
        """Return a command, with values for the shell if one completes a line."""
        if ctx.resilient_parsing:
            from arena.cli.suggestions import suggest_values

            suggest_values(command, f"{self.path or ''} {name}".strip())
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name in known or name in self.aliases or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if self.path is not None and (package := remedy(f"{self.path} {name}".strip())):
            raise click.UsageError(f'there is no command "{name}" without {package}', ctx)
        raise unknown_command(name, known, ctx)


def unknown_command(name: str, known: Iterable[str], ctx: click.Context | None = None) -> click.UsageError:
    """Return the error about a command that is none of the known ones."""
    from referee.engine.near import did_you_mean  # difflib is a tenth of the time that `arena --help` takes

    names = sorted(known)
    return click.UsageError(
        f'there is no command "{name}"{did_you_mean(name, names)} (commands: {", ".join(names)})', ctx
    )


class LazyGroup(CommandGroup):
    """A group whose commands are the `command` of modules of `package`, so that its `--help` stays quick."""

    helps: Mapping[str, str] = {}
    """The one-line help of each command."""
    package = ""

    def all_helps(self) -> dict[str, str]:
        """Return the one-line help of each command, by name in order; those of packages are among them."""
        added = {name: command.help for name, command in self.plugin_commands().items()}
        return dict(sorted((added | dict(self.helps)).items()))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.all_helps())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self.aliases.get(cmd_name, cmd_name)
        if name not in self.helps:
            return super().get_command(ctx, name)
        module = f"{name}_" if iskeyword(name) else name.replace("-", "_")
        return self._completed(ctx, name, import_module(f"{self.package}.{module}").command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin with a word, without importing them, and options."""
        items = [
            CompletionItem(name, help=text) for name, text in self.all_helps().items() if name.startswith(incomplete)
        ]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.all_helps().items()))
