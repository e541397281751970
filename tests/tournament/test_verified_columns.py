"""Every value that is stored of a tournament is verified, or a verification says that it is not."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Table

from arena.cli import main
from arena.record.unverified import UNVERIFIED_OF_TOURNAMENTS
from arena.results.stored_tournament import StoredTournament
from arena.results.summary import Summary
from arena.results.verification import check
from arena.store import Store, open_store
from arena.store.engine.schema import metadata
from arena.values.rows import ContentionRow, SummedResults
from tests.changing import unfound

pytestmark = pytest.mark.usefixtures("in_process")

TABLES = (
    "events", "entrants", "matches", "seats", "faults", "notes", "says", "outputs", "process_failures", "strains",
    "summaries", "loose", "verdicts", "actions", "voids",
)  # fmt: skip
"""The tables of a tournament."""

OF_ENDED = ("says", "verdicts")
"""Those of them that have rows in `ended`; all others have rows in `whole`."""

LEAGUE = (
    "leagues", "seasons", "league_log", "entries", "batches", "batch_attempts", "snapshots", "league_ratings",
    "total_sums",
)  # fmt: skip
"""The tables of leagues: `tests/league/test_verified_rows.py`."""

OTHERS = (
    "packs", "submissions", "hand_ins", "hand_in_files", "tokens", "accounts", "closed_names", "account_tokens",
    "account_invitations", "hand_in_log", "hand_in_phases", "hand_in_workers", "league_runs", "outbox",
    "outbox_cursors", "feature_tables", "runs", "practice_use",
)  # fmt: skip
"""Tables that say nothing of what was played."""

ORDER = {"summaries.part"}
"""Columns that only order rows whose order says nothing."""

BOT = '''
from arena.sdk import Bot, Question

class Odd(Bot[object]):
    """Tells what it thinks, and sometimes plays no move, or ends."""
    asked = 0

    def choose(self, question: Question[object]) -> str:
        Odd.asked += 1
        print("asked", self.asked, flush=True)
        question.note("a thought")
        if self.asked == 4:
            raise SystemExit(3)
        return "no move" if self.asked == 2 else question.legal[0]

Odd().run()
'''


def arena(*words: str) -> Any:
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a finished tournament in which as much has happened as can."""
    folder = tmp_path_factory.mktemp("whole")
    path = folder / "arena.db"
    (folder / "odd.py").write_text(BOT)
    common = ["--db", str(path), "--json"]
    field = f"random,cautious,{folder / 'odd.py'}"
    game = ["--game", "cambio", "-o", "chips=4", "--seats", "2", "--rounds", "2", "--move-time", "0", "--jobs", "1"]
    arena("tourney", *game, "--bots", field, "--seed", "3", *common)
    arena("tourney", "void", "1", "2", "--reason", "a test", "--db", str(path))
    arena("tourney", "resume", "1", "--jobs", "1", *common)
    arena("tourney", "withdraw", "1", "cautious", "--results", "omit", "--reason", "another", "--db", str(path))
    with open_store(path, write=True) as store:
        tournament = StoredTournament.load(store, 1)

        def add_up(results: SummedResults) -> bytes:
            return Summary.of(tournament.row, [results]).to_bytes()

        store.summarise(1, add_up, min_matches=0, max_matches=2)
        store.add_matches(1, [], strains=[ContentionRow(0, 1, 250_000, {0: 1000})])  # as on a busy machine
    return path


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a tournament that could have ended early, in which bots talked."""
    folder = tmp_path_factory.mktemp("ended")
    path = folder / "arena.db"
    (folder / "odd.py").write_text(BOT.replace("question.note(", 'question.say("trust me")\n        question.note('))
    rules = ["--game", "cucu", "-o", "bankroll=4", "-o", "stake=2", "-o", "table_talk=true", "--seats", "2"]
    played = ["--rounds", "2", "--move-time", "0", "--jobs", "1", "--until-separated", "--seed", "3"]
    arena("tourney", *rules, *played, "--bots", f"random,{folder / 'odd.py'}", "--db", str(path), "--json")
    return path


def wrong(store: Store) -> Iterator[str]:
    """Yield what a verification of a database says."""
    for part in check(StoredTournament.load(store, 1)):
        for _, result in part.findings:
            yield from (*result.wrong, *result.remarks)


def wrong_in(path: Path) -> list[str]:
    with open_store(path) as store:
        return list(wrong(store))


def test_every_table_is_verified_by_a_test_or_says_nothing_of_matches() -> None:
    assert sorted((*TABLES, *LEAGUE, *OTHERS)) == sorted(metadata.tables)


def test_a_tournament_that_nobody_changed_is_true(whole: Path, ended: Path) -> None:
    assert wrong_in(whole) == wrong_in(ended) == []


@pytest.mark.parametrize("table", [metadata.tables[name] for name in TABLES], ids=TABLES)
def test_every_change_is_found_or_said_not_to_be(whole: Path, ended: Path, tmp_path: Path, table: Table) -> None:
    unverified = {column for columns in UNVERIFIED_OF_TOURNAMENTS.values() for column in columns}
    database = ended if table.name in OF_ENDED else whole
    assert unfound(database, tmp_path, table, wrong, unverified | ORDER) == []


@pytest.mark.parametrize("lost", ["1 = 1", "number = (SELECT max(number) FROM actions)"], ids=["all", "its end"])
def test_a_log_that_was_cut_is_found(whole: Path, tmp_path: Path, lost: str) -> None:
    path = Path(shutil.copy(whole, tmp_path / "cut.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"DELETE FROM actions WHERE {lost}")
        connection.execute("DELETE FROM voids WHERE action NOT IN (SELECT number FROM actions)")
    assert any(each.startswith("its log ends with entry ") for each in wrong_in(path))


def test_a_place_below_zero_is_found(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole, tmp_path / "below.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE entrants SET place = -1 WHERE place = 0")
    assert "the bots of its field are not numbered from 0" in wrong_in(path)


def test_a_schedule_of_empty_blocks_is_told(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole, tmp_path / "blocks.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""UPDATE events SET definition = replace(definition, '"block":1000', '"block":0')""")
    words = ["tourney", "verify", "1", "--db", str(path)]
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 1
    assert "Expected `int` >= 1 - at `$.block`" in " ".join(result.output.split())


def test_a_void_match_that_no_decision_made_is_found(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole, tmp_path / "void.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(matches)") if row[1] != "id"]
        values = ", ".join(names)
        connection.execute(f"INSERT INTO matches (id, {values}) SELECT -999, {values} FROM matches WHERE id = 1")
    assert "match -999 is void, and no decision says so" in wrong_in(path)


def test_more_matches_than_the_schedule_has_are_not_looked_for(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole, tmp_path / "endless.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE events SET matches = ?", [2**53])
    with open_store(path) as store:
        parts = list(islice(check(StoredTournament.load(store, 1)), 4))
    assert len(parts) < 4
    (_, result), *_ = parts[0].findings
    assert result.wrong == ("its schedule has 4 matches, and 9,007,199,254,740,992 are stored as such",)


def test_the_end_of_a_log_is_printed_and_compared(whole: Path) -> None:
    shown = json.loads(arena("tourney", "show", "1", "--json", "--db", str(whole)).stdout)
    with open_store(whole) as store:
        last = store.decisions(1)[-1]
    assert (shown["log_entries"], shown["log_hash"]) == (last.number, last.digest)
    arena("tourney", "verify", "1", "--log-hash", last.digest.upper(), "--db", str(whole))
    words = ["tourney", "verify", "1", "--log-hash", "0" * 64, "--db", str(whole)]
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 1
    assert f"the log hash is {last.digest}, not {'0' * 64}" in result.stdout


def test_an_archive_whose_log_was_cut_is_refused(whole: Path, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    arena("tourney", "export", "1", "--to", str(file), "--db", str(whole))
    lines = file.read_text().splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if json.loads(line)["kind"] == "action")
    end = json.dumps({"kind": "end", "end": {"items": len(lines) - 2}})
    file.write_text("".join([*lines[:last], *lines[last + 1 : -1], end]))
    words = ["tourney", "import", str(file), "--db", str(tmp_path / "new.db")]
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 2
    assert "its log ends with entry " in result.stderr
