"""Build steps run for real, in bubblewrap."""

import os
import shutil
from ast import literal_eval
from dataclasses import replace
from pathlib import Path

import pytest

from arena.packs import build as building
from arena.packs import build_sandbox
from arena.packs.build import BuildTerms, build
from arena.packs.errors import BuildError
from arena.packs.manifest import Manifest
from referee.sandbox import Confinement, choose

LIMITED = groups.controllers if (groups := choose("auto").groups) else ()

pytestmark = [
    pytest.mark.skipif(choose("auto").mode != "bwrap", reason="bubblewrap does not work here"),
    pytest.mark.promise,
]


def run(folder: Path, code: str, terms: BuildTerms | None = None) -> str:
    (folder / "make.py").write_text(code)
    return build(Manifest("python", ("./bot",), build=("python3", "make.py")), folder, terms or BuildTerms())


def test_what_it_writes_into_its_folder_stays_and_what_it_prints_is_told(tmp_path: Path) -> None:
    printed = run(tmp_path, "print('\\x1b[1mhello'); open('bot', 'w').write('made'); open('/tmp/x', 'w').write('')")
    assert printed == "\\x1b[1mhello\n"
    assert (tmp_path / "bot").read_text() == "made"


def test_it_reads_and_writes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "arena.db").write_text("secret")
    (tmp_path / "bot").mkdir()
    code = f"""
import os
for path in ({str(tmp_path / "secret" / "arena.db")!r}, "/root/.bashrc", "/var/log"):
    assert not os.path.exists(path), path
for path in ("/usr/x", "/etc/x", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"):
    try:
        open(path, "w")
    except OSError:
        continue
    raise SystemExit(path)
assert os.getuid() != 0
assert "ARENA_TOKEN" not in os.environ and os.environ["HOME"] == "/tmp"
assert len([each for each in os.listdir("/proc") if each.isdigit()]) < 5
"""
    run(tmp_path / "bot", code)


def test_there_is_a_network_only_where_it_is_granted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import os, socket; print(sorted(name for _, name in socket.if_nameindex()), os.environ.get('NO_PROXY'))"
    monkeypatch.setenv("NO_PROXY", "mine")
    assert run(tmp_path, code) == "['lo'] None\n"
    here = run(tmp_path, code, BuildTerms(network=True))
    assert here.endswith("] mine\n")
    assert here == f"{sorted(os.listdir('/sys/class/net'))} mine\n"


def test_with_the_network_names_are_resolved_as_on_this_machine(tmp_path: Path) -> None:
    code = """
from pathlib import Path
for name in ("nsswitch.conf", "resolv.conf", "hosts"):
    file = Path("/etc", name)
    print(ascii(file.read_text() if file.exists() else None))
"""
    here = [ascii(file.read_text() if file.exists() else None) for file in (
        Path("/etc", name) for name in ("nsswitch.conf", "resolv.conf", "hosts")
    )]  # fmt: skip
    assert run(tmp_path, code, BuildTerms(network=True)).splitlines() == here
    assert run(tmp_path, code).splitlines()[:2] == [ascii("passwd: files\ngroup: files\nhosts: files\n"), "None"]


FETCHES = Manifest("python", ("./bot",), build=("python3", "make.py"), build_network=True)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home in which package managers have fetched something, beside settings of theirs."""
    home = tmp_path / "home"
    for name in (".cargo/registry/cache/one", ".npm/_cacache/index-v5/two", ".m2/repository/three"):
        (home / name).parent.mkdir(parents=True)
        (home / name).write_text("fetched")
    for name in (".cargo/credentials.toml", ".npm/settings", ".m2/settings.xml"):
        (home / name).write_text("secret")
    for folder in (home, *home.rglob("*")):
        folder.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    for variable in ("CARGO_HOME", "npm_config_cache"):
        monkeypatch.delenv(variable, raising=False)
    return home


SEEN = """
import os, socket
from pathlib import Path
print(sorted(str(path) for path in Path("/tmp").glob(".*/**/*") if path.is_file()), len(socket.if_nameindex()) > 1)
"""


def test_one_that_may_fetch_libraries_is_tried_without_the_network_first(tmp_path: Path, home: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    code = """
Path("/tmp/.npm/_cacache/index-v5/two").write_text("a copy")
Path("/tmp/.cargo/lock").touch()
try:
    Path("/tmp/.m2/repository/three").write_text("changed")
except OSError:
    print("read-only")
"""
    (bot / "make.py").write_text(SEEN + code)
    fetched = [".cargo/registry/cache/one", ".fetched/.npm/_cacache/index-v5/two", ".m2/repository/three"]
    shown = sorted(f"/tmp/{name}" for name in [*fetched, ".npm/_cacache/index-v5/two"])
    assert build(FETCHES, bot, BuildTerms(network=True)) == f"{shown} False\nread-only\n"
    assert (home / ".npm/_cacache/index-v5/two").read_text() == "fetched"
    assert set(os.listdir(tmp_path)) == {"home", "bot"}


def test_of_the_folder_of_cargo_it_sees_the_programs_alone(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cargo = home / ".cargo/bin/cargo"
    cargo.parent.mkdir()
    cargo.write_text("#!/bin/sh\n")
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{cargo.parent}:{os.environ['PATH']}")
    (tmp_path / "bot").mkdir()
    code = f"import os; print(os.listdir({str(cargo.parent.parent)!r}), os.listdir({str(cargo.parent)!r}))"
    assert run(tmp_path / "bot", code) == "['bin'] ['cargo']\n"


def test_what_was_not_fetched_before_is_fetched_in_a_folder_as_it_was(tmp_path: Path, home: Path) -> None:
    assert home.exists()
    bot = tmp_path / "bot"
    bot.mkdir()
    code = """
try:
    Path("half").touch(exist_ok=False)
except FileExistsError:
    raise SystemExit("this folder is not as it was")
if Path("/tmp/.m2").exists():
    raise SystemExit("something is missing")
Path("bot").touch()
"""
    (bot / "make.py").write_text(SEEN + code)
    assert build(FETCHES, bot, BuildTerms(network=True)).startswith("[] ")
    assert sorted(os.listdir(bot)) == ["bot", "half", "make.py"]
    assert set(os.listdir(tmp_path)) == {"home", "bot"}


def test_where_both_fail_both_are_told(tmp_path: Path, home: Path) -> None:
    assert home.exists()
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "make.py").write_text("import os; raise SystemExit('no x' if os.path.exists('/tmp/.m2') else 'no network')")
    with pytest.raises(BuildError) as failure:
        build(FETCHES, bot, BuildTerms(network=True))
    assert str(failure.value) == (
        "the build (python3 make.py) exited with code 1:\n    no network\n(before that it was tried without the "
        "network, with the libraries that this user has fetched before:\n    no x)"
    )
    (bot / "make.py").write_text("raise SystemExit('a mistake')")
    with pytest.raises(BuildError, match=r"code 1:\n    a mistake$"):
        build(FETCHES, bot, BuildTerms(network=True))


def test_one_that_fails_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as failure:
        run(tmp_path, "for n in range(40): print(n)\nraise SystemExit(3)")
    first, *rest = str(failure.value).splitlines()
    assert first == (
        "the build (python3 make.py) exited with code 3, without a network (--build-network grants access):"
    )
    assert [line.strip() for line in rest] == [str(number) for number in range(25, 40)]


def test_one_that_does_not_end_is_ended_with_all_it_started(tmp_path: Path) -> None:
    code = "import os, time\nif os.fork(): os.setsid\nprint('on', flush=True)\nwhile True: time.sleep(1)"
    with pytest.raises(BuildError, match=r"took longer than 0.5 s:\n    on"):
        run(tmp_path, code, BuildTerms(seconds=0.5))


def test_one_that_fills_the_disk_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "DISK_BYTES", 32 * 1024**2)
    code = "for n in range(9): open(f'x{n}', 'wb').write(bytes(16 * 1024**2))\nimport time; time.sleep(600)"
    with pytest.raises(BuildError, match="wrote more than 32 MB"):
        run(tmp_path, code, BuildTerms(seconds=60))


def test_its_tmp_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_sandbox, "TMP_BYTES", 8 * 1024**2)
    code = """
import errno
for folder in ("/tmp", "/dev/shm", "/dev", "/"):
    try:
        with open(f"{folder}/x", "wb") as file:
            file.write(bytes(16 * 1024**2))
    except OSError as error:
        print(folder, errno.errorcode[error.errno])
"""
    printed = run(tmp_path, code).splitlines()
    assert printed == ["/tmp ENOSPC", "/dev/shm ENOSPC", "/dev EROFS", "/ EROFS"]


@pytest.mark.skipif("memory" not in LIMITED, reason="no control groups that limit memory")
def test_its_processes_and_its_tmp_share_their_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "MEMORY_BYTES", 64 * 1024**2)
    code = "for n in range(8): open(f'/tmp/{n}', 'wb').write(bytes(16 * 1024**2))"
    with pytest.raises(BuildError, match="used more than 64 MB of memory"):
        run(tmp_path, code, BuildTerms(seconds=60))


READ_ONLY = """
import ctypes, mmap, time
held = []
for n in range(8):
    m = mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); held.append(m); m.write(bytes(16 << 20))
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(m))), 16 << 20, 1)
time.sleep(600)
"""
CHILDREN = """
import os, time
for n in range(8):
    if not os.fork():
        held = os.urandom(1 << 20) * 16
        time.sleep(600)
time.sleep(600)
"""
FILES = "for n in range(8): open(f'/tmp/{n}', 'wb').write(bytes(16 << 20))\nimport time; time.sleep(600)"


@pytest.mark.parametrize("code", [READ_ONLY, CHILDREN, FILES], ids=["read-only", "children", "files"])
def test_without_control_groups_its_memory_is_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(building, "choose", lambda mode: replace(choose(mode), groups=None))
    monkeypatch.setattr(building, "MEMORY_BYTES", 64 * 1024**2)
    with pytest.raises(BuildError, match=r"the build \(python3 make.py\) used more than 64 MB of memory"):
        run(tmp_path, code, BuildTerms(seconds=60))


UNSEEN = """
import ctypes, mmap, os, resource
libc = ctypes.CDLL(None, use_errno=True)
def attempt(what, call):
    try:
        call()
    except OSError as error:
        print(what, error.strerror)
    else:
        print(what, "done")
def get_segment():
    if libc.shmget(0, 4096, 0o1600) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
attempt("nameless file:", lambda: os.memfd_create("x"))
attempt("segment:", get_segment)
attempt("anonymous:", lambda: mmap.mmap(-1, 4096))
attempt("zeros:", lambda: os.open("/dev/zero", os.O_RDWR))
print("files:", resource.getrlimit(resource.RLIMIT_NOFILE)[1])
"""


def test_without_control_groups_it_makes_no_memory_that_no_process_maps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "choose", lambda mode: replace(choose(mode), groups=None))
    assert run(tmp_path, UNSEEN).splitlines() == [
        "nameless file: Function not implemented", "segment: Function not implemented",
        "anonymous: Cannot allocate memory", "zeros: Permission denied", "files: 4096",
    ]  # fmt: skip


@pytest.mark.skipif("memory" not in LIMITED, reason="no control groups that limit memory")
def test_where_its_memory_is_counted_a_build_makes_any(tmp_path: Path) -> None:
    assert all(line.endswith("done") for line in run(tmp_path, UNSEEN).splitlines()[:-1])


def test_it_sees_no_settings_of_servers(tmp_path: Path) -> None:
    seen = run(tmp_path, "import os; print(os.listdir('/etc'), os.path.exists('/etc/shadow'), os.listdir('/etc/ssl'))")
    assert "False" in seen
    allowed = {
        *("alternatives", "ca-certificates", "ca-certificates.conf", "dotnet", "group", "hosts", "ld.so.cache"),
        *("ld.so.conf", "ld.so.conf.d", "localtime", "maven", "nsswitch.conf", "passwd", "pki", "ssl"),
    }
    others = set(literal_eval(seen.partition("]")[0] + "]")) - allowed
    assert not [name for name in others if not name.startswith(("java-", "python3"))]
    assert "private" not in seen


def test_one_that_floods_is_kept_within_bounds(tmp_path: Path) -> None:
    assert len(run(tmp_path, "for n in range(100_000): print('x' * 10)")) == 64 * 1024


def test_it_is_refused_where_it_could_not_be_confined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "choose", lambda mode: Confinement("rlimits", "no bubblewrap"))
    with pytest.raises(BuildError, match=r"none for it \(no bubblewrap\): build the bot yourself"):
        run(tmp_path, "")


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>
</project>"""


@pytest.mark.toolchain
@pytest.mark.parametrize("counted", [True, False], ids=["groups", "no groups"])
@pytest.mark.parametrize(
    ("program", "files", "command"),
    [
        ("cc", {"main.c": "int main(void) { return 0; }"}, ("cc", "-o", "bot", "main.c")),
        ("go", {"main.go": "package main\nfunc main() {}", "go.mod": "module x\n"}, ("go", "build", "-o", "bot")),
        ("rustc", {"main.rs": "fn main() {}"}, ("rustc", "-o", "bot", "main.rs")),
        ("javac", {"Bot.java": "class Bot {}"}, ("javac", "-d", "bot", "Bot.java")),
        ("mvn", {"pom.xml": POM}, ("sh", "-c", "mvn --offline --quiet validate && touch bot")),
        ("node", {"make.js": "require('fs').writeFileSync('bot', '')"}, ("node", "make.js")),
    ],
)  # fmt: skip
def test_the_usual_compilers_work_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    files: dict[str, str],
    command: tuple[str, ...],
    counted: bool,
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    if not counted:
        monkeypatch.setattr(building, "choose", lambda mode: replace(choose(mode), groups=None))
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    build(Manifest("any", ("./bot",), build=command), tmp_path, BuildTerms())
    assert (tmp_path / "bot").exists()
