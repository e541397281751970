"""A bot in this process, for tests that play a match by hand."""

from referee.match.seat import Chair


class Asked:
    """A bot for all seats: it keeps what it is asked."""

    move_time = 0.0

    def __init__(self) -> None:
        self.chairs: list[Chair] = []

    def ask(self, chair: Chair) -> None:
        self.chairs.append(chair)
