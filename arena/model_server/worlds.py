"""The worlds that a bot holds, by number."""

from collections.abc import Iterable

from arena.model_server.failure import LIMIT, WORLD, Failure
from arena.positions import World

MOST_WORLDS = 4096
"""How many worlds are kept, of all matches of a bot together. One takes a few KB."""


class KeptWorlds:
    """Worlds by number, each of the open question of a match; a number is used once."""

    def __init__(self) -> None:
        self._worlds: dict[int, tuple[int, World]] = {}
        self._of_match: dict[int, set[int]] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._worlds)

    def check_room(self, count: int) -> None:
        """Raise Failure unless so many more worlds can be kept."""
        if len(self) + count > MOST_WORLDS:
            raise Failure(
                LIMIT,
                f"{count:,} more worlds are asked for, and {len(self):,} are kept: {MOST_WORLDS:,} may be kept at a "
                "time; ask for fewer, drop some, or have the moves evaluated, which keeps none",
            )

    def add(self, match: int, world: World) -> int:
        """Keep a world of a match; return its number."""
        self._last += 1
        self._worlds[self._last] = match, world
        self._of_match.setdefault(match, set()).add(self._last)
        return self._last

    def find(self, number: int) -> tuple[int, World]:
        """Return the match of a world, and the world. Raises Failure where it is not kept."""
        try:
            return self._worlds[number]
        except KeyError:
            pass
        if 0 < number <= self._last:
            raise Failure(
                WORLD,
                f"world {number} is not kept any more: it was dropped, or its question is answered or its match over; "
                "ask for worlds of the question that is open",
            )
        raise Failure(WORLD, f"there is no world {number}: ask for worlds first, and use the numbers that they have")

    def replace(self, number: int, world: World) -> None:
        """Keep another world under a number that is in use."""
        match, _ = self._worlds[number]
        self._worlds[number] = match, world

    def drop(self, numbers: Iterable[int]) -> None:
        """Forget worlds; those that are not kept are passed over."""
        for number in numbers:
            if (kept := self._worlds.pop(number, None)) is not None:
                self._of_match[kept[0]].discard(number)

    def drop_match(self, match: int) -> None:
        """Forget all worlds of a match."""
        for number in self._of_match.pop(match, ()):
            del self._worlds[number]
