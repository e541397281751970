"""The drawn table while events change it, one after another, between two questions.

A view exists before and after a move, not for each of the events that it causes: the reveal, the payment, the discard
and the next deal. So the table of an event is made from the scene before it and the line of the log, which says no more
than the perspective may know.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from arena.language.message import id_of
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone
from referee.engine.moves import MIDDLE as MIDDLE

Spot = tuple[int, str]
"""Where items lie: a seat, or `MIDDLE`, and the label of a zone or a fact there."""


@dataclass(frozen=True, slots=True)
class Movement:
    """An item that goes from one spot to another."""

    item: TableItem
    """The item as it arrives."""
    source: Spot
    target: Spot


class EventTable:
    """A table that events change.

    perspective: the seat whose knowledge it shows; None for the whole match.
    after: the scene of the next question.
    movements: the movements since they were last cleared.
    pending: what a game's handlers have to remember from one event to the next.
    """

    def __init__(self, before: Scene, after: Scene, perspective: int | None) -> None:
        """Begin with the scene before the events.

        after: the scene that follows; zones keep its order and sizes.
        """
        self.perspective = perspective
        self.after = after
        self.heading = before.heading
        self.movements: list[Movement] = []
        self.pending: dict[str, int] = {}
        self.seats = range(len(before.places))
        self._facts = {fact.label: fact.value for fact in before.facts}
        self._board = before.board
        self._middle = _Zones(before.middle, after.middle)
        self._places = [_Place(*places) for places in zip(before.places, after.places, strict=True)]

    def scene(self) -> Scene:
        """Return the table as it is now."""
        return Scene(
            self.heading,
            self._middle.to_zones(),
            tuple(place.to_place() for place in self._places),
            tuple(Fact(label, value) for label, value in self._facts.items()),
            self._board,
        )

    def is_hidden_seat(self, seat: int) -> bool:
        """Return whether a seat's hand is not that of the perspective."""
        return self.perspective not in (None, seat)

    # Items

    def items(self, spot: Spot) -> list[TableItem]:
        """Return the items at a spot; a list to read."""
        return self._zones(spot).items.get(spot[1], [])

    def put(self, spot: Spot, *items: TableItem) -> None:
        """Add items at a spot."""
        self._zones(spot).items.setdefault(spot[1], []).extend(items)

    def lay(self, spot: Spot, items: Iterable[TableItem]) -> None:
        """Replace the items at a spot."""
        self._zones(spot).items[spot[1]] = list(items)

    def move(self, source: Spot, target: Spot, item: TableItem, *, shown: TableItem | None = None) -> None:
        """Move an item.

        shown: what it is at its target, if it is turned over or relabelled on the way.

        An item that nobody has seen at the source comes from those face down there, if there are any.
        """
        self._take(source, item)
        self.put(target, shown or item)
        self.movements.append(Movement(shown or item, source, target))

    def move_all(self, source: Spot, target: Spot) -> None:
        """Move all items of a spot."""
        for item in list(self.items(source)):
            self.move(source, target, item, shown=replace(item, mark=""))

    def turn_over(self, spot: Spot, item: TableItem) -> None:
        """Show what the one item at a spot is."""
        self.lay(spot, [item])

    # Piles and amounts

    def add_to_pile(self, spot: Spot, count: int) -> None:
        """Add cards face down to a pile, or remove them from it."""
        pile = self.items(spot)
        now = (pile[0].count if pile else 0) + count
        self.lay(spot, [TableItem("back", name="face down", count=now)] if now else [])

    def draw(self, pile: Spot, target: Spot, item: TableItem) -> None:
        """Move the card on top of a pile to another spot."""
        self.add_to_pile(pile, -1)
        self.put(target, item)
        self.movements.append(Movement(item, pile, target))

    def move_to_pile(self, source: Spot, pile: Spot, item: TableItem) -> None:
        """Move an item to a pile, face down."""
        self._take(source, item)
        self.add_to_pile(pile, 1)
        self.movements.append(Movement(item, source, pile))

    def amount(self, spot: Spot) -> int:
        """Return the number of chips at a spot: that of a seat's fact, or of the pool in the middle."""
        seat, label = spot
        if seat != MIDDLE:
            return int(self._places[seat].facts.get(label, 0))
        return sum(int(item.face) for item in self.items(spot))

    def pay(self, source: Spot, target: Spot, amount: int) -> None:
        """Move chips between seats and pools."""
        self.set_amount(source, self.amount(source) - amount)
        self.set_amount(target, self.amount(target) + amount)
        self.movements.append(Movement(TableItem("chips", str(amount), target[1]), source, target))

    def set_amount(self, spot: Spot, amount: int) -> None:
        """Set the number of chips at a spot."""
        seat, label = spot
        if seat != MIDDLE:
            self.set_fact(seat, label, str(amount))
        else:
            self.lay(spot, [TableItem("chips", str(amount), label)])

    # Words

    def set_fact(self, seat: int, label: str, value: str) -> None:
        """Set a labelled value of a place, or with `MIDDLE` of the table; an empty one is removed."""
        facts = self._facts if seat == MIDDLE else self._places[seat].facts
        if value:
            facts[label] = value
        else:
            facts.pop(label, None)

    def fact(self, seat: int, label: str) -> str:
        """Return a labelled value of a place, or with `MIDDLE` of the table; "" if there is none."""
        return (self._facts if seat == MIDDLE else self._places[seat].facts).get(label, "")

    def add_badge(self, seat: int, words: str) -> None:
        """Add words about a place."""
        if words not in self._places[seat].badges:
            self._places[seat].badges.append(words)

    def give_badge(self, seat: int, words: str) -> None:
        """Add words about a place that are true of one place only, as that it deals."""
        for other in self.seats:
            self.remove_badges(other, words)
        self.add_badge(seat, words)

    def badges(self, seat: int) -> tuple[str, ...]:
        """Return the words about a place."""
        return tuple(self._places[seat].badges)

    def remove_badges(self, seat: int, *ids: str) -> None:
        """Remove the words about a place that have one of the ids."""
        place = self._places[seat]
        place.badges = [words for words in place.badges if id_of(words) not in ids]

    def clear_badges(self, *kept: str) -> None:
        """Remove the words about all places.

        kept: the ids of those that stay.
        """
        for place in self._places:
            place.badges = [words for words in place.badges if id_of(words) in kept]

    def set_out(self, seat: int, *, out: bool = True) -> None:
        """Set whether a seat is out of the round or match."""
        self._places[seat].out = out

    def is_out(self, seat: int) -> bool:
        """Return whether a seat is out of the round or match."""
        return self._places[seat].out

    def say(self, seat: int, words: str) -> None:
        """Set what a seat has said."""
        self._places[seat].said = words

    def _take(self, spot: Spot, item: TableItem) -> None:
        items = self.items(spot)
        same = (at for at, other in enumerate(items) if (other.kind, other.face) == (item.kind, item.face))
        hidden = (at for at, other in enumerate(items) if other.kind in ("back", "cup"))
        at = next(same, next(hidden, None))
        if at is not None:
            del items[at]

    def _zones(self, spot: Spot) -> "_Zones":
        return self._middle if spot[0] == MIDDLE else self._places[spot[0]].zones


class _Zones:
    """The zones of a place or of the middle, in the order of the scenes before and after the events."""

    def __init__(self, before: Sequence[Zone], after: Sequence[Zone]) -> None:
        self.items: dict[str, list[TableItem]] = {label: [] for label in _merged(before, after)}
        self._shapes = {zone.label: zone for zone in (*before, *after)}
        for zone in before:
            self.items[zone.label] = list(zone.items)
        drawn = {zone.label for zone in before}
        self._kept = drawn & {zone.label for zone in after} | {zone.label for zone in before if not zone.items}

    def to_zones(self) -> tuple[Zone, ...]:
        """Return the zones that hold something, and those that stay: so the table does not jump."""
        return tuple(
            replace(self._shapes.get(label) or Zone(label, (), small=True), items=tuple(items))
            for label, items in self.items.items()
            if items or label in self._kept
        )


def _merged(before: Sequence[Zone], after: Sequence[Zone]) -> list[str]:
    """Return the labels of the zones of two scenes in the order of both."""
    labels = [zone.label for zone in before]
    place = 0
    for zone in after:
        if zone.label not in labels:
            labels.insert(place, zone.label)
        place = labels.index(zone.label) + 1
    return labels


class _Place:
    """The place of a seat."""

    def __init__(self, before: TablePlace, after: TablePlace) -> None:
        self.zones = _Zones(before.zones, after.zones)
        self.facts = {fact.label: fact.value for fact in before.facts}
        self.badges = list(before.badges)
        self.out = before.out
        self.said = before.said
        self._seat = before.seat

    def to_place(self) -> TablePlace:
        """Return the place as it is now."""
        facts = tuple(Fact(label, value) for label, value in self.facts.items())
        return TablePlace(self._seat, self.zones.to_zones(), facts, tuple(self.badges), out=self.out, said=self.said)
