"""What the doctor says of machines that lack something."""

import errno
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import sample_bots
from arena.cli import main
from arena.cli.doctor_checks import isolation, languages, machine, serving
from arena.cli.doctor_checks.checks import run_checks
from referee import build_info, codec, extensions
from referee.engine import draws
from referee.sandbox import SandboxError, choice
from referee.sandbox.cpu_supply import CpuSupply


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_languages_need_what_their_sample_bots_are_built_with() -> None:
    bots = Path(sample_bots.__file__).parent
    [go] = re.findall(r"^go (\d+\.\d+)", (bots / "go/go.mod").read_text(), re.MULTILINE)
    assert f"Go {go} or newer" in languages.LANGUAGES["go"][1]
    [rust] = re.findall(r"needs Rust (\S+) or newer", (bots / "rust/README.md").read_text())
    assert f"Rust {rust} or newer" in languages.LANGUAGES["rust"][1]
    assert not any("protoc" in " ".join((*programs, remedy)) for programs, remedy in languages.LANGUAGES.values())


@pytest.mark.processes
def test_this_machine_is_fit() -> None:
    result = CliRunner().invoke(main, ["doctor", "--json"])
    told = json.loads(result.stdout)
    assert (result.exit_code, told["works"], told["broken"]) == (0, True, []), result.stdout
    names = [each["name"] for each in told["findings"]]
    assert names[:19] == [
        "python", "grpc", "packages", "rules", "codec", "chance", "cores", "pauses", "disk", "user", "database",
        "cache", "pages", "bubblewrap", "cgroups", "seccomp", "landlock", "limits", "bot",
    ]  # fmt: skip
    assert all(bool(each["remedy"]) == (each["verdict"] != "good") for each in told["findings"])
    assert not Path("arena.db").exists()


@pytest.mark.processes
def test_what_is_broken_is_told_with_its_cure_and_ends_with_1(tmp_path: Path) -> None:
    other = tmp_path / "notes.db"
    other.write_text("none of arena's databases, whatever it is called")
    result = CliRunner().invoke(main, ["doctor", "--db", str(other)])
    assert result.exit_code == 1
    assert "BROKEN  database:" in result.stdout
    assert "-> fix that, or choose another database with --db" in result.stdout
    assert result.stdout.endswith("arena does not work here: fix database\n")


def test_without_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert isolation.bubblewrap().remedy == "apt-get install bubblewrap"
    assert isolation.limits().verdict == "broken"
    assert {finding.verdict for finding in languages.all_languages()} == {"less"}


@pytest.mark.parametrize(
    ("file", "value", "remedy"),
    [
        ("_APPARMOR", "1", "/etc/apparmor.d/bwrap"),
        ("_DEBIAN", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
        ("_MOST", "0", "sysctl -w user.max_user_namespaces"),
    ],
)
def test_what_keeps_bubblewrap_from_working(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, value: str, remedy: str
) -> None:
    for name in ("_APPARMOR", "_DEBIAN", "_MOST"):
        monkeypatch.setattr(isolation, name, tmp_path / "missing")
    switch = tmp_path / "switch"
    switch.write_text(f"{value}\n")
    monkeypatch.setattr(isolation, file, switch)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(choice, "probe", lambda: "Permission denied")
    found = isolation.bubblewrap()
    assert found.verdict == "less"
    assert "Permission denied" in found.sentence
    assert remedy in found.remedy


@pytest.mark.parametrize(
    ("version", "verdict", "sentence"),
    [(0, "less", "read your files"), (5, "less", "end your processes"), (6, "good", "")],
)
def test_how_well_the_kernel_fences(monkeypatch: pytest.MonkeyPatch, version: int, verdict: str, sentence: str) -> None:
    monkeypatch.setattr(isolation, "landlock_version", lambda: version)
    found = isolation.landlock()
    assert found.verdict == verdict
    assert sentence in found.sentence


def test_a_bot_that_does_not_come_up_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "No module named arena")
    monkeypatch.setattr(isolation, "_run", lambda *_: failed)
    found = isolation.bot(sound=True)
    assert found.verdict == "broken"
    assert "No module named arena" in found.sentence


@pytest.mark.parametrize(
    ("prefix", "missing", "remedy"),
    [
        (
            ".venv",
            "a C compiler",
            "install a C compiler (Debian: apt-get install gcc libc6-dev python3-dev), then: make",
        ),
        (".venv", "", "ARENA_COMPILE=codec make -B .venv/.run"),
        ("other", "", "ARENA_COMPILE=codec pip install -e "),
    ],
)
def test_a_codec_in_python_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, prefix: str, missing: str, remedy: str
) -> None:
    monkeypatch.delenv("ARENA_CODEC", raising=False)
    monkeypatch.setattr(codec, "NATIVE", True)
    assert (build_info.codec_name(), machine.codec().verdict) == ("native", "good")
    monkeypatch.setattr(codec, "NATIVE", False)
    monkeypatch.setattr(build_info, "source_time", lambda: 1)
    monkeypatch.setattr(build_info, "missing_tools", lambda: missing)
    monkeypatch.setattr("sys.prefix", os.path.join(extensions.ROOT, prefix))
    assert (build_info.codec_name(), machine.codec().verdict) == ("pure", "less")
    assert machine.codec().remedy.startswith(remedy)
    monkeypatch.setattr(build_info, "source_time", lambda: None)
    assert machine.codec().remedy.endswith("install botarena again")
    monkeypatch.setenv("ARENA_CODEC", "pure")
    assert machine.codec().remedy == "unset ARENA_CODEC"


def test_chance_by_hashlib_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "find_draws", lambda: object)
    assert (build_info.chance_name(), machine.chance().verdict) == ("native", "good")
    monkeypatch.setattr(draws, "find_draws", lambda: draws.Draws)
    monkeypatch.setattr(build_info, "is_enabled", lambda module: True)
    found = machine.chance()
    assert (build_info.chance_name(), found.verdict) == ("pure", "less")
    assert "hashlib" in found.sentence
    assert "OpenSSL" in found.remedy, "built, but it finds nothing to hash with"
    monkeypatch.setattr(build_info, "is_enabled", lambda module: False)
    monkeypatch.setattr(build_info, "source_time", lambda: None)
    assert machine.chance().remedy.endswith("install botarena-rules again")
    monkeypatch.setenv("ARENA_CODEC", "pure")
    assert machine.chance().remedy == "unset ARENA_CODEC"


@pytest.mark.processes
@pytest.mark.skipif(not extensions.is_current("referee.engine.native"), reason="the modules in Cython are not built")
def test_a_python_without_openssl_draws_chance_by_hashlib(tmp_path: Path) -> None:
    (tmp_path / "_hashlib.py").write_text("raise ImportError('this Python was built without OpenSSL')\n")
    environment = {name: value for name, value in os.environ.items() if name != "ARENA_CODEC"}
    run = subprocess.run(
        [sys.executable, "-m", "referee.build_info"],
        env=environment | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.startswith(
        "Chance is drawn in Python, not in C: matches take longer. For the other: use a Python"
    )


def test_a_full_disk_and_a_lonely_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})
    monkeypatch.setattr(machine, "ROOM_BYTES", 1 << 60)
    assert [machine.cores().verdict, machine.disk().verdict] == ["less", "less"]


def test_a_quota_is_told_with_the_group_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    half = CpuSupply(frozenset({0, 1}), 2, 0.5, Path("/sys/fs/cgroup/cpu/unit"))
    monkeypatch.setattr(machine, "cpu_supply", lambda: half)
    told = machine.cores()
    assert told.sentence == "0.5 of 2 cores, by the CPU quota of /sys/fs/cgroup/cpu/unit: the default is --jobs 1"
    assert told.verdict == "less"
    monkeypatch.setattr(machine, "cpu_supply", lambda: replace(half, affinity=frozenset(range(4)), quota=2.0))
    assert (machine.cores().verdict, machine.cores().remedy) == ("good", "")


@pytest.mark.parametrize(("is_counted", "verdict"), [(True, "good"), (False, "less")])
def test_whether_pauses_can_be_told_from_delays(
    is_counted: bool, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "is_counted", lambda: is_counted)
    assert machine.pauses().verdict == verdict


@pytest.mark.parametrize(("sound", "remedy"), [(True, "run arena as another user"), (False, "fix the problems above")])
def test_a_bot_that_cannot_start_points_to_problems_only_where_there_are_some(
    monkeypatch: pytest.MonkeyPatch, sound: bool, remedy: str
) -> None:
    def choose(mode: str) -> None:
        raise SandboxError("no room")

    monkeypatch.setattr("referee.sandbox.choose", choose)
    told = isolation.bot(sound=sound)
    assert told.verdict == "broken"
    assert told.remedy.startswith(remedy)


def test_a_cache_that_is_not_writable_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    found = serving.cache()
    assert (found.verdict, found.sentence.startswith(f"bots are unpacked into {tmp_path}/cache/bots, ")) == (
        "good",
        True,
    )
    assert not (tmp_path / "cache").exists(), "it changes nothing"
    (tmp_path / "cache").write_text("a file in its place")
    found = serving.cache()
    assert found.verdict == "broken"
    assert found.sentence == (
        f"{tmp_path}/cache/bots cannot be made, as {tmp_path}/cache is not writable (Not a directory): "
        "bots are unpacked there"
    )
    assert "set ARENA_CACHE" in found.remedy


def test_a_folder_without_rights_is_told_with_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryDirectory", refuse)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    found = serving.archives(tmp_path)
    assert found.sentence == f"{tmp_path} is not writable (Permission denied): archives are written there"
    assert found.remedy == "make it writable for root, or choose another folder for --archives"


def test_a_disk_without_room_for_bots_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 100, 1))
    assert serving.archives(tmp_path).verdict == "less"


def test_who_is_not_the_user_of_the_server_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    assert serving.user(str(db)).verdict == "good"
    db.touch()
    assert serving.user(str(db)).verdict == "good"
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    found = serving.user(str(db))
    assert found.verdict == "less"
    assert found.sentence.startswith("4000000, while ")
    assert "runuser -u" in found.remedy


def test_a_port_is_tested_where_one_is_given() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        found = serving.port("127.0.0.1", number)
        assert found.verdict == "broken"
        assert found.sentence == f"cannot listen on 127.0.0.1:{number} (Address already in use)"
    assert serving.port("127.0.0.1", number).verdict == "good"
    assert serving.port("203.0.113.7", number).remedy == "choose an address of this machine for --host"


def test_pages_without_their_libraries_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert serving.pages().verdict == "good"
    monkeypatch.setattr(serving, "find_spec", lambda name: None if name == "h11" else object())
    assert serving.pages().sentence == "no pages: h11 missing"


def test_archives_and_port_are_checked_where_they_are_given(tmp_path: Path) -> None:
    names = [next(checks).name for checks in [run_checks("arena.db", tmp_path, ("127.0.0.1", 1))] for _ in range(15)]
    assert names[9:] == ["user", "database", "cache", "archives", "pages", "port"]
