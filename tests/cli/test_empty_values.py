"""Values that are empty, as those of variables that nobody has set, are refused before anything is done."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.store import open_store
from tests import installed

pytestmark = pytest.mark.processes

PLAY = ("tourney", "--game", "cambio", "--rounds", "1")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("init", ""), "a path must not be empty"),
        (("submit", ""), "a path must not be empty"),
        *installed.of("classroom", (("submit", "--from", ""), "a path must not be empty")),
        (("ratings", ""), "a path must not be empty"),
        *installed.of("site", (("site", "1", "--to", ""), "a path must not be empty")),
        (("tourney", "export", "1", "--to", ""), "a path must not be empty"),
        (("league", "import", ""), "a path must not be empty"),
        (("db", "backup", ""), "a path must not be empty"),
        ((*PLAY, "--events", ""), "a path must not be empty"),
        ((*PLAY, "--cert", ""), "a path must not be empty"),
        (("tourney", "void", "1", "1", "--reason", " "), "a text must not be empty"),
        ((*PLAY, "--bots", ""), "a bot has no name"),
        ((*PLAY, "--bots", "random,,cautious"), "a bot has no name"),
        (("play", "--game", "cambio", "--against", ""), "a bot has no name"),
    ],
    ids=" ".join,
)
def test_empty_values_are_refused(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_stored_where_events_cannot_be_written(tmp_path: Path) -> None:
    database, where = tmp_path / "arena.db", tmp_path / "file"
    where.touch()
    words = [*PLAY, "--events", str(where / "events"), "--db", str(database)]
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 2
    assert result.stderr == f"Error: cannot write events to {where}/events: File exists\n"
    if database.exists():
        with open_store(database) as store:
            assert store.tournaments() == []
