"""Types that msgspec converts to, made ready by one thread at a time.

msgspec reads the annotations of a struct as it converts to it for the first time. A second thread that does so
meanwhile finds the fields half read, and the process ends with a segmentation fault (seen with msgspec 0.22.0).
"""

from contextlib import suppress
from threading import RLock
from typing import TypeVar

import msgspec

T = TypeVar("T")

_ready: set[object] = set()
_reading = RLock()


def ready(kind: type[T]) -> type[T]:
    """Return a type after msgspec has read it with all that it holds."""
    if kind not in _ready:
        with _reading:
            with suppress(msgspec.ValidationError):
                msgspec.convert(None, kind)
            _ready.add(kind)
    return kind
