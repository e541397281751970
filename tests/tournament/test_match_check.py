"""Several processes check what one would, and find the same."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main, verify_progress
from arena.results import match_check
from arena.results.match_check import (
    MatchBatch,
    batches,
    check_batch,
    check_batches,
)
from arena.results.stored_tournament import StoredTournament
from arena.store import open_store
from arena.values.tournament_errors import PlanError

pytestmark = pytest.mark.usefixtures("in_process")

MATCHES = 20


def tourney(*words: str) -> Result:
    return CliRunner().invoke(main, ["tourney", *words], prog_name="arena")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("proof") / "a.db"
    words = ["--game", "cambio", "--bots", "random,random", "--rounds", "10", "--seed", "1", "--db", str(path)]
    assert tourney(*words).exit_code == 0
    return path


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have two matches be worth a lot."""
    monkeypatch.setattr(match_check, "BATCH_MATCHES", 2)


@pytest.mark.processes
def test_what_is_true_is_true_for_several(played: Path) -> None:
    for jobs in ("1", "2"):
        result = tourney("verify", "1", "--jobs", jobs, "--db", str(played))
        assert (result.exit_code, result.stdout) == (0, f"tournament 1: {MATCHES} matches checked, no errors\n")


def test_what_is_stored_after_the_schedule_was_looked_at_is_not_held_against_it(played: Path) -> None:
    with open_store(str(played)) as store:
        tournament = StoredTournament.load(store, 1)
        early = [*batches(tournament.row.matches, iter(()), frozenset({0, 1, 4}))]
        checked = [check_batch(tournament, batch) for batch in early]
        assert [part.matches for part in checked] == [2, 0, 1] + [0] * (len(early) - 3)
        assert {verdict.wrong for part in checked for _, verdict in part.findings} == {
            ("it is no match of the schedule",)
        }


@pytest.mark.processes
def test_what_is_wrong_is_told_in_the_same_order(played: Path, tmp_path: Path) -> None:
    spoilt = tmp_path / "b.db"
    spoilt.write_bytes(played.read_bytes())
    with closing(sqlite3.connect(spoilt)) as connection:
        connection.execute("UPDATE seats SET score = 77 WHERE match_id = 3 AND seat = 0")
        connection.execute("UPDATE matches SET deal = 8 WHERE id = 12")
        connection.commit()
    alone, several = (tourney("verify", "1", "--jobs", jobs, "--db", str(spoilt)) for jobs in ("1", "2"))
    assert alone.exit_code == several.exit_code == 1
    assert alone.stdout == several.stdout
    lines = alone.stdout.splitlines()
    assert lines[0].startswith("match 3: by the rules its scores are ")
    assert lines[-2:] == [
        "match 12: it was played with deal 8, and by the schedule has deal 5",
        f"tournament 1: {MATCHES} matches checked, 3 errors",
    ]


def test_progress_is_told_now_and_then(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_progress, "LINE_SECONDS", 0.0)
    result = tourney("verify", "1", "--jobs", "1", "--db", str(played))
    assert result.stderr.startswith(f"2 of {MATCHES} matches checked, ")
    assert "matches/s, " in result.stderr


@pytest.mark.processes
def test_a_process_that_is_killed_is_a_sentence(played: Path) -> None:
    with open_store(played) as store:
        tournament = StoredTournament.load(store, 1)

        def work() -> Iterator[MatchBatch]:
            yield MatchBatch(range(4), None)
            for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
                if b"spawn_main" in Path("/proc", child, "cmdline").read_bytes():
                    os.kill(int(child), signal.SIGKILL)
            yield from batches(tournament.row.matches, None)

        with pytest.raises(PlanError, match="was killed"):
            list(check_batches(tournament, str(played), work(), 2))
