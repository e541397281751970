"""What a grant of the network or of a device opens, and what stays closed."""

import errno
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import sandbox
from referee.sandbox import choice, launch
from referee.sandbox.grants import GrantError, Grants, missing_device, read_grants
from referee.sandbox.guardian import SCOPES_FROM, landlock_version

pytestmark = pytest.mark.promise

Run = Callable[..., Any]

NETWORK = ("network",)

needs_scope = pytest.mark.skipif(landlock_version() < SCOPES_FROM, reason="Landlock here cannot scope abstract sockets")


@pytest.fixture
def greeter() -> Iterator[int]:
    """A server on this machine that greets whoever connects; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(b"hello")

        thread = threading.Thread(target=greet)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def dialling(port: int) -> str:
    return f"""
import socket
try:
    with socket.create_connection(("localhost", {port}), timeout=5) as connection:
        print(connection.recv(5).decode())
except OSError as error:
    print("failed:", error)
"""


def test_the_network_is_there_by_a_grant_alone(run: Run, greeter: int) -> None:
    done = run(dialling(greeter), grants=NETWORK)
    assert done.stdout == "hello\n", done.stderr
    assert run(dialling(greeter)).stdout.startswith("failed: ")
    assert run(dialling(greeter), grants=["device:/dev/full"]).stdout.startswith("failed: ")


def test_only_tcp_and_udp_are_opened(run: Run) -> None:
    code = """
import socket
from socket import AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCK_STREAM
for family, kind, protocol in (
    (AF_INET, SOCK_STREAM | socket.SOCK_NONBLOCK, 0), (AF_INET6, SOCK_DGRAM, 17), (AF_INET, SOCK_STREAM, 6),
    (AF_INET, SOCK_RAW, 1), (AF_INET, SOCK_DGRAM, 1), (AF_INET6, SOCK_RAW, 58), (AF_INET, SOCK_SEQPACKET, 132),
    (AF_INET, SOCK_STREAM, 262), (AF_INET, 10, 0), (AF_NETLINK, SOCK_RAW, 0), (AF_PACKET, SOCK_RAW, 0),
    (AF_VSOCK, SOCK_STREAM, 0),
):
    try:
        print(socket.socket(family, kind, protocol).family.name)
    except OSError as error:
        print(error.errno)
"""
    done = run(code, grants=NETWORK)
    assert done.stdout.split() == ["AF_INET", "AF_INET6", "AF_INET", *[str(errno.EAFNOSUPPORT)] * 9], done.stderr


@needs_scope
def test_no_abstract_socket_of_others_is_reached_and_no_port_taken(run: Run) -> None:
    name = f"arena-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as mailbox:
        server.bind(f"\0{name}")
        server.listen()
        mailbox.bind(f"\0{name}-mail")
        code = f"""
import os, socket
def attempt(call, *arguments):
    try:
        call(*arguments)
        print("reached")
    except OSError as error:
        print(error.strerror)
attempt(socket.socket(socket.AF_UNIX).connect, "\\0{name}")
attempt(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto, b"x", "\\0{name}-mail")
attempt(socket.socket(socket.AF_INET).bind, ("127.0.0.1", 0))
attempt(os.kill, {os.getpid()}, 0)
own = socket.socket(socket.AF_UNIX)
own.bind("\\0{name}-own")
own.listen()
attempt(socket.socket(socket.AF_UNIX).connect, "\\0{name}-own")
"""
        done = run(code, grants=NETWORK)
    denied, own = done.stdout.splitlines()[:-1], done.stdout.splitlines()[-1]
    assert len(denied) == 4, done.stderr
    assert set(denied) <= {"Operation not permitted", "Permission denied", "No such process"}
    assert own == "reached"


@pytest.mark.skipif(bool(choice.probe()), reason="without bubblewrap the guardian scopes too")
@pytest.mark.parametrize("mode", ["bwrap"], indirect=True)
@needs_scope
def test_without_the_scope_they_would_be_reached(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_scoping", lambda grants: [])
    name = f"arena-open-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{name}")
        server.listen()
        code = f"import socket; socket.socket(socket.AF_UNIX).connect('\\0{name}'); print('reached')"
        assert run(code, grants=NETWORK).stdout == "reached\n"


def test_a_grant_shows_no_other_files(run: Run, tmp_path: Path) -> None:
    code = f"""
import os
for path in ("/etc/hosts", {__file__!r}, "/etc/shadow", "/etc/ssl/private", {str(Path.home() / ".bashrc")!r}):
    try:
        print(len(os.listdir(path) if os.path.isdir(path) else open(path).read()) > 0)
    except OSError as error:
        print(error.strerror)
try:
    open({str(tmp_path / "new")!r}, "w")
except OSError as error:
    print(error.strerror)
"""
    done = run(code, grants=NETWORK)
    first, *others = done.stdout.splitlines()
    assert first == "True", done.stderr
    assert set(others) <= {"No such file or directory", "Permission denied", "Read-only file system"}
    assert len(others) == 5


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_there_by_a_grant_alone(run: Run) -> None:
    """Another name of /dev/full, which every sandbox of bubblewrap has, and none of Landlock's."""
    device = Path(f"/dev/arena-test-{os.getpid()}")
    try:
        os.mknod(device, 0o20666, os.makedev(1, 7))
        device.chmod(0o666)
    except OSError as error:
        pytest.skip(f"no device can be made here: {error.strerror}")
    code = f"""
try:
    file = open({str(device)!r}, "r+b", buffering=0)
    print(file.read(1))
except OSError as error:
    print(type(error).__name__)
"""
    try:
        done = run(code, grants=[f"device:{device}"])
        assert done.stdout.strip() == r"b'\x00'", done.stdout + done.stderr
        assert run(code).stdout.strip() in ("FileNotFoundError", "PermissionError")
        assert run(code, grants=NETWORK).stdout.strip() in ("FileNotFoundError", "PermissionError")
    finally:
        device.unlink()


PYTHON = "/usr/bin/python3"
"""A Python that a plain user may run, where that of the tests lies in root's home."""


@needs_scope
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None or not os.path.exists(PYTHON),
    reason="only root becomes a plain user, who needs a Python",
)
def test_a_grant_is_held_where_a_plain_user_runs_arena(mode: str, greeter: int) -> None:
    name = f"arena-plain-{os.getpid()}"
    inside = f"""{dialling(greeter)}
try:
    socket.socket(socket.AF_UNIX).connect("\\0{name}")
    print("reached")
except OSError as error:
    print(error.strerror)
"""
    code = f"""
import subprocess, sys
from referee import sandbox
from referee.sandbox.grants import read_grants
for grants in (["network"], []):
    launch = sandbox.confined([sys.executable, "-c", {inside!r}], "/tmp", sockets="/usr", env={{}},
        memory_bytes=256 << 20, confinement=sandbox.choose({mode!r}), grants=read_grants(grants))
    with launch.start("/", stdout=subprocess.PIPE) as process:
        launch.close()
        print(process.stdout.read().decode(), end="", flush=True)
"""
    plain = ["setpriv", "--reuid=1234", "--regid=1234", "--clear-groups", PYTHON, "-c", code]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(sandbox.__file__).parents[2])}
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{name}")
        server.listen()
        done = subprocess.run(plain, capture_output=True, text=True, timeout=60, cwd="/", env=env)
    if "bubblewrap does not work here" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    first, second, third, fourth = done.stdout.splitlines()
    assert first == "hello", done.stderr
    assert third.startswith("failed: ")
    assert second == "Operation not permitted"
    assert fourth in ("Operation not permitted", "Connection refused")  # refused: it is another network's name


def test_words_of_grants() -> None:
    grants = read_grants(["device:/dev/nvidia0", "network", "device:/dev/dri/renderD128", "network"])
    assert grants == Grants(True, ("/dev/dri/renderD128", "/dev/nvidia0"))
    assert read_grants(grants.texts) == grants
    assert not Grants()
    for wrong in (
        "net",
        "",
        "device:",
        "device:/etc/shadow",
        "device:/dev/../etc/shadow",
        "device:/dev/a\n",
        "device:/dev/",
    ):
        with pytest.raises(GrantError, match="it is network, or device:/dev/NAME"):
            read_grants([wrong])


def test_what_is_no_device_is_not_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_device(Grants(devices=("/dev/full",)), True) == ""
    assert "no character device" in missing_device(Grants(devices=("/dev/shm",)), False)
    assert "No such file" in missing_device(Grants(devices=("/dev/no-such-thing",)), False)
