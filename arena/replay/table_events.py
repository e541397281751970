"""What events do to the drawn table: what the rules declare with their lines, and handlers for the rest."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from string import Formatter
from typing import Any

from arena.language.message import Message, arguments, id_of
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games.items import BACK
from arena.replay.log_lines import LogLine
from arena.replay.scene import TableItem
from referee.engine.moves import EVERYBODY, Add, At, Badge, Empty, Forget, Go, Move, Out, Pay, Put, Show, Write

Handler = Callable[..., None]
"""Changes an `EventTable` as an event tells; called with the table and the values of the event."""
Pieces = Callable[[EventTable, Spot, Any], list[TableItem]]
"""Returns the pieces that a value of an event tells, as they lie at a spot of a table."""

SET, SET_AND_ROUND = "set {0}", "set {0}, round {1}"


class TableEvents:
    """What the events of a game do to its drawn table.

    handlers: by line of the log, what has to be computed from the table; called after what the line declares.
    """

    def __init__(self, pieces: Pieces, labels: Mapping[str, str] | None = None) -> None:
        """Make those of a game.

        pieces: how its pieces are drawn.
        labels: the game's own words for labels of lines that it shares with another game.
        """
        self.handlers: dict[int, Handler] = {}
        self._pieces = pieces
        self._labels = labels or {}

    def settle(self, table: EventTable, line: int | None) -> None:
        """Do what no event told this perspective.

        line: that of the event to come; None after the last.
        """

    def play(self, table: EventTable, line: LogLine) -> None:
        """Change a table as an event tells."""
        number: Any = line.event[0]
        values: tuple[Any, ...] = line.event[1:]
        self.settle(table, number)
        if line.kind.begins:
            table.heading = _heading(table, line.kind.begins, values[0])
        for move in line.kind.moves:
            self._make(table, move, values)
        if handler := self.handlers.get(number):
            handler(table, *values)

    def _make(self, table: EventTable, move: Move, values: tuple[Any, ...]) -> None:
        match move:
            case Show(at, pieces):
                for spot in self._spots(table, at, values):
                    table.lay(spot, [BACK] if pieces is None else self._drawn(table, spot, values[pieces]))
            case Put(at, pieces, mark):
                for spot in self._spots(table, at, values):
                    table.put(spot, *self._drawn(table, spot, values[pieces], _said(mark, values)))
            case Go(source, target, pieces, mark):
                [start], [end] = self._spots(table, source, values), self._spots(table, target, values)
                shown = self._drawn(table, end, values[pieces], _said(mark, values))
                for item, arrived in zip(self._drawn(table, start, values[pieces]), shown, strict=True):
                    table.move(start, end, item, shown=arrived)
            case Empty(labels, of):
                for label in labels:
                    for spot in self._spots(table, At(label, of), values):
                        table.lay(spot, ())
            case Pay(source, target, amount):
                [start], [end] = self._spots(table, source, values), self._spots(table, target, values)
                table.pay(start, end, values[amount])
            case Add(at, factor, number):
                for spot in self._spots(table, at, values):
                    add(table, *spot, factor if number is None else factor * values[number])
            case Write(at, words):
                for spot in self._spots(table, at, values):
                    table.set_fact(*spot, str(values[words]) if isinstance(words, int) else _said(words, values))
            case Badge(words, of, given):
                table.add_badge(values[of], _said(words, values if given is None else (given,)))
            case Forget(but):
                table.clear_badges(*but)
            case Out(of):
                table.set_out(values[of])

    def _spots(self, table: EventTable, at: At, values: tuple[Any, ...]) -> list[Spot]:
        label = self._labels.get(at.label, at.label)
        if at.of == MIDDLE:
            return [(MIDDLE, label)]
        if at.of == EVERYBODY:
            return [(seat, label) for seat in table.seats]
        if isinstance(at.of, str):
            return [(next(seat for seat in table.seats if at.of in table.badges(seat)), label)]
        return [(values[at.of], label)]

    def _drawn(self, table: EventTable, spot: Spot, value: Any, mark: str = "") -> list[TableItem]:
        pieces = self._pieces(table, spot, value)
        return [replace(piece, mark=mark) for piece in pieces] if mark else pieces


def _heading(table: EventTable, begins: str, number: int) -> Message:
    """Return the heading of what begins; that of a round in a set has the set, too."""
    before = table.heading
    if begins == "round" and id_of(before) in (SET, SET_AND_ROUND):
        return Message(SET_AND_ROUND, arguments(before)[0], number)
    return Message(f"{begins} {{0}}", number)


def _said(words: str, values: tuple[Any, ...]) -> str:
    """Return words with the values that they name."""
    id, named = _message(words)
    return Message(id, *(values[number] for number in named)) if named else words


@cache
def _message(words: str) -> tuple[str, tuple[int, ...]]:
    """Return the id of words, in which {0} is their first argument, and the values that are its arguments."""
    named = tuple([int(name) for _, name, *_ in Formatter().parse(words) if name is not None])
    return "".join(
        text + (f"{{{place}}}" if name is not None else "")
        for place, (text, name, *_) in enumerate(Formatter().parse(words))
    ), named


def add(table: EventTable, seat: int, label: str, number: float) -> None:
    """Add a number to a fact of a place."""
    table.set_fact(seat, label, f"{float(table.fact(seat, label)) + number:g}")
