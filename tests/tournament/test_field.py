import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.plan.field import (
    check_unchanged,
    find_bots,
    samples,
    split_names,
)
from arena.values.tournament_errors import FieldError

Write = Callable[..., Path]
SAMPLES = samples("cambio")


def test_lists_are_split_at_commas_outside_quotes() -> None:
    assert split_names("random, ./mine,python my.py") == ["random", "./mine", "python my.py"]
    assert split_names("random,,mine,") == ["random", "", "mine", ""], "no name is dropped: it may be an unset variable"
    assert split_names("") == [""]
    assert split_names('random,./bot --set "a,b"') == ["random", './bot --set "a,b"']


def test_a_sample_bot_is_run_by_this_python() -> None:
    [bot] = find_bots(["random"], SAMPLES)
    assert bot.name == "random"
    assert bot.command == (sys.executable, str(SAMPLES["random"]))
    assert bot.folder == str(SAMPLES["random"].parent)
    assert bot.files == (str(SAMPLES["random"]),)


def test_bots_of_one_name_are_numbered(program: Write) -> None:
    mine = program("random", b"#!/bin/sh\n")
    field = find_bots(["random", "random", str(mine), "cautious"], SAMPLES)
    assert [bot.name for bot in field] == ["random", "random#2", "random#3", "cautious"]
    clash = find_bots([str(program("x#2", b"#!/bin/sh\n")), *[str(program("x", b"#!/bin/sh\n"))] * 2], SAMPLES)
    assert [bot.name for bot in clash] == ["x#2", "x", "x#3"]


def test_a_program_starts_in_its_own_folder(program: Write, tmp_path: Path) -> None:
    mine = program("mine", b"#!/bin/sh\n")
    [bot] = find_bots([str(mine)], SAMPLES)
    assert (bot.name, bot.command, bot.folder, bot.files) == ("mine", (str(mine),), str(tmp_path), (str(mine),))


def test_a_python_file_need_not_be_executable(program: Write) -> None:
    mine = program("mine.py", b"pass\n", mode=0o644)
    [bot] = find_bots([str(mine)], SAMPLES)
    assert (bot.name, bot.command) == ("mine", (sys.executable, str(mine)))


def test_a_path_may_hold_blanks(program: Write) -> None:
    mine = program("my bot", b"#!/bin/sh\n")
    [bot] = find_bots([str(mine)], SAMPLES)
    assert bot.command == (str(mine),)


def test_a_command_line_starts_here(program: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program("mine.sh", b"exit\n", mode=0o644)
    monkeypatch.chdir(tmp_path)
    [bot] = find_bots(["sh mine.sh --fast 'a b'"], SAMPLES)
    assert bot.name == "mine"
    assert bot.command[0].startswith("/")
    assert bot.command[1:] == ("mine.sh", "--fast", "a b")
    assert bot.folder == str(tmp_path)
    assert bot.files == (str(tmp_path / "mine.sh"),)


def test_the_program_of_a_path_is_part_of_the_bot(program: Write, tmp_path: Path) -> None:
    mine = program("mine", b"#!/bin/sh\n")
    program("weights", b"1 2 3")
    [bot] = find_bots([f"{mine} {tmp_path}/weights"], SAMPLES)
    assert bot.files == (str(mine), str(tmp_path / "weights"))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "a bot has no name"),
        ("cautios", 'there is no bot cautios; did you mean "cautious"?'),
        ("./cautios", 'the bot ./cautios does not exist; did you mean "cautious"?'),
        ("./tests", "the bot ./tests is a folder"),
        ("no-such-language bot.xyz", 'the program no-such-language of the bot "no-such-language bot.xyz" is not inst'),
        ("sh none.sh", 'the file none.sh of the bot "sh none.sh" does not exist'),
        ("./none --fast", 'the program ./none of the bot "./none --fast" does not exist'),
        ('sh "none', "cannot parse the bot's command line sh \"none"),
        ("none.py/", "the bot none.py/"),
    ],
)
def test_what_is_no_bot(name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FieldError) as caught:
        find_bots(["random", name], SAMPLES)
    assert str(caught.value).startswith(sentence)


def test_a_sample_bot_of_another_game_is_named_as_such() -> None:
    with pytest.raises(FieldError, match="^the sample bot cautious plays only cambio, cucco$"):
        find_bots(["cautious"], samples("perudo"))


def test_a_tournament_goes_on_only_with_the_same_files(program: Write) -> None:
    mine = program("mine", b"#!/bin/sh\n")
    field = find_bots([str(mine)], SAMPLES)
    check_unchanged(field)
    mine.write_bytes(b"#!/bin/sh\nexit\n")
    with pytest.raises(FieldError, match="^mine has changed since the tournament began"):
        check_unchanged(field)
    mine.unlink()
    with pytest.raises(FieldError, match="a file of mine, does not exist"):
        check_unchanged(field)
