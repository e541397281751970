"""`arena site`: what it says, and what it refuses."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.store import open_store
from referee.games.cucu import CUCU
from tests import played


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    with open_store("arena.db", create=True) as store:
        number = store.add_tournament(played.tournament(CUCU, matches=4))
        store.add_matches(number, [played.match(CUCU, number) for number in range(4)])
        store.finish_tournament(number)


def site(*words: str) -> Result:
    return CliRunner().invoke(main, ["site", *words], prog_name="arena")


def test_it_says_how_much_it_has_written() -> None:
    result = site("--to", "cup", "--matches", "1")
    assert result.exit_code == 0
    assert "tournament 1: " in result.stderr
    assert "1 replays of" in result.stderr
    assert Path("cup/index.html").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--matches", "some"], '"some" is not interesting, all or a number'),
        (["--matches", "-1"], '"-1" is not interesting, all or a number'),
        (["--url", "example.org"], '"example.org" is not an address such as https://example.org/cup'),
        (["--url", "https://example.org/?a=b"], "is not an address"),
        (["7"], "7"),
        (["--to", "arena.db"], "arena.db is a file: name a folder with --to"),
        (["--to", "."], "holds other files"),
    ],
)
def test_mistakes_end_in_a_sentence(words: list[str], sentence: str) -> None:
    result = site("--to", "cup", *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert not Path("cup").exists()
