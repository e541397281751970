"""`python -m tests.referee.watched --address A FILE`: a referee that notes in a file how long it hears nobody.

An answer is stamped when the loop fetches it: a stretch between two fetches is charged to whoever answers in it.
"""

import json
import sys
import time
from pathlib import Path

import referee.__main__ as program
from referee.connection.grpc_server import GrpcServers

stretches: list[float] = []
"""The CPU time of the main thread in each stretch, in seconds: a busy machine does not lengthen it."""


class WatchedServers(GrpcServers):
    """Servers that note what lies between two fetches."""

    _fetched: float | None = None

    def fetch(self, seconds: float) -> None:
        """Note the stretch that ends here, and fetch."""
        if self._fetched is not None:
            stretches.append(time.thread_time() - self._fetched)
        super().fetch(seconds)
        self._fetched = time.thread_time()


if __name__ == "__main__":
    file = Path(sys.argv.pop())
    vars(program)["GrpcServers"] = WatchedServers
    program.main()
    file.write_text(json.dumps(stretches))
