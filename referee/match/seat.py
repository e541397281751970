"""One seat of one match: who is asked, on what clock, and what it has been told and has answered."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from referee.match.match import Match


class Asker(Protocol):
    """Whoever puts a question to the bot that holds a seat.

    move_time: seconds for each answer, 0: no limit.
    """

    move_time: float

    def ask(self, chair: "Chair") -> None:
        """Ask, now or later; the answer comes back through `Match.answer` or `Match.fail`, never from within."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clock of a seat: seconds for each answer (0: no limit), seconds in the bank, faults until it is forfeited.

    slot: seconds after a turn before a veiled question (see `State.veiled`) is put, 0: it is put at once.
    """

    move_time: float
    bank: float
    strikes: int
    slot: float = 0.0


class Chair:
    """One seat of one match.

    bank: seconds left. charged: seconds charged for the last answer. total: for all of them.
    legal: the moves of the open question. seen: how many events its bot was told.
    life, local: which process of its player knows the match, and by what number.
    """

    __slots__ = (
        "match", "seat", "player", "bot_seed", "bank", "charged", "total", "decisions", "strikes", "forfeit",
        "legal", "index", "time", "seen", "life", "local",
    )  # fmt: skip

    def __init__(self, match: "Match", seat: int, player: Asker, bot_seed: bytes, bank: float) -> None:
        self.match = match
        self.seat = seat
        self.player = player
        self.bot_seed = bot_seed
        self.bank = bank
        self.charged = 0.0
        self.total = 0.0
        self.decisions = 0
        self.strikes = 0
        self.forfeit = False
        self.legal: tuple[str, ...] = ()
        self.index = 0
        self.time = 0
        self.seen = 0
        self.life = 0
        self.local = 0
