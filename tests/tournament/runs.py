"""Running tournaments in tests: who is told, and what must come out the same however they are played."""

from collections.abc import Callable, Sequence
from typing import Any

from arena.plan.new_event import new_event
from arena.plan.schedule import Plan
from arena.plan.secret import new_secret
from arena.store import Store
from arena.values.definition import Definition
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow, SeatRow


class Watcher:
    """Keeps what it is told, and does something at the first news."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        self.matches = 0
        self.lines: list[str] = []
        self.failures: list[ProcessFailureRow] = []
        self._then: Callable[[], object] | None = then

    def stored(self, rows: Sequence[MatchRow]) -> None:
        self.matches += len(rows)
        if self._then and rows:
            then, self._then = self._then, None
            then()

    def failed(self, rows: Sequence[ProcessFailureRow]) -> None:
        self.failures.extend(rows)

    def recount(self, stored: int) -> None:
        pass

    def stands(self, how: str) -> None:
        pass

    def say(self, line: str) -> None:
        self.lines.append(line)


def begin(store: Store, definition: Definition) -> int:
    secret = new_secret(5)
    return store.add_tournament(new_event(definition, secret, 5, Plan.of(definition, secret).matches))


def results(store: Store, number: int) -> list[Any]:
    """Return all that must not depend on how the matches were played."""
    first = store.tournament(number).first_match
    rows = [store.match(first + match).row for match in sorted(store.played(number))]
    return [
        (row.number, row.deal, row.seed, row.answers, row.digest, row.faults, [seat_result(seat) for seat in row.seats])
        for row in rows
    ]


def seat_result(seat: SeatRow) -> tuple[int, ...]:
    return (seat.entrant, seat.score, seat.rank, seat.decisions)
