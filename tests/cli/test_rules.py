import os
import pty
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from arena.cli import game_description as describe
from arena.cli import main
from arena.replay.rule_pages import NoPage
from arena.replay.rule_pages import page as page_in
from referee.engine.game import Game
from referee.engine.registry import game, names


def page(game: Game) -> str:
    return page_in(game)[0]


@pytest.mark.parametrize("name", names())
def test_a_page_names_every_option_with_its_choices(name: str) -> None:
    text = page(game(name))
    assert text.startswith("# ")
    for option in describe.options(game(name)):
        assert f"`{option['name']}" in text, f"{name}: the page does not name the option {option['name']}"
        for choice in option.get("choices") or ():
            assert re.search(rf"`(\w+=)?{re.escape(str(choice))}`", text), f"{name}: {option['name']}={choice}"


@pytest.mark.parametrize("name", names())
def test_a_page_tells_score_rank_players_and_the_default_move(name: str) -> None:
    text = " ".join(page(game(name)).split())
    assert re.search("players|seats", text)
    for told in ("**Score**", "**Rank**", "**Without a legal answer in time**", "| move |"):
        assert told in text


def test_elsewhere_than_on_a_terminal_it_is_the_page_as_it_stands() -> None:
    result = CliRunner().invoke(main, ["rules", "coch"])
    assert (result.exit_code, result.stdout) == (0, page(game("coch")))


@pytest.mark.processes
def test_on_a_terminal_the_page_is_laid_out() -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "arena", "rules", "coch"], stdout=terminal, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while chunk := os.read(controller, 4096):
            shown += chunk
    except OSError:  # Linux's way to say that the terminal is closed
        pass
    assert process.wait() == 0
    assert b"\x1b[1m" in shown, "headings are bold"
    assert b"**Score**" not in shown


def test_without_a_game_all_are_listed_and_a_wrong_name_is_a_sentence() -> None:
    listed = CliRunner().invoke(main, ["rules"]).stdout
    assert [line.split()[0] for line in listed.splitlines()] == names()
    wrong = CliRunner().invoke(main, ["rules", "coh"])
    assert wrong.exit_code == 2
    assert 'did you mean "coch"?' in wrong.stderr


def test_a_game_without_a_page_says_so() -> None:
    class Bare(type(game("coch"))):  # type: ignore[misc]
        name = "bare"

    Bare.__module__ = "tests.cli.test_rules"
    bare: Game = Bare()
    Bare.__module__ = "json.decoder"
    with pytest.raises(NoPage, match=r"bare comes without a page of rules \(rules.md in json\)"):
        page(bare)
