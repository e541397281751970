"""The events that lines of a log tell: a player is told lines, not events."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from referee.engine.events import Event, Line


def logged_events(table: tuple[Line, ...], texts: Sequence[str]) -> Iterator[tuple[Event, str]]:
    """Yield the event of each line of a log, with the line. table: the lines of the game.

    Lines that are not in the table, as those of another version of the rules, are left out.
    """
    for text in texts:
        for number, pattern in _patterns(table):
            if found := pattern.fullmatch(text):
                yield (number, *map(_value, found.groups())), text
                break


@cache
def _patterns(table: tuple[Line, ...]) -> list[tuple[int, re.Pattern[str]]]:
    """Return a pattern for each line; those with more words come first: they say more than a line that begins alike."""
    numbered = sorted(enumerate(table), key=lambda line: len(line[1].text.replace("{}", "")), reverse=True)
    return [(number, re.compile(_pattern(line.text), re.DOTALL)) for number, line in numbered]


def _pattern(text: str) -> str:
    """Return a pattern. Seats are numbers, so that what somebody says at the table is never read as another line."""
    first, *rest = text.split("{}")
    pattern, before = re.escape(first), first
    for part in rest:
        value = r"(\d+)" if before.endswith(("seat ", "seats ", "team ")) else "(.+?)"
        pattern, before = pattern + value + re.escape(part), part
    return pattern


def _value(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text
