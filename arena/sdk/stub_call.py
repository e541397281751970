"""A call by the public API of grpcio, which has threads of its own and works everywhere."""

import os
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

from arena.sdk.errors import CallLost
from arena.sdk.grpc_options import LOCAL_OPTIONS, METHOD, REMOTE_OPTIONS
from arena.sdk.lazy_import import lazy_import

with lazy_import("asyncio", "grpc.aio"):  # half of what importing grpc costs, and a bot is started for every phase
    import grpc


def _channel(address: str) -> grpc.Channel:
    """Open a channel to a local referee or, if ARENA_CA is set, by TLS to a remote gate.

    ARENA_CA: file of the only trusted certificate, or "system" for those that the system trusts.
    ARENA_TLS_NAME: the host name that the certificate must have, if it differs from that of the address.

    Raises CallLost if the certificate cannot be read.
    """
    ca = os.environ.get("ARENA_CA")
    if not ca:
        return grpc.insecure_channel(address, options=LOCAL_OPTIONS)
    from pathlib import Path

    try:
        roots = None if ca == "system" else Path(ca).read_bytes()
    except OSError as error:
        raise CallLost(f"cannot read the certificate {ca} of ARENA_CA: {error.strerror}") from None
    name = os.environ.get("ARENA_TLS_NAME")
    options = (*REMOTE_OPTIONS, *([("grpc.ssl_target_name_override", name)] if name else []))
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(roots), options=options)


class StubCall:
    """A `GrpcCall` to the referee at `address`."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._channel = _channel(address)
        play: Any = self._channel.stream_stream(METHOD)
        self._incoming = play(iter(self._outgoing.get, None))

    def send(self, message: bytes) -> None:
        self._outgoing.put(message)

    def messages(self) -> Iterator[bytes]:
        received_any = False
        while True:
            try:
                message = next(self._incoming)
            except StopIteration:
                return
            except grpc.RpcError as error:
                details = self._incoming.details() or str(error)
                error.__traceback__ = None
                break
            received_any = True
            yield message
        # Raised outside the handler and without a traceback: grpc's error is the call itself, which close() must free.
        raise CallLost(
            details if received_any else f"no connection to {self._address}: {details}", received_any=received_any
        )

    def end(self) -> None:
        self._outgoing.put(None)

    def finish(self) -> None:
        self.end()
        try:
            for _ in self._incoming:
                pass
        except grpc.RpcError as error:
            error.__traceback__ = None

    def close(self) -> None:
        self._outgoing.put(None)
        self._channel.close()
        # Deleting the call takes a lock, which a daemon thread stopped at interpreter exit may hold for ever:
        # delete it now.
        del self._incoming, self._channel
