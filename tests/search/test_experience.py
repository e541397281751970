"""What playouts have shown: which fields only a seat sees, and how it plays by them."""

from random import Random
from typing import Any

import pytest

from arena.positions import World, begin
from arena.search import Experience, Horizon, evaluate
from arena.search.experience import ALL, MOST_WEIGHT, TRIAL, private_fields
from referee.engine import registry
from referee.engine.chance import seed_from_number
from tests.search.tiny_games import GAME, Drawn, Sticks, Urn

LEGAL = ("keep", "exchange")


def world(name: str, seats: int) -> World:
    game = registry.game(name)
    return begin(game, game.options(), seats, seed_from_number(1))


def seen_with(card: int) -> Any:
    """Return what seat 0 of Cucco sees with a card."""
    view: Any = world("cucco", 2).state.view(0)
    return view._replace(card=card)


def experienced(times: int = 40) -> Experience:
    """Return what is known after playouts in which a high card was worth keeping and a low one was not."""
    experience = Experience()
    experience.begin(world("cucco", 2), Random(1))
    for _ in range(times):
        for card, good in ((14, "keep"), (-4, "exchange")):
            for move in LEGAL:
                node = experience.node(seen_with(card), LEGAL)
                value = float(move == good)
                experience.learn([(0, "", move, node)], [value, 1 - value])
    return experience


@pytest.mark.parametrize(
    ("name", "seats", "fields"),
    [("cucco", 2, {"card", "known"}), ("perudo", 2, {"dice"}), ("kille", 3, {"hand"}), ("hypp", 2, set())],
)
def test_what_only_a_seat_sees_is_found_by_playing(name: str, seats: int, fields: set[str]) -> None:
    first = world(name, seats)
    view: Any = first.state.view(0)
    names = view._fields
    found = {names[number] for number in private_fields(first, Random(1))}
    assert fields <= found
    assert not found & {"seat", "chips", "scores", "turn"}


def test_a_seat_plays_by_what_it_sees() -> None:
    experience = experienced()
    for card, move in ((14, "keep"), (-4, "exchange")):
        assert experience.best(LEGAL, "", experience.node(seen_with(card), LEGAL)) == move


def test_sights_are_not_asked_where_they_never_come_again() -> None:
    first, experience = world("kille", 3), Experience()
    view: Any = first.state.view(0)
    rests = []
    for search in range(8):
        experience.begin(first, Random(1))
        rests.append(experience.sees)
        for number in range(TRIAL * experience.sees):
            experience.node(view._replace(hand=(search, number)), LEGAL)
        assert not experience.sees
    assert rests == [True, False, True, False, False, True, False, False]


def test_a_horizon_holds_until_half_of_the_match_is_over() -> None:
    measured: list[Horizon] = []

    def measure() -> Horizon:
        measured.append(Horizon(GAME, 2, left=12 if not measured else 1))
        return measured[-1]

    experience = Experience()
    # Half of twelve decisions are three of each seat.
    found = [experience.horizon(measure, 2) for _ in range(6)]
    first, second, third = measured
    assert found == [first] * 4 + [second, third]


def test_old_playouts_fade() -> None:
    experience = experienced(1000)
    node = experience.node(seen_with(14), LEGAL)
    assert node is not None
    assert all(sums[0] <= MOST_WEIGHT for sums in (node["keep"], node["exchange"], node[ALL]))


def test_a_search_goes_on_with_what_earlier_ones_have_shown() -> None:
    experience = Experience()
    evaluate(Drawn(lambda: Urn({"bad": False, "good": True}), 2), worlds=200, experience=experience, rng=Random(1))
    assert experience.best(("bad", "good"), "", None) == "good"


def test_without_views_that_name_their_fields_moves_alone_are_known() -> None:
    experience = Experience()
    found = evaluate(Drawn(lambda: Sticks(6), 2), worlds=300, experience=experience, rng=Random(1))
    assert found.best == "take 2"
    assert not experience.sees
