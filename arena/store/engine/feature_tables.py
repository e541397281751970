"""Tables of packages, of which each has a version of its own and brings its tables up to date when it first uses them.

`arena.store.migrations` know nothing of them, and they stay where the package is not installed any more. So they refer
by value alone to rows that arena deletes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakSet

from sqlalchemy import Connection, MetaData, delete, insert, select

from arena.store.engine.errors import StoreError
from arena.store.engine.schema import feature_tables

if TYPE_CHECKING:
    from arena.store.store import Store


@dataclass(frozen=True, slots=True)
class FeatureTables:
    """The tables of a package that adds a feature."""

    name: str
    """The name of the feature, such as `"webhooks"`."""
    metadata: MetaData
    """The tables as they are in the last version."""
    steps: tuple[Callable[[Connection], None], ...] = ()
    """The functions that bring the tables from one version to the next, from version 1 on."""
    _prepared: "WeakSet[Store]" = field(default_factory=WeakSet, init=False, repr=False, compare=False)
    """The databases that are known to have the tables as they should be."""

    @property
    def version(self) -> int:
        """The last version."""
        return 1 + len(self.steps)

    def are_in(self, store: "Store") -> bool:
        """Return whether a database has the tables as they should be. Raises StoreError if they are newer."""
        if store in self._prepared:
            return True
        with store.read() as connection:
            are_current = self._stored_version(connection) == self.version
        if are_current:
            self._prepared.add(store)
        return are_current

    def make_in(self, store: "Store") -> None:
        """Make the tables of a database, or bring them up to date, where that is needed.

        Raises StoreError if they are newer.
        """
        if not self.are_in(store):
            with store.write(numbers=True) as connection:
                self.update(connection)
            self._prepared.add(store)

    def update(self, connection: Connection) -> None:
        """Make the tables, or bring them up to date, in the caller's transaction.

        Raises StoreError if they are newer.
        """
        version = self._stored_version(connection)
        if version == self.version:
            return
        if version:
            for step in self.steps[version - 1 :]:
                step(connection)
        else:
            self.metadata.create_all(connection, checkfirst=False)
        connection.execute(delete(feature_tables).where(feature_tables.c.name == self.name))
        connection.execute(insert(feature_tables).values(name=self.name, version=self.version))

    def _stored_version(self, connection: Connection) -> int:
        """Return the version of the tables in a database; 0 if it has none. Raises StoreError if they are newer."""
        query = select(feature_tables.c.version).where(feature_tables.c.name == self.name)
        version = connection.scalar(query) or 0
        if version > self.version:
            raise StoreError(
                f"the tables of {self.name} in this database were written by a newer package (their version is "
                f"{version}, this one knows {self.version}): update botarena-{self.name}, or use another --db"
            )
        return version
