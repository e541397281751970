"""Compressed blobs: any content comes back, and whatever else stands there is refused."""

import pytest

from arena.store.engine.blobs import compress, decompress
from arena.store.engine.errors import StoreError

LONG = b"keep exchange " * 50


@pytest.mark.parametrize("content", [b"", b"x", LONG])
def test_content_comes_back(content: bytes) -> None:
    assert decompress(compress(content)) == content


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"\x01",
        compress(LONG)[:-1],
        compress(LONG) + b"x",
        compress(LONG) + compress(LONG),
        b"\x02" + compress(LONG)[1:],
        b"\x01nonsense",
    ],
)
def test_a_damaged_blob_is_refused(blob: bytes) -> None:
    with pytest.raises(StoreError, match="a blob of the database is damaged .*: restore it from a copy"):
        decompress(blob)
