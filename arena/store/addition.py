"""A tournament that was played elsewhere, while it is taken in."""

from sqlalchemy import Connection, insert

from arena.store import inserting, log, summing
from arena.store.rows import ActionRow, MatchRow, OutputRow
from arena.store.schema import voids

_BATCH = 500
"""Rows that are added together."""


class Addition:
    """Takes what belongs to a tournament that is being added; number: of the tournament."""

    def __init__(self, connection: Connection, number: int, event: int, first: int) -> None:
        self.number = number
        self._connection = connection
        self._event = event
        self._first = first
        self._matches: list[MatchRow] = []
        self._outputs: list[OutputRow] = []

    def add(self, row: MatchRow | OutputRow) -> None:
        """Add a match, or what a process left behind."""
        if isinstance(row, MatchRow):
            self._matches.append(row)
        else:
            self._outputs.append(row)
        if len(self._matches) + len(self._outputs) == _BATCH:
            self.flush()

    def add_action(self, row: ActionRow) -> None:
        """Add an entry of the log, as it is."""
        log.restore(self._connection, self._event, row)

    def add_void(self, action: int, row: MatchRow) -> None:
        """Add a match that the entry `action` made void."""
        away = log.free_id(self._connection)
        inserting.add_matches(self._connection, self._event, away - row.number, [row])
        self._connection.execute(insert(voids).values(event_id=self._event, action=action, match_id=away))

    def flush(self) -> None:
        """Write what was added."""
        added = inserting.add_matches(self._connection, self._event, self._first, self._matches)
        summing.let_loose(self._connection, added)
        inserting.add_outputs(self._connection, self._event, self._outputs)
        self._matches, self._outputs = [], []
