"""What `grpc.aio` does wrong, in a process of its own, as it may end that."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.referee.real import ROOT

STOP_AGAIN_AND_AGAIN = """
import asyncio, gc, grpc.aio, sys, weakref
from arena.run.remote.grpc_quirks import stop

async def main():
    freed = []
    for number in range(10):
        server = grpc.aio.server()
        weakref.finalize(server, freed.append, number)
        server.add_insecure_port(f"unix:{sys.argv[1]}/{number}")
        await server.start()
        stops = []
        for _ in range(200):
            stops.append(asyncio.create_task(stop(server, None)))
            await asyncio.sleep(0)
        await asyncio.gather(*stops)
    del server, stops
    gc.collect()
    print(len(freed), "freed")

asyncio.run(main())
"""


@pytest.mark.processes
def test_a_server_that_is_stopped_again_and_again_does_not_end_its_process(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", STOP_AGAIN_AND_AGAIN, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert (ended.returncode, ended.stdout) == (0, "10 freed\n")
