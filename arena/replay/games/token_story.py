"""The key events of Cucù and Lu Stù: last tokens, those who buy others or stay out, and the pool."""

from collections.abc import Iterator, Sequence

from arena.language.message import Message
from arena.replay.log_lines import LogLine
from arena.replay.story import Cast, KeyEvent, Measure, event_of
from referee.games import cucu

MEASURE = Measure("tokens", lambda state: state.tokens)


def key_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield who lost the last token, came back or stayed out, and who won the pool."""
    names = cast.names
    is_won = False
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == cucu.EMPTY:
            yield KeyEvent(number, 4.5, "empty", Message("{0} loses the last token", names[values[0]]))
        elif kind == cucu.LOSES:
            yield KeyEvent(number, 0.5, "loses", Message("{0} loses a token", names[values[0]]))
        elif kind == cucu.GAINS:
            yield KeyEvent(number, 4, "gains", Message("{0} wins a token back", names[values[0]]))
        elif kind == cucu.ENTERS:
            text = Message("{0} has lost all tokens and buys new ones for {1}", names[values[0]], values[1])
            yield KeyEvent(number, 4.5, "enters", text)
        elif kind == cucu.STAYS_OUT:
            yield KeyEvent(number, 5, "out", Message("{0} buys no new tokens and stays out", names[values[0]]))
        elif kind == cucu.FREE:
            yield KeyEvent(number, 6, "free", Message("nobody has a token left: everybody comes back free"))
        elif kind == cucu.WINS:
            is_won = True
            is_won = True
            text = Message("{0} alone has tokens left and wins the pool of {1}", names[values[0]], values[1])
            yield KeyEvent(number, 9, "pool", text)
        elif kind == cucu.LAST_DEAL:
            yield KeyEvent(number, 6, "end", line)
        elif kind == cucu.GETS and not is_won:
            yield KeyEvent(number, 3, "share", Message("{0} gets {1} of the pool", names[values[0]], values[1]))
