"""Every value that is stored of a league is verified, or a verification says that it is not."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Table

from arena.league.control import create
from arena.league.results.league_sums import LeagueSums
from arena.league.row_verification import UNVERIFIED_OF_LEAGUES
from arena.league.verification import league_problems
from arena.store import Store, open_store
from arena.store.schema import metadata
from tests import leagues
from tests.changing import unfound

TABLES = (
    "leagues", "seasons", "league_log", "entries", "batches", "batch_attempts", "snapshots", "league_ratings",
    "total_sums", "events", "entrants", "matches", "seats", "faults",
)  # fmt: skip
"""The tables of leagues, and those that they share with tournaments."""

OF_MATCHES = ("events", "entrants", "matches", "seats", "faults")
"""Those that a replay reads."""


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
        short = replace(leagues.small("cambio"), batch_seconds=0.5, placement_seconds=0.5)
        create(store, "cambio", short, "", "ann")
        leagues.submit_file(store, "club/owl", folder / "owl.py")
        leagues.play(store, 2)
        sums = LeagueSums()
        for _, _, packed in store.batches.sums(1):
            sums.add(packed)
        store.total_sums.save(1, 2, sums.to_bytes())
    return path


def wrong(store: Store) -> Iterator[str]:
    """Return what a verification of a league says."""
    return league_problems(store, store.leagues.named("cambio"))


def wrong_beside_matches(store: Store) -> list[str]:
    """Return what a verification says, with the replay of matches, which takes long, only where it is needed."""
    return list(league_problems(store, store.leagues.named("cambio"), replay=False)) or list(wrong(store))


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
