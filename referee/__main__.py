"""`python -m referee --address unix:/path`: the process that plays phases for arena.

arena dials the address (WorkService); each bot dials a socket of its own, in a folder that the referee makes. Standard
input is arena's pipe: when it closes, or arena is killed, everything ends, bots first. The line "ready" on standard
output means that arena may dial.
"""

import argparse
import ctypes
import gc
import os
import resource
import select
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path

import trio

from referee.connection import host_loop
from referee.connection.endpoints import Endpoints
from referee.connection.grpc_server import GrpcServers, Method
from referee.process.awake_clock import AwakeClock
from referee.process.bot_process import let_bots_hear_quit
from referee.service import Service, first_error

PR_SET_PDEATHSIG = 1

END_SECONDS = 10.0
"""How long an orderly end may take before the process exits at once."""

SWITCH_SECONDS = 0.0005
"""After how long a thread that computes lets another one run.

A bot's answer is stamped once the main thread has the interpreter lock, and is charged what that takes: up to 5 ms with
Python's default, beside a look at somebody's memory or folder.
"""


async def serve(grpc: GrpcServers, address: str, parent: int) -> None:
    """Serve until arena is gone or asks for the end.

    parent: arena's process id.
    """
    endpoints = Endpoints(grpc)
    service = Service(endpoints, grpc)
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(grpc.run)
            grpc.listen(address, Method("referee.v1.WorkService/Work", service.accept))
            nursery.start_soon(endpoints.flood_detector.run)
            nursery.start_soon(service.run)
            print("ready", flush=True)
            if os.getppid() == parent:
                await wait_for_end()
            nursery.cancel_scope.cancel()
    finally:
        endpoints.close()
        socket = Path(address.removeprefix("unix:"))
        if socket.parent == endpoints.folder.parent:  # a folder of our own, which arena may not live to remove
            with suppress(OSError):
                socket.unlink(missing_ok=True)
                socket.parent.rmdir()


async def wait_for_end() -> None:
    """Wait until standard input closes or a signal asks for the end."""
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_cancel_on_signal, signals, nursery.cancel_scope)
            while True:
                await trio.lowlevel.wait_readable(0)
                if not os.read(0, 4096):
                    break
            nursery.cancel_scope.cancel()


async def _cancel_on_signal(signals: object, scope: trio.CancelScope) -> None:
    async for _ in signals:  # type: ignore[attr-defined]
        scope.cancel()


def end_if_stuck() -> None:
    """Exit `END_SECONDS` after the pipe has closed, in a thread of its own, in case nothing else ends the process."""
    pipe = select.poll()
    pipe.register(0, select.POLLHUP)
    while not any(events & (select.POLLHUP | select.POLLERR) for _, events in pipe.poll()):
        pass
    time.sleep(END_SECONDS)
    os._exit(1)


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m referee", description=__doc__)
    parser.add_argument("--address", required=True, help="where arena will dial, e.g. unix:/tmp/x/referee.sock")
    arguments = parser.parse_args()
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    # arena's death closes the pipe and sends SIGTERM: the second must not interrupt the end that the first began.
    signal.signal(signal.SIGTERM, lambda *_: None)
    let_bots_hear_quit()
    # A bot may open many connections before that is noticed, and the others need files meanwhile.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    threading.Thread(target=end_if_stuck, daemon=True).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        grpc = GrpcServers()
        with AwakeClock() as clock:
            host_loop.run(grpc, serve, grpc, arguments.address, parent, clock=clock)
    except BaseExceptionGroup as group:
        traceback.print_exception(first_error(group))  # alone, so that the last line says what happened
        sys.exit(1)


if __name__ == "__main__":
    main()
