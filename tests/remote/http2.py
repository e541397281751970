"""A client of HTTP/2 that keeps to no rule: it sends what frames it is told to."""

import socket
import ssl
import struct
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.v1.play_pb2 import Hello, PlayRequest, PlayResponse

DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
END_STREAM = ACK = 1
END_HEADERS = 4
INITIAL_WINDOW_SIZE = 4
CANCEL = 8

CALL = [
    (b":method", b"POST"),
    (b":scheme", b"https"),
    (b":path", b"/referee.v1.BotService/Play"),
    (b":authority", b"arena"),
    (b"content-type", b"application/grpc"),
    (b"te", b"trailers"),
]


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def _length(number: int) -> bytes:
    """Return a length as HPACK writes it, in a byte of which seven bits are free."""
    if number < 127:
        return bytes([number])
    number -= 127
    packed = bytearray([127])
    while number > 127:
        packed.append(number & 127 | 128)
        number >>= 7
    return bytes([*packed, number])


def fields(*pairs: tuple[bytes, bytes]) -> bytes:
    """Return header fields, as literals."""
    return b"".join(b"\0" + _length(len(name)) + name + _length(len(value)) + value for name, value in pairs)


def hello(token: str, **more: object) -> bytes:
    return PlayRequest(hello=Hello(token=token, protocols=[1], **more)).SerializeToString()  # type: ignore[arg-type]


class Http2:
    """A connection by TLS.

    window: how many bytes of a stream it takes before it says more.
    """

    def __init__(self, port: int, ca: Path, window: int = 1 << 20, seconds: float = 60.0) -> None:
        context = ssl.create_default_context(cafile=ca)
        context.set_alpn_protocols(["h2"])
        plain = socket.create_connection(("127.0.0.1", port), seconds)
        self.socket = context.wrap_socket(plain, server_hostname="arena")
        self.window = window
        self._heard = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def start(self) -> None:
        settings = struct.pack(">HI", INITIAL_WINDOW_SIZE, self.window)
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, settings))

    def call(self, stream: int, *more: tuple[bytes, bytes]) -> None:
        self.socket.sendall(frame(HEADERS, END_HEADERS, stream, fields(*CALL, *more)))

    def send(self, stream: int, message: bytes, packed: bool = False) -> None:
        content = bytes([packed]) + struct.pack(">I", len(message)) + message
        for place in range(0, len(content), 16384):
            self.socket.sendall(frame(DATA, 0, stream, content[place : place + 16384]))

    def frame(self) -> tuple[int, int, int, bytes] | None:
        """Return the next frame but settings and pings, which are acknowledged; None at the end."""
        while (header := self._read(9)) is not None:
            size, kind, flags = int.from_bytes(header[:3]), header[3], header[4]
            content = self._read(size)
            if content is None:
                return None
            if kind in (SETTINGS, PING):
                if not flags & ACK:
                    self.socket.sendall(frame(kind, ACK, 0, content if kind == PING else b""))
                continue
            return kind, flags, int.from_bytes(header[5:]), content
        return None

    def response(self, stream: int) -> PlayResponse | None:
        """Return the next message of a stream; None where it ends without one."""
        content = b""
        while (found := self.frame()) is not None:
            kind, flags, of, part = found
            if of != stream:
                continue
            if kind == DATA:
                content += part
                if len(content) >= 5 and len(content) >= 5 + int.from_bytes(content[1:5]):
                    return PlayResponse.FromString(content[5:])
            elif kind == RST_STREAM or flags & END_STREAM:
                return None
        return None

    def wait_for_end(self) -> None:
        """Take whatever comes until the other side closes."""
        while self.frame() is not None:
            pass

    def _read(self, number: int) -> bytes | None:
        while len(self._heard) < number:
            try:
                data = self.socket.recv(65536)
            except (ConnectionError, ssl.SSLError):
                data = b""
            if not data:
                return None
            self._heard += data
        content = bytes(self._heard[:number])
        del self._heard[:number]
        return content
