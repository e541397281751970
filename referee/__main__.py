"""`python -m referee --address unix:/path`: the service that arena gives phases to.

arena talks to it on that address (WorkService); each bot dials a socket of its own, in a folder made
here. Standard input is arena's pipe: when it closes, or arena is killed, everything ends, bots first.
The line "ready" on standard output tells that arena may dial.
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

from referee.connection.endpoints import Door
from referee.connection.grpc_server import Link, Method
from referee.service import Work

PR_SET_PDEATHSIG = 1

STUCK = 10.0
"""Seconds after which a referee that ought to have ended is ended the hard way."""


async def serve(address: str, parent: int) -> None:
    """Serve until arena is gone or asks for the end."""
    link = Link()
    door = Door(link)
    work = Work(door, link)
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(link.run, door.flush)
            await link.listen(address, Method("referee.v1.WorkService/Work", work.opened))
            nursery.start_soon(door.watch.run)
            nursery.start_soon(work.run)
            print("ready", flush=True)
            if os.getppid() == parent:
                await end_of_input()
            nursery.cancel_scope.cancel()
    finally:
        door.close()
        given = Path(address.removeprefix("unix:"))
        if given.parent == door.folder.parent:  # a folder of our own, which arena may not live to remove
            with suppress(OSError):
                given.unlink(missing_ok=True)
                given.parent.rmdir()


async def end_of_input() -> None:
    """Wait until whoever holds our standard input lets go of it, or asks us to end."""
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_signalled, signals, nursery.cancel_scope)
            while True:
                await trio.lowlevel.wait_readable(0)
                if not os.read(0, 4096):
                    break
            nursery.cancel_scope.cancel()


async def _signalled(signals: object, scope: trio.CancelScope) -> None:
    async for _ in signals:  # type: ignore[attr-defined]
        scope.cancel()


def end_if_stuck() -> None:
    """End the process some time after its pipe has closed, should everything else fail to (in a thread of its own)."""
    pipe = select.poll()
    pipe.register(0, select.POLLHUP)
    while not any(events & (select.POLLHUP | select.POLLERR) for _, events in pipe.poll()):
        pass
    time.sleep(STUCK)
    os._exit(1)


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m referee", description=__doc__)
    parser.add_argument("--address", required=True, help="where arena will dial, e.g. unix:/tmp/x/referee.sock")
    arguments = parser.parse_args()
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    # arena's death closes the pipe and sends SIGTERM: what comes second must not cut short what the first began.
    signal.signal(signal.SIGTERM, lambda *_: None)
    # A bot may dial often before that is noticed, and the others need files meanwhile.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    threading.Thread(target=end_if_stuck, daemon=True).start()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        trio.run(serve, arguments.address, parent)
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        traceback.print_exception(error)  # alone, so that its last line tells what happened
        sys.exit(1)


if __name__ == "__main__":
    main()
