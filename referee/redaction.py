"""Keeps the secrets of bots out of what is stored: a traceback or an error of a server may show a key."""

from collections.abc import Iterable

from referee.v1 import work_pb2

LEAST_CHARACTERS = 6
"""Shorter values are no keys, and stand in too many texts by chance."""

MARK = "[secret]"


class Redaction:
    """Replaces secret values in the texts that bots leave."""

    def __init__(self, values: Iterable[str]) -> None:
        # The longest first, as one may contain another.
        long_enough = {value.strip() for value in values if len(value.strip()) >= LEAST_CHARACTERS}
        self._values = sorted(long_enough, key=lambda value: (-len(value), value))

    def text(self, text: str) -> str:
        """Return a text without the secrets."""
        for value in self._values:
            text = text.replace(value, MARK)
        return text

    def record(self, record: work_pb2.Record) -> None:
        """Redact the notes and faults of a record."""
        if self._values:
            for note in record.notes:
                note.text = self.text(note.text)
            for fault in record.faults:
                fault.sentence = self.text(fault.sentence)

    def failure(self, failure: work_pb2.ProcessFailure) -> None:
        """Redact the report of a process that failed."""
        if self._values:
            failure.output, failure.sentence = self.text(failure.output), self.text(failure.sentence)
