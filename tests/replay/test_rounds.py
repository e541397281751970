"""The rounds of a replay, by which matches of one deal are compared."""

from itertools import pairwise

import pytest

from arena.replay.rounds import rounds
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_gains_of_all_rounds_lead_from_the_first_scores_to_the_last(game: Game) -> None:
    played = rounds(replay(game))
    assert played[0].frame == 0
    assert [one.frame for one in played] == sorted(one.frame for one in played)
    assert len({one.name for one in played}) == len(played)
    changes = replay(game).scores()
    seats = range(replay(game).seats)
    gained = [sum(one.gains[seat] for one in played if one.gains is not None) for seat in seats]
    assert gained == [changes[-1][1][seat] - changes[0][1][seat] for seat in seats]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_knows_the_same_rounds_by_its_own_frames(game: Game, seat: int) -> None:
    whole, known = rounds(replay(game)), rounds(replay(game), seat)
    assert [one.name for one in known] == [one.name for one in whole]
    assert all(one.frame < replay(game).count(seat) for one in known)


def test_rounds_of_sets_are_named_with_their_set() -> None:
    (cambio,) = (game for game in GAMES if game.name == "cambio")
    names = [one.name for one in rounds(replay(cambio))]
    assert names[0] == "set 1, round 1"
    assert "set 2, round 1" in names


def test_a_round_that_a_seat_learnt_of_only_with_the_next_one_has_no_gains() -> None:
    (cambio,) = (game for game in GAMES if game.name == "cambio")
    known = rounds(replay(cambio), 1)
    together = [one for one, after in pairwise(known) if one.frame == after.frame]
    assert together
    assert all(one.gains is None for one in together)
