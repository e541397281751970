"""The HTTP/2 that a bot speaks, frame by frame. That grpcio understands it is shown in test_bot.py."""

from struct import pack

import pytest

from arena.sdk.address import split
from arena.sdk.call import Call, CallLost, literal_headers

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9


def frame(kind: int, payload: bytes = b"", flags: int = 0, stream: int = 1) -> bytes:
    return pack(">I", len(payload))[1:] + bytes([kind, flags]) + pack(">I", stream) + payload


def frames(data: bytes) -> list[tuple[int, int, int, bytes]]:
    """Return (kind, flags, stream, payload) of every frame."""
    found = []
    while data:
        length = int.from_bytes(data[:3], "big")
        found.append((data[3], data[4], int.from_bytes(data[5:9], "big"), data[9 : 9 + length]))
        data = data[9 + length :]
    return found


def message(payload: bytes) -> bytes:
    return b"\0" + pack(">I", len(payload)) + payload


def literal(name: bytes, value: bytes) -> bytes:
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


@pytest.fixture
def call() -> Call:
    """A call whose opening has been written."""
    call = Call("/a.B/C")
    call.outgoing()
    return call


def test_opening() -> None:
    call = Call("/a.B/C")
    call.send(b"hello")
    written = call.outgoing()
    assert written.startswith(PREFACE)
    settings, window, headers, data = frames(written[len(PREFACE) :])
    assert (settings[0], window[0], headers[0]) == (SETTINGS, WINDOW_UPDATE, HEADERS)
    assert headers[1:3] == (4, 1)
    assert headers[3].startswith(b"\x83\x86")
    assert literal_headers(headers[3]) == {"": "arena-sdk", "te": "trailers"}
    for part in (b"localhost", b"/a.B/C", b"application/grpc"):
        assert bytes([len(part)]) + part in headers[3]
    assert data == (DATA, 0, 1, message(b"hello"))
    assert call.outgoing() == b""


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_messages_cut_anywhere(call: Call, size: int) -> None:
    """Frames may be read in pieces, messages cut across frames, and several may stand in one."""
    padded = frame(DATA, b"\x03" + message(b"three") + b"\0\0\0", flags=8)
    stream = (
        frame(DATA, message(b"one")[:6])
        + frame(DATA, message(b"one")[6:] + message(b"two"))
        + padded
        + frame(DATA, message(b""))
    )
    got = [found for place in range(0, len(stream), size) for found in call.feed(stream[place : place + size])]
    assert got == [b"one", b"two", b"three", b""]


def test_flow_control(call: Call) -> None:
    """No more leaves than the other side has room for, in frames no larger than it takes."""
    call.send(b"x" * 70000)
    first = frames(call.outgoing())
    assert sum(len(payload) for *_, payload in first) == 65535
    assert max(len(payload) for *_, payload in first) == 16384
    call.feed(frame(WINDOW_UPDATE, pack(">I", 100)))
    assert call.outgoing() == b""  # room on the stream, none on the connection
    call.feed(frame(WINDOW_UPDATE, pack(">I", 40), stream=0))
    assert [len(payload) for *_, payload in frames(call.outgoing())] == [40]
    call.feed(frame(WINDOW_UPDATE, pack(">I", 100000), stream=0))
    raised = pack(">HI", 4, 65535 + 5000) + pack(">HI", 5, 20000)
    call.feed(frame(SETTINGS, raised, stream=0))
    answer, rest = frames(call.outgoing())
    assert {answer[:2], rest[:2]} == {(SETTINGS, 1), (DATA, 0)}
    assert sum(len(payload) for *_, payload in (answer, rest)) == 70005 - 65535 - 40


def test_window_is_refilled(call: Call) -> None:
    piece = frame(DATA, message(bytes(2**20 - 5)))
    for _ in range(15):
        assert len(call.feed(piece)) == 1
    assert call.outgoing() == b""
    call.feed(piece)
    more = pack(">I", 2**24)
    assert frames(call.outgoing()) == [(WINDOW_UPDATE, 0, 0, more), (WINDOW_UPDATE, 0, 1, more)]


def test_ping_is_answered_and_acknowledgements_are_not(call: Call) -> None:
    call.feed(frame(PING, b"12345678", stream=0) + frame(PING, b"12345678", 1, 0) + frame(SETTINGS, b"", 1, 0))
    assert frames(call.outgoing()) == [(PING, 1, 0, b"12345678")]


def test_end_in_good_order(call: Call) -> None:
    trailers = literal(b"grpc-status", b"0")
    opening = frame(HEADERS, b"\x88", 4)
    assert call.feed(opening + frame(DATA, message(b"bye")) + frame(HEADERS, trailers[:5], 1)) == [b"bye"]
    assert not call.ended
    call.feed(frame(CONTINUATION, trailers[5:], 4))
    assert call.ended
    assert call.feed(b"") == []


def test_trailers_with_padding_and_priority(call: Call) -> None:
    call.feed(frame(HEADERS, b"\x02" + b"\0" * 5 + literal(b"grpc-status", b"0") + b"\0\0", 1 | 4 | 8 | 32))
    assert call.ended


@pytest.mark.parametrize(
    ("heard", "told"),
    [
        (b"", "closed the connection"),
        (frame(HEADERS, literal(b"grpc-status", b"13") + literal(b"grpc-message", b"ouch"), 5), "status 13: ouch"),
        (frame(HEADERS, literal(b"grpc-status", b"2"), 5), "status 2: no reason given"),
        (frame(RST_STREAM, pack(">I", 8)), "HTTP/2 error 8"),
        (frame(DATA, b"\x01\0\0\0\x01x"), "compressed"),
    ],
)
def test_lost(call: Call, heard: bytes, told: str) -> None:
    with pytest.raises(CallLost, match=told):
        call.feed(heard)


def test_going_away_is_no_end(call: Call) -> None:
    assert call.feed(frame(GOAWAY, bytes(8), stream=0) + frame(DATA, message(b"last"))) == [b"last"]


def test_headers_in_every_form() -> None:
    """RFC 7541, 6: indexed, sized, and literals of all kinds; those in Huffman code are left out."""
    long = b"v" * 300
    block = (
        b"\x88"  # an entry of the table
        + b"\xff\x00"  # entry 127
        + b"\x3f\x01"  # size of the table: 32
        + b"\x40\x01a\x01b"  # literal, to be kept in the table
        + b"\x10\x01c\x7f\xad\x01"  # literal, never to be kept; 127 + 45 + 128 = 300 letters
        + long
        + b"\x00\x83xyz\x01d"  # name in Huffman code
        + b"\x01\x82xy"  # name in the table, value in Huffman code
        + b"\x00\x01e\x02fg"
    )
    assert literal_headers(block) == {"a": "b", "c": long.decode(), "": "", "e": "fg"}


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("unix:/run/a/s", "/run/a/s"),
        ("unix:///run/a/s", "/run/a/s"),
        ("unix:s", "s"),
        ("localhost:50051", ("localhost", 50051)),
        ("[::1]:7", ("::1", 7)),
    ],
)
def test_address(address: str, target: str | tuple[str, int]) -> None:
    assert split(address) == target
