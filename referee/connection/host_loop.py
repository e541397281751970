"""Runs trio as a guest of gRPC's completion queue, so that a message costs no change of threads.

trio's guest mode needs a loop that calls what it asks for; here it is the one that waits for gRPC. trio waits for
everything else (timers, processes, signals, pipes) in a thread of its own.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import trio

from referee.connection.grpc_server import GrpcServers

WAIT_SECONDS = 1.0
"""How long the loop waits for gRPC at a time; trio ends the wait when it needs the thread."""

FIRST_WAIT_SECONDS = 0.005
"""The same before a trusted peer has called: until then trio cannot end the wait."""


def run(
    servers: GrpcServers,
    function: Callable[..., Awaitable[object]],
    *arguments: object,
    clock: trio.abc.Clock | None = None,
) -> Any:
    """Run an async function like `trio.run`, with servers whose events the main thread handles."""
    servers.is_hosted = True
    callbacks: deque[Callable[[], object]] = deque()
    outcomes: list[Any] = []

    def call_soon(callback: Callable[[], object]) -> None:
        callbacks.append(callback)
        servers.wake()

    trio.lowlevel.start_guest_run(
        function,
        *arguments,
        run_sync_soon_threadsafe=call_soon,
        run_sync_soon_not_threadsafe=callbacks.append,
        done_callback=outcomes.append,
        clock=clock,
    )
    while not outcomes:
        for _ in range(len(callbacks)):
            callbacks.popleft()()
        servers.fetch(0.0 if callbacks else WAIT_SECONDS if servers.wake_call else FIRST_WAIT_SECONDS)
        servers.handle()
    return outcomes[0].unwrap()
