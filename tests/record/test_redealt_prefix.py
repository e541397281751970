"""Redeals in every game: the seat cannot tell the difference, and the new match is verified."""

from dataclasses import replace
from typing import Any

import pytest

from arena.record.match_verification import check_match
from arena.record.played_rules import steps, stored_redeal
from arena.record.redealt_prefix import redeal_prefix
from arena.redeal.consistent_play import state_values
from referee.engine.game import Game
from referee.engine.record import unpack_answers
from referee.games.coch import COCH
from referee.games.kille import KILLE
from referee.games.perudo import PERUDO
from tests.played import numbered, planned
from tests.redeal.redealt_matches import at, moments, played_on, seat_events
from tests.replay.replays import GAMES, stored

SEED = bytes(32)
OTHER = bytes([1] * 32)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_redeal_changes_the_match_unnoticed_by_the_seat_and_verifies(game: Game) -> None:
    match = stored(game)
    recorded = unpack_answers(match.row.answers)
    _, early, late = moments(match, 3)
    for answers, whose in ((early, 1), (late, 0)):
        before = at(match, None, recorded[:answers])
        seat = (before.asked[0] + whose) % len(match.row.seats)
        prefix = redeal_prefix(match, answers, seat, SEED)
        state = at(match, prefix.redeal, prefix.answers)
        assert seat_events(match, state, seat) == seat_events(match, before, seat)
        assert (state.view(seat), state.legal(seat)) == (before.view(seat), before.legal(seat))
        assert state.asked == before.asked
        assert prefix.hidden
        assert state_values(state) != state_values(before)
        assert check_match(played_on(match, prefix)).wrong == ()


@pytest.mark.parametrize("game", [COCH, PERUDO], ids=lambda game: game.name)
def test_a_redealt_match_can_be_redealt_again(game: Game) -> None:
    first = stored(game)
    second = played_on(first, redeal_prefix(first, moments(first, 2)[1], 0, SEED))
    for late in (moments(second, 10)[3], moments(second, 10)[8]):
        third = played_on(second, redeal_prefix(second, late, 1, SEED))
        assert check_match(third).wrong == ()
        redeal = stored_redeal(second)
        known = seat_events(second, at(second, redeal, unpack_answers(second.row.answers)[:late]), 1)
        *_, (end, _) = steps(third)
        assert seat_events(third, end, 1)[: len(known)] == known


def test_a_seed_fixes_the_redeal_and_later_chance_is_new() -> None:
    match = stored(KILLE)
    prefix = redeal_prefix(match, 5, 0, SEED)
    assert redeal_prefix(match, 5, 0, SEED) == prefix
    assert redeal_prefix(match, 5, 0, OTHER).redeal.fixed != prefix.redeal.fixed
    later = replace(prefix, redeal=replace(prefix.redeal, later=OTHER))
    assert played_on(match, later).row.digest != played_on(match, prefix).row.digest


def test_a_tampered_redeal_fails_verification() -> None:
    match = stored(KILLE)
    second = played_on(match, redeal_prefix(match, 5, 0, SEED))
    true: Any = second.event.definition.redeal
    for changed, sentence in (
        (true | {"later": OTHER.hex()}, ""),
        (true | {"fixed": {place: values[1:] for place, values in true["fixed"].items()}}, "is no order of"),
        ({"fixed": 3}, "is malformed"),
        (true | {"requests": "5"}, "is malformed"),
        (true | {"requests": -1}, "is malformed"),
    ):
        wrong = check_match(replace(second, event=planned(second.event, redeal=changed))).wrong
        assert wrong
        assert sentence in wrong[0]
    in_tournament = replace(second, event=numbered(second.event, 1))
    assert "does not continue another match" in check_match(in_tournament).wrong[0]
