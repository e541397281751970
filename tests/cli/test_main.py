"""The group `arena` itself: its help, near misses, and what becomes of errors."""

import os
import subprocess
import sys
from importlib import import_module

import click
import pytest
from click.testing import CliRunner

from arena.cli import COMMANDS, main
from arena.errors import ArenaError
from referee.engine.errors import OptionError


def test_help_lists_every_command_with_the_help_of_the_command_itself() -> None:
    listed = CliRunner().invoke(main, ["--help"], terminal_width=200).stdout
    for name, help in COMMANDS.items():
        command = import_module(f"arena.cli.{name}").command
        assert command.name == name
        assert command.help.splitlines()[0] == help
        assert help in listed


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_explains_itself(name: str) -> None:
    waiting: list[click.Command] = [import_module(f"arena.cli.{name}").command]
    for command in waiting:
        assert command.help
        for parameter in command.params:
            assert not isinstance(parameter, click.Option) or parameter.help, f"{command.name} {parameter.name}"
        if isinstance(command, click.Group):
            waiting += command.commands.values()


def test_an_unknown_command_is_told_with_the_near_miss() -> None:
    result = CliRunner().invoke(main, ["tournay"])
    assert result.exit_code == 2
    assert 'there is no command "tournay"; did you mean "tourney"?' in result.stderr


def test_without_a_command_help_is_shown() -> None:
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 2
    assert "Commands:" in result.output


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.stdout) == (0, "arena 0.1.0\n")


def failing(error: BaseException) -> click.Command:
    @click.command("games")
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize("error", [ArenaError("no such file: x"), OptionError("chips is at least 1, not 0")])
def test_errors_raised_on_purpose_are_sentences(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.games.command", failing(error))
    result = CliRunner().invoke(main, ["games"])
    assert (result.exit_code, result.stderr) == (2, f"Error: {error}\n")


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.games.command", failing(ZeroDivisionError("a bug")))
    with pytest.raises(ZeroDivisionError):
        CliRunner().invoke(main, ["games"], catch_exceptions=False)


def test_an_interrupt_ends_quietly_with_the_code_of_shells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.games.command", failing(KeyboardInterrupt()))
    result = CliRunner().invoke(main, ["games"])
    assert (result.exit_code, result.stderr) == (130, "interrupted\n")


def test_a_reader_that_has_gone_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "games"], stdout=gone, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.stderr == ""


def test_python_m_arena_is_arena() -> None:
    done = subprocess.run([sys.executable, "-m", "arena", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == "arena 0.1.0\n"
