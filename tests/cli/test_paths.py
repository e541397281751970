"""Folders, files, variables and arguments that are not UTF-8: what can work there does, the rest is a sentence."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.bots.intake import built
from arena.cli import main
from arena.packs.build import BuildTerms
from arena.packs.candidate import read_candidate
from referee.paths import is_utf8
from tests.cli.test_ask import BOT, LAST

pytestmark = pytest.mark.usefixtures("in_process")

ODD = os.fsdecode(b"b\xfft")
SHORT = ("--game", "cambio", "-o", "chips=2", "--seed", "1")


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, and that of temporary files, with a bot."""
    with tempfile.TemporaryDirectory(dir="/tmp") as above:
        folder = Path(above, ODD)
        folder.mkdir()
        (folder / "owl.py").write_text(BOT.replace("ANSWER", LAST))
        monkeypatch.chdir(folder)
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        monkeypatch.delenv("ARENA_DB", raising=False)
        yield folder
        monkeypatch.undo()


def arena(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("bots", [("./owl.py", "random"), ("python3 owl.py", "random"), (f"../{ODD}/owl.py", "random")])
def test_a_bot_at_such_a_path_does_not_play_and_is_told_what_to_do(odd: Path, bots: tuple[str, ...]) -> None:
    for words in (["match", *SHORT, *bots], ["tourney", *SHORT, "--rounds", "1", "--bots", ",".join(bots)]):
        error = arena(*words, code=2).stderr
        assert f"Error: {odd.parent}/b\\xfft is not UTF-8" in error
        assert "rename it, or submit the bot from there (arena submit)" in error
    assert not (odd / "arena.db").exists()


@pytest.mark.processes
def test_all_other_bots_play_from_there_and_are_looked_at(odd: Path) -> None:
    arena("match", *SHORT, "random", "cautious")
    assert "cautious" in arena("match", "show", "1").stdout
    assert arena("db", "backup", f"{ODD}.db").stdout.startswith("b\\xfft.db: ")
    assert "b\\xfft.html" in arena("replay", "1", "--html", f"{ODD}.html").output
    assert "b\\xfft.db" in arena("db", "check", "--db", f"{ODD}.db").stdout
    arena("question", "export", "1", "1", "--to", f"{ODD}.json")
    assert arena("ask", "./owl.py", f"{ODD}.json").stdout.startswith("b\\xfft.json: owl answers exchange after ")


@pytest.mark.processes
def test_a_bot_there_is_checked_in_a_copy(odd: Path) -> None:
    (odd / "owl.py").write_text("raise SystemExit('it ends')")
    done = arena("check", "./owl.py", "--matches", "1", code=1)
    assert "./owl.py is not at a path in UTF-8: checking a copy of it" in done.stderr
    assert "it ends" in done.stdout
    assert "there is no" not in done.output


def test_a_command_line_there_has_no_copy(odd: Path) -> None:
    assert "is not UTF-8" in arena("check", "python3 owl.py", "--matches", "1", code=2).stderr


def test_a_submission_is_unpacked_where_messages_can_name_it(odd: Path) -> None:
    with built(read_candidate(odd / "owl.py"), BuildTerms()) as bot:
        assert is_utf8(bot.folder)
        assert (bot.folder / "owl.py").exists()


def test_texts_that_cannot_be_stored_are_named(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arena("accounts", "create", "ann")
    assert 'Error: the text "b\\xfft" is not UTF-8' in arena("accounts", "reset", ODD, code=2).stderr
    monkeypatch.setenv("OWL_KEY", ODD)
    error = arena("match", *SHORT, "random", "cautious", "--secret", "random:OWL_KEY", code=2).stderr
    assert error == "Error: the variable OWL_KEY, a secret of random, is not UTF-8: set it to what is\n"
    url = os.fsdecode(b"postgresql://ann:s3cr\xffet@localhost/arena")
    error = arena("matches", "--db", url, code=2).stderr
    assert "the URL of the database is not UTF-8: write other bytes as %FF" in error
    assert "s3cr" not in error


def test_a_cache_there_is_refused(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.store import open_store
    from tests import leagues

    with open_store("arena.db", create=True) as store:
        leagues.submit_file(store, "club/owl", odd / "owl.py")
    monkeypatch.setenv("ARENA_CACHE", str(odd / "cache"))
    error = arena("match", *SHORT, "club/owl", "random", code=2).stderr
    assert error == (
        f"Error: bots cannot play from {odd.parent}/b\\xfft/cache/bots, which is not UTF-8: set ARENA_CACHE to another "
        "folder\n"
    )
    shutil.rmtree(odd / "cache", ignore_errors=True)
