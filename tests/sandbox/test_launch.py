"""What a confined program can do, and what it cannot."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import sandbox
from referee.sandbox import bubblewrap, choice, filesystem_view, limits
from referee.sandbox.guardian import landlock_version
from referee.sandbox.user import new_user

pytestmark = pytest.mark.promise

Run = Callable[..., Any]

HERE = Path(__file__).parent
WITHOUT = choice.probe()


def needs_bwrap(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test in bubblewrap alone, and only where it works."""
    in_bubblewrap = pytest.mark.parametrize("mode", ["bwrap"], indirect=True)
    skipped = pytest.mark.skipif(bool(WITHOUT), reason=f"bubblewrap does not work here: {WITHOUT}")
    marked: Callable[..., None] = skipped(in_bubblewrap(test))
    return marked


needs_fence = pytest.mark.parametrize(
    "mode",
    [
        pytest.param("bwrap", marks=pytest.mark.skipif(bool(WITHOUT), reason=f"bubblewrap does not work: {WITHOUT}")),
        pytest.param("rlimits", marks=pytest.mark.skipif(not landlock_version(), reason="there is no Landlock here")),
    ],
    indirect=True,
)


def test_a_bot_sees_nothing_of_our_environment(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of ours")
    done = run("import os; print(sorted(os.environ)); print(os.getcwd())")
    names, folder = done.stdout.splitlines()
    assert set(names.strip("[]").replace("'", "").split(", ")) - {"PWD", "LC_CTYPE", "OLDPWD"} == set(
        sandbox.environment("", "")
    )
    assert folder == str(tmp_path)


def test_no_command_line_shows_the_token(run: Run) -> None:
    assert not any("a token" in word for word in run("pass").args)


def test_a_bot_cannot_hold_more_than_its_memory(run: Run) -> None:
    done = run("bytearray(300 << 20); print('got it')", memory=200 << 20)
    assert done.returncode == 1
    assert "MemoryError" in done.stderr


def test_paths_may_go_up(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def up(path: str) -> str:
        return os.path.join(tmp_path, "bot", os.path.relpath(path, tmp_path / "bot"))

    bot = tmp_path / "bot" / "bot.py"
    bot.parent.mkdir()
    bot.write_text("import arena.sdk, sys; print(sys.argv[1])")
    tmp_path.joinpath("elsewhere").mkdir()
    tmp_path.joinpath("link").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setattr(sys, "prefix", up(sys.prefix))
    monkeypatch.setattr(sys, "base_prefix", up(sys.base_prefix))
    filesystem_view.runtime.cache_clear()
    try:
        for word in (up(str(bot)), f"{tmp_path}/link/../bot/bot.py", f"{tmp_path}/elsewhere/../bot/bot.py"):
            done = run([up(sys.executable), word, "a/../b"], folder=bot.parent / ".." / "bot")
            assert done.stdout == "a/../b\n", done.stderr
    finally:
        filesystem_view.runtime.cache_clear()


def test_a_bot_sees_what_distributions_of_a_checkout_add_to_arena_and_nothing_else_of_these(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("arena", "packages/botarena-owl/arena/owl", "packages/botarena-owl/tests", "packages/other"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(filesystem_view, "HOME", str(tmp_path))
    filesystem_view.homes.cache_clear()
    filesystem_view.runtime.cache_clear()
    try:
        assert filesystem_view.homes() == (str(tmp_path), f"{tmp_path}/packages/botarena-owl")
        ours = {path for path in filesystem_view.runtime() if path.startswith(f"{tmp_path}/")}
        assert ours == {f"{tmp_path}/arena", f"{tmp_path}/packages/botarena-owl/arena"}
    finally:
        filesystem_view.homes.cache_clear()
        filesystem_view.runtime.cache_clear()


def test_a_straight_path_leads_to_the_same_file(tmp_path: Path) -> None:
    for name in ("bin", "deep/bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "deep" / "python").write_text("a program")
    (tmp_path / "bin" / "python").symlink_to("../deep/python")
    (tmp_path / "link").symlink_to("deep/bin")
    assert filesystem_view.straight(f"{tmp_path}/deep/../bin/python") == f"{tmp_path}/bin/python"
    assert filesystem_view.straight(f"{tmp_path}/link/../python") == f"{tmp_path}/deep/python"
    assert filesystem_view.straight(f"{tmp_path}/link/..") == f"{tmp_path}/deep"
    assert filesystem_view.straight(f"{tmp_path}/bin/../nothing") == f"{tmp_path}/nothing"
    words = ["python", "../bot", f"{tmp_path}/bin/../bin/python", f"{tmp_path}/", "--to=/a/../b"]
    assert filesystem_view.straight_words(words) == [
        "python",
        "../bot",
        f"{tmp_path}/bin/python",
        f"{tmp_path}/",
        "--to=/a/../b",
    ]


def test_what_a_user_has_only_once_is_not_used_up(run: Run) -> None:
    done = run("""
import resource
for name in ("NOFILE", "MEMLOCK", "SIGPENDING", "MSGQUEUE", "CORE"):
    print(resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1])
""")
    most = (limits.OPEN_FILES, limits.LOCKED_BYTES, limits.PENDING_SIGNALS, 0, 0)
    assert all(int(line) <= limit for line, limit in zip(done.stdout.split(), most, strict=True)), done.stdout


def test_the_exit_code_is_passed_on(run: Run) -> None:
    assert run("raise SystemExit(42)").returncode == 42
    assert run("import os; os.kill(os.getpid(), 9)").returncode == 128 + 9


def test_the_sdk_is_there(run: Run) -> None:
    done = run("import arena.sdk, grpc, referee.v1.cambio_pb2; print('there')")
    assert done.stdout == "there\n", done.stderr


def test_the_configuration_that_programs_need_can_be_read(run: Run) -> None:
    wanted = [path for path in filesystem_view.etc() if os.path.isfile(path)]
    done = run(f"for path in {wanted!r}: open(path).close(); print(path)")
    assert done.stdout.splitlines() == wanted, done.stderr
    assert wanted


def test_nobody_is_dialled(run: Run) -> None:
    code = """
import socket
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_VSOCK, socket.AF_PACKET):
    try:
        socket.socket(family)
    except OSError as error:
        print(error.strerror)
print(socket.socket(socket.AF_UNIX).family.name)
"""
    done = run(code)
    assert done.stdout.splitlines() == [*["Address family not supported by protocol"] * 5, "AF_UNIX"], done.stderr


def test_nothing_of_ours_can_be_written(run: Run, tmp_path: Path) -> None:
    code = f"""
for path in ({str(tmp_path)!r}, "/usr", "/var", "/", "/dev", "/etc"):
    try:
        open(path + "/trace", "w")
    except OSError as error:
        print(error.strerror)
"""
    words = run(code).stdout.splitlines()
    assert len(words) == 6
    assert set(words) <= {"Read-only file system", "Permission denied", "No such file or directory"}


def test_files_of_others_cannot_be_read(run: Run, tmp_path: Path) -> None:
    tmp_path.joinpath("mine").mkdir()
    mine = tmp_path / "mine" / "book"
    mine.write_text("my book")
    other = HERE / "test_launch.py"
    paths = [str(mine), str(other), "/etc/shadow", os.path.expanduser("~/.bashrc"), "/proc/1/environ"]
    code = f"""
for path in {paths!r}:
    try:
        print(repr(open(path).read(7)))
    except OSError as error:
        print(error.strerror)
"""
    words = run(code, folder=mine.parent).stdout.splitlines()
    assert words[0] == "'my book'"
    assert set(words[1:-1]) <= {"No such file or directory", "Permission denied"}
    assert words[-1] in ("Permission denied", "'ARENA_A'", "'HOME=/t'"), "process 1 is the bot's own, or out of reach"


@needs_fence
def test_of_the_process_table_a_bot_reads_itself_and_the_machine(run: Run) -> None:
    others = [f"/proc/{os.getpid()}/{name}" for name in ("cmdline", "comm", "stat", "status", "task")]
    code = f"""
import os
for path in ("/proc/self/stat", "/proc/thread-self/comm", "/proc/cpuinfo", "/proc/meminfo", "/proc/sys/kernel/ostype"):
    print(len(open(path).read()) > 0)
for path in {others!r}:
    try:
        print(os.listdir(path) if path.endswith("task") else open(path).read())
    except OSError as error:
        print(error.strerror)
"""
    words = run(code).stdout.splitlines()
    assert words[:5] == ["True"] * 5
    assert set(words[5:-1]) <= {"Permission denied", "No such file or directory"}


def test_what_is_hidden_is_left_out_and_its_neighbours_are_not(tmp_path: Path) -> None:
    for name in ("bots/owl/bot", "bots/crow/bot", "bots/readme", "book"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "bots" / "link").symlink_to(tmp_path / "bots" / "crow")
    paths = [f"{tmp_path}/{name}" for name in ("bots", "book", "bots/crow", "nothing")]
    hidden = [f"{tmp_path}/bots/crow", f"{tmp_path}/bots/owl/bot"]
    shown, listed = filesystem_view.without(paths, hidden)
    assert shown == [f"{tmp_path}/{name}" for name in ("bots/readme", "book", "nothing")]
    assert listed == [f"{tmp_path}/bots", f"{tmp_path}/bots/owl"]
    assert filesystem_view.without(paths, []) == (paths, [])


@needs_bwrap
def test_there_is_no_neighbour_and_a_private_place_to_write(run: Run) -> None:
    code = """
import os
print(len([pid for pid in os.listdir("/proc") if pid.isdigit()]) < 6)
print(os.path.exists("/sys"), os.uname().nodename, os.getuid() != 0)
open("/tmp/mine", "w").write("private")
open("/dev/shm/mine", "w").write("private")
"""
    done = run(code)
    assert done.stdout.splitlines() == ["True", "False arena True"], done.stderr
    assert done.returncode == 0, done.stderr
    assert not os.path.exists("/tmp/mine")


@needs_bwrap
def test_the_disk_cannot_be_filled(run: Run) -> None:
    code = """
import errno
for path in ("/tmp/a", "/tmp/b", "/dev/shm/c"):
    try:
        with open(path, "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
    except OSError as error:
        print(errno.errorcode[error.errno])
"""
    done = run(code)
    assert set(done.stdout.split()) <= {"ENOSPC", "EFBIG"}, done.stderr
    assert len(done.stdout.split()) == 3


@needs_fence
def test_a_database_beside_the_bot_is_hidden_and_its_own_book_is_not(run: Run, tmp_path: Path) -> None:
    header = b"SQLite format 3\0"
    (tmp_path / "games.db").write_bytes(header + b"CREATE TABLE alembic_version")
    (tmp_path / "games.db-wal").write_bytes(b"the secret")
    (tmp_path / "young.db").write_bytes(header)
    (tmp_path / "young.db-wal").write_bytes(b"CREATE TABLE alembic_version")
    (tmp_path / "book.db").write_bytes(header + b"CREATE TABLE openings")
    code = """
import os
for name in sorted(os.listdir(".")):
    try:
        print(name, len(open(name, "rb").read()))
    except OSError:
        print(name, "-")
"""
    lines = run(code).stdout.splitlines()
    assert lines == ["book.db 37", "games.db -", "games.db-wal -", "young.db -", "young.db-wal -"]


@needs_fence
def test_databases_in_folders_below_are_hidden_too(run: Run, tmp_path: Path) -> None:
    folders = [tmp_path / "results", tmp_path / "results/2026/may", tmp_path / "old", tmp_path / "venv"]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(33 if folder.name == "old" else 1):
            (folder / f"{number}.db").write_bytes(OLD_DATABASE)
        (folder / "notes.txt").write_text("notes")
    code = """
import os
for folder in ("results", "results/2026/may", "old", "venv"):
    for name in ("0.db", "notes.txt"):
        try:
            print(folder, name, len(open(os.path.join(folder, name), "rb").read()))
        except OSError:
            print(folder, name, "-")
"""
    assert run(code).stdout.splitlines() == [
        "results 0.db -", "results notes.txt 5", "results/2026/may 0.db -", "results/2026/may notes.txt 5",
        "old 0.db -", "old notes.txt -", "venv 0.db 31", "venv notes.txt 5",
    ]  # fmt: skip
    assert str(tmp_path / "old") in filesystem_view.databases(str(tmp_path)), "one mount, not 33"


def test_folders_below_are_searched_as_far_as_that_is_quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b/c", "b/c/d"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "x.db").write_bytes(OLD_DATABASE)
    nearest_first = [str(tmp_path / name / "x.db") for name in ("a", "b/c", "b/c/d")]
    assert filesystem_view.databases(str(tmp_path)) == nearest_first
    monkeypatch.setattr(filesystem_view, "SEARCHED_FILES", 6)  # a, b; a/x.db; b/c; b/c/x.db, b/c/d
    assert filesystem_view.databases(str(tmp_path)) == nearest_first[:2]
    times = iter([0.0] * 5 + [99.0])  # the deadline; a, b; a/x.db, b/c; b/c/x.db or b/c/d
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    assert filesystem_view.databases(str(tmp_path)) == nearest_first[:1]


OLD_DATABASE = b"SQLite format 3\0alembic_version"


@pytest.mark.slow
@needs_fence
def test_a_folder_of_ten_thousand_files_with_databases_among_them_starts(run: Run, tmp_path: Path) -> None:
    for number in range(10_000):
        (tmp_path / f"{number:0240}").touch()
    deep = tmp_path
    for _ in range(200):
        deep = deep / "deep"
        deep.mkdir()
    for number in range(100):
        (tmp_path / f"{number}.db").write_bytes(OLD_DATABASE)
    code = """
import os
def readable(name):
    try:
        return open(name, "rb").read() is not None
    except OSError:
        return False
print(sum(readable(f"{number:0240}") for number in range(10_000)), [readable(f"{number}.db") for number in range(100)])
"""
    done = run(code)
    assert done.stdout == f"10000 {[False] * 100}\n", done.stderr


def test_what_lies_in_a_folder_does_not_lengthen_a_start(
    confinement: sandbox.Confinement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = new_user()
    monkeypatch.setattr("referee.sandbox.launch.new_user", lambda: user)  # drawing one takes more calls or fewer
    for name in ("full", "empty"):
        (tmp_path / name).mkdir()
    for number in range(1000):
        (tmp_path / f"full/{number:0240}").touch()
    deep = tmp_path / "full" / "/".join(["deep"] * 200)
    deep.mkdir(parents=True)
    for number in range(100):
        (tmp_path / f"full/{number}.db").write_bytes(OLD_DATABASE)
    confinement = replace(confinement, groups=None)  # removing those of earlier bots varies
    calls: dict[str, int] = {}

    def count(frame: object, event: str, argument: object) -> None:
        calls[name] += event in ("call", "c_call")

    folders = {"empty": tmp_path / "empty", "full": tmp_path / "full", "deep": deep}
    for name, path in folders.items():
        folder = str(path)
        shown = sandbox.view(["/bin/true"], folder, confinement)
        for _ in range(2):  # the first one fills caches
            calls[name] = 0
            sys.setprofile(count)
            launch = sandbox.confined(
                ["/bin/true"], folder, sockets="/usr", env={}, memory_bytes=1 << 28, confinement=confinement,
                shown=shown,
            )  # fmt: skip
            sys.setprofile(None)
            launch.close()
            launch.end()
    assert calls["deep"] == calls["full"] == calls["empty"], "this is done in the loop that keeps the clocks of others"


def test_each_file_beside_hidden_ones_is_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(200):
        (tmp_path / f"{number}.db").write_bytes(OLD_DATABASE)
        (tmp_path / f"{number}.txt").touch()
    resolved: list[str] = []
    resolve = os.path.realpath

    def counting(path: str) -> str:
        resolved.append(path)
        return resolve(path)

    monkeypatch.setattr(os.path, "realpath", counting)
    hidden = filesystem_view.databases(str(tmp_path))
    shown, split = filesystem_view.without([str(tmp_path)], hidden)
    assert (len(hidden), len(shown), split) == (200, 200, [str(tmp_path)])
    assert len(resolved) == len(set(resolved)) == 201, "the folder and what is hidden, each once"


def test_too_much_in_a_folder_is_refused_and_the_bot_is_told_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        (tmp_path / f"{number}.db").write_bytes(OLD_DATABASE)
        (tmp_path / f"{number}.txt").touch()
    folder = str(tmp_path)
    every = [str(tmp_path / f"{number}.txt") for number in range(10)]
    for name, value, call, sentence in (
        ("SEARCHED_FILES", 19, lambda: filesystem_view.databases(folder), "more than 19 files"),
        ("SEARCH_SECONDS", -1.0, lambda: filesystem_view.databases(folder), "searched within -1 s"),
        ("HIDDEN_FILES", 9, lambda: filesystem_view.databases(folder), "more than 9 files of arena's databases"),
        ("HIDDEN_FILES", 9, lambda: filesystem_view.others(folder, ["bot"], every), "more than 9 files of other bots"),
        ("SHOWN_BYTES", 99, lambda: filesystem_view.without([folder], every), "shown one by one"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(filesystem_view, name, value)
            with pytest.raises(OSError, match=sentence) as refused:
                call()
            assert str(refused.value.strerror).startswith("in its folder "), "as it stands in the bot's fault"


@needs_fence
def test_other_bots_in_the_same_folder_are_hidden(run: Run, tmp_path: Path) -> None:
    for name in ("mine.py", "theirs.py", "shared.py"):
        (tmp_path / name).write_text(f"print({name!r})")
    owl = tmp_path / "owl"
    owl.mkdir()
    (owl / "bot").write_text("an owl")
    (tmp_path / "mine.py").write_text("""
import os
import shared
for path in ("theirs.py", "owl/bot"):
    try:
        open(path)
    except OSError as error:
        print(error.strerror)
""")
    others = [str(tmp_path), str(tmp_path / "theirs.py"), str(owl), str(owl / "bot"), str(tmp_path / "mine.py")]
    done = run([sys.executable, str(tmp_path / "mine.py")], others=others)
    assert done.stdout.splitlines() == ["shared.py", *["Permission denied"] * 2], done.stderr


@needs_bwrap
def test_of_a_home_only_the_files_of_the_command_line_are_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystem_view, "_homes", lambda: (str(tmp_path),))
    (tmp_path / "secrets").write_text("of mine")
    (tmp_path / "bot.py").write_text("import os; print(sorted(os.listdir('.')), os.getcwd())")
    done = run([sys.executable, "bot.py"])
    assert done.stdout == f"['bot.py'] {tmp_path}\n", done.stderr


@needs_bwrap
def test_what_only_its_owner_may_read_is_shown_all_the_same(run: Run, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    book = tmp_path / "book"
    book.write_text("an opening")
    book.chmod(0o600)
    reading = "print(open('book').read())"
    assert run(reading).stdout == "an opening\n"
    book.write_text("another opening")
    assert run(reading).stdout == "another opening\n"


@needs_bwrap
def test_the_kernel_cannot_be_told_anything(run: Run) -> None:
    code = """
import ctypes
for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"):
    try:
        open(path, "w")
    except OSError as error:
        print(error.strerror)
print(ctypes.CDLL(None).unshare(0x10000000))  # a user namespace
"""
    *words, unshared = run(code).stdout.splitlines()
    assert len(words) == 2
    assert set(words) <= {"Permission denied", "Read-only file system", "No such file or directory"}
    assert unshared == "-1"


@needs_bwrap
def test_of_a_folder_full_of_other_bots_the_rest_is_shown_by_few_mounts(run: Run, tmp_path: Path) -> None:
    others = [tmp_path / f"other{number}.py" for number in range(200)]
    for other in others:
        other.write_text("theirs")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/book").write_text("an opening")
    (tmp_path / "link").symlink_to("shared/book")
    (tmp_path / "shared/games.db").write_bytes(OLD_DATABASE)
    done = run(
        """
import os
print(sorted(os.listdir(".")), open("link").read())
for path in ("shared/games.db", "other7.py"):
    try:
        open(path, "rb")
    except OSError as error:
        print(error.strerror)
try:
    open("mine", "w")
except OSError as error:
    print(error.strerror)
""",
        others=[str(other) for other in others],
    )
    assert done.stdout.splitlines() == [
        "['link', 'shared'] an opening",
        "Permission denied",
        "No such file or directory",
        "Read-only file system",
    ], done.stderr
    assert sum(str(tmp_path) in word for word in done.args) < 20


@needs_fence
def test_what_is_hidden_is_hidden_by_every_path_that_leads_to_it(run: Run, tmp_path: Path) -> None:
    folder, link = tmp_path / "bots", tmp_path / "link"
    folder.mkdir()
    link.symlink_to("bots")
    (folder / "theirs.py").write_text("theirs")
    (folder / "games.db").write_bytes(OLD_DATABASE)
    (tmp_path / "elsewhere.db").write_bytes(OLD_DATABASE)
    (folder / "linked.db").symlink_to(tmp_path / "elsewhere.db")
    code = f"""
for folder in ({str(folder)!r}, {str(link)!r}):
    for name in ("theirs.py", "games.db", "linked.db"):
        try:
            print(open(folder + "/" + name, "rb").read())
        except OSError as error:
            print(name, "-")
"""
    done = run(code, folder=link, others=[str(folder / "theirs.py")])
    assert done.stdout.splitlines() == ["theirs.py -", "games.db -", "linked.db -"] * 2, done.stderr


def test_folders_above_a_runtime_below_tmp_are_made_after_tmp_and_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filesystem_view, "runtime", lambda: ("/tmp/odd/venv",))
    own = bubblewrap.showing([], "/srv/bot")
    words = bubblewrap.wrapping(own, "/srv/bot", sockets="/run/dial", hiding=(), filter_fd=None, user=None)
    made = next(at for at in range(len(words)) if words[at : at + 4] == ["--perms", "0755", "--dir", "/tmp/odd"])
    emptied = next(at for at in range(len(words)) if words[at : at + 2] == ["--tmpfs", "/tmp"])
    shown = next(at for at in range(len(words)) if words[at : at + 2] == ["--ro-bind", "/tmp/odd/venv"])
    assert emptied < made < shown
