"""Cambio: everybody holds one card, the weakest loses, the last to survive takes the box.

Source: the Korean rule book of Cuckoo cards, section 3 "Cuckoo (Cambio)", with its twelve extension
rules. Sections are cited beside the lines that obey them; "Decision" marks what the book leaves
open (all of it in docs/rules/cambio.md). The exchange of cards is in `exchange`, the turns in `turns`, the
course of a set in `survival`, the comparison of cards in `reveals`; here are the options and what they change.

Left out: drawing for seats and the colours of the chips, which decide nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.events import Line
from referee.engine.game import Game, Outcome, ranks
from referee.engine.options import Options, option
from referee.games import survival
from referee.games.cuckoo_pack import FOOL, STRONG_FOOL, UNKNOWN, pack
from referee.games.exchange import Table
from referee.games.reveals import RULES
from referee.games.survival import Survival
from referee.games.turns import REBIRTH


@dataclass(frozen=True, slots=True)
class CambioOptions(Options):
    """The optional rules of Cambio. The twelve extension rules of the book are `reveal` and the switches."""

    chips: int = option(25, "chips of each seat at the start; the book: 15 to 20 for a quick game", low=1, high=1000)
    cuckoos: str = option(
        "auto",
        "cuckoos in the pack",
        choices={
            "auto": "two; one from 8 players on; always two under double_pack and reveal=cancel",
            "1": "one",
            "2": "two",
            "3": "three, with double_pack only",
        },
    )
    final_tie: str = option(
        "carry",
        "when all the cards shown are equal and nobody would survive",
        choices={
            "carry": "all fall, and the box stays for the next set",
            "overtime": "nobody falls by the reveal, and those who showed cards play another round",
        },
    )
    reveal: str = option(
        "lowest",
        "who is defeated when the cards are shown",
        choices={
            "lowest": "the weakest",
            "anti": "the strongest (extension 1)",
            "cancel": "equal cards, and the weakest (extension 3)",
            "second": "the second strongest and the second weakest (extension 9)",
            "high_low": "the strongest and the weakest (extension 10)",
            "two": "the weakest and the second weakest (extension 11)",
            "lion": "the second weakest (extension 12)",
        },
    )
    indian: bool = option(False, "you see everybody's card but your own (extension 2)")
    misery: bool = option(False, "whoever first has no chips left wins (extension 4)")
    rebirth: bool = option(False, 'before the reveal one may say "i lose" (extension 5)')
    double_turn: bool = option(False, "two laps of turns in each round (extension 6)")
    double_pack: bool = option(False, "two packs, for up to 30 players (extension 7)")
    child_time: bool = option(False, "ante 2; the fourth defeat eliminates, the others cost 1, 2, 3 (extension 8)")
    max_sets: int = option(500, "sets after which the match is over", low=1)
    max_rounds: int = option(1000, "rounds of one set after which the match is over", low=4)

    def check(self) -> None:
        if self.reveal == "cancel" and self.cuckoos not in ("auto", "2"):
            # Extension 3: always two cuckoos.
            raise OptionError(f"reveal=cancel is played with two cuckoos, which contradicts cuckoos={self.cuckoos}")
        if self.cuckoos == "3" and not self.double_pack:
            raise OptionError("cuckoos=3 needs double_pack=true: one pack has two cuckoos")

    def table(self, seats: int) -> Table:
        """Return what these options make of a table of `seats`."""
        if self.cuckoos != "auto":
            cuckoos = int(self.cuckoos)
        else:
            # Preparation: one cuckoo from 8 players on. Extensions 3 and 7: two.
            cuckoos = 1 if seats >= 8 and not self.double_pack and self.reveal != "cancel" else 2
        return Table(
            seats=seats,
            pack=pack(2 if self.double_pack else 1, cuckoos),
            chips=self.chips,
            ante=2 if self.child_time else 1,  # Round play (1); extension 8
            sets=self.max_sets,
            reveal=RULES[self.reveal],
            # Decision: lion's "the fool never loses" holds for a drawn one too.
            strong_fool=FOOL if self.reveal == "lion" else STRONG_FOOL,
            laps=2 if self.double_turn else 1,  # Extension 6
            by_defeat=self.child_time,
            indian=int(self.indian),
        )


class CambioView(NamedTuple):
    """What a seat may see: the fields of referee.v1.CambioView, where each is explained."""

    set: int
    round: int
    dealer: int
    cuckoos: int
    box: int
    chips: tuple[int, ...]
    order: tuple[int, ...]
    defeats: tuple[int, ...]
    discards: tuple[int, ...]
    pile: int
    lap: int
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
    *survival.lines("deals"),
    Line("seat {} owes no ante", "it fell at the last moment of a set without survivor"),
    Line("seat {} says i lose", "under rebirth; said by all together"),
    Line("seat {} is spared", "it said i lose, and its card would have lost"),
    Line("seat {} said i lose without need", "it is defeated, though its card would not have lost"),
    Line("overtime: those who tied play on", "nobody falls by the reveal"),
    Line("the match is over: seat {} has no chips left", "under misery"),
    Line("the match is over: the set has lasted {} rounds", "most chips win"),
)
EXEMPT, CLAIMS, SPARED, RASH, OVERTIME, EMPTY, LAST_ROUND = range(len(survival.lines("")), len(LINES))

REBIRTH_MOVES = ("pass", "i lose")


class CambioState(Survival):
    """A match of Cambio. claims: the seats that said "i lose" in this round."""

    __slots__ = ("options", "claims")

    def __init__(self, options: CambioOptions, seats: int, chance: Chance) -> None:
        self.options = options
        self.claims: tuple[int, ...] = ()
        super().__init__(options.table(seats), chance)

    def _turn_order(self) -> tuple[int, ...]:
        # Round play (2), (3): from the dealer's next seat, the dealer last.
        after = self.inside.index(self.lead) + 1
        return self.inside[after:] + self.inside[:after]

    # Rebirth (extension 5)

    def _ask_last(self) -> bool:
        if not self.options.rebirth:
            return False
        # Decision: a cuckoo may still be called here, for a call forbids to say "i lose".
        if self.cuckoo_out and (holders := self._holders(self.position)):
            self._ask_holders(holders)
        else:
            self._ask_rebirth()
        return True

    def _after_holders(self) -> None:
        if self.position < len(self.order):
            self._ask_turn()
        else:
            self._ask_rebirth()

    def _ask_rebirth(self) -> None:
        # Decision: all undefeated seats answer secretly and together.
        self.waiting = ()
        self.stage = REBIRTH
        self.asked = tuple(sorted(seat for seat in self.order if not self.fallen[seat]))
        self.moves = REBIRTH_MOVES

    def _take_last_answers(self, moves: Sequence[str]) -> None:
        self.claims = tuple(seat for seat, move in zip(self.asked, moves, strict=True) if move == "i lose")
        for seat in self.claims:
            self.events.append((CLAIMS, seat))
        self._finish()

    # The reveal

    def _lost(self, shown: list[int], strengths: list[int], lost: list[int]) -> list[int]:
        if self.claims:
            lost = self._reborn(shown, lost)
        if self.options.final_tie == "overtime" and lost == shown and self._tied(strengths):
            # FAQ 3, second rule. FAQ 4: whoever fell in the exchange phase stays out.
            self.events.append((OVERTIME,))
            return []
        return lost

    def _reborn(self, shown: list[int], lost: list[int]) -> list[int]:
        """Spare the claimers who would have lost, defeat those who would not; the others as usual."""
        for seat in self.claims:
            self.events.append((SPARED if seat in lost else RASH, seat))
        claims, self.claims = self.claims, ()
        return [seat for seat in shown if (seat in lost) != (seat in claims)]

    def _tied(self, strengths: list[int]) -> bool:
        """Tell whether the cards shown are equal and the defeat of all who showed them would leave nobody.

        Decision: where it is want of chips that would leave nobody, that is no tie.
        """
        return min(strengths) == max(strengths) and all(
            (price := self._price(seat)) is None or (seat in self.fell and price > self.chips[seat])
            for seat in self.order
        )

    # Payments

    def _ended_by_payment(self) -> bool:
        # Extension 4: whoever first has no chips wins, at once.
        if not self.options.misery or all(self.chips):
            return False
        self.events.append((EMPTY, self.chips.index(0)))
        return True

    def _next_round(self) -> bool:
        if self.round == self.options.max_rounds:
            self.events.append((LAST_ROUND, self.round))
            return self._end_match()
        return super()._next_round()

    def _fell_together(self, fell: Sequence[int]) -> None:
        # FAQ 2: they do not owe the next ante.
        self.exempt = tuple(sorted(fell))
        for seat in self.exempt:
            self.events.append((EXEMPT, seat))

    # The contract

    def view(self, seat: int) -> CambioView:
        known = self._known(seat)
        card = known[seat]
        # Half the price of calling CambioView, and the same.
        return tuple.__new__(
            CambioView,
            (
                self.set,
                self.round,
                self.lead,
                self.table.cuckoos,
                self.box,
                self.chips,
                self.order,
                self.defeats,
                self.pile.discards,
                self.pile.left,
                self.lap,
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
        twin.options, twin.claims = self.options, self.claims
        return twin

    def outcome(self) -> Outcome:
        # Round play (6): most chips win. Extension 4: fewest do.
        return Outcome(self.chips, ranks(self.chips, low_wins=self.options.misery))


class Cambio(Game):
    """The rules of Cambio."""

    name = "cambio"
    title = "Cucco/Cambio: one card each, the weakest loses, the last survivor takes the box"
    unit = "chips"
    behaviour = 1
    options = CambioOptions
    seats = (2, 30)
    recommended = 6
    lines = LINES
    message = "referee.v1.cambio_pb2:CambioView"
    stable = 9
    moves = """\
keep      end the turn with the card you hold
exchange  ask the next undefeated seat for an exchange; the last in turn order, and who finds nobody, the pile
cuckoo    with a 15, in your turn or before any other seat's: end the exchange phase
pass      before another seat's turn: do not call your 15; before the reveal: do not say i lose
i lose    before the reveal, under rebirth: if your card loses you are spared, if not you are defeated"""
    presets: ClassVar = {
        "default": {},
        "overtime": {"final_tie": "overtime"},
        "anti": {"reveal": "anti"},
        "indian": {"indian": True},
        "cancel": {"reveal": "cancel"},
        "misery": {"misery": True},
        "rebirth": {"rebirth": True},
        "double_turn": {"double_turn": True},
        "double_pack": {"double_pack": True, "cuckoos": "3"},
        "child_time": {"child_time": True},
        "two_cuckoos": {"cuckoos": "2"},
        "second": {"reveal": "second"},
        "high_low": {"reveal": "high_low"},
        "two": {"reveal": "two"},
        "lion": {"reveal": "lion"},
        "short": {"chips": 12, "cuckoos": "1", "max_sets": 2, "max_rounds": 8},
        "all_at_once": {
            "chips": 15,
            "final_tie": "overtime",
            "reveal": "lion",
            "indian": True,
            "rebirth": True,
            "double_turn": True,
            "double_pack": True,
            "child_time": True,
        },
    }

    def most_seats(self, options: Any) -> int:
        return 30 if options.double_pack else 15

    def start(self, options: Any, seats: int, chance: Chance) -> CambioState:
        self.check(options, seats)
        return CambioState(options, seats, chance)


CAMBIO = Cambio()
