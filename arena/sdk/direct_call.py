"""A call on the completion queue of gRPC's core, without threads.

grpcio's public API serves a stream with two threads and wakes them for each message, which costs a bot twice the CPU
time of everything else that it does. Its internal module `cygrpc` has what is needed to do without: `segregated_call`,
whose events are fetched by whoever waits for them. Importing this module raises ImportError where it has not.
"""

from collections import deque
from collections.abc import Iterator
from threading import Lock
from typing import Any

from arena.sdk.errors import CallLost
from arena.sdk.grpc_options import LOCAL_OPTIONS, METHOD
from arena.sdk.lazy_import import lazy_import

# The package grpc itself is not needed, nor most of what its modules import: a bot is started for every phase.
with lazy_import("grpc", "grpc._observability", "asyncio", "inspect", "pkgutil", "socket", "traceback"):
    import grpc._observability  # noqa: F401 - cygrpc looks for it in the package, which would load that
    from grpc._cython import cygrpc  # type: ignore[attr-defined]

_NEEDED = {
    "Channel": ("segregated_call", "close"),
    "SegregatedCall": ("operate", "next_event"),
    "BatchOperationEvent": ("tag", "batch_operations"),
    "SendInitialMetadataOperation": (),
    "SendMessageOperation": (),
    "SendCloseFromClientOperation": (),
    "ReceiveInitialMetadataOperation": (),
    "ReceiveMessageOperation": ("message",),
    "ReceiveStatusOnClientOperation": ("code", "details"),
    "PropagationConstants": ("GRPC_PROPAGATE_DEFAULTS",),
    "StatusCode": ("ok", "cancelled"),
}
"""What this module uses of `cygrpc`, with the attributes."""

for _name, _attributes in _NEEDED.items():
    for _attribute in _attributes or ("__init__",):
        if not hasattr(getattr(cygrpc, _name, None), _attribute):
            raise ImportError(f"this version of grpcio has no cygrpc.{_name}.{_attribute}")

_METADATA, _STATUS, _SENT, _ENDED, _RECEIVED = range(5)
"""The tags of the operations."""


class DirectCall:
    """A `GrpcCall` to the referee at `address`, of a bot on the same machine.

    Any thread may send; whichever waits for a message also does gRPC's work. `_queue_lock` is held by the thread that
    fetches events, `_state_lock` guards everything else. `_pending` counts the operations that have not completed:
    without one, gRPC's queue no longer exists. After an exception in `next_event`, for instance KeyboardInterrupt, it
    may not exist either: `_is_consistent` stays False then.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._queue_lock = Lock()
        self._state_lock = Lock()
        self._outgoing: deque[bytes | None] = deque()
        self._is_sending = False
        self._is_receiving = False
        self._has_ended = False
        self._is_consistent = True
        self._message: bytes | None = None
        self._status: Any = None
        self._channel = cygrpc.Channel(address.encode(), LOCAL_OPTIONS, None)
        operations = (
            ((cygrpc.ReceiveStatusOnClientOperation(0),), _STATUS),
            ((cygrpc.SendInitialMetadataOperation(None, 0), cygrpc.ReceiveInitialMetadataOperation(0)), _METADATA),
        )
        self._call = self._channel.segregated_call(
            cygrpc.PropagationConstants.GRPC_PROPAGATE_DEFAULTS, METHOD.encode(), None, None, None, None, operations
        )
        self._pending = len(operations)

    def send(self, message: bytes) -> None:
        self._send(message)

    def messages(self) -> Iterator[bytes]:
        received_any = False
        while (message := self._receive()) is not None:
            received_any = True
            yield message
        if self._status.code() != cygrpc.StatusCode.ok:
            details = self._status.details()
            raise CallLost(
                details if received_any else f"no connection to {self._address}: {details}", received_any=received_any
            )

    def end(self) -> None:
        self._send(None)

    def finish(self) -> None:
        self.end()
        try:
            for _ in self.messages():
                pass
        except CallLost:
            pass

    def close(self) -> None:
        self._channel.close(cygrpc.StatusCode.cancelled, "the bot closed the connection")
        # All operations complete now. Their events are fetched, because they hold the memory of the call; a thread
        # that waits for a message ends by itself.
        if self._queue_lock.acquire(timeout=1):
            try:
                while self._pending and self._is_consistent:
                    self._process_event()
            finally:
                self._queue_lock.release()

    def _send(self, message: bytes | None) -> None:
        """Send a message, or half-close for None."""
        with self._state_lock:
            if self._has_ended:
                return
            self._outgoing.append(message)
            if not self._is_sending:
                self._send_next()
        self._flush()

    def _send_next(self) -> None:
        """Start to send the oldest message. The caller holds the lock of the state."""
        if self._outgoing:
            message = self._outgoing.popleft()
            if message is None:
                self._has_ended = True
                self._start(cygrpc.SendCloseFromClientOperation(0), _ENDED)
            else:
                self._is_sending = self._start(cygrpc.SendMessageOperation(message, 0), _SENT)

    def _receive(self) -> bytes | None:
        """Wait for the next message and return it, or None once the call has ended."""
        with self._queue_lock:
            if not self._is_receiving and self._status is None:
                with self._state_lock:
                    self._is_receiving = self._start(cygrpc.ReceiveMessageOperation(0), _RECEIVED)
            while self._is_receiving:
                self._process_event()
            message, self._message = self._message, None
            while message is None and self._status is None:
                self._process_event()
        self._flush()
        return message

    def _flush(self) -> None:
        """Wait until all messages are on their way, or leave that to the thread that waits for events already.

        Messages leave one after the other. After releasing the lock look again: a message may have come meanwhile.
        """
        while self._outgoing and self._is_consistent and self._queue_lock.acquire(blocking=False):
            try:
                while self._outgoing:
                    self._process_event()
            finally:
                self._queue_lock.release()

    def _start(self, operation: Any, tag: int) -> bool:
        """Start an operation and return True, or return False if the call is over. The caller holds the state lock."""
        is_open: bool = self._call.operate((operation,), tag)
        if is_open:
            self._pending += 1
        else:
            self._has_ended = True
            self._outgoing.clear()
        return is_open

    def _process_event(self) -> None:
        """Wait until an operation has completed, and note its result. The caller holds the lock of the queue."""
        if not (self._pending and self._is_consistent):
            raise CallLost("the call was interrupted", received_any=True)
        self._is_consistent = False
        event = self._call.next_event()
        with self._state_lock:
            self._pending -= 1
            tag = event.tag
            if tag == _RECEIVED:
                self._is_receiving = False
                self._message = event.batch_operations[0].message()
            elif tag == _SENT:
                self._is_sending = False
                self._send_next()
            elif tag == _STATUS:
                self._status = event.batch_operations[0]
                self._has_ended = True
                self._outgoing.clear()
        self._is_consistent = True
