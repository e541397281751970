"""Messages behind their lengths, whole and damaged."""

from io import BytesIO

import pytest
from google.protobuf.internal.encoder import _VarintBytes  # type: ignore[attr-defined]

from arena.model_server.framing import MOST_BYTES, BadFrame, framed, read_frame


@pytest.mark.parametrize("length", [0, 1, 127, 128, 300, 1 << 14, 1 << 21])
def test_a_message_is_written_and_read_as_protobuf_does(length: int) -> None:
    message = b"x" * length
    assert framed(message) == _VarintBytes(length) + message
    file = BytesIO(framed(message) + framed(b"next"))
    assert [read_frame(file.read) for _ in range(3)] == [message, b"next", None]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x80", "ends within the length"),
        (b"\x05only", "ends within a message"),
        (b"\xff" * 9, "is no varint"),
        (b"\x80\x80\x80\x10", "33,554,432 bytes is announced, at most 16,777,216"),
    ],
)
def test_what_is_no_message_is_told(content: bytes, says: str) -> None:
    with pytest.raises(BadFrame, match=says):
        read_frame(BytesIO(content).read)


def test_no_more_is_read_than_a_message_may_have() -> None:
    asked: list[int] = []

    def read(count: int) -> bytes:
        asked.append(count)
        return b"\xff\xff\xff\xff\x0f"[len(asked) - 1 : len(asked)]

    with pytest.raises(BadFrame):
        read_frame(read)
    assert max(asked) <= MOST_BYTES
