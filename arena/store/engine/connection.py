"""How the subjects of a database open transactions."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from sqlalchemy import Connection

OpenConnection = Callable[[], AbstractContextManager[Connection]]
