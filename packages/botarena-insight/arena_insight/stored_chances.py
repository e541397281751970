"""The chances to win that were estimated throughout matches, so that nobody need compute them again.

They are those of a record: where a match is void and was played again, those of before do not count, and go when others
are stored. Their values are JSON. Damaged ones count as missing, as they can be computed again.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, exists, insert, select

from arena.store import Store, StoreError
from arena.store.engine.blobs import compress, decompress
from arena.store.engine.schema import matches
from arena.values.rows import StoredMatch, utc_now
from arena_insight.tables import TABLES, chances

_IS_STORED = exists().where(matches.c.id == chances.c.match_id, matches.c.digest == chances.c.digest)
"""Whether the match is stored as it was when it was analysed."""


@dataclass(frozen=True, slots=True)
class ChancesKey:
    """What the chances of a match depend on, beside the seed."""

    perspective: int | None
    """The seat whose knowledge is kept; None where everything that is dealt is kept."""
    behaviour: int
    """The behaviour version of the rules by which the playouts are played."""
    policy: str
    """The name of the sample bot that plays on."""
    playouts: int
    """The number of playouts from each frame."""


class StoredChances:
    """The chances of a database. Its table is made when the first are stored."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, match: StoredMatch, key: ChancesKey, values: dict[str, Any]) -> bool:
        """Store chances instead of those of the same key; return False if the match is no longer the one analysed."""
        row = {
            "match_id": match.id,
            "perspective": _number(key.perspective),
            "behaviour": key.behaviour,
            "policy": key.policy,
            "playouts": key.playouts,
        }
        TABLES.make_in(self._store)
        with self._store.write() as connection:
            if connection.scalar(select(matches.c.digest).where(matches.c.id == match.id)) != match.row.digest:
                return False
            connection.execute(delete(chances).where(~_IS_STORED))
            connection.execute(delete(chances).where(*(chances.c[name] == value for name, value in row.items())))
            packed = compress(json.dumps(values, separators=(",", ":")).encode())
            row |= {"seed": values["seed"], "packed": packed, "created": utc_now(), "digest": match.row.digest}
            connection.execute(insert(chances).values(row))
        return True

    def find(self, match: StoredMatch, key: ChancesKey, seed: int) -> dict[str, Any] | None:
        """Return the stored chances of a match with a key and seed; None if there are none."""
        query = select(chances.c.packed).where(
            *_of(match, key.perspective, key.behaviour),
            chances.c.policy == key.policy,
            chances.c.playouts == key.playouts,
            chances.c.seed == seed,
        )
        return self._values(query, match)

    def best(self, match: StoredMatch, perspective: int | None, behaviour: int) -> dict[str, Any] | None:
        """Return the stored chances of a perspective with the most playouts, of these the newest; None if none are."""
        query = (
            select(chances.c.packed)
            .where(*_of(match, perspective, behaviour))
            .order_by(chances.c.playouts.desc(), chances.c.created.desc(), chances.c.policy)
            .limit(1)
        )
        return self._values(query, match)

    def _values(self, query: Select[Any], match: StoredMatch) -> dict[str, Any] | None:
        if not TABLES.are_in(self._store):
            return None
        with self._store.read() as connection:
            packed = connection.scalar(query)
        return None if packed is None else _unpack(packed, match)


def is_whole(values: dict[str, Any] | None) -> bool:
    """Return whether stored values have all that an analysis finds; those of before tell nothing of costly moves."""
    return values is not None and "costly" in values


def _of(match: StoredMatch, perspective: int | None, behaviour: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for chances of a match as it was played, from a perspective."""
    return (
        chances.c.match_id == match.id,
        chances.c.digest == match.row.digest,
        chances.c.perspective == _number(perspective),
        chances.c.behaviour == behaviour,
    )


def _number(perspective: int | None) -> int:
    return 0 if perspective is None else perspective + 1


def _unpack(packed: bytes, match: StoredMatch) -> dict[str, Any] | None:
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
    costly: dict[str, Any] = values.get("costly", {"compared": 0, "moves": []})  # values of before have none
    frames = [frame for frame, _, _ in points]
    numbers = [number for _, *lists in points for part in lists for number in part]
    numbers += [swing[name] for swing in swings for name in ("before", "after", "error")]
    return (
        all(type(number) is int for number in (values["playouts"], values["seed"], *frames))
        and all(type(number) in (int, float) and 0 <= number <= 2 for number in numbers)
        and all(len(part) == seats for _, *lists in points for part in lists)
        and all(swing["seat"] in range(seats) and {swing["from"], swing["move"]} <= set(frames) for swing in swings)
        and (values["seat"] is None or values["seat"] in range(seats))
        and type(costly["compared"]) is int
        and all(_is_sound_move(move, seats, frames[-1]) for move in costly["moves"])
        and isinstance(values["policy"], str)
        and values["playouts"] > 0
        and len(frames) > 0
        and frames == sorted(set(frames))
        and frames[0] >= 0
    )


def _is_sound_move(move: dict[str, Any], seats: int, last: int) -> bool:
    """Return whether a costly move has what is told of it. Raises KeyError or TypeError for one of another shape."""
    numbers = [move[name] for name in ("chance", "better_chance", "cost", "error")]
    return (
        all(type(number) in (int, float) and 0 <= number <= 1 for number in numbers)
        and type(move["frame"]) is int
        and 0 <= move["frame"] < last
        and move["seat"] in range(seats)
        and isinstance(move["move"], str)
        and isinstance(move["better"], str)
    )
