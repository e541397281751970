"""One gRPC call over HTTP/2, without a socket: bytes in, messages out, and back.

    call = Call("/referee.v1.BotService/Play")
    call.send(message)
    socket.sendall(call.outgoing())
    for message in call.feed(socket.recv(65536)): ...

A bot holds one stream to one referee for its whole life, so this speaks just that much of HTTP/2
(RFC 9113) and of gRPC over it: a single stream, no TLS, no compression. Why not grpcio: importing
it costs a Python process 70 ms of CPU and starts threads; this costs 1 ms and none, and a message
a tenth of the time. Fresh bot processes are started all through a tournament, so that is what it pays for.
"""

from struct import Struct

_FRAME = Struct(">HBBBL")
_PREFIX = Struct(">BL")
_SETTING = Struct(">HL")
_NUMBER = Struct(">L")

_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE, _CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
_END_STREAM = _ACK = 1
_END_HEADERS, _PADDED, _PRIORITY = 4, 8, 32
_HEADER_TABLE_SIZE, _ENABLE_PUSH, _INITIAL_WINDOW_SIZE, _MAX_FRAME_SIZE = 1, 2, 4, 5

_STREAM = 1
"""The one stream of the connection: the first that a client may open."""
_LARGEST_WINDOW = 2**31 - 1
_DEFAULT_WINDOW = 65535
_REFILL = 2**24
_SETTINGS_OF_OURS = (
    (_HEADER_TABLE_SIZE, 0),  # so the trailers name everything in full, and no state is needed to read them
    (_ENABLE_PUSH, 0),
    (_INITIAL_WINDOW_SIZE, _LARGEST_WINDOW),
    (_MAX_FRAME_SIZE, 2**24 - 1),
)


class CallLost(Exception):
    """The call ended before the referee said so: it is gone, or refuses to go on. The text says why."""


class Call:
    """A bidirectional gRPC call on a connection of its own.

    ended: the other side ended the call in good order (status OK); nothing more will come.
    """

    __slots__ = ("ended", "_input", "_messages", "_output", "_waiting", "_window", "_stream_window", "_initial_window",
                 "_largest_frame", "_consumed", "_block", "_block_ends")  # fmt: skip

    def __init__(self, path: str) -> None:
        """Open a call of the method at `path`, "/package.Service/Method"."""
        self.ended = False
        self._input = bytearray()
        self._messages = bytearray()
        self._output = bytearray(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self._waiting = bytearray()
        self._window = self._stream_window = self._initial_window = _DEFAULT_WINDOW
        self._largest_frame = 16384
        self._consumed = 0
        self._block = bytearray()
        self._block_ends = False
        self._frame(_SETTINGS, 0, 0, b"".join(_SETTING.pack(*setting) for setting in _SETTINGS_OF_OURS))
        self._frame(_WINDOW_UPDATE, 0, 0, _NUMBER.pack(_LARGEST_WINDOW - _DEFAULT_WINDOW))
        self._frame(_HEADERS, _END_HEADERS, _STREAM, _request_headers(path))

    def send(self, message: bytes) -> None:
        """Queue one message. It leaves with `outgoing`, as far as the other side has room for it."""
        self._waiting += _PREFIX.pack(0, len(message))
        self._waiting += message

    def outgoing(self) -> bytes:
        """Return, once, the bytes that are to be written now."""
        while self._waiting and (room := min(self._window, self._stream_window, self._largest_frame)) > 0:
            piece = self._waiting[:room]
            del self._waiting[:room]
            self._window -= len(piece)
            self._stream_window -= len(piece)
            self._frame(_DATA, 0, _STREAM, piece)
        output = bytes(self._output)
        self._output.clear()
        return output

    @property
    def blocked(self) -> bool:
        """Whether part of a message waits until the other side makes room (then read on)."""
        return bool(self._waiting)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages that are complete with `data`, the bytes that were read; b"" is the connection's end.

        Raises CallLost.
        """
        if not data:
            if not self.ended:
                raise CallLost("the referee has closed the connection")
            return []
        self._input += data
        start, end = 0, len(self._input)
        while start + 9 <= end and not self.ended:
            high, low, kind, flags, stream = _FRAME.unpack_from(self._input, start)
            length = high << 8 | low
            if start + 9 + length > end:
                break
            self._handle(kind, flags, stream & _LARGEST_WINDOW, self._input[start + 9 : start + 9 + length])
            start += 9 + length
        del self._input[:start]
        return self._complete_messages()

    def _frame(self, kind: int, flags: int, stream: int, payload: bytes | bytearray) -> None:
        self._output += _FRAME.pack(len(payload) >> 8, len(payload) & 255, kind, flags, stream)
        self._output += payload

    def _complete_messages(self) -> list[bytes]:
        messages = []
        start, end = 0, len(self._messages)
        while start + 5 <= end:
            packed, length = _PREFIX.unpack_from(self._messages, start)
            if packed:
                raise CallLost("the referee sent a compressed message, which was not agreed")
            if start + 5 + length > end:
                break
            messages.append(bytes(self._messages[start + 5 : start + 5 + length]))
            start += 5 + length
        del self._messages[:start]
        return messages

    def _handle(self, kind: int, flags: int, stream: int, payload: bytearray) -> None:
        if kind == _DATA:
            self._messages += _unpadded(payload, flags)
            self._consumed += len(payload)
            if self._consumed >= _REFILL:
                for refilled in (0, _STREAM):
                    self._frame(_WINDOW_UPDATE, 0, refilled, _NUMBER.pack(self._consumed))
                self._consumed = 0
            self.ended = bool(flags & _END_STREAM)
        elif kind == _WINDOW_UPDATE:
            (more,) = _NUMBER.unpack(payload)
            if stream:
                self._stream_window += more
            else:
                self._window += more
        elif kind == _PING and not flags & _ACK:
            self._frame(_PING, _ACK, 0, payload)
        elif kind == _SETTINGS and not flags & _ACK:
            self._settle(payload)
        elif kind in (_HEADERS, _CONTINUATION):
            if kind == _HEADERS:
                payload = _unpadded(payload, flags)
                self._block = payload[5:] if flags & _PRIORITY else payload
                self._block_ends = bool(flags & _END_STREAM)
            else:
                self._block += payload
            if flags & _END_HEADERS:
                self._read_headers()
        elif kind == _RST_STREAM:
            raise CallLost(f"the referee has cut the stream off (HTTP/2 error {_NUMBER.unpack(payload)[0]})")

    def _settle(self, payload: bytearray) -> None:
        for setting, value in _SETTING.iter_unpack(payload):
            if setting == _INITIAL_WINDOW_SIZE:
                self._stream_window += value - self._initial_window
                self._initial_window = value
            elif setting == _MAX_FRAME_SIZE:
                self._largest_frame = value
        self._frame(_SETTINGS, _ACK, 0, b"")

    def _read_headers(self) -> None:
        headers = literal_headers(bytes(self._block))
        if status := headers.get("grpc-status", "0").strip("0"):
            reason = headers.get("grpc-message", "no reason given")
            raise CallLost(f"the referee ended the call with status {status}: {reason}")
        self.ended = self._block_ends


def _unpadded(payload: bytearray, flags: int) -> bytearray:
    return payload[1 : len(payload) - payload[0]] if flags & _PADDED else payload


def _request_headers(path: str) -> bytes:
    """Return the header block of the request. The lone bytes are rows of HPACK's static table (RFC 7541, A)."""

    def text(value: str) -> bytes:
        return bytes([len(value)]) + value.encode("ascii")

    return (
        b"\x83\x86"  # :method POST, :scheme http
        + (b"\x01" + text("localhost"))  # :authority; for a unix socket there is no better one, and Go wants one
        + (b"\x04" + text(path))  # :path
        + (b"\x0f\x10" + text("application/grpc"))  # content-type
        + (b"\x00" + text("te") + text("trailers"))
        + (b"\x0f\x2b" + text("arena-sdk"))  # user-agent
    )


def literal_headers(block: bytes) -> dict[str, str]:
    """Return the headers that a block (RFC 7541, 6) spells out letter by letter.

    Those in Huffman code are left out: the status of a call is a digit, which nobody codes, and the
    sentence beside it is worth no table of 257 codes.
    """
    headers: dict[str, str] = {}
    place = 0

    def number(bits: int) -> int:
        nonlocal place
        mask = (1 << bits) - 1
        value = block[place] & mask
        place += 1
        if value == mask:
            shift = 0
            while True:
                byte = block[place]
                place += 1
                value += (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
        return value

    def text() -> str:
        nonlocal place
        huffman = block[place] & 128
        length = number(7)
        place += length
        return "" if huffman else block[place - length : place].decode("utf-8", "replace")

    while place < len(block):
        first = block[place]
        if first & 128:
            number(7)
        elif first & 0xE0 == 32:
            number(5)
        else:
            name = "" if number(6 if first & 64 else 4) else text()
            headers[name] = text()
    return headers
