"""The sample bot of the trick games, in this process."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import pytest

from arena.sdk import Bot
from referee.engine import registry

Sampler = Callable[[str], Bot[Any]]
Player = Callable[..., Iterator[tuple[int, str]]]


def seed(number: int) -> bytes:
    return sha256(b"tactician %d" % number).digest()


@pytest.mark.parametrize(("game", "seats"), [("torionfo", 2), ("torionfo", 4), ("coch", 4), ("zifuli", 5)])
def test_card_sense_beats_chance(sample: Sampler, play: Player, game: str, seats: int) -> None:
    """One side has card sense, over both rotations of each deal; in Zifuli two of the five seats have."""
    rules = registry.game(game)
    bots = {True: sample("tactician"), False: sample("random")}
    won = met = 0.0
    for number in range(15):
        for first in range(2):
            clever = [seat < 4 and (seat + first) % 2 == 0 for seat in range(seats)]
            *_, (_, told) = play(rules, {}, [bots[mine] for mine in clever], seed(number))
            ranks = [int(rank) for rank in told.split()]
            for mine in (seat for seat in range(seats) if clever[seat]):
                for other in (seat for seat in range(seats) if not clever[seat]):
                    won += (ranks[mine] < ranks[other]) + (ranks[mine] == ranks[other]) / 2
                    met += 1
    assert won / met > 0.65


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("torionfo", 2, {}), ("torionfo", 4, {}), ("coch", 4, {"deals": "3"}), ("zifuli", 5, {"end": "broke"})],
)
def test_it_plays_with_itself(sample: Sampler, play: Player, game: str, seats: int, options: dict[str, str]) -> None:
    bot = sample("tactician")
    *answers, (seat, _) = play(registry.game(game), options, [bot] * seats, seed(1))
    assert seat == -1
    assert len(answers) > 20
