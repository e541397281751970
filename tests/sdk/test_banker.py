"""The banker at Hypp, against chance and under every option."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest

from arena.sdk import Bot
from referee.engine import registry

Sampler = Callable[[str], Bot[Any]]
Player = Callable[..., Iterator[tuple[int, str]]]


def seed(number: int) -> bytes:
    return sha256(b"banker %d" % number).digest()


@pytest.mark.parametrize("seats", [2, 5])
def test_counting_chips_beats_chance(sample: Sampler, play: Player, seats: int) -> None:
    """One seat counts; over all rotations of 40 deals it is ranked before chance clearly more often."""
    won = met = 0.0
    for number in range(40):
        for mine in range(seats):
            bots = [sample("banker" if seat == mine else "random") for seat in range(seats)]
            ranks = [int(rank) for rank in [*play(registry.game("hypp"), {}, bots, seed(number))][-1][1].split()]
            for other in set(range(seats)) - {mine}:
                won += (ranks[mine] < ranks[other]) + (ranks[mine] == ranks[other]) / 2
                met += 1
    assert won / met > 0.53


@pytest.mark.parametrize(
    "options", [{"limit": "1"}, {"limit": "30", "max_rounds": "20"}], ids=lambda options: "-".join(options)
)
@pytest.mark.parametrize("seats", [2, 8])
def test_all_rules_are_played(sample: Sampler, play: Player, options: Mapping[str, str], seats: int) -> None:
    bots = [sample("banker" if seat % 3 else "random") for seat in range(seats)]
    assert [*play(registry.game("hypp"), options, bots, seed(1))][-1][0] == -1
