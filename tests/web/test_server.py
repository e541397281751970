"""`arena web` as a process: it says where it is, answers, and ends at Ctrl-C."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx

START = [sys.executable, "-m", "arena", "web"]


def test_it_serves_until_it_is_interrupted(database: Path) -> None:
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


def test_a_port_that_is_taken_is_a_sentence(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [*START, "--port", str(taken.getsockname()[1]), "--db", str(database)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "cannot be had (Address already in use): choose another --port" in done.stderr
