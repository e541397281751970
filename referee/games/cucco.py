"""Cucco: Cambio as Board Game Arena plays it, short or standard, with or without cancellation.

Source: the Cucco rules page written for Board Game Arena (in Japanese). Its "round" is our set, its
"deal" our round, as in Cambio. "Decision" marks what the page leaves open (see docs/rules/cucco.md).
Here is what differs; the phases of a set are in `cambio`.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple

from referee.engine.chance import Chance
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.known import Known, SeatLog
from referee.engine.moves import Badge
from referee.engine.options import Options, option
from referee.games.cambio import (
    CUCKOO_MOVES,
    HOLDER_MOVES,
    ROUND,
    ROUND_LOG,
    TURN_MOVES,
    CambioState,
    Rules,
    known_exchanges,
)
from referee.games.cuckoo_pack import CUCKOO, UNKNOWN, pack
from referee.games.exchange import ExchangeTable
from referee.games.reveals import cancellation, lowest
from referee.games.visibility import known_cards

LOG: Final = ROUND_LOG.extended({ROUND: replace(ROUND_LOG.lines[ROUND], text="round {} begins: seat {} starts")})
OPENS: Final = LOG.line(
    "the cuckoo of seat {} opens", "by itself: the exchange phase is over", reveals=True, moves=(Badge("cuckoo opens"),)
)


# Course of play


def starter_first(inside: tuple[int, ...], starter: int) -> tuple[int, ...]:
    """Return the turn order of the seats `inside`: the start player acts first, and the last draws from the pile."""
    first = inside.index(starter)
    return inside[first:] + inside[:first]


# The cuckoo opens by itself


def opening(table: ExchangeTable, events: list[Event]) -> bool:
    """Tell whether a cuckoo opens before the turn that comes next."""
    for place, seat in enumerate(table.order):
        # Only a cuckoo that was dealt to its holder opens; one that came by exchange does not.
        has_own = table.cards[seat] == CUCKOO and table.owners[seat] == seat
        if has_own and opening_turn(place, len(table.order)) == table.position:
            events.append((OPENS, seat))
            return True
    return False


def opening_turn(place: int, players: int) -> int | None:
    """Return before which turn the cuckoo opens that was dealt to the player at `place` of the turn order; or never.

    Hints: two turns before its holder's. The start player's opens only between two players, for the
    other could draw a fool. Decision: the second player's opens before the first turn, like the third's.
    """
    if place == 0:
        return 0 if players == 2 else None
    return max(place - 2, 0)


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
    coins: int = option(0, "coins of each seat at the start; 0: as length says", low=0, high=1000)
    sets: int = option(0, "sets to play; 0: as length says", low=0)

    def rules(self, seats: int) -> Rules:
        """Return the rules that these options make at a table of `seats`."""
        # Preparation: any equal number of coins. Game length: any number of sets agreed upon.
        coins, sets = (25, 6) if self.length == "standard" else (10, 3)
        return Rules(
            seats=seats,
            # Preparation: from 8 players on 39 cards; with cancellation always 40.
            pack=pack(cuckoos=1 if seats >= 8 and not self.cancellation else 2),
            chips=self.coins or coins,
            ante=1,
            max_sets=self.sets or sets,
            reveal=cancellation if self.cancellation else lowest,
            turn_order=starter_first,
            opening=opening if self.open == "auto" else None,
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


class CuccoState(CambioState):
    """A match of Cucco: of Cambio by other rules, and seen by a view of its own."""

    __slots__ = ()

    def view(self, seat: int) -> CuccoView:
        table = self.table
        known = known_cards(seat, table.cards, table.seen)
        card = known[seat]
        # Cheaper than to call CuccoView, and the same.
        return tuple.__new__(
            CuccoView,
            (
                self.set,
                self.round,
                self.lead,
                self.rules.cuckoos,
                self.box,
                self.chips,
                table.order,
                table.pile.discards,
                table.pile.left,
                self._turn(),
                table.fallen,
                tuple(table.actions),
                tuple(table.partners),
                table.replies,
                seat,
                self._stage_for(seat),
                None if card == UNKNOWN else card,
                known,
                table.known_aside(seat) if table.aside else (),
                table.known_strong(seat) if table.strong else (),
            ),
        )


class Cucco(Game):
    """The rules of Cucco."""

    name = "cucco"
    title = "Cucco as on Board Game Arena: cuckoos open by themselves, six sets or three"
    unit = "coins"
    behaviour = 1
    options = CuccoOptions
    seats = (2, 15)
    recommended = 6
    lines = LOG.lines
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
        "fifteen_coins": {"coins": 15, "sets": 4},
    }

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return TURN_MOVES if options.open == "auto" else (*CUCKOO_MOVES, HOLDER_MOVES[0])

    def known_chance(self, log: SeatLog) -> list[Known]:
        return known_exchanges(log, OPENS, opening_turn if log.options.open == "auto" else None)

    def start(self, options: Any, seats: int, chance: Chance) -> CuccoState:
        self.check(options, seats)
        return CuccoState(options.rules(seats), chance)


CUCCO = Cucco()
