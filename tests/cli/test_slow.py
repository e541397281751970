"""`arena matches --slower` and `arena replay --slower`: answers that took long."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.record.played_rules import steps
from arena.replay import slow_answers
from arena.store import open_store
from arena.values.rows import MatchRow
from referee.engine.record import pack_time
from referee.games.cambio import CAMBIO
from tests import played

pytestmark = pytest.mark.usefixtures("in_process")

PLY = 7


def slowed(row: MatchRow, seat: int, millis: int) -> MatchRow:
    """Return the record with a slow answer `PLY`, of that seat."""
    times = bytearray(row.times)
    times[PLY] = pack_time(millis * 1000)
    return played.with_seat(replace(row, times=bytes(times)), seat, charged_us=millis * 1000)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int]:
    """A database of 12 matches, with a slow answer in matches 3 and 9, and the seat that gave it in match 3."""
    path = str(tmp_path_factory.mktemp("slow") / "a.db")
    rows = [played.match(CAMBIO, number) for number in range(12)]
    with open_store(path, create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=12))
        store.add_matches(number, rows)
        seats = {
            id: next(step.seat for _, answered in steps(store.match(id)) for step in answered if step.ply == PLY)
            for id in (3, 9)
        }
    path = path.replace("a.db", "b.db")
    with open_store(path, create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=12))
        rows[2], rows[8] = slowed(rows[2], seats[3], 300), slowed(rows[8], seats[9], 900)
        store.add_matches(number, rows)
    return path, seats[3]


def arena(database: tuple[str, int], *words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--db", database[0]], prog_name="arena")


def slow(database: tuple[str, int], *words: str) -> dict[int, list[int]]:
    result = arena(database, "matches", "--json", *words)
    assert result.exit_code == 0, result.output
    return {match["id"]: [answer["ply"] for answer in match["slow"]] for match in json.loads(result.stdout)["matches"]}


def test_matches_with_slow_answers_are_listed(database: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_answers, "BATCH", 1)
    assert slow(database, "--slower", "200ms") == {9: [PLY], 3: [PLY]}
    assert slow(database, "--slower", "500ms") == {9: [PLY]}
    assert slow(database, "--slower", "5s") == {}
    assert slow(database, "--slower", "200ms", "--limit", "1") == {9: [PLY]}
    seat = database[1]
    bot = "abcd"[(seat + 2) % 4]  # of match 3, which is number 2: rotation 2
    assert 3 in slow(database, "--slower", "200ms", "--bot", bot)
    others = [name for name in "abcd" if name != bot]
    assert all(3 not in slow(database, "--slower", "200ms", "--bot", other) for other in others)
    assert 3 in slow(database, "--slower", "200ms", "--seat", str(seat))
    assert 3 not in slow(database, "--slower", "200ms", "--seat", str((seat + 1) % 4))


def test_the_table_names_the_slowest_answer(database: tuple[str, int]) -> None:
    lines = arena(database, "matches", "--slower", "200ms").stdout.splitlines()
    assert lines[0].split() == ["id", "tourney", "game", "slow", "answers", "slowest", "answer", "of", "move"]
    assert lines[3].split()[:3] == ["3", "1", "cambio"]
    assert f" {PLY}  " in lines[3]
    assert f"seat {database[1]}, " in lines[3]
    assert arena(database, "matches", "--slower", "9s").stderr == "no matches found\n"
    assert arena(database, "matches", "--slower", "1s", "--bot", "a", "--worst", "3").exit_code == 2


def test_a_replay_prints_only_its_slow_answers(database: tuple[str, int]) -> None:
    text = arena(database, "replay", "3", "--slower", "200ms").stdout
    assert [line for line in text.splitlines() if line.startswith("    ")] == [
        line for line in arena(database, "replay", "3", "--text").stdout.splitlines() if line.startswith(f"    {PLY}. ")
    ]
    [entry] = json.loads(arena(database, "replay", "3", "--slower", "200ms", "--json").stdout)["log"]
    assert (entry["ply"], entry["type"]) == (PLY, "decision")
    assert json.loads(arena(database, "replay", "4", "--slower", "200ms", "--json").stdout)["log"] == []
    assert arena(database, "replay", "3", "--slower", "1s", "--html", "x.html").exit_code == 2
    assert not Path("x.html").exists()
