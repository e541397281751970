"""Coch: two against two, ten tricks, and the lion is the strongest picture.

Source: the Korean rule book of Cuckoo cards, section 5 "Coch", as played around Bergamo. Its parts are
cited beside the lines that obey them; "Decision" marks what the book leaves open (all of it in
docs/rules/coch.md). The tricks are in `tricks`, the count in `trick_count`.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.game import Game, Outcome, team_outcome
from referee.engine.known import Known, SeatLog
from referee.engine.options import Options, option
from referee.games import trick_count
from referee.games.trick_count import CountedTricks
from referee.games.tricks import LAST_DEAL, PLAYS, known_tricks, strengths

SEATS: Final = 4
TEAMS: Final = (0, 1, 0, 1)
"""The team of each seat. (1) Players: those who face each other."""


@dataclass(frozen=True, slots=True)
class CochOptions(Options):
    """The options of Coch."""

    deals: int = option(1, "deals of a match; the deal passes to the next seat", low=1, high=1000)


class CochView(NamedTuple):
    """What a seat may see: the fields of referee.v1.CochView, where each is explained."""

    deal: int
    dealer: int
    won: tuple[float, ...]
    points: tuple[float, ...]
    leaders: tuple[int, ...]
    played: tuple[int, ...]
    table: tuple[int, ...]
    base: int
    turn: int | None
    seat: int
    hand: tuple[int, ...]


LOG: Final = trick_count.log_of("seats 0 and 2 have", "seats 1 and 3 have")
WIN_DEAL: Final = LOG.line("seats {} and {} win the deal", "by card points, or by the second count", joined=True)
DRAW: Final = LOG.line("the deal is a draw", "both counts are equal: half a deal for each team", joined=True)


class CochState(CountedTricks):
    """A match of Coch. won: half deals won by each team."""

    __slots__ = ("options", "won")

    # (2) Order of the cards
    strength = strengths((-3, 15, 14, 13, 12, 11, 0, -1, -2, -4))

    def __init__(self, options: CochOptions, chance: Chance) -> None:
        self.options = options
        self.won = (0, 0)
        super().__init__(SEATS, chance)

    def _is_over(self) -> bool:
        if self.deal < self.options.deals:
            return False
        self.events.append((LAST_DEAL, self.deal))
        return True

    def _prepare(self) -> bool:
        # (3) Preparation: ten cards each.
        self._give(self._shuffled())
        return False

    def _settle(self) -> None:
        # (5) Counting: by card points, then by the second count; still equal is a draw.
        sign = self._compare((0, 2))
        self.won = (self.won[0] + 1 + sign, self.won[1] + 1 - sign)
        if sign:
            winner = 0 if sign > 0 else 1
            self.events.append((WIN_DEAL, winner, winner + 2))
        else:
            self.events.append((DRAW,))

    def default(self, seat: int) -> str:
        """The card that counts least, among these the weakest of its type."""
        return self._cheapest()

    def view(self, seat: int) -> CochView:
        points = self.points
        # Cheaper than to call CochView, and the same.
        return tuple.__new__(
            CochView,
            (
                self.deal,
                self.dealer,
                (self.won[0] / 2, self.won[1] / 2),
                ((points[0] + points[2]) / 2, (points[1] + points[3]) / 2),
                self.leaders,
                self.played,
                self.table,
                self.base,
                self._turn(),
                seat,
                tuple(self.hands[seat]),
            ),
        )

    def copy(self) -> Self:
        twin = super().copy()
        twin.options, twin.won = self.options, self.won
        return twin

    def outcome(self) -> Outcome:
        # Decision: a match of several deals is won by the team that won most of them.
        return team_outcome(self.won, TEAMS)


class Coch(Game):
    """The rules of Coch."""

    name = "coch"
    title = "Coch: two against two, ten tricks, the lion beats every picture"
    unit = "deals won"
    scale = 2
    behaviour = 1
    options = CochOptions
    seats = (SEATS, SEATS)
    recommended = SEATS
    lines = LOG.lines
    message = "referee.v1.coch_pb2:CochView"
    stable = 6
    presets: ClassVar = {"default": {}, "three_deals": {"deals": 3}}
    phrases = ("play {card}",)
    moves = (
        "play CARD  lead or follow with a card of the hand, e.g. play -3; one of the base card's type if there is one"
    )

    def teams(self, options: Any, seats: int) -> tuple[int, ...]:
        return TEAMS

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return tuple(PLAYS.values())

    def known_chance(self, log: SeatLog) -> list[Known]:
        return known_tricks(log)

    def start(self, options: Any, seats: int, chance: Chance) -> CochState:
        self.check(options, seats)
        return CochState(options, chance)


COCH = Coch()
