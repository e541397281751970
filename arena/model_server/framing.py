"""Messages on pipes: each behind its length in bytes as a varint, as protobuf's own libraries write them."""

from collections.abc import Callable

MOST_BYTES = 16 * 1024 * 1024
"""The largest message that is read."""

_LONGEST_VARINT = 5


class BadFrame(Exception):
    """What comes is no message behind its length. The text says why."""


def read_frame(read: Callable[[int], bytes]) -> bytes | None:
    """Return the next message; None where the input ends before it.

    read: returns as many bytes as it is asked for, or fewer at the end of the input.

    Raises BadFrame.
    """
    length, shift = 0, 0
    while True:
        byte = read(1)
        if not byte:
            if shift:
                raise BadFrame("the input ends within the length of a message")
            return None
        length |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            break
        shift += 7
        if shift >= 7 * _LONGEST_VARINT:
            raise BadFrame("the length of a message is no varint: write each message behind its length in bytes")
    if length > MOST_BYTES:
        raise BadFrame(
            f"a message of {length:,} bytes is announced, at most {MOST_BYTES:,} are read: write each message behind "
            "its length in bytes, as a varint"
        )
    message = read(length)
    if len(message) < length:
        raise BadFrame("the input ends within a message")
    return message


def framed(message: bytes) -> bytes:
    """Return a message behind its length."""
    length, prefix = len(message), bytearray()
    while length > 0x7F:
        prefix.append(length & 0x7F | 0x80)
        length >>= 7
    prefix.append(length)
    return bytes(prefix) + message
