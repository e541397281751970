"""How many bots fit on a machine, and how phases are kept within that."""

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.plan.schedule import Plan
from arena.results.stored_tournament import StoredTournament
from arena.run.capacity import Allocation, Capacity, allocate, describe, measure_capacity
from arena.run.executor import Local
from arena.run.runner import run
from arena.run.work_units import units
from arena.store import Store, open_store
from arena.values.definition import Definition, TimeControl
from tests.tournament.runs import Watcher, begin, results

SECRET = bytes(32)
AMPLE = Capacity(1 << 30, 1 << 30, "")


def machine(folder: Path, *, available: int, group: dict[str, str], version: int = 2) -> Path:
    """Write what the kernel tells of a machine; return the folder that stands for /proc."""
    proc, mount = folder / "proc", folder / "cgroup"
    own = mount / "user" / "arena"
    own.mkdir(parents=True)
    for name, text in group.items():
        (own / name).write_text(text)
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text(f"MemTotal: 99 kB\nMemAvailable:   {available // 1024} kB\n")
    kind, options, line = (
        ("cgroup2", "rw", "0::/user/arena") if version == 2 else ("cgroup", "pids,memory", "4:pids,memory:/user/arena")
    )
    (proc / "self" / "mountinfo").write_text(f"30 20 0:26 / {mount} rw - {kind} {kind} {options}\n")
    (proc / "self" / "cgroup").write_text(line + "\n")
    return proc


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """The hard limits of resources, as the kernel would tell them."""
    hard = {resource.RLIMIT_NOFILE: 1 << 20, resource.RLIMIT_NPROC: resource.RLIM_INFINITY}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (hard[kind], hard[kind]))
    return hard


@pytest.mark.parametrize(
    ("available", "group", "version", "bots", "reason"),
    [
        (3_002_880_000, {}, 2, 100, "3.0 GB of memory are available"),
        (3_002_880_000, {"pids.max": "max", "memory.max": "max"}, 2, 100, "3.0 GB of memory are available"),
        (3_002_880_000, {"pids.max": "500", "pids.current": "16"}, 2, 35, "may have 500 processes (pids.max)"),
        (
            3_002_880_000,
            {"memory.max": "2000000000", "memory.current": "500000000"},
            2,
            50,
            "may have 2.0 GB of memory (memory.max)",
        ),
        (  # cached files are given up first
            3_002_880_000,
            {"memory.max": "2000000000", "memory.current": "1900000000", "memory.stat": "inactive_file 1400000000\n"},
            2,
            50,
            "may have 2.0 GB of memory (memory.max)",
        ),
        (
            3_002_880_000,
            {"memory.limit_in_bytes": "1500000000", "memory.usage_in_bytes": "0"},
            1,
            50,
            "may have 1.5 GB of memory (memory.limit_in_bytes)",
        ),
        (3_002_880_000, {"pids.max": "50", "pids.current": "50"}, 1, 0, "may have 50 processes (pids.max)"),
    ],
)
def test_the_tightest_limit_counts(
    tmp_path: Path,
    limits: dict[int, int],
    available: int,
    group: dict[str, str],
    version: int,
    bots: int,
    reason: str,
) -> None:
    capacity = measure_capacity(machine(tmp_path, available=available, group=group, version=version))
    assert capacity.bots == bots
    assert reason in capacity.reason


def test_limits_of_the_user_count(tmp_path: Path, limits: dict[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    proc = machine(tmp_path, available=3_002_880_000, group={})
    limits[resource.RLIMIT_NOFILE] = 428
    capacity = measure_capacity(proc)
    assert (capacity.bots, capacity.per_referee) == (100, 50)
    assert capacity.reason == "a process may have 428 open files (ulimit -n)"

    limits[resource.RLIMIT_NOFILE] = 1 << 20
    limits[resource.RLIMIT_NPROC] = 196
    for thread in ("70", "71"):
        (proc / "70" / "task" / thread).mkdir(parents=True)
    monkeypatch.setattr(os, "geteuid", lambda: (proc / "70").stat().st_uid or 1)
    if (proc / "70").stat().st_uid:  # as root the files are root's, whom the limit does not concern
        assert measure_capacity(proc).bots == (196 - 2 - 64) // 12
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert measure_capacity(proc).bots == 100, "root is not limited"


def test_this_machine_has_room_for_some() -> None:
    assert measure_capacity().bots > 0


@pytest.mark.parametrize(
    ("bots", "jobs", "capacity", "expected"),
    [
        (80, 2, AMPLE, Allocation(2)),
        (80, 2, None, Allocation(2)),
        (80, 2, Capacity(320, 160, ""), Allocation(2)),
        (80, 2, Capacity(319, 160, ""), Allocation(2, overlap=False)),
        (80, 2, Capacity(320, 159, ""), Allocation(2, overlap=False)),
        (80, 2, Capacity(159, 159, ""), Allocation(1, overlap=False)),
        (80, 2, Capacity(79, 79, ""), Allocation(1, overlap=False, most_bots=79)),
        (80, 4, Capacity(100, 40, ""), Allocation(2, overlap=False, most_bots=40)),
        (80, 2, Capacity(0, 0, ""), Allocation(1, overlap=False, most_bots=6)),
    ],
)
def test_phases_are_kept_within_the_capacity(
    bots: int, jobs: int, capacity: Capacity | None, expected: Allocation
) -> None:
    allocation = allocate(bots, 6, jobs, capacity)
    assert allocation == expected
    if capacity is not None and capacity.bots:
        assert allocation.peak_bots(bots) <= capacity.bots


def test_what_a_plan_needs_is_told() -> None:
    assert describe(80, 2, Allocation(2), AMPLE) == (
        "2 referees and up to 320 bots at a time: 963 processes, about 2.0 GB of memory for small Python bots"
    )
    small = Capacity(100, 1000, "3.0 GB of memory are available")
    ends = [describe(bots, 2, allocate(bots, 6, 2, small), small).partition("; ")[2] for bots in (40, 80, 200)]
    room = "as there is room for 100 bots: 3.0 GB of memory are available"
    assert ends == [
        f"a phase begins only when the one before has ended, {room}",
        f"only 1 referee of 2 plays, {room}",
        f"a phase of 200 bots is played in parts of 100, which takes many more starts, {room}",
    ]


@pytest.mark.parametrize("most_bots", [6, 9, 20])
def test_units_of_few_bots_hold_every_match_once(most_bots: int) -> None:
    plan = Plan(30, 6, 40, 20, SECRET)
    parts = list(units(plan, {3, 500}, 2, 7, most_bots))
    assert all(len(unit.players) <= most_bots for unit in parts)
    assert sorted(number for unit in parts for number in unit.left) == sorted(set(range(plan.matches)) - {3, 500})
    assert len({unit.number for unit in parts}) == len(parts)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.mark.processes
def test_results_are_the_same_in_parts(
    store: Store, cambio: Callable[..., Definition], monkeypatch: pytest.MonkeyPatch
) -> None:
    definition = cambio("random", "cautious", "random", "random", "cautious", rounds=4, seats=2)
    definition = replace(definition, options={"chips": "2"}, time=TimeControl(move_time_ms=0, start_time_ms=60_000))
    whole, parts = begin(store, definition), begin(store, definition)
    run(StoredTournament.load(store, whole), definition, 2, Watcher())
    monkeypatch.setattr(Local, "capacity", lambda self: Capacity(3, 3, "the test says so"))
    run(StoredTournament.load(store, parts), definition, 2, Watcher())
    assert results(store, parts) == results(store, whole)
    first = store.tournament(parts).first_match
    bots: dict[int, set[int]] = {}
    for number in store.played(parts):
        row = store.match(first + number).row
        bots.setdefault(row.phase, set()).update(seat.entrant for seat in row.seats)
    assert max(map(len, bots.values())) <= 3
