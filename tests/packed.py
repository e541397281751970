"""The data of a replay in one file, which is packed."""

import re
from base64 import b64decode
from gzip import decompress


def unpacked(page: str) -> str:
    """Return the text of the data of a page."""
    found = re.search(r'id="replay-data" data-packed="gzip">([^<]*)</script>', page)
    assert found
    return decompress(b64decode(found[1])).decode()
