"""The key events of Cambio and Cucco: sets won, cards that defeat, and who can pay no more."""

from collections.abc import Iterator, Sequence

from arena.language.message import Message
from arena.replay.log_lines import LogLine
from arena.replay.story import Cast, KeyEvent, event_of
from referee.games import cambio, exchange

FELLED_BY = {
    exchange.HUMAN_FELLS: "{0} asks for an exchange and meets the human (14) of {1}: defeated",
    exchange.CAT_FELLS: "{0} asks for an exchange and meets the cat (12) of {1}: defeated",
}
FELLED = {
    exchange.PILE_HUMAN_FELLS: "{0} turns up a human (14) of the pile: defeated",
    exchange.PILE_CAT_FELLS: "{0} turns up a cat (12) of the pile: defeated",
    exchange.FOOL_FELLS: "{0} is given a fool: defeated",
}


def key_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield the sets that were won, the defeats by a card that was met, and how the match ended."""
    names, unit = cast.names, Message(cast.unit)
    pots = [event_of(line)[2] for line in lines if event_of(line)[0] == cambio.WINS]
    biggest = max(map(int, pots), default=1) or 1
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == cambio.WINS:
            text = Message("{0} is the last one left and wins the set: {1} {2}", names[values[0]], values[1], unit)
            yield KeyEvent(number, 4 + 3 * values[1] / biggest, "set", text)
        elif kind == cambio.CARRIED:
            text = Message("nobody survives the set: {0} {1} wait for the next winner", values[0], unit)
            yield KeyEvent(number, 4, "carried", text)
        elif kind in FELLED_BY:
            yield KeyEvent(number, 1.5, "felled", Message(FELLED_BY[kind], *(names[seat] for seat in values)))
        elif kind in FELLED:
            yield KeyEvent(number, 1.5, "felled", Message(FELLED[kind], names[values[0]]))
        elif kind == cambio.BROKE:
            yield KeyEvent(number, 6, "end", Message("{0} cannot pay the ante: the match is over", names[values[0]]))
        elif kind == cambio.LAST_SET:
            yield KeyEvent(number, 3, "end", line)
        elif line.kind.text == EMPTY:
            text = Message("{0} has no {1} left: the match is over", names[values[0]], unit)
            yield KeyEvent(number, 6, "end", text)


EMPTY = cambio.LOG.lines[cambio.EMPTY].text
"""Cucco has another line of that number."""
