"""Slow bots in leagues that real referees play, measured by the wall."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.control import create
from arena.league.plan.definition import LeagueSettings, define_league
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.store import Store, open_store
from arena.values.rows import MatchRow
from referee.engine.registry import game
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.slow

WAITS = """
import time
from arena.sdk import Bot

class Waits(Bot):
    def choose(self, question):
        {waits}
        return question.legal[0]

Waits().run()
"""

SLEEPS = "time.sleep({seconds})"
COMPUTES = """began = time.process_time()
        while time.process_time() - began < {seconds}:
            pass"""

PACE = 48_000_000
"""What the check of a bot that sleeps 0.9 s for each answer tells of its time for a match, in µs."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


def league(store: Store) -> LeagueRow:
    """A league of Cambio at tables of four, as it is usually created."""
    rules = game("cambio")
    created, _ = create(
        store, "club", define_league(rules, rules.options.parse({}), LeagueSettings(seats=4)), "", "ann"
    )
    return created


def submit(store: Store, tmp_path: Path, name: str, waits: str) -> None:
    """Submit a bot whose check tells that it is slow."""
    folder = tmp_path / name.replace("/", "-")
    folder.mkdir()
    (folder / "bot.py").write_text(WAITS.format(waits=waits))
    leagues.submit_file(store, name, folder / "bot.py")
    report = f'{{"steps": [], "charged_us_per_match": {{"cambio": {PACE}}}}}'
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE submissions SET report = ? WHERE name = ?", (report, name))


def records(store: Store, batch: BatchRow) -> list[MatchRow]:
    return store.batch_records(batch.event)


def test_the_first_batch_of_a_bot_that_sleeps_takes_a_minute(store: Store, tmp_path: Path) -> None:
    created = league(store)
    submit(store, tmp_path, "den/sloth", SLEEPS.format(seconds=0.9))
    began = time.monotonic()
    leagues.play(store, 1)
    wall = time.monotonic() - began
    [batch] = [row for row in Batches(store).of(created.id) if row.state == "stored"]
    charged = [max(seat.charged_us for seat in row.seats) / 1e6 for row in records(store, batch)]
    print(f"{wall:.1f} s by the wall; it was charged {[round(seconds) for seconds in charged]} s")
    assert len(charged) == 4, "one deal in all rotations"
    assert sum(charged) > 100, "one after the other they would take so long"
    assert wall < sum(charged) / 2, "its matches are under way at once"
    assert not any(row.faults for row in records(store, batch))
    assert not list(league_problems(store, created, replay=True))


def test_others_are_placed_beside_a_bot_that_sleeps(store: Store, tmp_path: Path) -> None:
    created = league(store)
    submit(store, tmp_path, "den/sloth", SLEEPS.format(seconds=0.9))
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    began = time.monotonic()
    leagues.play(store, 3)
    stored = [row for row in Batches(store).of(created.id) if row.state == "stored"]
    assert len(stored) == 3
    sloth = next(row.number for row in Leagues(store).entries(created.id) if row.name == "den/sloth@1")
    [batch] = [row for row in stored if sloth in row.entries]
    place = batch.entries.index(sloth)
    seats = [seat for row in records(store, batch) for seat in row.seats if seat.entrant == place]
    # What its other threads wait for a core meanwhile is not charged, which is much where the machine is busy.
    assert all(seat.charged_us > 450_000 * seat.decisions for seat in seats), "it is charged while it sleeps"
    wall = time.monotonic() - began
    assert wall < sum(seat.charged_us for seat in seats) / 2e6, "one referee plays both"


def test_a_bot_that_claims_to_sleep_and_computes_harms_nobody(store: Store, tmp_path: Path) -> None:
    created = league(store)
    submit(store, tmp_path, "den/fox", COMPUTES.format(seconds=0.2))
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    leagues.play(store, 4)
    paces: dict[str, list[float]] = {}
    for batch in Batches(store).of(created.id):
        bots = store.event(batch.event).definition.field
        for row in records(store, batch) if batch.state == "stored" else ():
            assert not row.faults, "nobody misses a time limit"
            for seat in row.seats:
                paces.setdefault(bots[seat.entrant].name, []).append(seat.charged_us / max(seat.decisions, 1) / 1e6)
    means = {name: sum(seconds) / len(seconds) for name, seconds in paces.items()}
    print(f"seconds for an answer, as charged: {means}")
    computes = max(means, key=lambda name: means[name])
    assert computes.startswith("den/fox")
    assert 0.15 < means.pop(computes) < 0.4, "nor is it charged what it shares"
    assert max(means.values()) < 0.02
