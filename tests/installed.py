"""Which packages with features are installed: arena's own tests hold without any of them."""

from importlib.util import find_spec
from typing import TypeVar

from sqlalchemy import Connection, inspect, text

from tests import house

Value = TypeVar("Value")


def is_installed(module: str) -> bool:
    """Return whether a package is there; a folder in which only old bytecode is left is none."""
    spec = find_spec(module)
    return spec is not None and spec.origin is not None


FEATURES = {feature for feature, module in house.PACKAGES.items() if is_installed(module)}


def of(feature: str, *values: Value) -> tuple[Value, ...]:
    """Return values that tests use only where the package of a feature is installed."""
    return values if feature in FEATURES else ()


def rows(connection: Connection, table: str) -> int:
    """Return how many rows a table of a package has; 0 if nothing has made it."""
    if not inspect(connection).has_table(table):
        return 0
    return int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())
