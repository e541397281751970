"""The actuary at Perudo: its odds, against chance, and under every option."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest

from arena.sdk import Bot
from referee.engine import registry

Sampler = Callable[[str], Bot[Any]]
Player = Callable[..., Iterator[tuple[int, str]]]
VARIANTS = ("hidden", "high_risk", "showdown", "first_blood")


def seed(number: int) -> bytes:
    return sha256(b"actuary %d" % number).digest()


@pytest.mark.parametrize("seats", [2, 4])
def test_odds_beat_chance(sample: Sampler, play: Player, seats: int) -> None:
    """Every second seat reckons; over both rotations of five deals it is always ranked before chance."""
    rules = registry.game("perudo")
    for number in range(5):
        for first in range(2):
            reckons = [(seat + first) % 2 == 0 for seat in range(seats)]
            bots = [sample("actuary" if mine else "random") for mine in reckons]
            ranks = [int(rank) for rank in [*play(rules, {}, bots, seed(number))][-1][1].split()]
            assert max(rank for rank, mine in zip(ranks, reckons, strict=True) if mine) < min(
                rank for rank, mine in zip(ranks, reckons, strict=True) if not mine
            )


@pytest.mark.parametrize(
    "options",
    [dict.fromkeys(VARIANTS, "true"), *({name: "true"} for name in VARIANTS)],
    ids=lambda options: "-".join(options),
)
@pytest.mark.parametrize("seats", [2, 5])
def test_all_rules_are_played(sample: Sampler, play: Player, options: Mapping[str, str], seats: int) -> None:
    for number in range(3):
        bots = [sample("actuary" if seat % 3 else "random") for seat in range(seats)]
        assert [*play(registry.game("perudo"), options, bots, seed(number))][-1][0] == -1
