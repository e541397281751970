"""Which CPU there is: affinity, and the quotas of control groups of both versions up to the root."""

import os
from pathlib import Path

import pytest

from referee.sandbox.cpu_supply import CpuSupply, cpu_supply


def proc(folder: Path, own: str, *mounts: str) -> Path:
    """Return a /proc/self.

    mounts: each "root folder kind options".
    """
    place = folder / "proc"
    place.mkdir()
    place.joinpath("cgroup").write_text(own)
    lines = [line.split() for line in mounts]
    place.joinpath("mountinfo").write_text(
        "".join(f"1 2 0:3 {root} {mount} rw - {kind} {kind} {options}\n" for root, mount, kind, options in lines)
    )
    return place


def group(folder: Path, **files: str) -> Path:
    """Make a control group.

    files: their names with _ for the dot.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        folder.joinpath(name.replace("_", ".", 1)).write_text(f"{text}\n")
    return folder


@pytest.fixture(autouse=True)
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})
    monkeypatch.setattr(os, "cpu_count", lambda: 8)


@pytest.mark.parametrize(
    ("quota", "cores"), [(None, 4), (0.5, 1), (1.0, 1), (1.9, 1), (2.0, 2), (3.5, 3), (4.0, 4), (16.0, 4)]
)
def test_a_quota_is_as_many_cores_as_it_fills(quota: float | None, cores: int) -> None:
    assert CpuSupply(frozenset({0, 1, 2, 3}), 8, quota).cores == cores


def test_version_1(tmp_path: Path) -> None:
    mount = group(tmp_path / "cpu", cpu_cfs_quota_us="-1", cpu_cfs_period_us="100000")
    unit = group(mount / "unit", cpu_cfs_quota_us="50000", cpu_cfs_period_us="100000")
    group(unit / "own", cpu_cfs_quota_us="150000", cpu_cfs_period_us="100000")
    place = proc(tmp_path, "2:memory:/\n1:cpu,cpuacct:/unit/own\n", f"/ {mount} cgroup rw,cpu,cpuacct")
    supply = cpu_supply(place)
    assert (supply.quota, supply.group, supply.cores, supply.present) == (0.5, unit, 1, 8)


def test_version_2_takes_the_strictest_up_to_the_root(tmp_path: Path) -> None:
    mount = group(tmp_path / "cg")
    slice_ = group(mount / "slice", cpu_max="250000 100000")
    group(slice_ / "own", cpu_max="max 100000")
    supply = cpu_supply(proc(tmp_path, "0::/slice/own\n", f"/ {mount} cgroup2 rw"))
    assert (supply.quota, supply.group, supply.cores) == (2.5, slice_, 2)
    assert supply.is_short


def test_both_versions_at_once(tmp_path: Path) -> None:
    first = group(tmp_path / "cpu", cpu_cfs_quota_us="300000", cpu_cfs_period_us="100000")
    second = group(tmp_path / "unified")
    place = proc(tmp_path, "1:cpu:/\n0::/\n", f"/ {first} cgroup rw,cpu", f"/ {second} cgroup2 rw")
    assert (cpu_supply(place).quota, cpu_supply(place).cores) == (3.0, 3)


@pytest.mark.parametrize("own", ["/docker/abc", "/docker/abc/inner", "/elsewhere", "/../other"])
def test_in_a_container_whose_group_is_mounted(tmp_path: Path, own: str) -> None:
    mount = group(tmp_path / "cg", cpu_max="150000 100000")
    group(mount / "inner", cpu_max="100000 100000")
    group(tmp_path / "other", cpu_max="1000 100000")
    supply = cpu_supply(proc(tmp_path, f"0::{own}\n", f"/docker/abc {mount} cgroup2 rw"))
    assert supply.quota == (1.0 if own.endswith("inner") else 1.5)


def test_no_groups_and_no_quota(tmp_path: Path) -> None:
    assert cpu_supply(proc(tmp_path, "", "/ /tmp tmpfs rw")) == CpuSupply(frozenset({0, 1, 2, 3}), 8)
    assert cpu_supply(tmp_path / "nowhere").quota is None
    mount = group(tmp_path / "cg", cpu_max="half a core")
    (tmp_path / "again").mkdir()
    assert cpu_supply(proc(tmp_path / "again", "0::/\n", f"/ {mount} cgroup2 rw")).quota is None
