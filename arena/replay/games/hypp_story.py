"""The key events of Hypp: what each deal brought its dealer, and who has nothing left."""

from collections.abc import Iterator, Sequence

from arena.language.message import Message
from arena.replay.log_lines import LogLine
from arena.replay.story import Cast, KeyEvent, event_of
from referee.games import hypp

SMALL = 4
"""Chips below which a deal is no event."""


def key_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield what each deal brought its dealer, the bets that won or lost most, and how the match ended."""
    names = cast.names
    dealer, balance, last = 0, 0, -1
    bets = [int(event_of(line)[2]) for line in lines if event_of(line)[0] in (hypp.WINS, hypp.LOSES)]
    most = max(bets, default=1)
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == hypp.ROUND:
            yield from _deal(last, balance, names[dealer], most)
            dealer, balance, last = values[1], 0, -1
        elif kind == hypp.WINS:
            balance, last = balance - values[1], number
            if values[1] == most:
                yield KeyEvent(number, 4, "bet", Message("{0} bets {1} and beats the dealer", names[values[0]], most))
        elif kind == hypp.LOSES:
            balance, last = balance + values[1], number
            if values[1] == most:
                text = Message("{0} bets {1} and loses to the dealer", names[values[0]], most)
                yield KeyEvent(number, 4, "bet", text)
        elif kind == hypp.BROKE:
            yield KeyEvent(number, 8, "end", Message("{0} has no chips left: the match is over", names[values[0]]))
        elif kind in (hypp.ALL_DEALT, hypp.OVER):
            yield KeyEvent(number, 3 if kind == hypp.ALL_DEALT else 0.5, "end", line)
    yield from _deal(last, balance, names[dealer], most)


def _deal(line: int, balance: int, dealer: str, most: int) -> Iterator[KeyEvent]:
    if line >= 0 and abs(balance) >= SMALL:
        wins, pays = "{0} deals and takes {1} chips from the others", "{0} deals and pays {1} chips to the others"
        text = wins if balance > 0 else pays
        yield KeyEvent(line, 3 + min(3, abs(balance) / most), "deal", Message(text, dealer, abs(balance)))
