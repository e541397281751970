"""Who holds a token: names with the hashes of their tokens, as a table of the database."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import Connection, Table, delete, insert, select

from arena.store.timestamps import utc_now

Opening = Callable[[], AbstractContextManager[Connection]]
Row = TypeVar("Row")


class TokenHolders(Generic[Row]):
    """What a database knows of them.

    table: has the columns `name`, `sha256` and `created`, perhaps more. row: makes a row, from all columns by name.
    """

    table: ClassVar[Table]
    row: Callable[..., Row]

    def __init__(self, reading: Opening, writing: Opening) -> None:
        self._reading = reading
        self._writing = writing

    def all(self) -> list[Row]:
        """Return all of them, by their names."""
        with self._reading() as connection:
            found = connection.execute(select(self.table).order_by(self.table.c.name))
            return [self.row(**each) for each in found.mappings()]

    def find(self, sha256: str) -> Row | None:
        """Return whose token has this hash; None where nobody's has, or has any more."""
        with self._reading() as connection:
            found = connection.execute(select(self.table).where(self.table.c.sha256 == sha256)).mappings().first()
        return self.row(**found) if found else None

    def remove(self, name: str) -> bool:
        """Forget one; return whether there was one of that name."""
        with self._writing() as connection:
            return connection.execute(delete(self.table).where(self.table.c.name == name)).rowcount > 0

    def _add(self, name: str, sha256: str, **more: Any) -> bool:
        """Store one, made now; return whether there was none of that name."""
        with self._writing() as connection:
            if connection.scalar(select(self.table.c.name).where(self.table.c.name == name)) is not None:
                return False
            connection.execute(insert(self.table).values(name=name, sha256=sha256, created=utc_now(), **more))
        return True
