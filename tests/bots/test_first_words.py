"""What a bot sends at a socket without gRPC, in words."""

import pytest

from arena.bots.first_words import INSTEAD, describe


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (b"", f"sent nothing: {INSTEAD}"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "spoke HTTP/2 as gRPC does: it must call Play and say hello"),
        (b"\x16\x03\x01\x02\x00\x01", "began with TLS: it must use a channel without (insecure)"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", f'sent a request of HTTP/1, "GET / HTTP/1.1": {INSTEAD}'),
        (b'{"type":"hello"}\n', f'sent JSON, "{{"type":"hello"}}": {INSTEAD}'),
        (b"hello\n", f'sent something else than gRPC, "hello": {INSTEAD}'),
        (b"\xff\x00\x1b[2J", rf'sent something else than gRPC, "\xff\x00\x1b[2J": {INSTEAD}'),
        (b"x" * 256, f'sent something else than gRPC, "{"x" * 59}…": {INSTEAD}'),
    ],
)
def test_first_words_are_told_in_harmless_text(words: bytes, sentence: str) -> None:
    assert describe(words) == sentence
    assert describe(words).isprintable()
