"""The bot's end of its one gRPC call: messages out, messages in, as bytes."""

import os
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

from arena.sdk.lazy_import import later

# Read by grpc when it is imported: cheaper polling, no goaway lines on the bot's stderr, no fork handlers.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

with later("asyncio", "grpc.aio"):  # half of what importing grpc costs, and a bot is started for every phase
    import grpc

_PATH = "/referee.v1.BotService/Play"
_OPTIONS = (
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
)


_REMOTE_OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)


class CallLost(Exception):
    """The call ended before the referee said so: it is gone, or cut us off. The text says why.

    heard: it had said something before.
    """

    def __init__(self, why: str, *, heard: bool = False) -> None:
        super().__init__(why)
        self.heard = heard


def _channel(address: str) -> grpc.Channel:
    """Return the channel to a referee here, or by TLS to a gate elsewhere where ARENA_CA says so. Raises CallLost.

    ARENA_CA is the file of the certificate that is trusted and no other, or "system" for those that the system trusts.
    ARENA_TLS_NAME is the name that the certificate must have, where it is not that of the address.
    """
    ca = os.environ.get("ARENA_CA")
    if not ca:
        return grpc.insecure_channel(address, options=_OPTIONS)
    from pathlib import Path

    try:
        roots = None if ca == "system" else Path(ca).read_bytes()
    except OSError as error:
        raise CallLost(f"the certificate {ca} that ARENA_CA names cannot be read: {error.strerror}") from None
    name = os.environ.get("ARENA_TLS_NAME")
    options = (*_REMOTE_OPTIONS, *([("grpc.ssl_target_name_override", name)] if name else []))
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(roots), options=options)


class Call:
    """The call of a bot that has dialled `address`, "unix:/path" or "host:port"."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._channel = _channel(address)
        play: Any = self._channel.stream_stream(_PATH)
        self._incoming = play(iter(self._outgoing.get, None))

    def send(self, message: bytes) -> None:
        """Send one message; may be called from any thread."""
        self._outgoing.put(message)

    def messages(self) -> Iterator[bytes]:
        """Yield what the referee sends until it ends the call. Raises CallLost."""
        heard = False
        while True:
            try:
                message = next(self._incoming)
            except StopIteration:
                return
            except grpc.RpcError as error:
                details = self._incoming.details() or str(error)
                error.__traceback__ = None
                break
            heard = True
            yield message
        # Without a traceback, and not from within the handler: grpc's error is the call itself, which close() lets go.
        raise CallLost(details if heard else f"nobody answers at {self._address}: {details}", heard=heard)

    def end(self) -> None:
        """End our side of the call once all that was sent has left; may be called from any thread."""
        self._outgoing.put(None)

    def finish(self) -> None:
        """End our side of the call, and wait for the referee to end its own."""
        self.end()
        try:
            for _ in self._incoming:
                pass
        except grpc.RpcError as error:
            error.__traceback__ = None

    def close(self) -> None:
        """Let go of the connection, for good."""
        self._outgoing.put(None)
        self._channel.close()
        # The call takes a lock when it is deleted. At the end of the interpreter a thread that was stopped there may
        # hold that lock for ever; so it is deleted now.
        del self._incoming, self._channel
