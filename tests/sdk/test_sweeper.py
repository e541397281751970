"""The sweeper at Scopa, against chance and under every option."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest

from arena.sdk import Bot
from referee.engine import registry

Sampler = Callable[[str], Bot[Any]]
Player = Callable[..., Iterator[tuple[int, str]]]


def seed(number: int) -> bytes:
    return sha256(b"sweeper %d" % number).digest()


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_prices_beat_chance(sample: Sampler, play: Player, seats: int) -> None:
    """Every second seat prices its cards; over both rotations of five deals it is mostly ranked before chance."""
    won = met = 0.0
    for number in range(5):
        for first in range(2):
            prices = [(seat + first) % 2 == 0 for seat in range(seats)]
            bots = [sample("sweeper" if mine else "random") for mine in prices]
            ranks = [int(rank) for rank in [*play(registry.game("scopa"), {}, bots, seed(number))][-1][1].split()]
            for mine in (seat for seat in range(seats) if prices[seat]):
                for other in (seat for seat in range(seats) if not prices[seat]):
                    won += (ranks[mine] < ranks[other]) + (ranks[mine] == ranks[other]) / 2
                    met += 1
    assert won / met > 0.75


@pytest.mark.parametrize(
    "options",
    [
        {"teams": "none", "primiera": "sevens"},
        {"mercy": "true", "primiera": "sum", "faces": "all"},
        {"strict_discard": "true"},
        {"max_deals": "1"},
    ],
    ids=lambda options: "-".join(options),
)
@pytest.mark.parametrize("seats", [3, 6])
def test_all_rules_are_played(sample: Sampler, play: Player, options: Mapping[str, str], seats: int) -> None:
    bots = [sample("sweeper" if seat % 3 else "random") for seat in range(seats)]
    assert [*play(registry.game("scopa"), options, bots, seed(1))][-1][0] == -1
