"""The group `arena` itself: its help, near misses, and what becomes of errors."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arena.cli import COMMANDS, main
from arena.values.errors import ArenaError
from referee.engine.errors import OptionError

pytestmark = pytest.mark.usefixtures("in_process")


def test_help_lists_every_command_with_the_help_of_the_command_itself() -> None:
    listed = CliRunner().invoke(main, ["--help"], terminal_width=200).stdout
    for name, help in COMMANDS.items():
        command = import_module(f"arena.cli.{name.replace('-', '_')}").command
        assert command.name == name
        assert command.help.splitlines()[0] == help
        assert help in listed


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_explains_itself(name: str) -> None:
    waiting: list[click.Command] = [import_module(f"arena.cli.{name.replace('-', '_')}").command]
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


@pytest.mark.parametrize("group", ["accounts", "bots", "db", "match", "tokens", "tourney"])
def test_an_unknown_subcommand_is_told_with_the_near_miss(group: str) -> None:
    command = import_module(f"arena.cli.{group}").command
    name = command.list_commands(click.Context(command))[-1]
    result = CliRunner().invoke(main, [group, name[:-1] + "xx"])
    assert result.exit_code == 2
    assert f'there is no command "{name[:-1]}xx"; did you mean "{name}"? (commands: ' in result.stderr


def test_a_bot_that_is_called_like_a_subcommand_may_play(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["match", "shows", "random", "--game", "hypp", "--db", str(tmp_path / "a.db")])
    assert result.exit_code == 2
    assert "there is no bot shows" in result.stderr


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        (["replay"], "match"),
        (["match", "show"], "match"),
        (["verify"], "match"),
        (["play", "--from"], "match"),
        (["tourney", "void", "1"], "match"),
        (["tourney", "void"], "tournament"),
        (["ranking"], "tournament"),
        (["ranking", "--reference"], "tournament"),
        (["matches", "--tourney"], "tournament"),
        (["tourney", "--deals-of"], "tournament"),
        *(
            (["tourney", name], "tournament")
            for name in ("audit", "export", "log", "pause", "resume", "show", "verify")
        ),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("given", ["abc", "1x", "0", "²"])
def test_what_is_no_number_is_told_with_what_it_should_be_the_number_of(
    words: list[str], noun: str, given: str
) -> None:
    result = CliRunner().invoke(main, [*words, given])
    assert result.exit_code == 2
    listing = {"match": "arena matches", "tournament": "arena tourney list"}[noun]
    assert f'"{given}" is not the number of a {noun}: {listing} lists them' in result.stderr


def test_a_number_of_thousands_of_digits_is_a_sentence() -> None:
    result = CliRunner().invoke(main, ["replay", "1" * 5000])
    assert result.exit_code == 2
    assert "a match has no number of 5000 digits" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["check", "cauties.py"],
        ["check", "./cauties.py"],
        ["check", "python cauties.py"],
        ["submit", "cauties.py"],
        ["match", "--game", "cambio", "./cauties.py", "random"],
        ["tourney", "--game", "cambio", "--bots", "./cauties.py,random"],
        ["scenario", "cauties.py"],
        ["tourney", "run", "cauties.py"],
        ["tourney", "import", "cauties.py"],
        ["ratings", "cauties.csv"],
        ["ranking", "--db", "cauties.py"],
    ],
    ids=" ".join,
)
def test_a_file_that_does_not_exist_is_told_with_the_near_miss(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cautious.py").touch()
    (tmp_path / "cautious.csv").touch()
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert re.search(r'did you mean "(\./)?cautious\.(py|csv)"\?', result.stderr), result.stderr


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


@pytest.mark.processes
def test_a_reader_that_has_gone_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "games"], stdout=gone, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.stderr == ""


@pytest.mark.processes
def test_python_m_arena_is_arena() -> None:
    done = subprocess.run([sys.executable, "-m", "arena", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == "arena 0.1.0\n"
