"""Cucco: Cambio as Board Game Arena plays it, short or standard, with or without cancellation.

Source: the Cucco rules page written for Board Game Arena (in Japanese). Its "round" is our set, its
"deal" our round, as in Cambio. "Decision" marks what the page leaves open (see docs/rules/cucco.md).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.events import Line
from referee.engine.game import Game, Outcome, ranks
from referee.engine.options import Options, option
from referee.games import survival
from referee.games.cuckoo_pack import CUCKOO, UNKNOWN, pack
from referee.games.exchange import Table
from referee.games.reveals import cancellation, lowest
from referee.games.survival import Survival


@dataclass(frozen=True, slots=True)
class CuccoOptions(Options):
    """The options of Cucco."""

    length: str = option(
        "standard",
        "coins of each seat, and sets to play",
        choices={"standard": "25 coins, 6 sets", "short": "10 coins, 3 sets"},
    )
    cancellation: bool = option(False, "players who show equal cards are defeated too; always 40 cards")
    open: str = option(
        "auto",
        "who opens a cuckoo",
        choices={
            "auto": "it opens by itself, two turns before its holder's",
            "manual": "its holder calls it, as in cambio",
        },
    )

    def table(self, seats: int) -> Table:
        """Return what these options make of a table of `seats`."""
        coins, sets = (25, 6) if self.length == "standard" else (10, 3)
        return Table(
            seats=seats,
            # Preparation: from 8 players on 39 cards; with cancellation always 40.
            pack=pack(cuckoos=1 if seats >= 8 and not self.cancellation else 2),
            chips=coins,
            ante=1,
            sets=sets,
            reveal=cancellation if self.cancellation else lowest,
        )


class CuccoView(NamedTuple):
    """What a seat may see: the fields of referee.v1.CuccoView, where each is explained."""

    set: int
    round: int
    starter: int
    cuckoos: int
    box: int
    chips: tuple[int, ...]
    order: tuple[int, ...]
    discards: tuple[int, ...]
    pile: int
    turn: int | None
    defeated: tuple[int, ...]
    actions: tuple[int, ...]
    partners: tuple[int, ...]
    replies: tuple[int, ...]
    seat: int
    stage: int
    card: int | None
    known: tuple[int, ...]
    aside: tuple[int, ...]
    strong_fools: tuple[int, ...]


LINES = (
    *survival.lines("starts"),
    Line("the cuckoo of seat {} opens", "by itself: the exchange phase is over", reveals=True),
)
OPENS = len(LINES) - 1


class CuccoState(Survival):
    """A match of Cucco."""

    __slots__ = ("options",)

    def __init__(self, options: CuccoOptions, seats: int, chance: Chance) -> None:
        self.options = options
        super().__init__(options.table(seats), chance)

    def _turn_order(self) -> tuple[int, ...]:
        # Play: the start player acts first; the last player exchanges with the pile.
        first = self.inside.index(self.lead)
        return self.inside[first:] + self.inside[:first]

    # The cuckoo that opens by itself

    def _holders(self, position: int) -> tuple[int, ...]:
        return super()._holders(position) if self.options.open == "manual" else ()

    def _calls_apart(self) -> bool:
        return self.options.open == "manual" and super()._calls_apart()

    def _may_call(self, seat: int) -> bool:
        return self.options.open == "manual" and super()._may_call(seat)

    def _opens(self, position: int) -> bool:
        if self.options.open == "manual":
            return False
        for place, seat in enumerate(self.order):
            # Only a cuckoo that was dealt to its holder opens; one that came by exchange does not.
            if self.cards[seat] == CUCKOO and self.owners[seat] == seat and self._opening(place) == position:
                self.events.append((OPENS, seat))
                return True
        return False

    def _opening(self, place: int) -> int | None:
        """Return before which turn the cuckoo dealt to the player at `place` of the turn order opens.

        Hints: two turns before its holder's. The start player's opens only between two players, for the
        other could draw a fool. Decision: the second player's opens before the first turn, like the third's.
        """
        if place == 0:
            return 0 if len(self.order) == 2 else None
        return max(place - 2, 0)

    # The contract

    def view(self, seat: int) -> CuccoView:
        known = self._known(seat)
        card = known[seat]
        # Half the price of calling CuccoView, and the same.
        return tuple.__new__(
            CuccoView,
            (
                self.set,
                self.round,
                self.lead,
                self.table.cuckoos,
                self.box,
                self.chips,
                self.order,
                self.pile.discards,
                self.pile.left,
                self._next_seat(),
                self.fallen,
                tuple(self.actions),
                tuple(self.partners),
                self.replies,
                seat,
                self._stage_for(seat),
                None if card == UNKNOWN else card,
                known,
                self._known_aside(seat) if self.aside else (),
                self._known_strong(seat) if self.strong else (),
            ),
        )

    def copy(self) -> Self:
        twin = super().copy()
        twin.options = self.options
        return twin

    def outcome(self) -> Outcome:
        # End of the round: most coins win.
        return Outcome(self.chips, ranks(self.chips))


class Cucco(Game):
    """The rules of Cucco."""

    name = "cucco"
    title = "Cucco as on Board Game Arena: cuckoos open by themselves, six sets or three"
    unit = "coins"
    behaviour = 1
    options = CuccoOptions
    seats = (2, 15)
    recommended = 6
    lines = LINES
    message = "referee.v1.cucco_pb2:CuccoView"
    stable = 8
    moves = """\
keep      end the turn with the card you hold
exchange  ask the next undefeated seat for an exchange; the last in turn order, and who finds nobody, the pile
cuckoo    with a 15, in your turn or before any other seat's, under open=manual: end the exchange phase
pass      before another seat's turn, under open=manual: do not call your 15"""
    presets: ClassVar = {
        "default": {},
        "short": {"length": "short"},
        "cancellation": {"cancellation": True},
        "manual": {"open": "manual"},
        "cancellation_manual": {"cancellation": True, "open": "manual", "length": "short"},
    }

    def start(self, options: Any, seats: int, chance: Chance) -> CuccoState:
        self.check(options, seats)
        return CuccoState(options, seats, chance)


CUCCO = Cucco()
