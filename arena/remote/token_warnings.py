"""How often wrong tokens are told of."""

from collections import deque

from arena.visitors import visitor_key

TRIES = 10
WINDOW = 60.0
"""Of so many wrong tokens of one visitor within so many seconds each is told of, and of no more of them."""

VISITORS = 10_000
"""How many visitors are remembered."""


class Patience:
    """Counts wrong tokens by visitor. All times are seconds on one clock."""

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}

    def wrong(self, address: str, now: float) -> str:
        """Count a wrong token that came from an address; return what is to be said of it, as a rule nothing more."""
        name = visitor_key(address)
        times = self._wrong.pop(name, None) or deque(maxlen=TRIES)
        self._wrong[name] = times  # the last ones stand at the end
        if len(self._wrong) > VISITORS:
            del self._wrong[next(iter(self._wrong))]
        while times and now - times[0] >= WINDOW:
            times.popleft()
        if len(times) == TRIES:
            return ""
        times.append(now)
        last = len(times) == TRIES
        return f"a wrong token came from {address}" + (", as many others: no more is said of them" if last else "")
