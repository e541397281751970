"""The bot's end of its gRPC call, with messages as bytes."""

import os
from collections.abc import Iterator
from typing import Protocol


class GrpcCall(Protocol):
    """A gRPC call of a bot to its referee."""

    def send(self, message: bytes) -> None:
        """Send a message. Thread-safe."""

    def messages(self) -> Iterator[bytes]:
        """Yield the messages of the referee until it ends the call. Raises CallLost."""

    def end(self) -> None:
        """Half-close the call: no more messages follow those already sent. Thread-safe."""

    def finish(self) -> None:
        """Half-close the call and wait until the referee closes it."""

    def close(self) -> None:
        """Close the connection."""


def open_call(address: str) -> GrpcCall:
    """Call the referee at `address`, "unix:/path" or "host:port".

    A call within this machine has no threads if the installed grpcio has the internal functions for it. Remote bots
    (ARENA_CA is set) always use the public API: their connection must be kept alive while the bot thinks, and their
    CPU time is their own. So do bots with ARENA_GRPC_STUB in their environment, which is meant for tests.
    """
    if not (os.environ.get("ARENA_CA") or os.environ.get("ARENA_GRPC_STUB")):
        try:
            from arena.sdk.direct_call import DirectCall

            return DirectCall(address)
        except (ImportError, TypeError):  # a version of grpcio without these functions, or with other parameters
            pass
    from arena.sdk.stub_call import StubCall

    return StubCall(address)
