"""The commands of the package, as arena shows them."""

import click
import pytest
from arena_insight import commands

from arena.hooks.commands import PluginCommand
from tests.cli.test_completion import offered, stored

__all__ = ["stored"]  # a fixture


@pytest.mark.parametrize("command", [value for value in vars(commands).values() if isinstance(value, PluginCommand)])
def test_the_help_of_a_command_is_its_own(command: PluginCommand) -> None:
    assert command.help == click.Command.get_short_help_str(command.load(), 200)


@pytest.mark.usefixtures("in_process", "stored")
def test_a_shell_offers_what_is_stored() -> None:
    assert offered("arena analyse ") == ["2", "1"]
    assert offered("arena tourney why ") == ["7"]
    assert offered("arena tourney why 7 ann") == ["ann/owl"]
    assert offered("arena league why ") == ["class"]
