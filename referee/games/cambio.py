"""Cambio: everybody holds one card, the weakest loses, the last to survive takes the box.

Source: the Korean rule book of Cuckoo cards, section 3 "Cuckoo (Cambio)", with its twelve extension rules. Sections are
cited beside the lines that obey them; "Decision" marks what the book leaves open (all of it in docs/rules/cambio.md).
The phases of a set stand in the order of that page. What one request for an exchange does is in `exchange`, the
comparison of cards in `reveals`. `cucco` plays by the same phases with other `Rules`.

Left out: drawing for seats and the colours of the chips, which decide nothing.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple, Self

from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.events import Event, Mark
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.known import Known, SeatLog, numbers
from referee.engine.moves import MIDDLE, At, Badge, Out, Pay, Show
from referee.engine.options import Options, option
from referee.games import exchange, reveals
from referee.games.cuckoo_pack import CUCKOO, FOOL, STRONG_FOOL, UNKNOWN, pack
from referee.games.exchange import CALLS, HOLDS, ExchangeTable
from referee.games.known_exchange import KnownSet
from referee.games.visibility import known_cards, knows

# The numbers of the enum Stage in the views.
NO_STAGE: Final = 0
TURN: Final = 1
HOLDER: Final = 2
REBIRTH: Final = 3

TURN_MOVES: Final = ("keep", "exchange")
CUCKOO_MOVES: Final = ("keep", "exchange", "cuckoo")
HOLDER_MOVES: Final = ("pass", "cuckoo")
REBIRTH_MOVES: Final = ("pass", "i lose")

DEFEATS_PAID: Final = 3
"""So many rounds are children's time, in which a defeat costs chips; under child_time so many defeats of a seat."""


def dealer_last(inside: tuple[int, ...], dealer: int) -> tuple[int, ...]:
    """Return the turn order of the seats `inside`: from the dealer's next seat on, the dealer last."""
    after = inside.index(dealer) + 1
    return inside[after:] + inside[:after]


@dataclass(slots=True)
class Rules:
    """What does not change during a match: the options of Cambio or of Cucco, applied to a number of seats.

    The switches that are not explained are the options of these names.
    """

    seats: int
    """The number of seats."""
    pack: tuple[int, ...]
    """The cards of the pack."""
    chips: int
    """The chips of each seat at the start."""
    ante: int
    """The chips that a seat owes for each set."""
    max_sets: int
    """The sets after which the match is over."""
    reveal: reveals.Rule
    """Who is defeated when cards are shown."""
    max_rounds: int | None = None
    """The rounds of one set after which the match is over; None: any number of rounds."""
    strong_fool: int = STRONG_FOOL
    """What a fool drawn from the pile counts as when cards are shown."""
    turn_order: Callable[[tuple[int, ...], int], tuple[int, ...]] = dealer_last
    """Returns the turn order, from the seats still in the set and the seat that leads the round."""
    opening: Callable[[ExchangeTable, list[Event]], bool] | None = None
    """Tells (and logs) whether a cuckoo opens by itself before the turn that comes next; None: cuckoos are called."""
    exempts: bool = False
    """Whether those who fall together owe no ante."""
    laps: int = 1
    """How many turns each seat has in a round."""
    indian: bool = False
    misery: bool = False
    rebirth: bool = False
    child_time: bool = False
    overtime: bool = False
    """Whether the option `final_tie` is "overtime"."""
    cuckoos: int = field(init=False)
    """How many cards of the pack are cuckoos."""

    def __post_init__(self) -> None:
        self.cuckoos = self.pack.count(CUCKOO)


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
            "4": "four, all those of two packs, with double_pack only",
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
        if self.cuckoos in ("3", "4") and not self.double_pack:
            raise OptionError(f"cuckoos={self.cuckoos} needs double_pack=true: one pack has two cuckoos")

    def rules(self, seats: int) -> Rules:
        """Return the rules that these options make at a table of `seats`."""
        if self.cuckoos != "auto":
            cuckoos = int(self.cuckoos)
        else:
            # Preparation: one cuckoo from 8 players on. Extensions 3 and 7: two.
            cuckoos = 1 if seats >= 8 and not self.double_pack and self.reveal != "cancel" else 2
        return Rules(
            seats=seats,
            pack=pack(2 if self.double_pack else 1, cuckoos),
            chips=self.chips,
            ante=2 if self.child_time else 1,  # Round play (1); extension 8
            max_sets=self.max_sets,
            max_rounds=self.max_rounds,
            reveal=reveals.RULES[self.reveal],
            # Decision: lion's "the fool never loses" holds for a drawn one too.
            strong_fool=FOOL if self.reveal == "lion" else STRONG_FOOL,
            exempts=True,
            laps=2 if self.double_turn else 1,  # Extension 6
            indian=self.indian,
            misery=self.misery,
            rebirth=self.rebirth,
            child_time=self.child_time,
            overtime=self.final_tie == "overtime",
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


ROUND_LOG: Final = exchange.LOG.extended()
"""The lines that Cucco has as well."""
SET: Final = ROUND_LOG.line("set {} begins", "the whole pack is shuffled, the antes are due", begins="set")
ANTE: Final = ROUND_LOG.line(
    "seat {} pays {} as ante", "chips into the box", drawn=True, moves=(Pay(At("chips"), At("box", MIDDLE)),)
)
ROUND: Final = ROUND_LOG.line("round {} begins: seat {} deals", "cards are dealt", begins="round")
REVEALS: Final = ROUND_LOG.line(
    "seat {} reveals {}",
    "an undefeated seat shows its card after the exchange phase",
    reveals=True,
    moves=(Show(At("card")),),
    cards=1,
)
LOSES: Final = ROUND_LOG.line(
    "seat {} is defeated at the reveal",
    "its card loses",
    mark=Mark.DEFEAT,
    moves=(Badge("defeated"), Out()),
)
PAYS: Final = ROUND_LOG.line(
    "seat {} pays {}", "chips into the box, for a defeat", moves=(Pay(At("chips"), At("box", MIDDLE)),)
)
OUT: Final = ROUND_LOG.line(
    "seat {} is out of the set",
    "by a defeat in grown-ups' time, or because it could not pay in full",
    mark=Mark.ELIMINATION,
)
DISCARDS: Final = ROUND_LOG.line(
    "seat {} discards {}",
    "a card that was not revealed goes face up on the discards",
    reveals=True,
    drawn=True,
    cards=1,
)
WINS: Final = ROUND_LOG.line(
    "seat {} wins the set and takes {}", "the chips in the box", moves=(Pay(At("box", MIDDLE), At("chips")),)
)
CARRIED: Final = ROUND_LOG.line("nobody survives the set: {} stay in the box", "chips for the winner of the next set")
BROKE: Final = ROUND_LOG.line("the match is over: seat {} cannot pay the ante", "most chips win")
LAST_SET: Final = ROUND_LOG.line("the match is over: {} sets have been played", "most chips win")

LOG: Final = ROUND_LOG.extended()
EXEMPT: Final = LOG.line("seat {} owes no ante", "it fell at the last moment of a set without survivor")
CLAIMS: Final = LOG.line("seat {} says i lose", "under rebirth; said by all together")
SPARED: Final = LOG.line("seat {} is spared", "it said i lose, and its card would have lost")
RASH: Final = LOG.line("seat {} said i lose without need", "it is defeated, though its card would not have lost")
OVERTIME: Final = LOG.line("overtime: those who tied play on", "nobody falls by the reveal")
EMPTY: Final = LOG.line("the match is over: seat {} has no chips left", "under misery", mark=Mark.ELIMINATION)
LAST_ROUND: Final = LOG.line("the match is over: the set has lasted {} rounds", "most chips win")


class CambioState(State):
    """A match.

    table: the cards of the round under way.
    set, round: counted from 1. lead: the seat that deals this round (in Cucco: that starts it).
    box, chips: in the box; of each seat.
    inside: the seats still in the set, in seat order. defeats: in this set, by seat.
    exempt: the seats that do not owe the next ante.
    stage, moves: what is asked now, and the legal moves.
    waiting: the holders of cuckoos who are asked after the one who is asked now.
    claims: the seats that said "i lose" in this round.
    """

    __slots__ = (
        "rules", "table", "set", "round", "lead", "box", "chips", "inside", "defeats", "exempt", "stage", "moves",
        "waiting", "claims",
    )  # fmt: skip

    def __init__(self, rules: Rules, chance: Chance) -> None:
        self.rules = rules
        self.table = ExchangeTable(rules.seats, chance, indian=rules.indian, laps=rules.laps)
        self.events: list[Event] = []
        self.set = 0
        self.round = 0
        self.box = 0
        self.chips = (rules.chips,) * rules.seats
        self.inside: tuple[int, ...] = ()
        self.defeats: tuple[int, ...] = ()
        self.exempt: tuple[int, ...] = ()
        self.moves: tuple[str, ...] = ()
        self.waiting: tuple[int, ...] = ()
        self.claims: tuple[int, ...] = ()
        self.lead = chance.pick(rules.seats, "first")
        if self._begin_set() and not self._ask_next():
            self._end_exchange()

    # A set, 1 and 2: antes and shuffling

    def _begin_set(self) -> bool:
        """Take the antes, shuffle, and deal the first round. Return False where the match is over."""
        rules, events = self.rules, self.events
        if self.set == rules.max_sets:
            events.append((LAST_SET, self.set))
            return self._end_match()
        owing = [seat for seat in range(rules.seats) if seat not in self.exempt]
        # Round play (6): who cannot pay the ante ends the game; checked before anybody pays. Decision: an
        # exempt seat without chips does not, and the ante must be paid in full.
        if broke := [seat for seat in owing if self.chips[seat] < rules.ante]:
            events.append((BROKE, broke[0]))
            return self._end_match()
        self.set += 1
        self.round = 0
        events.append((SET, self.set))
        chips = list(self.chips)
        for seat in owing:
            chips[seat] -= rules.ante
            events.append((ANTE, seat, rules.ante))
        self.chips = tuple(chips)
        self.box += rules.ante * len(owing)
        self.exempt = ()
        if self._wins_by_misery():
            return self._end_match()
        # Round play (2): the pack is shuffled for the first round of a set only.
        self.table.pile.open(self.set, rules.pack)
        self.inside = tuple(range(rules.seats))
        self.defeats = (0,) * rules.seats
        self._begin_round()
        return True

    # A set, 3: dealing

    def _begin_round(self) -> None:
        self.round += 1
        self.events.append((ROUND, self.round, self.lead))
        # Round play (2), (3)
        self.table.deal(self.rules.turn_order(self.inside, self.lead), self.rules.laps, self.events)

    # A set, 4: the exchange phase

    def _ask_next(self) -> bool:
        """Ask for the next turn. Return False where the exchange phase is over."""
        table, rules = self.table, self.rules
        order, fallen = table.order, table.fallen
        # Decision: with fewer than two undefeated seats the exchange phase is over.
        if len(order) - len(table.fell) < 2:
            return False
        while True:
            if table.position == len(order):
                if table.lap == rules.laps:
                    return rules.rebirth and self._ask_before_reveal()
                # Extension 6: double turn
                table.lap += 1
                table.position = 0
            if rules.opening is not None and table.has_cuckoo and rules.opening(table, self.events):
                return False
            # A defeated seat takes no further turn.
            seat = order[table.position]
            if not fallen[seat]:
                break
            table.position += 1
        # Special cards (1): a holder may call a cuckoo before any other seat's turn.
        if table.has_cuckoo and (holders := self._holders()):
            self._ask_holders(holders)
        else:
            self._ask_turn(seat)
        return True

    def _ask_turn(self, seat: int) -> None:
        self.asked = (seat,)
        self.stage = TURN
        self.moves = CUCKOO_MOVES if self.table.cards[seat] == CUCKOO and self._may_call(seat) else TURN_MOVES

    def apply(self, moves: Sequence[str]) -> None:
        move = moves[0]
        if self.stage == REBIRTH:
            self._claim(moves)
            self._end_exchange()
        elif move == "cuckoo":
            # Special cards (1): the call ends the exchange phase, straight to the reveal.
            self.events.append((CALLS, self.asked[0]))
            self._end_exchange()
        elif self.stage == HOLDER:
            self._hold_back()
        else:
            if move == "keep":
                self.table.keep(self.events)
            else:
                self.table.exchange(self.events)
            self.table.position += 1
            if not self._ask_next():
                self._end_exchange()

    def _end_exchange(self) -> None:
        """Go on to the next question, over as many rounds as have none."""
        while self._end_round() and not self._ask_next():
            pass

    # The cuckoo

    def _holders(self) -> tuple[int, ...]:
        """Return who may call a cuckoo before this turn, in turn order from there.

        The seat whose turn it is has the call among its own moves.
        """
        cards, order, position = self.table.cards, self.table.order, self.table.position
        cuckoos = [seat for seat in order[position + 1 :] + order[:position] if cards[seat] == CUCKOO]
        return tuple([seat for seat in cuckoos if self._may_call(seat)])

    def _may_call(self, seat: int) -> bool:
        """Tell whether a seat may call a cuckoo.

        Decision: only while undefeated, and under indian only where it knows what it holds.
        """
        table = self.table
        return (
            table.cards[seat] == CUCKOO
            and self.rules.opening is None
            and not table.fallen[seat]
            and knows(seat, table.seen[seat])
        )

    def _ask_holders(self, holders: tuple[int, ...]) -> None:
        self.asked = holders[:1]
        self.waiting = holders[1:]
        self.stage = HOLDER
        self.moves = HOLDER_MOVES

    def _hold_back(self) -> None:
        self.events.append((HOLDS, self.asked[0]))
        if self.waiting:
            self._ask_holders(self.waiting)
        elif self.table.position < len(self.table.order):
            self._ask_turn(self.table.order[self.table.position])
        else:
            self._ask_rebirth()

    def hides_turn_timing(self) -> bool:
        return self.stage != HOLDER and self.rules.opening is None and self.rules.cuckoos > 0

    # Rebirth (extension 5)

    def _ask_before_reveal(self) -> bool:
        # Decision: a cuckoo may still be called here, for a call forbids to say "i lose".
        if self.table.has_cuckoo and (holders := self._holders()):
            self._ask_holders(holders)
        else:
            self._ask_rebirth()
        return True

    def _ask_rebirth(self) -> None:
        # Decision: all undefeated seats answer secretly and together.
        self.asked = tuple(sorted(seat for seat in self.table.order if not self.table.fallen[seat]))
        self.stage = REBIRTH
        self.moves = REBIRTH_MOVES

    def _claim(self, moves: Sequence[str]) -> None:
        self.claims = tuple([seat for seat, move in zip(self.asked, moves, strict=True) if move == "i lose"])
        for seat in self.claims:
            self.events.append((CLAIMS, seat))

    def _reborn(self, shown: list[int], lost: list[int]) -> list[int]:
        """Spare the claimers who would have lost, defeat those who would not; the others as usual."""
        for seat in self.claims:
            self.events.append((SPARED if seat in lost else RASH, seat))
        claims, self.claims = self.claims, ()
        return [seat for seat in shown if (seat in lost) != (seat in claims)]

    # A set, 5 to 7: the end of a round

    def _end_round(self) -> bool:
        """Reveal, settle, and deal the next round. Return False where the match is over."""
        table = self.table
        fallen = table.fallen
        shown = [seat for seat in table.order if not fallen[seat]]
        lost = self._reveal(shown)
        out = self._penalise((*table.fell, *lost))
        self._discard(table.fell if len(shown) > 1 else (*table.fell, *shown))
        if self._wins_by_misery():
            return self._end_match()
        if out:
            self.inside = tuple([seat for seat in self.inside if seat not in out])
            if len(self.inside) < 2:
                return self._end_set(lost)
        # Round play (4): the next seat still in leads the next round.
        self.lead = ([seat for seat in self.inside if seat > self.lead] or self.inside)[0]
        if self.round == self.rules.max_rounds:
            self.events.append((LAST_ROUND, self.round))
            return self._end_match()
        self._begin_round()
        return True

    def _reveal(self, shown: list[int]) -> list[int]:
        """Show the cards of the undefeated seats and return who is defeated by them. Round play (4)."""
        # Decision: a single undefeated seat is safe without a comparison.
        if len(shown) < 2:
            return []
        table, events = self.table, self.events
        cards = table.cards
        strengths = []
        for seat in shown:
            card = cards[seat]
            events.append((REVEALS, seat, card))
            strengths.append(card)
        for seat in table.strong:
            if seat in shown:
                strengths[shown.index(seat)] = self.rules.strong_fool
        weak = self.rules.reveal(strengths)
        lost = [seat for place, seat in enumerate(shown) if strengths[place] in weak]
        if self.claims:
            lost = self._reborn(shown, lost)
        if self.rules.overtime and lost == shown and self._is_final_tie(strengths):
            # FAQ 3, second rule. FAQ 4: whoever fell in the exchange phase stays out.
            events.append((OVERTIME,))
            return []
        for seat in lost:
            events.append((LOSES, seat))
        return lost

    def _penalise(self, losers: tuple[int, ...]) -> list[int]:
        """Take the penalties. Return who is out of the set. Round play (4)."""
        events = self.events
        chips, defeats = list(self.chips), list(self.defeats)
        out = []
        for seat in losers:
            price = self._price(seat)
            defeats[seat] += 1
            if price is not None:
                # Decision, after Board Game Arena's page: who cannot pay in full pays what he has.
                paid = price if price <= chips[seat] else chips[seat]
                chips[seat] -= paid
                self.box += paid
                events.append((PAYS, seat, paid))
                if paid == price:
                    continue
            out.append(seat)
            events.append((OUT, seat))
        self.chips = tuple(chips)
        self.defeats = tuple(defeats)
        return out

    def _price(self, seat: int) -> int | None:
        """Return what a defeat costs `seat` in chips, None where it costs the place in the set.

        Round play (4): as many as the round's number in rounds 1-3, children's time; then elimination.
        Extension 8: in place of the rounds the seat's own defeats in this set count.
        """
        count = self.defeats[seat] + 1 if self.rules.child_time else self.round
        return count if count <= DEFEATS_PAID else None

    def _discard(self, hidden: tuple[int, ...]) -> None:
        """Put all cards face up on the discards, those of `hidden` and those given up to the pile for the first time.

        Round play (4).
        """
        table, events = self.table, self.events
        held = table.cards
        cards = [held[seat] for seat in table.order]
        for seat in hidden:
            events.append((DISCARDS, seat, held[seat]))
        for giver, card, _ in table.aside:
            events.append((DISCARDS, giver, card))
            cards.append(card)
        table.pile.discards += tuple(cards)

    # A set, 8; when nobody would survive

    def _end_set(self, lost: list[int]) -> bool:
        """End the set, in whose last reveal `lost` fell, and begin the next. Return False where the match is over."""
        if self.inside:
            # Round play (5): the survivor takes the box and leads the next set.
            winner = self.inside[0]
            self.events.append((WINS, winner, self.box))
            self.chips = tuple([chips + self.box * (seat == winner) for seat, chips in enumerate(self.chips)])
            self.box = 0
            self.lead = winner
            return self._begin_set()
        # FAQ 2: the box stays, the next seat leads, and those who fell together do not owe the next ante.
        self.events.append((CARRIED, self.box))
        self.lead = (self.lead + 1) % self.rules.seats
        if self.rules.exempts:
            # Without a reveal the last to fall are always two who changed fools: any other request fells one
            # seat, and one left undefeated would have survived.
            self.exempt = tuple(sorted(lost or self.table.fell[-2:]))
            for seat in self.exempt:
                self.events.append((EXEMPT, seat))
        return self._begin_set()

    def _is_final_tie(self, strengths: list[int]) -> bool:
        """Tell whether the cards shown are equal and the defeat of all who showed them would leave nobody.

        Decision: where it is want of chips that would leave nobody, that is no tie.
        """
        table = self.table
        return min(strengths) == max(strengths) and all(
            (price := self._price(seat)) is None or (seat in table.fell and price > self.chips[seat])
            for seat in table.order
        )

    # The end of the match

    def _wins_by_misery(self) -> bool:
        """Tell whether somebody has no chips after a payment, which wins under misery (extension 4), at once."""
        if not self.rules.misery or all(self.chips):
            return False
        self.events.append((EMPTY, self.chips.index(0)))
        return True

    def _end_match(self) -> bool:
        self.asked = self.moves = self.waiting = ()
        self.stage = NO_STAGE
        return False

    def outcome(self) -> Outcome:
        # Round play (6): most chips win. Extension 4: fewest do.
        return Outcome(self.chips, ranks(self.chips, low_wins=self.rules.misery))

    # Moves

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves if seat in self.asked else ()

    def default(self, seat: int) -> str:
        """`keep`, or `pass`: they cost no card and show nothing."""
        return self.moves[0]

    # What a seat sees

    def view(self, seat: int) -> tuple[Any, ...]:
        table = self.table
        known = known_cards(seat, table.cards, table.seen)
        card = known[seat]
        # Cheaper than to call CambioView, and the same.
        return tuple.__new__(
            CambioView,
            (
                self.set,
                self.round,
                self.lead,
                self.rules.cuckoos,
                self.box,
                self.chips,
                table.order,
                self.defeats,
                table.pile.discards,
                table.pile.left,
                table.lap,
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

    def _turn(self) -> int | None:
        """Return whose turn it is."""
        table = self.table
        return table.order[table.position] if self.asked and table.position < len(table.order) else None

    def _stage_for(self, seat: int) -> int:
        # A seat that is not asked must not learn that a holder of a cuckoo is.
        if seat in self.asked:
            return self.stage
        if not self.asked:
            return NO_STAGE
        return TURN if self.table.position < len(self.table.order) else REBIRTH

    # For scenarios, checks and searches

    def undealt(self) -> int:
        return self.table.pile.left

    def counts(self) -> dict[str, int]:
        table = self.table
        cards = [*table.pile.undealt(), *table.pile.discards]
        if self.asked:  # at the end all of them lie on the discards
            cards += [table.cards[seat] for seat in table.order] + [card for _, card, _ in table.aside]
        kinds = Counter(f"card {card}" for card in cards)
        return {"chips": sum(self.chips) + self.box, **kinds}

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.asked, twin.events = self.asked, self.events[:]
        twin.rules, twin.table = self.rules, self.table.copy()
        twin.set, twin.round, twin.lead, twin.box = self.set, self.round, self.lead, self.box
        twin.chips, twin.inside, twin.defeats, twin.exempt = self.chips, self.inside, self.defeats, self.exempt
        twin.stage, twin.moves, twin.waiting, twin.claims = self.stage, self.moves, self.waiting, self.claims
        return twin


def known_exchanges(
    log: SeatLog, opens: int | None = None, opening_turn: Callable[[int, int], int | None] | None = None
) -> list[Known]:
    """Return what the log of a seat says of the pile.

    opens: the number of the line with which a cuckoo opens by itself; None: cuckoos are called.
    opening_turn: as `KnownSet` takes it.
    """
    rules: Rules = log.options.rules(log.seats)
    known: list[Known] = []
    cards: KnownSet | None = None
    for event in log.events:
        line, (first, second) = event[0], numbers(event)
        if line == SET:
            if cards is not None:
                known += cards.known()
            number = first
            cards = KnownSet(log, number, len(rules.pack), rules.turn_order, opening_turn)
        elif cards is None:
            continue
        elif line == ROUND:
            if number == 1 and first == 1:
                known.append(Known(("first",), (0,), (second,)))
            cards.begin_round(second)
        elif line == OUT:
            cards.leave(first)
        elif line in (REVEALS, DISCARDS):
            cards.show(first, second)
        elif opens is not None and line == opens:
            cards.open_cuckoo(first)
        else:
            cards.hear(line, first, second)
    return known if cards is None else known + cards.known()


class Cambio(Game):
    """The rules of Cambio."""

    name = "cambio"
    title = "Cucco/Cambio: one card each, the weakest loses, the last survivor takes the box"
    unit = "chips"
    behaviour = 1
    options = CambioOptions
    seats = (2, 30)
    recommended = 6
    lines = LOG.lines
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
        "four_cuckoos": {"double_pack": True, "cuckoos": "4"},
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

    def actions(self, options: Any, seats: int) -> tuple[str, ...]:
        return (*CUCKOO_MOVES, HOLDER_MOVES[0], *(REBIRTH_MOVES[1:] if options.rebirth else ()))

    def known_chance(self, log: SeatLog) -> list[Known]:
        return known_exchanges(log)

    def start(self, options: Any, seats: int, chance: Chance) -> CambioState:
        self.check(options, seats)
        return CambioState(options.rules(seats), chance)


CAMBIO = Cambio()
