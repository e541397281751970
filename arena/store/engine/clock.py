"""The clock of a database, which alone decides when something was received."""

from datetime import UTC

from sqlalchemy import Connection, func, select

from arena.values.rows import utc_now


def database_time(connection: Connection) -> str:
    """Return the time of the server of a database in UTC as ISO 8601, to the second; a file has that of this machine.

    A second that has begun counts as its beginning, so what is received within the second of a deadline is late.
    """
    if connection.dialect.name != "postgresql":
        return utc_now()
    now = connection.scalar(select(func.clock_timestamp()))
    assert now is not None
    return str(now.astimezone(UTC).isoformat(timespec="seconds"))
