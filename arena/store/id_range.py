"""Where a tournament lies in the database."""

from typing import NamedTuple

from sqlalchemy.sql.elements import ColumnElement

from arena.store.schema import matches


class IdRange(NamedTuple):
    """The key of a tournament's event, and the ids that are reserved for its matches: so many from the first."""

    event: int
    first: int
    size: int

    @property
    def ids(self) -> range:
        """The ids of its matches, stored or not."""
        return range(self.first, self.first + self.size)

    def holds(self, numbers: range | None = None) -> ColumnElement[bool]:
        """Return the condition that a match is one of it. numbers: of those that are meant, by the schedule."""
        of_it: ColumnElement[bool] = matches.c.id.between(self.ids.start, self.ids.stop - 1)
        if numbers is not None:
            of_it &= matches.c.id.between(self.first + numbers.start, self.first + numbers.stop - 1)
        return of_it
