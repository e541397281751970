"""The chances to win that were estimated throughout matches, so that nobody need compute them again.

They are deleted with their match. Their values are JSON, which `arena.analysis.match_chances` reads and writes.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select

from arena.store.blobs import compress, decompress
from arena.store.rows import StoredMatch, utc_now
from arena.store.schema import chances, matches
from arena.store.submissions import OpenConnection


@dataclass(frozen=True, slots=True)
class ChancesKey:
    """What the chances of a match depend on, beside the seed.

    perspective: the seat whose knowledge is kept; None: the whole match. behaviour: the version of the rules that are
    played on with. policy: the sample bot that plays on. playouts: of each frame.
    """

    perspective: int | None
    behaviour: int
    policy: str
    playouts: int


class StoredChances:
    """The chances of a database, as `Store.chances`."""

    def __init__(self, read: OpenConnection, write: OpenConnection) -> None:
        self._read = read
        self._write = write

    def save(self, match: StoredMatch, key: ChancesKey, values: dict[str, Any]) -> bool:
        """Store chances instead of those of the same key; return False if the match is no longer the one analysed."""
        row = {
            "match_id": match.id,
            "perspective": _number(key.perspective),
            "behaviour": key.behaviour,
            "policy": key.policy,
            "playouts": key.playouts,
        }
        same = matches.c.id == match.id
        with self._write() as connection:
            if connection.scalar(select(matches.c.digest).where(same)) != match.row.digest:
                return False
            connection.execute(delete(chances).where(*(chances.c[name] == value for name, value in row.items())))
            packed = compress(json.dumps(values, separators=(",", ":")).encode())
            row |= {"seed": values["seed"], "packed": packed, "created": utc_now()}
            connection.execute(insert(chances).values(row))
        return True

    def find(self, match: int, key: ChancesKey, seed: int) -> dict[str, Any] | None:
        """Return the stored chances of a match with a key and seed; None if there are none."""
        query = select(chances.c.packed).where(
            chances.c.match_id == match,
            chances.c.perspective == _number(key.perspective),
            chances.c.behaviour == key.behaviour,
            chances.c.policy == key.policy,
            chances.c.playouts == key.playouts,
            chances.c.seed == seed,
        )
        with self._read() as connection:
            packed = connection.scalar(query)
        return None if packed is None else _values(packed)

    def best(self, match: int, perspective: int | None, behaviour: int) -> dict[str, Any] | None:
        """Return the stored chances of a perspective with the most playouts, of these the newest; None if none are."""
        query = (
            select(chances.c.packed)
            .where(
                chances.c.match_id == match,
                chances.c.perspective == _number(perspective),
                chances.c.behaviour == behaviour,
            )
            .order_by(chances.c.playouts.desc(), chances.c.created.desc(), chances.c.policy)
            .limit(1)
        )
        with self._read() as connection:
            packed = connection.scalar(query)
        return None if packed is None else _values(packed)


def _number(perspective: int | None) -> int:
    return 0 if perspective is None else perspective + 1


def _values(packed: bytes) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(decompress(packed))
    return values
