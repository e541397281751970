"""The ratings of search: a deal is played twice, and what it cost is counted."""

from functools import partial
from random import Random

import pytest

from arena.search import belief_in, evaluate
from bench.searcher_ratings import PAIRINGS, SEARCHER, Duel, Think, mean_share
from referee.engine.game import Game
from sample_bots.seated import best, best_policies


def begin(game: Game, options: dict[str, str], seats: int, rng: Random) -> Think:
    policies = best_policies(game, options, seats, rng)
    return partial(evaluate, worlds=2, policies=policies, belief=belief_in(policies), rng=rng)


@pytest.mark.parametrize("name", ["hypp", "coch"])
def test_a_deal_is_played_twice_in_exchanged_seats(name: str) -> None:
    opponent, seats = PAIRINGS[name]
    duel = Duel(name, opponent, seats, begin)
    duel.play_deal(7)
    assert [result.teams for result in duel.results] == [(SEARCHER, opponent), (opponent, SEARCHER)]
    assert 0 <= mean_share(duel.results) <= 1
    assert duel.effort.worlds == 2 * duel.effort.answers > 0
    assert duel.row()[:4] == [name, opponent, str(seats), "2"]


def test_the_opponent_is_the_best_sample_bot_of_each_game() -> None:
    assert {name: opponent for name, (opponent, _) in PAIRINGS.items()} == {name: best(name) for name in PAIRINGS}
