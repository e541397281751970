"""`arena serve` as a process, for tests."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

from arena.store import Store
from tests.tournament import processes


def port_in(line: str) -> int:
    """The port of the address in a line."""
    found = re.search(r"http://127\.0\.0\.1:([0-9]+)/", line)
    assert found is not None, line
    return int(found[1])


@contextmanager
def serving(path: Path | str, *more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Serve the database; yield the process and its port."""
    words = [sys.executable, "-m", "arena", "serve", "--port", "0", "--trust-bots", "--db", str(path), *more]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = process.stderr.readline()
        try:
            yield process, port_in(address)
        finally:
            process.kill()


def wait_until(store: Store, process: subprocess.Popen[str], condition: Callable[[Store], bool]) -> None:
    """Wait for something in the database, as long as the server runs."""
    processes.wait_until(process, lambda: condition(store))


def page(port: int, path: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()
