"""A bot in this process, for tests that play a match by hand."""

from referee.match.match import Seat


class Asked:
    """A bot for all seats: it keeps what it is asked."""

    move_time = 0.0

    def __init__(self) -> None:
        self.seats: list[Seat] = []

    def ask(self, seat: Seat) -> None:
        self.seats.append(seat)
