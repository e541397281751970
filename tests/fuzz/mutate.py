"""Damages files as files get damaged, or are made to do harm; in the same way for the same random numbers."""

import re
from collections.abc import Callable, Sequence
from random import Random

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]

LONGEST = 1 << 20
"""Bytes of a damaged file at the most."""

_HARMFUL = (
    "\u202e", "\u2066", "\u200b", "\ufeff", "\u2028", "\x1b[2J", "\x1b]0;owned\x07", "\x9b31m", "\x85", "\x08", "\x7f",
    "\x00", "\r",
)  # fmt: skip
"""What a terminal obeys, or people do not see."""

_NUMBERS = (
    b"-1", b"0", b"255", b"65536", b"2147483647", b"2147483648", b"4294967296", b"9223372036854775807",
    b"9223372036854775808", b"18446744073709551616", b"99999999999999999999999", b"1e308", b"1e999", b"-1e999",
    b"nan", b"inf", b"0.1", b"1" + b"0" * 400, b"7" * 5000,
)  # fmt: skip

_VALUES = (b"null", b"true", b"[]", b"{}", b'""', b'"x"', b"0", b"-1", b"1.5", b"[[]]", b'{"a":1}')


_TAGS = (0, 1, 8, 10, 16, 18, 26, 34, 42, 48, 56, 64, 127, 128, 255)
"""Bytes with which a field of a protobuf message begins, or a longer number."""


def mutated(content: bytes, random: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return `content` with one to four kinds of damage.

    others: files of the same kind, of which parts may come in.
    """
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        content = random.choice(MUTATIONS)(content, random, others or (content,))[:LONGEST]
    return content


def mutated_message(message: bytes, random: Random) -> bytes:
    """Return an encoded protobuf message with bytes changed, inserted, removed, repeated or cut off."""
    damaged = bytearray(message)
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(damaged) + 1)
        match random.randrange(5):
            case 0 if place < len(damaged):
                damaged[place] = random.randrange(256)
            case 1:
                damaged[place:place] = bytes([random.choice(_TAGS)])
            case 2:
                del damaged[place : place + random.randrange(1, 3)]
            case 3:
                damaged[place:place] = damaged[place : place + random.randrange(12)]
            case _:
                del damaged[place:]
    return bytes(damaged)


def _flip(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    if not content:
        return content
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 8))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _byte(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.randbytes(random.choice((1, 1, 4, 64))) + content[at + random.randrange(3) :]


def _truncate(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return content[: random.randrange(len(content) + 1)]


def _behead(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return content[random.randrange(len(content) + 1) :]


def _cut(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + content[at + random.randrange(1, 200) :]


def _splice(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    return content[: random.randrange(len(content) + 1)] + other[random.randrange(len(other) + 1) :]


def _lines(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Remove a line, repeat it, or put it elsewhere."""
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    line = lines[random.randrange(len(lines))]
    kind = random.randrange(3)
    if kind != 1:
        lines.remove(line)
    if kind:
        lines[random.randrange(len(lines) + 1) :][:0] = [line]
        lines.insert(random.randrange(len(lines) + 1), line * random.choice((1, 1, 2, 50)))
    return b"".join(lines)


def _number(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return _replaced(rb"\d+", content, random, random.choice(_NUMBERS))


def _value(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return _replaced(rb'"[^"\n]*"|\d+|\[[^\[\]\n]*\]|\{[^{}\n]*\}', content, random, random.choice(_VALUES))


def _token(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Put one word of a file of this kind in the place of another."""
    words = re.findall(rb'"[^"\n]*"|[\w.-]+|[^\w\s]', random.choice(others)[:10_000])
    return _replaced(rb'"[^"\n]*"|[\w.-]+|[^\w\s]', content, random, random.choice(words) if words else b"")


def _control(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Put in a character that is not to be printed, between two others or in place of a word."""
    harmful = random.choice(_HARMFUL).encode()
    if random.random() < 0.5:
        return _replaced(rb"\w+", content, random, harmful + b"x")
    at = random.randrange(len(content) + 1)
    return content[:at] + harmful + content[at:]


def _escape(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """The same as JSON and TOML write it, so that what reads the file makes the character itself of it."""
    escape = random.choice((b"\\u202e", b"\\u001b[2J", b"\\u0000", b"\\u0085", b"\\ud800", b"\\u2028", b"\\n", b"\\r"))
    return _replaced(rb'(?<=")\w|(?<=\w)"', content, random, escape, keep=True)


def _encoding(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    kind = random.randrange(5)
    if kind == 0:
        return b"\xef\xbb\xbf" + content
    if kind == 1:
        return content.decode("utf-8", "replace").encode("utf-16")
    if kind == 2:
        return content.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\0\n")))
    bad = random.choice((b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\x80", b"\xc0\xaf"))
    at = random.randrange(len(content) + 1)
    return content[:at] + bad + content[at:]


def _nest(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    depth = random.choice((10, 1000, 100_000))
    left, right = random.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"{a=", b"}"), (b"(", b")"), (b"{", b"")))
    nested = left * depth + b"1" + right * depth
    return _replaced(rb'"[^"\n]*"|\d+', content, random, nested) if random.random() < 0.7 else nested + content


def _long(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return _replaced(
        rb"\w+", content, random, random.choice((b"x", b"9", "ü".encode(), b"a.")) * random.choice((300, 70_000))
    )


def _empty(content: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return random.choice((b"", b"\n", b"\0", b" ", content * 2))


MUTATIONS: tuple[Mutation, ...] = (
    _flip, _flip, _byte, _truncate, _behead, _cut, _splice, _lines, _lines, _number, _number, _value, _value,
    _token, _token, _control, _escape, _encoding, _nest, _long, _empty,
)  # fmt: skip
"""Likelier ones several times."""


def _replaced(pattern: bytes, content: bytes, random: Random, by: bytes, *, keep: bool = False) -> bytes:
    """Return `content` with one place that fits a pattern replaced.

    keep: the place stays, behind it.
    """
    end = min(len(content), LONGEST)
    places = re.compile(pattern)
    # Not a choice among all places: to find them all takes longer than what reads the file.
    found = places.search(content, random.randrange(end + 1), end) or places.search(content, 0, end)
    if found is None:
        return content
    start, end = found.span()
    return content[:start] + by + content[start if keep else end :]
