"""Warnings about wrong tokens, limited in number."""

from collections import deque

from arena.values.visitors import visitor_key

TRIES = 10
WINDOW = 60.0
"""At most this many warnings for one visitor within this many seconds."""

VISITORS = 10_000
"""The number of visitors that are remembered."""


class TokenWarnings:
    """Counts wrong tokens by visitor. Times are in seconds, all on one clock."""

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}

    def count_wrong_token(self, address: str, now: float) -> str:
        """Count a wrong token from an address; return the warning to print, or "" beyond the limit."""
        name = visitor_key(address)
        times = self._wrong.pop(name, None) or deque(maxlen=TRIES)
        self._wrong[name] = times  # the most recent visitor is last
        if len(self._wrong) > VISITORS:
            del self._wrong[next(iter(self._wrong))]
        while times and now - times[0] >= WINDOW:
            times.popleft()
        if len(times) == TRIES:
            return ""
        times.append(now)
        last = len(times) == TRIES
        return f"wrong token from {address}" + ("; further ones are not reported" if last else "")
