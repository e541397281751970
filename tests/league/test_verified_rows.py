"""Every value that is stored of a league is verified, or a verification says that it is not."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Table

from arena.league.control import create
from arena.league.row_verification import UNVERIFIED_OF_LEAGUES
from arena.league.verification import league_problems
from arena.store import open_store
from arena.store.schema import metadata
from sample_bots import SAMPLES
from tests import leagues
from tests.changing import unfound

TABLES = (
    "leagues", "seasons", "league_log", "entries", "batches", "batch_attempts", "snapshots", "league_ratings",
    "total_sums", "events", "entrants", "matches", "seats", "faults",
)  # fmt: skip
"""The tables of leagues, and those that they share with tournaments."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with two stored batches."""
    path = tmp_path_factory.mktemp("league") / "whole.db"
    with open_store(path, create=True) as store:
        short = replace(leagues.small("cambio"), batch_seconds=0.5, placement_seconds=0.5)
        create(store, "cambio", short, "", "ann")
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        leagues.play(store, 2)
    return path


def wrong(path: Path) -> list[str]:
    """Return what a verification of a league says."""
    with open_store(path) as store:
        return list(league_problems(store, store.leagues.named("cambio")))


def test_a_league_that_nobody_changed_is_true(whole: Path) -> None:
    assert wrong(whole) == []


@pytest.mark.parametrize("table", [metadata.tables[name] for name in TABLES], ids=TABLES)
def test_every_change_is_found_or_said_not_to_be(whole: Path, tmp_path: Path, table: Table) -> None:
    unverified = {column for columns in UNVERIFIED_OF_LEAGUES.values() for column in columns}
    with open_store(whole) as store:
        unplayed = [row.number for row in store.batches.of(1) if row.state != "stored"]
    left = unfound(whole, tmp_path, table, wrong, unverified)
    if table.name == "batches":
        left = [change for change in left if change.values[-1] not in unplayed]
    assert left == []
