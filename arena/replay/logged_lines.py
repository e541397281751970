"""The lines of a log as their texts tell them: a player is told texts, not events."""

import re
from collections.abc import Iterable, Iterator

from arena.replay.log_lines import LogLine, log_line
from referee.engine.events import Line


class LogReader:
    """Reads the texts of a game's log. Those that were read are kept: a log is read again as it grows."""

    def __init__(self, table: tuple[Line, ...]) -> None:
        """Make a reader.

        table: the lines of the game's log.
        """
        # Lines with more words come first: they say more than a line that begins alike.
        numbered = sorted(enumerate(table), key=lambda line: len(line[1].text.replace("{}", "")), reverse=True)
        self._table = table
        self._patterns = [(number, re.compile(_pattern(line.text), re.DOTALL)) for number, line in numbered]
        self._read: dict[str, LogLine | None] = {}

    def line(self, text: str) -> LogLine | None:
        """Return the line of a log; None where its text is not in the table, as one of another version of the rules."""
        if text not in self._read:
            self._read[text] = next(self._fitting(text), None)
        return self._read[text]

    def lines(self, texts: Iterable[str]) -> list[LogLine]:
        """Return the lines of a log that are in the table."""
        return [line for text in texts if (line := self.line(text)) is not None]

    def _fitting(self, text: str) -> Iterator[LogLine]:
        for number, pattern in self._patterns:
            if found := pattern.fullmatch(text):
                yield log_line(self._table, (number, *map(_value, found.groups())))


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
