"""Tournaments of games whose matches begin from openings: deals of one opening, and repeats, are one experiment."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.plan.schedule import Plan
from arena.ratings import fit_ranking
from arena.ratings.experiments import LoggedResult
from arena.results.archive import exporting, files
from arena.results.archive.errors import ArchiveError
from arena.results.audit import audit
from arena.results.early_stopping import ACCEPTED, SEPARATED, StopMonitor
from arena.results.openings import find_openings
from arena.results.pooled_ranking import TournamentPool
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.store import Store, open_store
from arena.values.result import Result
from arena.values.stop_rule import StopRule
from referee.engine.chance import Chance
from referee.games.cambio import CAMBIO, Cambio
from tests import played

MATCHES, ROTATIONS = 64, 4


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def three_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give Cambio a book of three openings."""

    def opening(self: Cambio, options: Any, seats: int, chance: Chance) -> str:
        return f"opening {chance.pick(3, 'opening')}"

    monkeypatch.setattr(Cambio, "opening", opening)


@pytest.fixture
def one_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all matches of Cambio begin alike."""
    monkeypatch.setattr(Cambio, "opening", lambda self, options, seats, chance: "")


def added(store: Store, *, logs: int = MATCHES) -> StoredTournament:
    """Store a tournament of 16 deals, of which deals that differ by a multiple of `logs` have the same logs."""
    number = store.add_tournament(played.tournament(CAMBIO, matches=MATCHES))
    rows = [played.match(CAMBIO, each) for each in range(MATCHES)]
    for row in rows:
        first = rows[row.number % (logs * ROTATIONS)]
        seats = [
            replace(seat, score=same.score, rank=same.rank) for seat, same in zip(row.seats, first.seats, strict=True)
        ]
        store.add_matches(number, [replace(row, digest=first.digest, seats=tuple(seats))])
    return StoredTournament.load(store, number)


def test_most_games_have_no_openings() -> None:
    assert find_openings("cambio", {}) is None
    assert find_openings("no-such-game", {}) is None
    assert find_openings("cambio", {"chips": "many"}) is None


@pytest.mark.usefixtures("three_openings")
def test_deals_of_one_opening_are_one_experiment_everywhere(store: Store) -> None:
    tournament = added(store)
    found = standings(tournament)
    assert found.table.deals == 3
    assert found.table.repeats is not None
    assert found.table.repeats.to_json() == {"sets": 16, "repeated": 0, "openings": 3, "different": 64}
    assert found.table.notes[0].startswith(
        "The 16 sets of matches begin from 3 openings, and all 64 matches are different: "
    )
    assert {result.deal for result in found.source.results()} == set(found.source.tally().deals())
    assert audit(tournament).table.rows == found.table.rows
    again = added(store)
    pool = TournamentPool.of([tournament, again])
    assert pool.standings(lambda source: fit_ranking(source.tally())).table.deals == 3
    assert [table.deals for _, table in pool.history(lambda source: fit_ranking(source.tally()))] == [3, 3]


@pytest.mark.usefixtures("one_beginning")
def test_sets_with_equal_logs_repeat_each_other(store: Store) -> None:
    table = standings(added(store, logs=5)).table
    assert table.repeats is not None
    assert (table.deals, table.repeats.to_json()) == (5, {"sets": 16, "repeated": 11, "openings": 0, "different": 20})
    assert standings(added(store)).table.deals == 16


@pytest.mark.usefixtures("three_openings")
def test_an_archive_is_rated_as_its_tournament(store: Store, tmp_path: Path) -> None:
    tournament = added(store)
    file = tmp_path / "cambio.jsonl"
    with file.open("wb") as opened:
        files.write(exporting.items(store, tournament.id), opened)
    result = CliRunner().invoke(main, ["ratings", str(file), "--json"], prog_name="arena", catch_exceptions=False)
    table, expected = json.loads(result.stdout), standings(tournament).table
    assert (table["deals"], table["repeats"]) == (3, {"sets": 16, "repeated": 0, "openings": 3, "different": 64})
    assert [row["elo"] for row in table["ranking"]] == [round(row.elo, 2) for row in expected.rows]
    text = CliRunner().invoke(main, ["ratings", str(file)], prog_name="arena", catch_exceptions=False).stdout
    assert text.startswith("64 matches of 3 experiments, ")
    for name, value in (("opening", "opening 7"), ("log", "00")):
        lines = file.read_bytes().splitlines()
        place = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == "match")
        lines[place] = json.dumps({**json.loads(lines[place]), name: value}).encode()
        with pytest.raises(ArchiveError, match=f"has the {name} .* beside its record"):
            list(files.read(BytesIO(b"\n".join(lines)), "x"))


@pytest.mark.usefixtures("three_openings")
def test_an_imported_tournament_is_rated_as_the_original(store: Store, tmp_path: Path) -> None:
    file, db = tmp_path / "cambio.jsonl", tmp_path / "other.db"
    with file.open("wb") as opened:
        files.write(exporting.items(store, added(store).id), opened)

    def arena(*words: str) -> str:
        return CliRunner().invoke(main, words, prog_name="arena", catch_exceptions=False).stdout

    arena("tourney", "import", str(file), "--db", str(db))
    table = arena("ranking", "1", "--db", str(db))
    assert "from 3 openings" in table
    assert table == arena("ranking", "1", "--db", str(store.where))


PLAN = Plan(bots=2, seats=2, rounds=120, block=20, secret=bytes(32))


def read(logs: int) -> Any:
    """Return what reads pairs that the first bot wins 1.5 : 0.5, with some number of different logs."""

    def results(numbers: range) -> Iterable[LoggedResult]:
        for number in numbers:
            pair, game = divmod(number, 2)
            teams, ranks = (("a", "b"), (1, 2)) if game == 0 else (("b", "a"), (1, 1))
            yield LoggedResult(Result(pair, teams, ranks, (0, 0)), f"{pair % logs} {game}")

    return results


@pytest.mark.parametrize(("rule", "code"), [(StopRule("sprt", 0, 50), ACCEPTED), (StopRule("separated"), SEPARATED)])
def test_repeats_end_no_tournament(rule: StopRule, code: int) -> None:
    def verdict(logs: int) -> tuple[int, int] | None:
        monitor = StopMonitor(rule, ["a", "b"], PLAN, lambda numbers: (), read_logged=read(logs))
        for block in range(6):
            monitor.add(range(40 * block, 40 * block + 40))
            if (found := monitor.evaluate()) is not None:
                return found.code, found.rounds
        return None

    assert verdict(120) == (code, 40)
    assert verdict(15) is None
    assert verdict(1) is None
