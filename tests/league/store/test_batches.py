"""Batches in the database: leases under fenced attempts, and results that are stored once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from arena.league.account_closing import close_account
from arena.league.store.batch_queries import MOST_EXPIRED, MOST_FAILED
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchKind, BatchRow, Lease
from arena.league.store.leagues import Leagues
from arena.store import Store, open_store
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import OutputRow
from tests import leagues, played
from tests.guessing import GUESSING


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store) -> int:
    return leagues.league(store).id


def leased(row: BatchRow | None) -> Lease:
    assert row is not None
    return Lease(row.league, row.number, row.attempt)


def test_a_batch_is_drawn_once(store: Store, league: int) -> None:
    assert Batches(store).next_number(league) == 1
    assert Batches(store).add(league, leagues.batch(), 1)
    assert not Batches(store).add(league, leagues.batch(), 1), "another runner was faster"
    assert Batches(store).next_number(league) == 2
    [row] = Batches(store).of(league)
    assert (row.number, row.state, row.attempt, row.entries, row.matches) == (1, "waiting", 0, (1, 2), 8)


def test_trials_and_newcomers_go_first(store: Store, league: int) -> None:
    kinds: tuple[BatchKind, ...] = ("challenge", "standing", "placement", "standing", "trial")
    for number, kind in enumerate(kinds, 1):
        Batches(store).add(league, leagues.batch(kind=kind), number)
    order: list[int] = []
    while (row := Batches(store).lease(league, "me", 0, 10, order)) is not None:
        order.append(row.number)
    assert order == [5, 3, 2, 4, 1]
    assert [row.number for row in Batches(store).unplayed(league)] == order


def test_a_result_is_stored_with_the_end_of_the_lease(store: Store, league: int) -> None:
    Batches(store).add(league, leagues.batch(), 1)
    lease = leased(Batches(store).lease(league, "me", 0, 10))
    assert Batches(store).finish(lease, leagues.result()) == 1
    assert Batches(store).finish(lease, leagues.result()) == 1, "a second time"
    [row] = Batches(store).of(league)
    assert (row.state, row.result, row.seconds) == ("stored", 1, 1.5)
    assert Leagues(store).named("club").results == 1
    assert list(Batches(store).sums(league)) == [(1, row.ended, leagues.result().sums)]
    stored = store.match(row.first_match + 3)
    assert stored.row == played.match(GUESSING, 3, bots=2, seats=2)
    assert (stored.event.league, stored.event.batch) == ("club", 1)  # type: ignore[union-attr]
    assert stored.event.finished is not None
    assert [each.outcome for each in Batches(store).attempts(league, 1)] == ["stored"]


def test_challenges_have_no_place_among_the_rated_batches(store: Store, league: int) -> None:
    kinds: tuple[BatchKind, ...] = ("standing", "challenge", "placement", "trial")
    places = []
    for number, kind in enumerate(kinds, 1):
        Batches(store).add(league, leagues.batch(kind=kind), number)
        places.append(Batches(store).finish(leased(Batches(store).lease(league, "me", 0, 10)), leagues.result()))
    assert places == [1, 0, 2, 3]
    assert [row.result for row in Batches(store).of(league)] == [3, 2, None, 1]


def test_a_lease_that_ran_out_stores_nothing(store: Store, league: int) -> None:
    Batches(store).add(league, leagues.batch(), 1)
    slow = leased(Batches(store).lease(league, "slow", 0, 10))
    assert Batches(store).lease(league, "me", 9, 99) is None
    mine = leased(Batches(store).lease(league, "me", 10, 99))
    assert Batches(store).renew([slow, mine], 200) == [slow]
    assert Batches(store).finish(slow, leagues.result()) is None
    assert Batches(store).give_back(slow, "failed", "late") is False
    assert store.matches() == []
    assert Batches(store).lease(league, "other", 150, 300) is None, "it was prolonged"
    assert Batches(store).finish(mine, leagues.result()) == 1
    assert [(each.runner, each.outcome) for each in Batches(store).attempts(league, 1)] == [
        ("slow", "expired"),
        ("me", "stored"),
    ]


def test_a_batch_without_a_result_is_void_after_some_attempts(store: Store, league: int) -> None:
    Batches(store).add(league, leagues.batch(), 1)
    released = leased(Batches(store).lease(league, "me", 0, 10))
    assert Batches(store).give_back(released, "released") is False
    for attempt in range(MOST_FAILED):
        lease = leased(Batches(store).lease(league, "me", 0, 10))
        assert lease.attempt == attempt + 2
        assert Batches(store).give_back(lease, "failed", "a referee died") is (attempt == MOST_FAILED - 1)
    assert Batches(store).lease(league, "me", 100, 200) is None
    [void] = Batches(store).void(league)
    assert (void.state, void.failed, void.attempt) == ("void", 3, 4)
    Batches(store).note_void(league, 1)
    assert Batches(store).void(league) == []
    assert Batches(store).unplayed(league) == []


def test_a_batch_whose_runners_are_gone_is_void_only_after_many_attempts(store: Store, league: int) -> None:
    Batches(store).add(league, leagues.batch(), 1)
    for attempt in range(MOST_EXPIRED):
        assert Batches(store).lease(league, f"gone-{attempt}", 0, 1) is not None
        assert Batches(store).give_back_all(f"gone-{attempt}") == 1
    assert Batches(store).lease(league, "me", 5, 10) is None
    [void] = Batches(store).void(league)
    assert (void.number, void.failed) == (1, 0)
    assert [each.outcome for each in Batches(store).attempts(league, 1)] == ["expired"] * MOST_EXPIRED


def test_a_withdrawn_entry_is_suspended_with_the_result(store: Store, league: int) -> None:
    row = leagues.submit(store, "club/owl")
    Leagues(store).enter(league, leagues.entry(row), "arena")
    Batches(store).add(league, leagues.batch((1, 3)), 1)
    lease = leased(Batches(store).lease(league, "me", 0, 10))
    Batches(store).finish(lease, leagues.result(withdrawn={1: "4 process failures in phase 0"}))
    entry = Leagues(store).entries(league)[2]
    assert (entry.state, entry.reason) == ("suspended", "4 process failures in phase 0")
    assert Leagues(store).log(league)[-1].kind == "suspend"
    assert store.match(Batches(store).of(league)[0].first_match).event.entrants[1].withdrawn == entry.reason


def test_two_runners_never_have_the_same_batch(database: str, store: Store, league: int) -> None:
    for number in range(1, 13):
        Batches(store).add(league, leagues.batch(), number)
    barrier = Barrier(2)

    def work(runner: str) -> list[int]:
        with open_store(database) as own:
            barrier.wait()
            leases = iter(lambda: Batches(own).lease(league, runner, 0, 10), None)
            numbers = []
            for row in leases:
                Batches(own).finish(leased(row), leagues.result())
                numbers.append(row.number)
            return numbers

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(work, ("one", "other"))
    assert sorted(one + other) == list(range(1, 13))
    assert sorted(row.result or 0 for row in Batches(store).of(league)) == list(range(1, 13))
    assert Leagues(store).named("club").results == 12


def test_a_runner_may_have_at_once_what_it_does_not_know_of(store: Store, league: int) -> None:
    Batches(store).add(league, leagues.batch(), 1)
    lost = leased(Batches(store).lease(league, "me", 0, 10))
    assert Batches(store).lease(league, "me", 5, 20, [1]) is None, "it plays it"
    assert Batches(store).lease(league, "me", 50, 90, [1]) is None, "even where its lease has run out"
    again = leased(Batches(store).lease(league, "me", 50, 90, []))
    assert (again.batch, again.attempt) == (1, 2)
    assert Batches(store).finish(lost, leagues.result()) is None
    assert [each.outcome for each in Batches(store).attempts(league, 1)] == ["released", None]


def test_a_result_that_is_stored_already_is_no_lost_lease(store: Store, league: int) -> None:
    Batches(store).add(league, leagues.batch(), 1)
    lease = leased(Batches(store).lease(league, "me", 0, 10))
    assert [Batches(store).finish(lease, leagues.result()) for _ in range(2)] == [1, 1]
    assert Leagues(store).named("club").results == 1


def test_no_batch_is_drawn_from_the_secret_of_a_day_that_is_over(store: Store, league: int) -> None:
    assert Batches(store).add(league, replace(leagues.batch(), day=3), 1)
    assert not Batches(store).add(league, replace(leagues.batch(), day=2), 2)
    assert Batches(store).add(league, replace(leagues.batch(), day=3), 2)


def test_what_a_closed_league_has_not_played_is_void(store: Store, league: int) -> None:
    for number in (1, 2, 3):
        Batches(store).add(league, leagues.batch(), number)
    Batches(store).lease(league, "gone", 0, 10)
    Batches(store).lease(league, "here", 0, 100)
    Batches(store).void_unplayed(league, 50)
    assert [row.number for row in Batches(store).unplayed(league)] == [2]


@pytest.mark.parametrize(("who", "state"), [("club", "suspended"), ("ann", "retired"), ("arena", "suspended")])
def test_who_retires_in_mid_batch_is_suspended_all_the_same(store: Store, league: int, who: str, state: str) -> None:
    row = leagues.submit(store, "club/owl")
    Leagues(store).enter(league, leagues.entry(row), "arena")
    Batches(store).add(league, leagues.batch((1, 3)), 1)
    lease = leased(Batches(store).lease(league, "me", 0, 10))
    Leagues(store).change_entry(league, 3, "retired", who, "a new version is here" if who == "arena" else "")
    Batches(store).finish(lease, leagues.result(withdrawn={1: "4 process failures in phase 0"}))
    assert Leagues(store).entries(league)[2].state == state


def test_an_account_that_is_closed_in_mid_batch_leaves_no_notes(store: Store, league: int) -> None:
    store.accounts.add("club", "author", "0" * 64)
    for bot in ("club/owl", "town/jay"):
        Leagues(store).enter(league, leagues.entry(leagues.submit(store, bot)), "arena")
    Batches(store).add(league, leagues.batch((3, 4)), 1)
    lease = leased(Batches(store).lease(league, "me", 0, 2**60))
    close_account(store, "club")
    rows = [played.match(GUESSING, number, bots=2, seats=2, notes=True) for number in range(8)]
    owl, jay = (next(n for n, seat in enumerate(rows[0].seats) if seat.entrant == entrant) for entrant in (0, 1))
    assert {note.seat for note in rows[0].notes} == {owl, jay}
    outputs = [OutputRow(0, place, place, "my secret") for place in (0, 1)]
    failures = [
        ProcessFailureRow(0, place, place, 1, "crash", "it ended", 1, matches=(0,), output="my secret")
        for place in (0, 1)
    ]
    Batches(store).finish(lease, leagues.result(rows, outputs=outputs, failures=failures))
    match = store.match(Batches(store).of(league)[0].first_match)
    assert {note.seat for note in match.row.notes} == {jay}
    assert list(match.outputs) == [jay]
    assert [failure.output for failure in match.failures] == ["", "my secret"]
