"""Who has passed an entry: a sequence of ratings, with every kind of wobble."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from arena_webhooks.kinds import KINDS
from arena_webhooks.overtaking import rivals_now
from arena_webhooks.rows import Rivals
from arena_webhooks.store import Webhooks

from arena.league.results.league_ratings import EntryRating
from arena.league.results.league_sums import EntryTotals
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.league_rows import EntryRow
from arena.league.store.leagues import Leagues
from arena.store import open_store
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")


def entry(number: int, owner: str, state: str = "standing", *, is_anchor: bool = False) -> EntryRow:
    name = f"{owner}/bot{number}"
    now = datetime.now(UTC).isoformat()
    return EntryRow(number, f"{name}@1", (name, 1), owner, is_anchor, state, "", now, now)  # type: ignore[arg-type]


def rating(number: int, elo: float, ci95: float | None = 10.0) -> EntryRating:
    return EntryRating(number, elo, "", ci95, 40, 20.0, 40, EntryTotals(0, 0, 0, 0, 0), {})


class Board:
    """The entries 1 (watched) and others, and what its owner was told."""

    def __init__(self, *entries: EntryRow) -> None:
        self.entries = {each.number: each for each in entries}
        self.known: dict[int, Rivals | None] = {1: None}

    def passed(self, elos: Mapping[int, float | tuple[float, float | None]]) -> tuple[int, ...]:
        """Return who passes entry 1 with new ratings; half the width of an interval is 10 unless it is given."""
        ratings = {n: rating(n, *elo) if isinstance(elo, tuple) else rating(n, elo) for n, elo in elos.items()}
        changed = rivals_now(self.known, ratings, self.entries)
        self.known |= {each.entry: Rivals(each.entry, each.ahead) for each in changed}
        return tuple(number for each in changed for number in each.passed)


def test_an_entry_is_passed_once_its_interval_lies_below() -> None:
    board = Board(entry(1, "club"), entry(2, "fox"), entry(3, "elk"))
    assert board.passed({1: 0, 2: -50, 3: 5}) == ()
    assert board.known == {1: Rivals(1, frozenset({3}))}, "who was ahead has not passed it"
    assert board.passed({1: 0, 2: 15, 3: 60}) == (), "ahead, but not clearly; and one that was ahead already"
    assert board.passed({1: 0, 2: 20}) == (), "the intervals touch"
    assert board.passed({1: 0, 2: 21, 3: 5}) == (2,)


def test_a_wobble_is_told_once() -> None:
    board = Board(entry(1, "club"), entry(2, "fox"))
    board.passed({1: 0, 2: -50})
    told = [board.passed({1: 0, 2: elo}) for elo in (25, 15, 25, -15, 30, -20, 40)]
    assert told == [(2,), (), (), (), (), (), ()]
    assert board.passed({1: 0, 2: -30}) == (), "now it is clearly behind"
    assert board.passed({1: 0, 2: 10}) == ()
    assert board.passed({1: 0, 2: 30}) == (2,), "so it has passed again"


def test_newcomers_pass_when_they_have_their_place() -> None:
    board = Board(entry(1, "club"), entry(2, "fox", "placing"))
    assert board.passed({1: 0, 2: 300}) == ()
    board.entries[2] = entry(2, "fox")
    assert board.passed({1: 0, 2: 300}) == (2,)


def test_some_never_pass() -> None:
    board = Board(
        entry(1, "club"), entry(2, "club"), entry(3, "fox", "retired"), entry(4, "", is_anchor=True), entry(5, "elk")
    )
    board.passed({1: 0})
    assert board.passed({1: 0, 2: 99, 3: 99, 4: 99, 5: (99, None)}) == ()
    assert board.passed({1: (0, None), 5: 99}) == (), "without an interval nothing is clear"
    assert board.passed({5: 99}) == (), "without a rating neither"
    board.entries[1] = entry(1, "club", "retired")
    assert board.passed({1: 0, 5: 99}) == ()


def test_a_league_tells_who_is_placed_and_keeps_who_is_ahead(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db", create=True) as store:
        league = leagues.cambio(store)
        store.accounts.add("club", "author", "0" * 64)
        Webhooks(store).add("club", "https://example.org/", "whsec_", KINDS)
        leagues.submit_file(store, "club/owl", SAMPLES["cautious"].path)
        number = None
        while not (number and Webhooks(store).rivals(league.id).get(number)):
            leagues.play(store, 1)
            LeagueScheduler(store, store.where, league).update()
            placed = [each.number for each in Leagues(store).entries(league.id) if each.name == "club/owl@1"]
            number = placed[0] if placed else None
        assert [each.kind for each in Webhooks(store).deliveries(1, 9)] == ["entry.placed"]
