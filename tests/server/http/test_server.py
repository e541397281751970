"""`arena web` as a process: it prints its address, answers, and ends on Ctrl-C."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from arena.http import listening

START = [sys.executable, "-m", "arena", "web"]


@pytest.mark.promise
def test_the_server_runs_until_it_is_interrupted(database: Path) -> None:
    command = [*START, "--port", "0", "--db", str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stderr.readline())
        assert found
        page = httpx.get(f"http://127.0.0.1:{found[1]}/tournaments/1", timeout=60)
        assert page.status_code == 200
        assert "content-security-policy" in page.headers
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=60)
    assert process.returncode == 0
    assert rest == ("", "")


@pytest.mark.processes
@pytest.mark.parametrize(("held", "asked"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("0.0.0.0", "::")])
def test_a_port_in_use_is_an_error(held: str, asked: str, tmp_path: Path) -> None:
    if asked == "::" and not socket.has_dualstack_ipv6():
        pytest.skip("there is no IPv6 here")
    with socket.create_server((held, 0)) as taken:
        # Before the database is looked at: another program may hold that, too.
        command = [*START, "--host", asked, "--port", str(taken.getsockname()[1]), "--db", str(tmp_path / "none.db")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "(Address already in use): choose another --port" in done.stderr


def test_a_name_with_another_program_at_one_of_its_addresses_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("there is no IPv6 here")
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as taken:
        port = taken.getsockname()[1]
        both = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)),
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", port, 0, 0)),
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
        with pytest.raises(OSError, match="already in use"):
            listening("localhost", port)


@pytest.mark.processes
def test_an_unknown_host_name_is_an_error(database: Path) -> None:
    command = [*START, "--host", "a name", "--port", "0", "--db", str(database)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Error: cannot listen on a name:0 (" in done.stderr
    assert "Unknown error" not in done.stderr


@pytest.mark.processes
def test_sign_in_needs_a_sandbox(database: Path) -> None:
    command = [*START, "--sign-in", "--sandbox", "off", "--port", "0", "--db", str(database)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "--sign-in runs submitted bots, which are not isolated here" in done.stderr
