"""A league goes on after the account of an owner who has bots in it was closed, on a machine without their files."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.account_closing import close_account
from arena.league.control import end_season
from arena.league.run.drawing import Drawing
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

FAR = 2**62


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A league that wanda and fox have entered; nobody else has the files of their bots, and none is unpacked."""
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    source = Path(SAMPLES["counter"].path).read_text()
    with open_store(tmp_path / "arena.db", create=True) as opened:
        leagues.cambio(opened)
        for name in ("wanda", "fox"):
            assert opened.accounts.add(name, AUTHOR, name.encode().hex().ljust(64, "0"))
            (tmp_path / f"{name}.py").write_text(f"{source}\n# {name}\n")
            leagues.submit_file(opened, f"{name}/owl", tmp_path / f"{name}.py")
        yield opened


def on_another_machine(store: Store, monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> LeagueScheduler:
    """A scheduler that has unpacked no bot yet."""
    monkeypatch.setenv("ARENA_CACHE", f"{store.where}.elsewhere")
    return LeagueScheduler(store, store.where, league_of(store), Hosting(trusted=True), lines.append)


def league_of(store: Store) -> LeagueRow:
    return Leagues(store).named("cambio")


def number_of(store: Store, owner: str) -> int:
    return next(row.number for row in Leagues(store).entries(league_of(store).id) if row.owner == owner)


def unplayed_with(store: Store, entry: int) -> list[BatchRow]:
    return [row for row in Batches(store).unplayed(league_of(store).id) if entry in row.entries]


def draw(store: Store) -> int:
    """Draw batches until one with wanda's bot waits; return the number of her entry."""
    scheduler = LeagueScheduler(store, store.where, league_of(store), Hosting(trusted=True))
    scheduler.update()
    entry = number_of(store, "wanda")
    while not unplayed_with(store, entry):
        assert scheduler.update()
    return entry


@pytest.mark.parametrize("has_expired", [False, True], ids=["waiting", "expired"])
def test_batches_that_nobody_plays_become_void(
    store: Store, monkeypatch: pytest.MonkeyPatch, has_expired: bool
) -> None:
    entry = draw(store)
    if has_expired:
        while Batches(store).lease(league_of(store).id, "gone", 0, 1) is not None:
            if all(row.state == "leased" for row in unplayed_with(store, entry)):
                break
    close_account(store, "wanda", "ann")
    assert unplayed_with(store, entry) == []
    lines: list[str] = []
    scheduler = on_another_machine(store, monkeypatch, lines)
    scheduler.update()
    leased = scheduler.lease("here", round(time.time() * 1000), FAR, [])
    assert leased is not None
    assert entry not in leased[0].entries
    assert lines == []


def test_a_batch_that_is_played_meanwhile_ends_void(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = draw(store)
    league = league_of(store).id
    held: list[int] = []
    while any(row.state != "leased" for row in unplayed_with(store, entry)):
        row = Batches(store).lease(league, "other", 0, FAR, held)
        assert row is not None
        held.append(row.number)
    (played,) = unplayed_with(store, entry)
    close_account(store, "wanda", "ann")
    assert [row.state for row in unplayed_with(store, entry)] == ["leased"]
    Batches(store).give_back(leagues.lease(played), "failed", "its process died")
    lines: list[str] = []
    scheduler = on_another_machine(store, monkeypatch, lines)
    for _ in range(2):
        assert scheduler.lease("here", round(time.time() * 1000), FAR, held) is None
    void = Batches(store).get(league, played.number)
    assert void is not None
    assert void.state == "void"
    assert lines == []
    reasons = [attempt.reason for attempt in Batches(store).attempts(league, played.number)]
    assert "its files were wiped as the account of its owner was closed" in reasons[-1]


def test_a_season_ends_though_a_finalist_has_left(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drawing, "final_tables", lambda *_: 100)  # in one part, however slow this machine is
    league = league_of(store).id
    leagues.play(store, 2)
    for each in Leagues(store).entries(league):
        Leagues(store).change_entry(league, each.number, "standing", "test", expected=["placing"])
    end_season(store, "cambio", top=4, deals=2, closes=True, by="ann", reason="")
    Batches(store).void_unplayed(league, FAR)
    scheduler = LeagueScheduler(store, store.where, league_of(store), Hosting(trusted=True))
    entry = number_of(store, "wanda")
    for _ in range(6):
        scheduler.update()
    assert [row.kind for row in unplayed_with(store, entry)] == ["final"]
    close_account(store, "wanda", "ann")
    lines: list[str] = []
    scheduler = on_another_machine(store, monkeypatch, lines)
    for _ in range(3):
        scheduler.update()
    assert lines == ["season 1 of the league cambio has ended"]
    assert [row.reason for row in Leagues(store).entries(league) if row.number == entry] == ["the account is closed"]
