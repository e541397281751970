"""Control groups: where they may be made, what is written to them, and that they go."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from referee.sandbox import cgroup_hierarchy, cgroups
from referee.sandbox.cgroup_hierarchy import ParentGroup
from referee.sandbox.cgroups import Group, Groups
from referee.sandbox.cpu_supply import CpuSupply


def machine(folder: Path, own: str, mounts: str) -> Path:
    """Return a /proc/self of our making.

    mounts: a line "kind folder options" for each hierarchy.
    """
    proc = folder / "proc"
    proc.mkdir()
    proc.joinpath("cgroup").write_text(own)
    lines = [line.split() for line in mounts.splitlines()]
    proc.joinpath("mountinfo").write_text(
        "".join(f"1 2 0:3 / {place} rw - {kind} {kind} {options}\n" for kind, place, options in lines)
    )
    return proc


def test_a_machine_without_groups(tmp_path: Path) -> None:
    assert cgroup_hierarchy.find_parents(machine(tmp_path, "", "tmpfs /tmp rw")) == ([], "no cgroups are mounted")


def test_version_1_has_a_place_for_each_controller(tmp_path: Path) -> None:
    for name in ("memory/mine", "pids", "cpu"):
        (tmp_path / name).mkdir(parents=True)
    own = "3:memory:/mine\n2:pids:/elsewhere\n1:cpu,cpuacct:/\n"
    mounts = f"cgroup {tmp_path}/memory rw,memory\ncgroup {tmp_path}/pids rw,pids\ncgroup {tmp_path}/cpu rw,cpu,cpuacct"
    found, missing = cgroup_hierarchy.find_parents(machine(tmp_path, own, mounts))
    assert missing == ""
    assert found == [
        ParentGroup(tmp_path / "memory/mine", ("memory",), 1),
        ParentGroup(tmp_path / "pids", ("pids",), 1),
        ParentGroup(tmp_path / "cpu", ("cpu",), 1),
    ]


def test_version_2_takes_the_nearest_group_that_hands_down(tmp_path: Path) -> None:
    own = tmp_path / "cg" / "user" / "session"
    own.mkdir(parents=True)
    for folder, handed in ((own, ""), (own.parent, "memory pids"), (own.parent.parent, "memory pids cpu")):
        (folder / "cgroup.subtree_control").write_text(handed)
        (folder / "cgroup.procs").write_text("")
    proc = machine(tmp_path, "0::/user/session\n", f"cgroup2 {tmp_path}/cg rw")
    found, missing = cgroup_hierarchy.find_parents(proc)
    assert found == [ParentGroup(own.parent, ("memory", "pids"), 2)]
    assert missing == f"no group of the controllers cpu may be written by user {os.geteuid()}"


@pytest.mark.parametrize(
    ("version", "file", "eight_programs"), [(1, "cpu.shares", 8 * 1024), (2, "cpu.weight", 8 * 100)]
)
def test_bots_together_weigh_as_much_as_eight_programs(
    tmp_path: Path, version: int, file: str, eight_programs: int
) -> None:
    group = Groups([ParentGroup(tmp_path, ("cpu",), version)]).new(64 << 20, 20)
    (folder,) = group.folders
    assert int((folder.parent / file).read_text()) == eight_programs


def test_what_is_written_to_a_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("referee.sandbox.cgroups.cpu_supply", lambda: CpuSupply(frozenset({0}), 1))
    made = Groups([ParentGroup(tmp_path, ("memory", "pids", "cpu"), 2)])
    group = made.new(64 << 20, 20)
    (folder,) = group.folders
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "memory.max": "67108864", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "20",
        "cpu.max": "100000 100000",
    }  # fmt: skip
    assert group.join_files == [str(folder / "cgroup.procs")]
    assert not group.out_of_memory()
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    assert group.out_of_memory()


@pytest.mark.parametrize(
    ("version", "quota", "written"),
    [
        (2, 0.5, {"cpu.max": "50000 100000"}),
        (2, 3.0, {"cpu.max": "100000 100000"}),
        (1, 0.5, {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "50000"}),
        (1, None, {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "100000"}),
        (1, 0.002, {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "1000"}),
    ],
)
def test_no_bot_may_have_more_cpu_time_than_arena(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: int, quota: float | None, written: dict[str, str]
) -> None:
    monkeypatch.setattr("referee.sandbox.cgroups.cpu_supply", lambda: CpuSupply(frozenset({0, 1}), 2, quota))
    made = Groups([ParentGroup(tmp_path, ("cpu",), version)])
    (folder,) = made.new(64 << 20, 20).folders
    assert {path.name: path.read_text() for path in folder.iterdir()} == written
    assert made.no_cpu_quota == ""


def test_a_bot_starts_without_a_quota_where_the_kernel_takes_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refuse = OSError(errno.EINVAL, "Invalid argument")
    write = Path.write_text

    def write_text(path: Path, text: str) -> int:
        if path.name == "cpu.cfs_quota_us":
            raise refuse
        return write(path, text)

    monkeypatch.setattr(Path, "write_text", write_text)
    made = Groups([ParentGroup(tmp_path, ("cpu",), 1)])
    (folder,) = made.new(64 << 20, 20).folders
    assert made.no_cpu_quota == f"{folder.parent} takes no CPU quota (Invalid argument)"


def test_a_killed_referee_s_groups_are_swept_by_the_next(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    left = tmp_path / f"{cgroups.prefix()}{gone.pid}" / "bot-1"
    left.mkdir(parents=True)
    living = tmp_path / f"{cgroups.prefix()}{os.getpid()}" / "bot-1"
    living.mkdir(parents=True)
    cgroups.sweep(tmp_path)
    assert not left.parent.exists()
    assert living.exists()


def test_groups_are_made_wherever_there_is_a_place_for_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        "referee.sandbox.cgroups.find_parents", lambda: ([ParentGroup(tmp_path, ("pids",), 2)], "no cpu")
    )
    made, why = cgroups.find_groups()
    assert made is not None
    assert (made.controllers, why) == (frozenset({"pids"}), "no cpu")
    monkeypatch.setattr("referee.sandbox.cgroups.find_parents", lambda: ([], "no cgroups are mounted"))
    assert cgroups.find_groups() == (None, "no cgroups are mounted")


def test_a_real_group_ends_what_is_in_it_and_goes() -> None:
    made, why = cgroups.find_groups()
    if made is None:
        pytest.skip(f"no control groups here: {why}")
    group = made.new(64 << 20)
    files = " ".join(f"'{file}'" for file in group.join_files)
    code = f'for file in {files}; do echo 0 >"$file" || exit 126; done; setsid sleep 3600 & echo in; wait'
    with subprocess.Popen(["sh", "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in\n"
        made.end(group)
        assert process.stdout.read() == b"", "nobody holds the pipe any more"
        assert process.wait() == -9
    made.end(group)
    assert not any(folder.exists() for folder in group.folders)


@pytest.mark.parametrize(("events", "refused"), [("max 0\n", False), ("max 3\n", True), ("", False), (None, False)])
def test_refused_processes_are_read_from_the_kernel(tmp_path: Path, events: str | None, refused: bool) -> None:
    if events is not None:
        (tmp_path / "pids.events").write_text(events)
    assert Group((tmp_path,), None).out_of_processes() is refused
