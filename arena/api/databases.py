"""The databases that hold what is played: a caller's own, or a temporary one."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

Database = str | PathLike[str]
"""The path of a database file, or postgresql://USER@HOST/NAME."""


def new_temporary_database() -> tuple[str, Callable[[], None]]:
    """Return the path of a database that does not exist yet, and a function that removes it."""
    folder = Path(tempfile.mkdtemp(prefix="arena-results-"))
    return str(folder / "arena.db"), lambda: shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def temporary_unless(db: Database | None) -> Iterator[str]:
    """Yield a database: `db`, or a temporary one that is removed at the end of the block."""
    if db is not None:
        yield str(db)
        return
    path, remove = new_temporary_database()
    try:
        yield path
    finally:
        remove()
