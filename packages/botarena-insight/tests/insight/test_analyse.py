"""`arena analyse` on a stored match."""

import json
from pathlib import Path

import pytest
from arena_insight.stored_chances import StoredChances
from click.testing import CliRunner, Result

from arena.cli import main
from arena.store import open_store
from referee.games.coch import COCH
from tests import played
from tests.packed import unpacked

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.fixture(autouse=True)
def _database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    with open_store("arena.db", create=True) as store:
        store.add_single(played.tournament(COCH, matches=1), played.match(COCH))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["analyse", *arguments], catch_exceptions=False)


def test_a_match_is_analysed_once_and_its_replay_has_the_result(tmp_path: Path) -> None:
    options = ("1", "--playouts", "8", "--jobs", "1")
    lines = run(*options).stdout.splitlines()
    assert lines[:2] == [
        "match 1: coch, chances to win from move 0 to 31, everything dealt is known",
        "8 playouts by tactician at each of 32 moves, seed 0",
    ]
    with open_store("arena.db") as store:
        winners = [int(seat.rank == 1) for seat in store.match(1).row.seats]
        stored = StoredChances(store).best(store.match(1), None, COCH.behaviour)
    assert [line.split()[-1] for line in lines[5:9]] == [f"{won:.0%}" for won in winners]
    values = json.loads(run(*options, "--json").stdout)
    assert values == {"match": 1, "game": "coch", "players": ["a", "b", "c", "d"], **(stored or {})}
    assert values["points"][-1] == [31, winners, [0, 0, 0, 0]]
    CliRunner().invoke(main, ["replay", "1", "--html", "page.html"], catch_exceptions=False)
    page = unpacked((tmp_path / "page.html").read_text())
    assert page.count('"chances":{') == 1
    assert '"policy":"tactician"' in page
    told = CliRunner().invoke(main, ["replay", "1", "--text"], catch_exceptions=False).stdout
    assert ("No single move decided this match" in told) != bool(values["costly"]["moves"])
    story = json.loads(CliRunner().invoke(main, ["replay", "1", "--json"], catch_exceptions=False).stdout)["story"]
    assert len(story["costly"]) == len(values["costly"]["moves"])


def test_swings_lead_to_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena_insight.analysis.match_chances.CLEAR", 0.0)
    lines = run("1", "--seat", "2", "--playouts", "2", "--policy", "random", "--jobs", "1").stdout.splitlines()
    at = lines.index("largest swings:")
    assert lines[at + 1].startswith("  moves ")
    assert lines[at + 2].startswith("    arena replay 1 --at ")
    assert lines[at + 2].endswith(" --seat 2")


def test_what_cannot_be_analysed_is_said() -> None:
    for arguments, sentence in (
        (("2",), "the database arena.db has no match 2"),
        (("1", "--seat", "4"), "match 1 has the seats 0 to 3"),
        (("1", "--policy", "hoarder"), 'no sample bot "hoarder" plays coch: choose one of random, tactician'),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert sentence in result.stderr
