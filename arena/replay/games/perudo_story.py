"""The key events of Perudo: doubts and exact calls, and who goes out by them."""

from collections.abc import Iterator, Sequence

from arena.language.message import Message
from arena.replay.log_lines import LogLine, in_words
from arena.replay.story import Cast, KeyEvent, event_of
from referee.games import perudo
from referee.games.bids import bid_of


def key_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield how each round ended."""
    names = cast.names
    bidder, bid, caller, is_exact, told = 0, "", 0, False, ""
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == perudo.BIDS:
            bidder, bid = values
        elif kind == perudo.READ:
            bid = values[0]
        elif kind in (perudo.NO, perudo.EXACT):
            caller, is_exact = values[0], kind == perudo.EXACT
        elif kind == perudo.COUNT:
            told = _told(values[0], is_exact=is_exact, bid=bid, who=names[caller], whose=names[bidder])
            right = values[0] == bid_of(bid).quantity
            if is_exact and right:
                yield KeyEvent(number, 5, "exact", told)
        elif kind == perudo.LOSES and told:
            yield KeyEvent(number, 2 + values[1], "doubt", told)
        elif kind == perudo.OUT:
            yield KeyEvent(number, 5.5, "out", Message("{0}: {1} is out", told, names[values[0]]) if told else line)
        elif kind == perudo.LAST_ROUND:
            yield KeyEvent(number, 3, "end", line)


def _told(count: int, *, is_exact: bool, bid: str, who: str, whose: str) -> str:
    wanted = bid_of(bid).quantity
    words = in_words(bid)
    if is_exact and count == wanted:
        return Message("{0} calls {1}'s bid of {2} exact, and is right", who, whose, words)
    if is_exact:
        return Message("{0} calls {1}'s bid of {2} exact, but there are {3}", who, whose, words, count)
    if count < wanted:
        return Message("{0} doubts {1}'s bid of {2}, rightly: there are {3}", who, whose, words, count)
    return Message("{0} doubts {1}'s bid of {2}, wrongly: there are {3}", who, whose, words, count)
