"""Hand-ins in a database: received, claimed by workers under fenced attempts, finished once."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from threading import Barrier
from types import SimpleNamespace

import pytest
from sqlalchemy import insert, select, update

from arena.bots import hand_in_places, hand_in_queue, hand_ins
from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_queue import QUICK_SECONDS, RECENT, queue_places
from arena.bots.hand_in_rows import (
    Claim,
    ClaimedHandIn,
    HandInEnd,
    HandInStep,
    NewVersion,
    QueuePlace,
    RequestKey,
    RequestReused,
    TooManyHandIns,
)
from arena.bots.hand_in_space import MEGABYTE, RESERVE_MB, HandInSpace
from arena.bots.hand_ins import HandIns
from arena.store import NoSuchRow, Store, open_store
from arena.store.engine.schema import hand_in_files
from arena.store.engine.schema import hand_ins as table
from arena.store.engine.worker_name import is_dead, worker_name
from arena.store.people.submissions import PackRow, SubmissionRow

PACK = PackRow("1" * 64, b"one" * 100, 1, 3)
VERSION = NewVersion(PACK, PACK, {"language": "python"}, {"passed": True})
STEP = HandInStep("starts", "passed", "it runs")
END = HandInEnd(2000)
LEASE = 60.0


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, create=True) as opened:
        yield opened


def hand_in(store: Store, name: str = "club/owl", owner: str = "club") -> int:
    return HandIns(store).receive(owner, name, "owl.py", b"source of " + name.encode())


def set_clock(monkeypatch: pytest.MonkeyPatch, now: Callable[[], str]) -> None:
    """Set the clocks of the machine and of the database."""
    monkeypatch.setattr(hand_ins, "utc_now", now)
    monkeypatch.setattr(hand_ins, "database_time", lambda _connection: now())


class QueueClock:
    """The clock of the queue, which stands still.

    begin: before now for leases that have run out at once, after it for those that hold.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, begin: datetime) -> None:
        self._now = begin
        monkeypatch.setattr(hand_in_queue, "utc_now", lambda: self._now.isoformat(timespec="seconds"))
        monkeypatch.setattr(hand_ins, "_now", lambda: self._now)

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


PAST, FUTURE = datetime(2026, 3, 1, tzinfo=UTC), datetime(2999, 3, 1, tzinfo=UTC)


def claimed(store: Store, seconds: float = LEASE, worker: str | None = None) -> ClaimedHandIn:
    found = HandIns(store).claim(worker or worker_name(), seconds)
    assert found is not None
    return found


def titled(row: SubmissionRow) -> str:
    return f"is accepted as {row.title}"


def dead_worker() -> str:
    """Return the name of a process that was alive."""
    tell = "from arena.store.engine.worker_name import worker_name; print(worker_name())"
    return subprocess.run([sys.executable, "-c", tell], check=True, capture_output=True, text=True).stdout.strip()


def test_a_hand_in_is_stored_whole_before_it_is_answered(database: str) -> None:
    with open_store(database, create=True) as store:
        id = HandIns(store).receive("club", "club/owl", "o\x00wl.py", b"\x00\xff", games=("hypp",), league=3)
    with open_store(database) as store:
        row = HandIns(store).find(id)
        assert (row.owner, row.name, row.file, row.games, row.league) == (
            "club", "club/owl", "o\\x00wl.py", ("hypp",), 3
        )  # fmt: skip
        assert (row.state, row.attempt, row.steps, row.sentence, row.ended) == ("received", 0, (), "", None)
        assert not row.is_finished
        assert claimed(store).content == b"\x00\xff"
        with pytest.raises(NoSuchRow, match="has no hand-in 7"):
            HandIns(store).find(7)


def test_an_accepted_one_becomes_a_version_and_drops_its_source(store: Store) -> None:
    id = hand_in(store)
    claim, row, content = (taken := claimed(store)).claim, taken.row, taken.content
    assert (row.state, row.attempt, content) == ("building", 1, b"source of club/owl")
    assert HandIns(store).add_step(claim, HandInStep("unpacks", "passed", "1 file"))
    assert HandIns(store).begin_check(claim)
    assert HandIns(store).add_step(claim, STEP)
    row = HandIns(store).find(id)
    assert (row.state, row.steps) == ("checking", (HandInStep("unpacks", "passed", "1 file"), STEP))
    assert HandIns(store).report(id) is None
    report = {"found": [{"log": "é\n" * 1000}]}
    version = HandIns(store).accept(claim, VERSION, titled, HandInEnd(1234, report))
    assert version is not None
    assert store.submissions.all() == [version]
    row = HandIns(store).find(id)
    assert (row.state, row.sentence, row.version, row.duration_ms) == (
        "accepted", "is accepted as club/owl@1", 1, 1234
    )  # fmt: skip
    assert row.is_finished
    assert row.steps[-1] == STEP
    assert HandIns(store).report(id) == report
    assert store.query(lambda connection: connection.execute(hand_in_files.select())) == []
    assert HandIns(store).claim(worker_name(), LEASE) is None


def test_a_stale_attempt_stores_nothing(store: Store) -> None:
    id = hand_in(store)
    stale = claimed(store, seconds=0).claim
    fresh = claimed(store).claim
    assert (stale.attempt, fresh.attempt) == (1, 2)
    bots = HandIns(store)
    assert not bots.renew(stale, LEASE)
    assert not bots.begin_check(stale)
    assert not bots.add_step(stale, STEP)
    assert bots.accept(stale, VERSION, titled, END) is None
    assert not bots.finish(stale, "refused", "is refused", END)
    bots.release(stale, died=True)
    assert store.submissions.all() == []
    assert (bots.find(id).state, bots.find(id).steps, bots.find(id).abandoned) == ("building", (), 1)
    assert bots.accept(fresh, VERSION, titled, END) is not None
    assert bots.accept(fresh, VERSION, titled, END) is None, "nor does one that has ended"
    assert [row.title for row in store.submissions.all()] == ["club/owl@1"]


def test_a_claim_holds_while_it_is_renewed_and_its_worker_lives(store: Store) -> None:
    hand_in(store)
    claim = claimed(store, seconds=0).claim
    assert HandIns(store).renew(claim, LEASE)
    assert HandIns(store).claim(worker_name(), LEASE) is None


def test_a_claim_holds_as_much_longer_as_the_machine_stood_still(store: Store) -> None:
    id = hand_in(store)
    claimed(store, seconds=-30)
    assert HandIns(store).claim(worker_name(), LEASE, lost=60) is None, "its worker stood still as well"
    taken = HandIns(store).claim(worker_name(), LEASE, lost=20)
    assert taken is not None
    assert (taken.row.id, taken.row.attempt, taken.row.abandoned) == (id, 2, 1)


@pytest.mark.processes
def test_what_a_dead_worker_left_is_claimed_at_once(store: Store) -> None:
    id = hand_in(store)
    dead = dead_worker()
    assert is_dead(dead)
    assert not is_dead(worker_name())
    assert not is_dead(f"elsewhere{dead}"), "of other hosts nothing is known"
    host, number, pid, start = worker_name().rsplit(":", 3)
    assert is_dead(f"{host}:{number}:{pid}:{int(start) + 1}"), "the number of the process was used again"
    assert not is_dead(f"{host}:{number}:{pid}:"), "where it is not known when processes started"
    assert not is_dead("damaged")
    first = claimed(store, worker=dead).claim
    HandIns(store).add_step(first, STEP)
    again = claimed(store)
    assert (again.row.id, again.row.attempt, again.row.abandoned, again.row.steps) == (id, 2, 1, ())


def test_a_hand_in_that_ends_its_checker_three_times_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = QueueClock(monkeypatch, FUTURE)
    killer, other = hand_in(store, "club/killer"), hand_in(store)
    claim = claimed(store).claim
    assert claim == (killer, 1)
    HandIns(store).release(claim, died=True)
    HandIns(store).release(claim, died=True)  # a stale attempt, which counts no more
    assert HandIns(store).queue_places([1]) == {killer: (2, None), other: (1, None)}, "others go first"
    HandIns(store).finish(claimed(store).claim, "refused", "is refused", END)
    for attempt, pause in ((2, 30), (3, 120)):
        clock.advance(pause - 1)
        assert HandIns(store).claim(worker_name(), LEASE) is None
        clock.advance(1)
        claim = claimed(store).claim
        assert claim == (killer, attempt)
        HandIns(store).release(claim, died=True)
    assert HandIns(store).claim(worker_name(), LEASE) is None
    row = HandIns(store).find(killer)
    assert (row.state, row.died) == ("refused", 3)
    assert row.sentence.startswith("is refused: its check ended the checker 3 times")


def test_a_hand_in_outlives_many_workers_but_not_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are killed for many reasons, so an innocent hand-in is not refused for an hour in which they are."""
    clock = QueueClock(monkeypatch, PAST)
    id = hand_in(store)
    for attempt, pause in enumerate((0, 0, 30, 120, *[480] * 6), 1):
        if pause:
            assert HandIns(store).claim(worker_name(), LEASE) is None
            clock.advance(pause - 1)
            assert HandIns(store).claim(worker_name(), LEASE) is None
            clock.advance(1)
        assert claimed(store, seconds=0).claim == (id, attempt)
    assert HandIns(store).claim(worker_name(), LEASE) is None
    row = HandIns(store).find(id)
    assert (row.state, row.died, row.abandoned) == ("refused", 0, 10)
    assert row.sentence.startswith("is refused: its check was interrupted 10 times")


def test_a_clean_stop_is_no_death(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = QueueClock(monkeypatch, FUTURE)
    id = hand_in(store)
    for _ in range(5):
        HandIns(store).release(claimed(store).claim, died=False)
    row = HandIns(store).find(id)
    assert (row.state, row.died, row.abandoned) == ("received", 0, 0)
    HandIns(store).release(claimed(store).claim, died=True)
    clock.advance(30)
    HandIns(store).release(claimed(store).claim, died=False)
    assert claimed(store).claim == (id, 8), "at once, also after an earlier death"


def test_versions_are_made_in_the_order_in_which_they_were_handed_in(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = QueueClock(monkeypatch, FUTURE)
    first, second, other = hand_in(store), hand_in(store), hand_in(store, "club/fox")
    assert claimed(store).row.id == first
    assert claimed(store).row.id == other
    assert HandIns(store).claim(worker_name(), LEASE) is None
    HandIns(store).release(Claim(first, 1), died=True)
    assert HandIns(store).claim(worker_name(), LEASE) is None, "it pauses"
    clock.advance(30)
    assert claimed(store).row.id == first, "also if its check was interrupted"
    HandIns(store).cancel(first)
    assert claimed(store).row.id == second


def test_one_end_of_the_server_costs_nothing_in_the_queue_and_a_second_one_a_pause(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = QueueClock(monkeypatch, PAST)
    first, other, third = hand_in(store), hand_in(store, "fox/owl", "fox"), hand_in(store, "elk/owl", "elk")
    assert claimed(store, seconds=0).claim.hand_in == first
    assert claimed(store, seconds=0).claim == (first, 2), "its lease has run out"
    assert claimed(store, seconds=1e9).claim == (other, 1), "so has this one, and the fault may be its own"
    clock.advance(30)
    assert claimed(store, seconds=1e9).claim == (first, 3), "however many others wait"
    assert claimed(store).claim == (third, 1)


@pytest.mark.processes
def test_checks_that_nobody_makes_any_more_do_not_count(store: Store) -> None:
    for name in ("club/owl", "club/fox", "club/hen", "club/jay"):
        hand_in(store, name)
    claimed(store)
    claimed(store, worker=f"elsewhere{worker_name()}")
    claimed(store, worker=dead_worker())
    assert HandIns(store).checks_here() == 1


def test_a_cancelled_one_is_finished_and_ends_its_attempt(store: Store) -> None:
    waiting, under_way = hand_in(store, "club/fox"), hand_in(store)
    assert HandIns(store).cancel(waiting)
    claim = claimed(store).claim
    assert claim.hand_in == under_way
    assert HandIns(store).cancel(under_way)
    assert not HandIns(store).cancel(under_way)
    assert not HandIns(store).renew(claim, LEASE)
    assert HandIns(store).accept(claim, VERSION, titled, END) is None
    assert HandIns(store).find(under_way).state == "cancelled"
    assert store.query(lambda connection: connection.execute(hand_in_files.select())) == []
    assert store.submissions.all() == []


def test_a_place_in_the_queue_costs_the_same_however_many_are_finished(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as store:
        for _ in range(RECENT):
            hand_in(store)
            HandIns(store).finish(claimed(store).claim, "refused", "is refused", HandInEnd(10_000))
        waiting = hand_in(store)

        def steps() -> int:
            """Return the steps that SQLite takes, in tens."""
            taken: list[None] = []
            with store.read() as connection:
                driver = connection.connection.driver_connection
                assert isinstance(driver, sqlite3.Connection)
                driver.set_progress_handler(lambda: taken.append(None), 10)
                assert queue_places(connection, [1]) == {waiting: (1, 10)}
                driver.set_progress_handler(None, 0)
            return len(taken)

        before = steps()
        with store.write() as connection:
            row = dict(connection.execute(select(table).where(table.c.id == 1)).mappings().one())
            waiting += 1000
            connection.execute(update(table).where(table.c.id == waiting - 1000).values(id=waiting))
            connection.execute(insert(table), [row | {"id": id} for id in range(waiting - 1000, waiting)])
        assert steps() < 2 * before


def test_the_place_and_the_time_are_those_of_the_queue(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_in_queue, "_seconds_since", lambda moment: 3.0)
    places = HandIns(store)
    for seconds in (1, 10, 40):
        hand_in(store)
        places.finish(claimed(store).claim, "refused", "is refused", HandInEnd(seconds * 1000))
    ids = [hand_in(store, f"club/{name}") for name in "abcd"]
    assert [places.queue_places([1])[id] for id in ids] == [(1, 10), (2, 20), (3, 30), (4, 40)]
    assert [places.queue_places([2])[id] for id in ids] == [(1, 10), (2, 10), (3, 20), (4, 20)]
    claim = claimed(store).claim
    assert places.queue_places([1])[ids[0]] == (0, 7)
    assert places.queue_places([1])[ids[1]] == (1, 17), "the one under way counts"
    places.finish(claim, "refused", "is refused", HandInEnd(10_000))
    assert ids[0] not in places.queue_places([1])


def test_the_time_of_one_that_pauses_is_not_before_its_pause_ends(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    took(store, 20, "club/owl")
    pausing, other = hand_in(store), hand_in(store, "club/fox")
    HandIns(store).postpone(claimed(store).claim, "the machine was too busy", END)
    monkeypatch.setattr(hand_in_queue, "_seconds_since", lambda _moment: -480.0)
    assert HandIns(store).queue_places([1]) == {other: (1, 20), pausing: (2, 500)}


def test_owners_take_turns(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(100))
    set_clock(monkeypatch, lambda: f"2026-03-01T10:00:{next(moments):02}+00:00")
    many = [hand_in(store, f"club/{name}") for name in "abcde"]
    under_way = claimed(store)
    assert under_way.row.id == many[0]
    fox, hen = hand_in(store, "fox/a", "fox"), hand_in(store, "hen/a", "hen")
    second = hand_in(store, "fox/b", "fox")
    expected = [fox, hen, many[1], second, *many[2:]]

    def waiting() -> list[int]:
        """Return those that wait, as their owners see them."""
        places = HandIns(store).queue_places([1])
        return [id for id, at in sorted(places.items(), key=lambda item: item[1].place) if at.place]

    order = []
    while expected:
        assert waiting() == expected, "an owner is told the place that it has"
        HandIns(store).finish(under_way.claim, "refused", "is refused", END)
        under_way = claimed(store)
        order.append(under_way.row.id)
        assert under_way.row.id == expected.pop(0)
        if under_way.row.id == fox:
            late = hand_in(store, "owl/a", "owl")
            expected.insert(2, late)
    assert order == [fox, hen, many[1], late, second, *many[2:]]


def test_who_cancels_what_has_not_begun_gains_no_turn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(100))
    set_clock(monkeypatch, lambda: f"2026-03-01T10:00:{next(moments):02}+00:00")
    first, second, unused = (hand_in(store, f"club/{name}") for name in "abc")
    claim = claimed(store).claim
    assert claim.hand_in == first
    fox, hen = hand_in(store, "fox/a", "fox"), hand_in(store, "hen/a", "hen")
    HandIns(store).cancel(unused)
    HandIns(store).cancel(first)
    assert [claimed(store).row.id for _ in range(3)] == [fox, hen, second]


def took(store: Store, seconds: float, name: str) -> None:
    """Hand in a version whose check takes so long."""
    hand_in(store, name)
    HandIns(store).finish(claimed(store).claim, "refused", "is refused", HandInEnd(round(seconds * 1000)))


def test_quick_checks_pass_slow_ones_with_the_worker_that_is_kept_for_them(store: Store) -> None:
    took(store, QUICK_SECONDS, "club/slow")
    took(store, QUICK_SECONDS - 1, "club/quick")
    slow, quick = hand_in(store, "club/slow"), hand_in(store, "club/quick")
    new = hand_in(store, "club/new")
    assert [HandIns(store).queue_places([1])[id] for id in (slow, quick, new)] == [(1, 120), (2, 239), (3, 358.5)], (
        "one worker checks them in turn; of a new bot it is taken to take as long as others"
    )
    assert [HandIns(store).queue_places([2])[id].seconds for id in (slow, quick, new)] == [120, 119, 238.5]
    assert HandIns(store).has_quick()
    first = HandIns(store).claim(worker_name(), LEASE, quick=True)
    assert first is not None
    assert first.row.id == quick
    assert claimed(store).row.id == slow, "the others take them in their order"
    HandIns(store).release(first.claim, died=False, taken_ms=130_000)
    assert HandIns(store).queue_places([2])[quick].place == 1, "it keeps its place"
    assert HandIns(store).find(quick).state == "received"
    second = HandIns(store).claim(worker_name(), LEASE, quick=True)
    assert second is not None
    assert second.row.id == new, "what has taken long is slow from then on"
    assert not HandIns(store).has_quick()
    assert HandIns(store).claim(worker_name(), LEASE, quick=True) is None
    again = claimed(store)
    assert (again.row.id, again.row.died, again.row.abandoned) == (quick, 0, 0), "that was no attempt"


def test_the_first_hand_in_of_an_owner_waits_behind_no_second_one_of_another(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter(range(1000))

    def utc_now() -> str:
        minutes, seconds = divmod(next(moments), 60)
        return f"2026-03-01T10:{minutes:02}:{seconds:02}+00:00"

    set_clock(monkeypatch, utc_now)
    owners = [f"o{number}" for number in range(12)]
    rng = Random(7)
    order = [owner for owner in owners for _ in range(5)]
    rng.shuffle(order)
    for place, owner in enumerate(order):
        HandIns(store).receive(owner, f"{owner}/b{place}", "owl.py", b"")
    taken = [claimed(store) for _ in range(3)]
    checked: list[str] = []
    while taken:
        done = taken.pop(rng.randrange(len(taken)))
        checked.append(done.row.owner)
        HandIns(store).finish(done.claim, "refused", "is refused", END)
        following = HandIns(store).claim(worker_name(), LEASE)
        taken += [following] if following else []
    for turn in range(5):
        of_turn = checked[turn * 12 : turn * 12 + 12]
        assert len(set(of_turn)) >= 12 - 2, "all of a turn, but for those that are checked side by side"


def test_a_place_is_read_once_for_all_who_look(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(hand_in_places, "perf_counter", lambda: now)
    ids = [hand_in(store, f"club/{name}") for name in "abc"]
    reads: list[int] = []
    read = HandIns.queue_places

    def counted(bots: HandIns) -> dict[int, QueuePlace]:
        reads.append(len(reads))
        return read(bots)

    monkeypatch.setattr(HandIns, "queue_places", counted)
    places = HandInPlaces(store)

    def shown() -> list[int | None]:
        found = [places.of(HandIns(store).find(id)) for id in ids]
        return [at and at.place for at in found]

    assert shown() == [1, 2, 3]
    assert reads == [0]
    HandIns(store).cancel(ids[0])
    assert shown() == [None, 2, 3]
    assert reads == [0], "for a second the others stand where they stood"
    places.forget()
    assert shown() == [None, 1, 2]
    now += hand_in_places.HOLDS
    assert shown() == [None, 1, 2]
    claim = claimed(store).claim
    assert shown() == [None, 0, 1], "one that is checked is in no place"
    HandIns(store).release(claim, died=False)
    assert shown() == [None, 1, 2]
    ids.append(hand_in(store, "club/d"))
    assert shown() == [None, 1, 2, 3]
    assert len(reads) == 6


def test_unfinished_hand_ins_of_an_owner_are_limited(store: Store) -> None:
    ids = [hand_in(store) for _ in range(5)]
    with pytest.raises(TooManyHandIns, match="5 hand-ins of yours are not checked yet"):
        hand_in(store)
    HandIns(store).cancel(ids[0])
    hand_in(store)


def test_the_files_of_unfinished_hand_ins_are_limited_by_their_bytes(store: Store) -> None:
    space = HandInSpace(megabytes=2)

    def receive(owner: str) -> int:
        return HandIns(store).receive(owner, f"{owner}/owl", "owl.py", bytes(MEGABYTE), space=space)

    first = receive("club")
    receive("fox")
    full = "the hand-ins that wait for their check fill the 2 MB that this server keeps for them: try again in "
    with pytest.raises(TooManyHandIns, match=f"{full}60 seconds, when more of them are checked") as refused:
        receive("hen")
    assert refused.value.retry_after == 60, "nobody knows how long a check takes"
    assert HandIns(store).newest("hen", 1) == []
    HandIns(store).finish(claimed(store).claim, "refused", "is refused", HandInEnd(300_000))
    assert HandIns(store).find(first).is_finished
    receive("hen")
    with pytest.raises(TooManyHandIns, match=f"{full}5 minutes") as refused:
        receive("jay")
    assert refused.value.retry_after == 300, "the next one is checked by then"


def test_hand_ins_leave_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = (RESERVE_MB + 1) * MEGABYTE
    monkeypatch.setattr("arena.bots.hand_in_space.shutil.disk_usage", lambda folder: SimpleNamespace(free=free))
    with open_store(tmp_path / "arena.db", create=True) as store:
        HandIns(store).receive("club", "club/owl", "owl.py", bytes(MEGABYTE))
        with pytest.raises(TooManyHandIns, match=r"is nearly full \(513 MB are free\): tell the organiser") as refused:
            HandIns(store).receive("club", "club/owl", "owl.py", bytes(MEGABYTE + 1))
        assert refused.value.retry_after == 600
        assert HandIns(store).newest("club", 2, before=2) == HandIns(store).newest("club", 2)


def test_the_newest_are_listed_first_and_by_owner(store: Store) -> None:
    ids = [hand_in(store), hand_in(store, "fox/owl", "fox"), hand_in(store, "club/b")]
    assert [row.id for row in HandIns(store).newest("club", 10)] == [ids[2], ids[0]]
    assert [row.id for row in HandIns(store).newest(None, 2)] == [ids[2], ids[1]]
    assert [row.id for row in HandIns(store).newest("club", 10, before=ids[2])] == [ids[0]]
    assert HandIns(store).newest("club", 10, before=ids[0]) == []


def test_a_request_that_is_sent_again_is_the_same_hand_in(store: Store) -> None:
    def receive(owner: str, key: str, digest: str) -> int:
        return HandIns(store).receive(owner, f"{owner}/owl", "owl.py", b"x", request=RequestKey(key, digest))

    first = receive("club", "k", "a" * 64)
    assert receive("club", "k", "a" * 64) == first
    with pytest.raises(RequestReused, match=f"hand-in {first} came with this Idempotency-Key: use another key"):
        receive("club", "k", "b" * 64)
    assert [row.id for row in HandIns(store).newest(None, 10)] == [first]
    assert receive("club", "l", "b" * 64) == first + 1
    assert receive("fox", "k", "b" * 64) == first + 2, "keys are those of an owner"


def test_workers_of_several_programs_claim_no_hand_in_twice(database: str) -> None:
    with ExitStack() as opened:
        stores = [opened.enter_context(open_store(database, create=True)) for _ in range(4)]
        ids = [hand_in(stores[0], f"bot{n}", f"owner{n % 4}") for n in range(16)]
        start = Barrier(4)

        def work(store: Store) -> list[int]:
            start.wait()
            taken = []
            while (found := HandIns(store).claim(worker_name(), LEASE)) is not None:
                taken.append(found.row.id)
            return taken

        with ThreadPoolExecutor(4) as pool:
            assert sorted(id for some in pool.map(work, stores) for id in some) == ids


def test_an_owner_may_hand_in_so_often_on_a_day(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.bots.hand_in_rows import TooManyHandIns

    now = "2026-03-01T23:50:00+00:00"
    set_clock(monkeypatch, lambda: now)

    def receive(owner: str = "club") -> int:
        return HandIns(store).receive(owner, f"{owner}/owl", "owl.py", b"", per_day=2)

    HandIns(store).cancel(receive())
    HandIns(store).cancel(receive())
    sentence = "the most hand-ins of an owner on a day are 2: the next time may be tomorrow, from 00:00 UTC"
    with pytest.raises(TooManyHandIns, match=sentence) as refused:
        receive()
    assert refused.value.retry_after == 600
    assert receive("town"), "others may"
    now = "2026-03-02T00:00:00+00:00"
    assert receive(), "on the next day"


def test_a_busy_server_is_tried_again_later_then_alone_and_refuses_nobody(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime(2999, 3, 1, tzinfo=UTC)  # or leases would have run out
    monkeypatch.setattr(hand_in_queue, "utc_now", lambda: moment.isoformat(timespec="seconds"))
    monkeypatch.setattr(hand_ins, "_now", lambda: moment)
    bots, id = HandIns(store), hand_in(store)
    for busy, pause in enumerate((30, 120, 480, 480), 1):
        claim = claimed(store).claim
        bots.add_step(claim, STEP)
        assert not bots.postpone(claim, "the machine was too busy", END)
        assert not bots.postpone(claim, "the machine was too busy", END), "a stale attempt"
        row = bots.find(id)
        assert (row.state, row.busy, row.attempt, row.steps, row.died) == ("received", busy, busy, (), 0)
        moment += timedelta(seconds=pause - 1)
        assert bots.claim(worker_name(), LEASE) is None
        moment += timedelta(seconds=1)
    other = hand_in(store, "fox/owl", "fox")
    alone = claimed(store).claim
    assert alone == (id, 5), "it goes first"
    assert bots.claim(worker_name(), LEASE) is None, "nothing is checked beside it"
    assert bots.postpone(alone, "the machine was too busy", END)
    row = bots.find(id)
    assert (row.state, row.busy) == ("failed", 5)
    assert row.sentence == (
        "could not be checked in 5 attempts, which says nothing of the bot: the machine was too busy; "
        "hand it in again later, or ask the organiser"
    )
    assert claimed(store).claim == (other, 1)


def test_one_that_is_to_be_checked_alone_waits_for_the_others(store: Store) -> None:
    bots, id = HandIns(store), hand_in(store)
    other, third = hand_in(store, "fox/owl", "fox"), hand_in(store, "elk/owl", "elk")
    with store.write() as connection:
        connection.execute(update(table).where(table.c.id == other).values(busy=4))
    assert claimed(store).claim.hand_in == other
    bots.release(Claim(other, 1), died=False)
    with store.write() as connection:
        connection.execute(update(table).where(table.c.id == other).values(not_before="2999"))
    first = claimed(store).claim
    assert first.hand_in == id, "its time has not come"
    with store.write() as connection:
        connection.execute(update(table).where(table.c.id == other).values(not_before="2026"))
    assert bots.claim(worker_name(), LEASE) is None, "so that it comes to its turn"
    bots.finish(first, "refused", "is refused", END)
    assert claimed(store).claim.hand_in == other
    bots.cancel(other)
    assert claimed(store).claim.hand_in == third


def test_a_busy_server_costs_an_owner_none_of_its_hand_ins(store: Store) -> None:
    bots = HandIns(store)
    for state, busy in (("failed", 5), ("failed", 0), ("accepted", 4)):
        id = hand_in(store)
        with store.write() as connection:
            connection.execute(update(table).where(table.c.id == id).values(busy=busy, state=state))
    assert bots.receive("club", "club/owl", "owl.py", b"", per_day=3)
    with pytest.raises(TooManyHandIns):
        bots.receive("club", "club/owl", "owl.py", b"", per_day=3)


def test_a_hand_in_for_practice_alone_makes_such_a_version(store: Store) -> None:
    id = HandIns(store).receive("club", "club/owl", "owl.py", b"source", practice_only=True)
    assert HandIns(store).find(id).practice_only
    claimed = HandIns(store).claim(worker_name(), LEASE)
    assert claimed is not None
    version = HandIns(store).accept(claimed.claim, VERSION, titled, END)
    assert version is not None
    assert version.practice_only
    assert store.submissions.all() == []


@pytest.mark.parametrize("again", [True, False])
def test_the_same_files_handed_in_as_usual_let_a_version_enter(store: Store, again: bool) -> None:
    """As of when they were handed in; for practice alone they change nothing."""
    version = store.submissions.add("club/owl", PACK, PACK, {}, {}, "2026-01-01", practice_only=True)
    id = HandIns(store).receive("club", "club/owl", "owl.py", b"source", practice_only=again)
    claimed = HandIns(store).claim(worker_name(), LEASE)
    assert claimed is not None
    assert HandIns(store).finish(claimed.claim, "accepted", "is unchanged since version 1", END, version)
    row, [stored] = HandIns(store).find(id), store.submissions.versions("club/owl")
    assert row.sentence.endswith("and enters leagues now") != again
    assert (stored.practice_only, stored.received) == ((True, "2026-01-01") if again else (False, row.created))
