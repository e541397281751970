"""What errors of PostgreSQL's driver mean that have no SQLSTATE, as those of connections that are refused."""

import pytest
from sqlalchemy.exc import OperationalError

from arena.store.engine.errors import StoreError, StoreUnavailable, translate_errors


def raised(message: str) -> StoreError:
    refused = f'connection failed: connection to server on socket "/run/.s.PGSQL.5432" failed: FATAL:  {message}'
    with pytest.raises(StoreError) as caught, translate_errors("postgresql:///arena"):
        raise OperationalError("SELECT 1", {}, Exception(refused))
    return caught.value


@pytest.mark.parametrize(
    "message",
    [
        "the database system is starting up",
        "the database system is shutting down",
        "the database system is in recovery mode",
        "the database system is not yet accepting connections\nDETAIL:  Consistent recovery state is not reached.",
        "the database system is not accepting connections",
        'database "arena" is not currently accepting connections',
        "terminating connection due to administrator command",
        "terminating connection because of crash of another server process",
    ],
)
def test_a_server_that_restarts_is_away_for_a_while(message: str) -> None:
    error = raised(message)
    assert isinstance(error, StoreUnavailable)
    assert "is going down or coming up" in str(error)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [('database "arena" does not exist', "does not exist"), ('role "ann" does not exist', "lets nobody in")],
)
def test_what_is_not_there_is_no_passing_trouble(message: str, sentence: str) -> None:
    error = raised(message)
    assert not isinstance(error, StoreUnavailable)
    assert sentence in str(error)
