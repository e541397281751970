"""The sample bots, in this process; what they reach as processes in a tournament is shown in tests/tournament."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import pytest

from arena.sdk import Bot
from referee.engine import registry
from referee.engine.game import Game
from sample_bots import SAMPLES

Sampler = Callable[[str], Bot[Any]]
Player = Callable[..., Iterator[tuple[int, str]]]

CLEVER = ["bluffer", "cautious", "counter"]
GAMES = ["cambio", "cucco"]
RULES = [("cambio", {"reveal": reveal}) for reveal in ("anti", "cancel", "second", "high_low", "two", "lion")] + [
    ("cambio", dict.fromkeys(("indian", "rebirth"), "true")),
    ("cambio", dict.fromkeys(("misery", "double_turn", "child_time"), "true")),
    ("cambio", {"double_pack": "true", "final_tie": "overtime"}),
    ("cambio", {"indian": "true", "reveal": "lion", "double_turn": "true"}),
    ("cambio", {"rebirth": "true", "reveal": "second"}),
    ("cucco", {"cancellation": "true"}),
    ("cucco", {"open": "manual", "length": "short"}),
]


def seed(number: int) -> bytes:
    return sha256(b"sample bots %d" % number).digest()


@pytest.mark.processes
def test_every_sample_bot_says_how_it_is_started(run_bot: Any) -> None:
    for sample in SAMPLES.values():
        ended = run_bot(sample.path, {})
        assert ended.code == 2
        assert f"arena match --game {(sample.games or ('cambio',))[0]}" in ended.err


@pytest.mark.parametrize("name", SAMPLES)
def test_table_of_samples_is_true(sample: Sampler, name: str) -> None:
    assert sample(name).name == name
    assert sample(name).games == SAMPLES[name].games
    games = SAMPLES[name].games
    assert set(games) <= set(registry.names())
    assert [SAMPLES[name].plays(game) for game in registry.names()] == [
        not games or game in games for game in registry.names()
    ]


@pytest.mark.parametrize(
    ("game", "options"), RULES, ids=lambda rule: "-".join(rule) if isinstance(rule, dict) else rule
)
def test_all_rules_are_played(sample: Sampler, play: Player, game: str, options: Mapping[str, str]) -> None:
    bots = [sample(name) for name in (*CLEVER, *CLEVER)]
    for number in range(2):
        *answers, (seat, ranks) = play(registry.game(game), options, bots, seed(number))
        assert seat == -1
        assert len(ranks.split()) == 6
        assert len(answers) > 20


@pytest.mark.parametrize("seats", [2, 9])
@pytest.mark.parametrize("game", GAMES)
def test_every_table_size_is_played(sample: Sampler, play: Player, game: str, seats: int) -> None:
    bots = [sample(CLEVER[seat % 3]) for seat in range(seats)]
    assert [*play(registry.game(game), {}, bots, seed(3))][-1][0] == -1


@pytest.mark.parametrize("seats", [4, 6])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", CLEVER)
def test_cleverness_beats_chance(sample: Sampler, play: Player, game: str, seats: int, name: str) -> None:
    """Every second seat is clever; over both rotations of ten deals it is ranked before chance far more often."""
    rules = registry.game(game)
    won = met = 0.0
    for number in range(10):
        for first in range(2):
            clever = [(seat + first) % 2 == 0 for seat in range(seats)]
            bots = [sample(name if mine else "random") for mine in clever]
            ranks = [int(rank) for rank in [*play(rules, {}, bots, seed(number))][-1][1].split()]
            for mine in (seat for seat in range(seats) if clever[seat]):
                for other in (seat for seat in range(seats) if not clever[seat]):
                    won += (ranks[mine] < ranks[other]) + (ranks[mine] == ranks[other]) / 2
                    met += 1
    assert won / met > 0.65


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if not sample.thinks])
def test_matches_played_side_by_side_do_not_touch_each_other(sample: Sampler, play: Player, name: str) -> None:
    """One process plays many matches at once, in whatever order: each goes as if it were alone."""
    rules: Game = registry.game((SAMPLES[name].games or ("cambio",))[0])
    seats = min(rules.recommended, 5)
    alone = [[*play(rules, {}, [sample(name) for _ in range(seats)], seed(number))] for number in range(2)]
    shared = [sample(name) for _ in range(seats)]
    together = zip_longest(*(play(rules, {}, shared, seed(number)) for number in range(2)))
    assert [[answer for answer in answers if answer] for answers in zip(*together, strict=True)] == alone
