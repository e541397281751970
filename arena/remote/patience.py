"""How many wrong tokens are borne from one address."""

from collections import deque

TRIES = 10
WINDOW = 60.0
"""More than so many wrong tokens within so many seconds, and the address is not listened to until they are over."""

ADDRESSES = 10_000
"""How many addresses are remembered."""


class Patience:
    """Counts wrong tokens by address. All times are seconds on one clock."""

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}

    def is_out(self, address: str, now: float) -> bool:
        """Tell whether nobody is listened to at an address."""
        times = self._wrong.get(address)
        return times is not None and len(times) >= TRIES and now - times[0] < WINDOW

    def wrong(self, address: str, now: float) -> None:
        """Count a wrong token."""
        times = self._wrong.pop(address, None) or deque(maxlen=TRIES)
        times.append(now)
        self._wrong[address] = times  # the last ones stand at the end
        if len(self._wrong) > ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
