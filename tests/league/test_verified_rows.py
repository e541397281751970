"""Every value that is stored of a league is verified, or a verification says that it is not."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Table

from arena.league.control import create
from arena.league.plan.secret_chain import MOST_DAYS, new_season
from arena.league.results.league_sums import LeagueSums
from arena.league.row_verification import UNVERIFIED_OF_LEAGUES
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.league.store.total_sums import TotalSums
from arena.league.verification import league_problems
from arena.store import Store, open_store
from arena.store.engine.schema import metadata
from tests import leagues
from tests.changing import findings, unfound

pytestmark = pytest.mark.usefixtures("in_process")

TABLES = (
    "leagues", "seasons", "league_log", "entries", "batches", "batch_attempts", "snapshots", "league_ratings",
    "total_sums", "events", "entrants", "matches", "seats", "faults",
)  # fmt: skip
"""The tables of leagues, and those that they share with tournaments."""

OF_MATCHES = ("events", "entrants", "matches", "seats", "faults")
"""Those that a replay reads."""


FINAL = '{"closes": false, "deals": 2, "entries": %s, "snapshot": 3, "tables": %s, "top": 2}'

FAULTY = """
from arena.sdk import Bot

class Faulty(Bot):
    asked = 0

    def choose(self, question):
        Faulty.asked += 1
        return "no move" if self.asked == 4 else question.legal[0]

Faulty().run()
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with two stored batches and their sums, in which an entry has faults."""
    folder = tmp_path_factory.mktemp("league")
    (folder / "owl.py").write_text(FAULTY)
    path = folder / "whole.db"
    with open_store(path, create=True) as store:
        short = replace(leagues.small("cambio"), batch_seconds=0.02, placement_seconds=0.02)
        create(store, "cambio", short, "", "ann")
        leagues.submit_file(store, "club/owl", folder / "owl.py")
        leagues.play(store, 2)
        sums = LeagueSums()
        for _, _, packed in Batches(store).sums(1):
            sums.add(packed)
        TotalSums(store).save(1, 2, sums.to_bytes())
    return path


def wrong(store: Store) -> Iterator[str]:
    """Return what a verification of a league says."""
    return league_problems(store, Leagues(store).named("cambio"))


def wrong_beside_matches(store: Store) -> list[str]:
    """Return what a verification says, with the replay of matches, which takes long, only where it is needed."""
    return list(league_problems(store, Leagues(store).named("cambio"), replay=False)) or list(wrong(store))


def test_a_league_that_nobody_changed_is_true(whole: Path) -> None:
    with open_store(whole) as store:
        assert list(wrong(store)) == []


@pytest.mark.parametrize("table", [metadata.tables[name] for name in TABLES], ids=TABLES)
def test_every_change_is_found_or_said_not_to_be(whole: Path, tmp_path: Path, table: Table) -> None:
    unverified = {column for columns in UNVERIFIED_OF_LEAGUES.values() for column in columns}
    verify = wrong if table.name in OF_MATCHES else wrong_beside_matches
    left = unfound(whole, tmp_path, table, verify, unverified)
    # What is not played yet, as of a batch that had just begun as the league was stopped, proves nothing.
    column = {"batches": "number", "events": "event_id"}.get(table.name)
    with closing(sqlite3.connect(whole)) as connection:
        unplayed = [
            row[0] for row in connection.execute(f"SELECT {column or 'NULL'} FROM batches WHERE state <> 'stored'")
        ]
    assert [change for change in left if change.values[-1] not in unplayed] == []


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE league_log SET kind = 'create' WHERE number = 3", "league_log 1, 3: details cannot be "),
        ("UPDATE league_log SET details = '7' WHERE number = 3", "league_log 1, 3: details cannot be '7'"),
        ("UPDATE league_log SET details = '' WHERE number = 3", "league_log 1, 3: details cannot be ''"),
        ("UPDATE leagues SET definition = 'abc'", "leagues 1: definition cannot be 'abc'"),
        ("UPDATE seasons SET secret = 'abc'", "seasons 1, 1: secret cannot be 'abc'"),
        (f"UPDATE seasons SET final = '{FINAL % ('[5, null]', '24')}'", "seasons 1, 1: final cannot be '{"),
        (f"UPDATE seasons SET final = '{FINAL % ('[5, 6]', '{}')}'", "seasons 1, 1: final cannot be '{"),
        (f"UPDATE seasons SET final = '{FINAL % ('[5, 6]', '-1')}'", "seasons 1, 1: final cannot be '{"),
        (f"UPDATE seasons SET final = '{FINAL % ('[5, 6]', '1' + 20 * '0')}'", "seasons 1, 1: final cannot be '{"),
        ("UPDATE batches SET entries = '7' WHERE number = 1", "batches 1, 1: entries cannot be '7'"),
        ("UPDATE batches SET entries = '' WHERE number = 1", "batches 1, 1: entries cannot be ''"),
        ("UPDATE batches SET entries = '[1]' WHERE number = 2", "batch 2: it has 1 entries, and "),
    ],
)
def test_values_that_cannot_be_read_are_told_in_a_sentence(
    whole: Path, tmp_path: Path, statement: str, sentence: str
) -> None:
    path = tmp_path / "changed.db"
    with closing(sqlite3.connect(whole)) as source, closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
        with copy:
            assert copy.execute(statement).rowcount == 1
    with open_store(path) as store:
        assert any(each.startswith(sentence) for each in findings(store, wrong_beside_matches))


@pytest.mark.parametrize(("key", "value"), [("seats", -1), ("deals", 0), ("batch_entries", 2**40), ("team_of", [-1])])
def test_a_definition_beyond_all_bounds_is_told(whole: Path, tmp_path: Path, key: str, value: object) -> None:
    path = Path(shutil.copy(whole, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        definition = json.loads(connection.execute("SELECT definition FROM leagues").fetchone()[0])
        connection.execute("UPDATE leagues SET definition = ?", (json.dumps(definition | {key: value}),))
    with open_store(path) as store:
        assert any(f"at `$.{key}" in each for each in findings(store, wrong_beside_matches))


def test_a_chain_that_would_take_long_to_hash_is_not_followed(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole, tmp_path / "long.db"))
    season = new_season(1, date(2026, 3, 1), days=MOST_DAYS + 1)
    with closing(sqlite3.connect(path)) as connection, connection:
        values = [season.days, season.secret.hex(), season.commitment]
        connection.execute("UPDATE seasons SET days = ?, secret = ?, commitment = ?", values)
    with open_store(path) as store:
        found = wrong_beside_matches(store)
    assert "the secrets of season 1 do not lead to its commitment" in found
    assert "batch 1: it is of day 1 of a season of 4,001 days" in found
