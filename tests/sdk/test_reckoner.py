"""The reckoner at Campli and at Montorio, against chance and under every option."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest

from arena.sdk import Bot
from referee.engine import registry

Sampler = Callable[[str], Bot[Any]]
Player = Callable[..., Iterator[tuple[int, str]]]


def seed(number: int) -> bytes:
    return sha256(b"reckoner %d" % number).digest()


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("game", ["cucu", "lustu"])
def test_odds_beat_chance(sample: Sampler, play: Player, game: str, seats: int) -> None:
    """Every second seat reckons; over both rotations of 15 deals it is ranked before chance far more often."""
    won = met = 0.0
    for number in range(15):
        for first in range(2):
            reckons = [(seat + first) % 2 == 0 for seat in range(seats)]
            bots = [sample("reckoner" if mine else "random") for mine in reckons]
            ranks = [int(rank) for rank in [*play(registry.game(game), {}, bots, seed(number))][-1][1].split()]
            for mine in (seat for seat in range(seats) if reckons[seat]):
                for other in (seat for seat in range(seats) if not reckons[seat]):
                    won += (ranks[mine] < ranks[other]) + (ranks[mine] == ranks[other]) / 2
                    met += 1
    assert won / met > 0.62


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("cucu", dict.fromkeys(("endgame_agreement", "syndicates", "table_talk"), "true")),
        ("lustu", {"endgame_agreement": "true", "syndicates": "true", "fools": "1"}),
        ("lustu", {"stake": "100", "bankroll": "100"}),
        ("cucu", {"stake": "10", "bankroll": "25", "syndicates": "true", "open_syndicates": "true"}),
        ("lustu", {"stake": "10", "bankroll": "15", "syndicates": "true", "open_syndicates": "true"}),
        ("cucu", {"stake": "100", "bankroll": "800", "syndicates": "true", "max_deals": "30"}),
    ],
)
@pytest.mark.parametrize("seats", [2, 5])
def test_all_rules_are_played(sample: Sampler, play: Player, game: str, options: Mapping[str, str], seats: int) -> None:
    for number in range(3):
        bots = [sample("reckoner" if seat % 3 else "random") for seat in range(seats)]
        assert [*play(registry.game(game), options, bots, seed(number))][-1][0] == -1
