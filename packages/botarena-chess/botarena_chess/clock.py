"""The clock of the other side, which no bot is told."""


class OtherClock:
    """The clock of the other side, reckoned by the time between an answer and the next question.

    bank_ms: what is left of its bank, in milliseconds.
    move_ms: the time of a move.
    is_fischer: whether what a move leaves of that is added to the bank.
    """

    def __init__(self, bank_ms: int = 0, move_ms: int = 0, *, is_fischer: bool = False) -> None:
        self.bank_ms = bank_ms
        self.move_ms = move_ms
        self._is_fischer = is_fischer
        self._since: float | None = None

    def start(self, now: float) -> None:
        """Note that its turn has begun."""
        self._since = now

    def stop(self, now: float) -> None:
        """Note that its turn is over."""
        if self._since is not None:
            spent = now - self._since
            self.bank_ms = left_of_bank(self.bank_ms, self.move_ms, spent, is_fischer=self._is_fischer)
            self._since = None


def left_of_bank(bank_ms: int, move_ms: int, spent: float, *, is_fischer: bool) -> int:
    """Return what is left of a bank after a move that took `spent` seconds, in milliseconds."""
    if not spent:
        return bank_ms
    left = move_ms - round(spent * 1000)
    return max(0, bank_ms + (left if is_fischer else min(0, left)))
