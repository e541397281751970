"""The chances to win that were estimated throughout matches, so that nobody need compute them again.

They are deleted with their match. Their values are JSON, which `arena.analysis.match_chances` reads and writes. Values
that are damaged count as missing, as they can be computed again.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select

from arena.store.blobs import compress, decompress
from arena.store.errors import StoreError
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

    def find(self, match: StoredMatch, key: ChancesKey, seed: int) -> dict[str, Any] | None:
        """Return the stored chances of a match with a key and seed; None if there are none."""
        query = select(chances.c.packed).where(
            chances.c.match_id == match.id,
            chances.c.perspective == _number(key.perspective),
            chances.c.behaviour == key.behaviour,
            chances.c.policy == key.policy,
            chances.c.playouts == key.playouts,
            chances.c.seed == seed,
        )
        with self._read() as connection:
            packed = connection.scalar(query)
        return None if packed is None else _values(packed, match)

    def best(self, match: StoredMatch, perspective: int | None, behaviour: int) -> dict[str, Any] | None:
        """Return the stored chances of a perspective with the most playouts, of these the newest; None if none are."""
        query = (
            select(chances.c.packed)
            .where(
                chances.c.match_id == match.id,
                chances.c.perspective == _number(perspective),
                chances.c.behaviour == behaviour,
            )
            .order_by(chances.c.playouts.desc(), chances.c.created.desc(), chances.c.policy)
            .limit(1)
        )
        with self._read() as connection:
            packed = connection.scalar(query)
        return None if packed is None else _values(packed, match)


def _number(perspective: int | None) -> int:
    return 0 if perspective is None else perspective + 1


def _values(packed: bytes, match: StoredMatch) -> dict[str, Any] | None:
    """Return the values of a blob; None if it is damaged."""
    try:
        values = json.loads(decompress(packed))
        return values if _is_sound(values, len(match.row.seats)) else None
    except (StoreError, ValueError, RecursionError, KeyError, TypeError):
        return None


def _is_sound(values: dict[str, Any], seats: int) -> bool:
    """Return whether values can be drawn: each point and swing has the numbers that it should have.

    Raises KeyError or TypeError for values of another shape.
    """
    points, swings = values["points"], values["swings"]
    frames = [frame for frame, _, _ in points]
    numbers = [number for _, *lists in points for each in lists for number in each]
    numbers += [swing[name] for swing in swings for name in ("before", "after", "error")]
    return (
        all(type(number) is int for number in (values["playouts"], values["seed"], *frames))
        and all(type(number) in (int, float) and 0 <= number <= 2 for number in numbers)
        and all(len(each) == seats for _, *lists in points for each in lists)
        and all(swing["seat"] in range(seats) and {swing["from"], swing["move"]} <= set(frames) for swing in swings)
        and (values["seat"] is None or values["seat"] in range(seats))
        and isinstance(values["policy"], str)
        and values["playouts"] > 0
        and len(frames) > 0
        and frames == sorted(set(frames))
        and frames[0] >= 0
    )
