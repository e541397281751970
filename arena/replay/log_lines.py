"""The lines of a log: each is a message, and has the event that it was made of."""

from arena.language.message import Message
from arena.language.messages import numbered
from referee.engine.events import OF_SEAT, Event, Line


class LogLine(Message):
    """A line of a log."""

    __slots__ = ("event", "kind")

    event: Event
    kind: Line
    """What the rules declare of such lines."""

    def is_about(self, seat: int) -> bool:
        """Return whether the line says something of a seat."""
        return len(self.event) > 1 and self.event[1] == seat and self.kind.is_of_seat


class OfSeat(Message):
    """What a line says of its seat, for the place of that seat: "keeps". Its id and arguments are those of the line."""

    __slots__ = ()


def log_line(lines: tuple[Line, ...], event: Event) -> LogLine:
    """Return the line that an event stands for.

    lines: the table of the game's log.
    """
    number, *values = event
    line = lines[number]  # type: ignore[index]
    made = LogLine(numbered(line.text), *(map(in_words, values) if line.words else values))
    made.event, made.kind = event, line
    return made


def of_seat(line: LogLine) -> OfSeat:
    """Return what a line says of its seat."""
    said = str.__new__(OfSeat, line.kind.text.removeprefix(OF_SEAT).format(*line.event[2:]))
    said.id, said.args = line.id, line.args
    return said


def in_words(value: int | str | None) -> int | str | None:
    """Return a value whose words are messages: 3 and "skull" of "3xskull"."""
    if not isinstance(value, str):
        return value
    places: list[str] = []
    found: list[int | Message] = []
    for part in value.split():
        quantity, times, word = part.rpartition("x") if part[0].isdigit() else ("", "", part)
        for piece in filter(None, (quantity, word)):
            found.append(int(piece) if piece.isdigit() else Message(piece))
        places.append("{}x{}" if times else "{}")
    return Message(numbered(" ".join(places)), *found) if len(found) > 1 else found[0]
