"""One seat of one match: its clock, its open question and what its bot has been told."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from referee.match.match import Match


class SeatPlayer(Protocol):
    """What a match needs of the player that holds a seat (see `referee.session.player.BotPlayer`).

    move_time: seconds for each answer; 0: no limit.
    """

    move_time: float

    def ask(self, seat: "Seat") -> None:
        """Ask the bot, now or later; the answer comes back through `Match.answer` or `Match.fail`, never from here."""


@dataclass(frozen=True, slots=True)
class MatchLimits:
    """The limits of every seat of a match.

    move_time: seconds for each answer; 0: no limit. bank: seconds beyond all move times. strikes: faults until the
    seat is forfeited. slot: seconds after a turn before the next question that could reveal its timing (see
    `State.hides_turn_timing`); 0: it is asked at once.
    """

    move_time: float
    bank: float
    strikes: int
    slot: float = 0.0


class Seat:
    """One seat of one match.

    number: its place at the table. bank: seconds left. charged: seconds charged for the last answer. total: for all
    answers. legal: the moves of the open question. answer: the index of the move to be played; -1 until there is one.
    time: what that answer took, as records have it. events_seen: how many events its bot was told.
    process, match_id: the process of the player that knows the match, and the match's number there.
    """

    __slots__ = (
        "match", "number", "player", "bot_seed", "bank", "charged", "total", "decisions", "strikes", "forfeit",
        "legal", "answer", "time", "events_seen", "process", "match_id",
    )  # fmt: skip

    def __init__(self, match: "Match", number: int, player: SeatPlayer, bot_seed: bytes, bank: float) -> None:
        self.match = match
        self.number = number
        self.player = player
        self.bot_seed = bot_seed
        self.bank = bank
        self.charged = 0.0
        self.total = 0.0
        self.decisions = 0
        self.strikes = 0
        self.forfeit = False
        self.legal: tuple[str, ...] = ()
        self.answer = 0
        self.time = 0
        self.events_seen = 0
        self.process = 0
        self.match_id = 0
