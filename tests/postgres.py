"""A PostgreSQL server of the tests' own: in a temporary folder, reached by a socket in it only."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Self

LOOK = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
"""Where distributions keep the programs of the server, which are not on every PATH."""

GUESTS = "local all guarded scram-sha-256\nlocal all all trust\n"


def program(name: str) -> str | None:
    """Return the path of one of the server's programs, the newest; None where it is not installed."""
    found = [str(path) for pattern in LOOK for path in Path("/").glob(f"{pattern[1:]}/{name}")]
    return max(found, default=shutil.which(name))


class Server:
    """A running server; made by `running`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = count(1)

    def database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"arena_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, name: str, user: str = "tester") -> str:
        """Return the URL of a database."""
        return f"postgresql://{user}@/{name}?host={self.folder}"

    def run(self, command: str, database: str = "postgres") -> str:
        """Run an SQL command, and return what it prints."""
        words = ["psql", "-X", "-q", "-A", "-t", "-h", str(self.folder), "-U", "tester", "-d", database, "-c", command]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        """Start a server, and end it with the block."""
        with tempfile.TemporaryDirectory(prefix="arena-pg-", dir="/tmp") as place:
            folder = Path(place)
            own = _as_own_user(folder)
            data = folder / "data"
            made = [program("initdb") or "initdb", "-D", str(data), "-U", "tester", "-A", "trust", "-E", "UTF8", "-N"]
            subprocess.run([*own, *made], check=True, stdout=subprocess.DEVNULL)
            (data / "pg_hba.conf").write_text(GUESTS)
            settings = {"listen_addresses": "", "unix_socket_directories": place, "fsync": "off", "lc_messages": "C"}
            words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
            command = [*own, program("postgres") or "postgres", "-D", str(data), *words]
            server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            assert server.stderr is not None
            with server.stderr as said:
                try:
                    news = next(line for line in said if "ready to accept connections" in line or "FATAL" in line)
                    assert "ready" in news, news
                    drain = Thread(target=said.read)
                    drain.start()  # or a full pipe would hold the server up
                    yield cls(folder)
                finally:
                    server.terminate()
                    server.wait()
                drain.join()


def _as_own_user(folder: Path) -> list[str]:
    """Return the words before a command that run it as a user that the server takes, whose `folder` it becomes.

    It refuses root. Whoever it is, it does not outlive the tests.
    """
    words = ["setpriv", "--pdeathsig", "INT"]
    if os.geteuid():
        return words
    user = next(pwd.getpwnam(name) for name in ("postgres", "nobody") if _is_user(name))
    os.chown(folder, user.pw_uid, user.pw_gid)
    return [*words, "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups"]


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
