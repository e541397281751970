"""The hoarder at Kille, against chance and under every option."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest

from arena.sdk import Bot
from referee.engine import registry

Sampler = Callable[[str], Bot[Any]]
Player = Callable[..., Iterator[tuple[int, str]]]


def seed(number: int) -> bytes:
    return sha256(b"hoarder %d" % number).digest()


@pytest.mark.parametrize("seats", [4, 6])
def test_hoarding_beats_chance(sample: Sampler, play: Player, seats: int) -> None:
    """Every second seat hoards; over both rotations of 15 deals it is ranked before chance far more often."""
    won = met = 0.0
    for number in range(15):
        for first in range(2):
            hoards = [(seat + first) % 2 == 0 for seat in range(seats)]
            bots = [sample("hoarder" if mine else "random") for mine in hoards]
            ranks = [int(rank) for rank in [*play(registry.game("kille"), {}, bots, seed(number))][-1][1].split()]
            for mine in (seat for seat in range(seats) if hoards[seat]):
                for other in (seat for seat in range(seats) if not hoards[seat]):
                    won += (ranks[mine] < ranks[other]) + (ranks[mine] == ranks[other]) / 2
                    met += 1
    assert won / met > 0.62


@pytest.mark.parametrize("options", [{"duplicate": "true"}, {"target": "2"}], ids=lambda options: "-".join(options))
@pytest.mark.parametrize("seats", [3, 20])
def test_all_rules_are_played(sample: Sampler, play: Player, options: Mapping[str, str], seats: int) -> None:
    bots = [sample("hoarder" if seat % 3 else "random") for seat in range(seats)]
    assert [*play(registry.game("kille"), options, bots, seed(1))][-1][0] == -1
