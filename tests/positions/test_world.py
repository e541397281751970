"""Worlds: what can be asked of them, played in them, and copied."""

from collections.abc import Sequence
from random import Random

import pytest

from arena.positions import World, begin
from referee.engine import registry
from referee.engine.chance import Chance, seed_from_number


def world(name: str, seats: int, number: int = 1) -> World:
    game = registry.game(name)
    return begin(game, game.options(), seats, seed_from_number(number))


def test_a_playout_goes_to_the_end_and_leaves_the_world_it_was_copied_from() -> None:
    first = world("scopa", 2)
    asked, legal, view = first.asked, first.legal(), first.view()
    twin = first.copy()
    assert twin.playout(Random(1)) > 20
    assert twin.is_over
    assert twin.legal() == ()
    assert sorted(twin.ranks) == [1, 2]
    assert (first.asked, first.legal(), first.view()) == (asked, legal, view)
    assert not first.is_over


@pytest.mark.parametrize(
    ("name", "kind", "line"), [("cambio", "set", "set 2 begins"), ("scopa", "deal", "deal 2 begins")]
)
def test_a_playout_stops_as_a_set_or_deal_begins(name: str, kind: str, line: str) -> None:
    first = world(name, 3)
    first.playout(Random(2), until=kind)
    assert [each for each in first.lines() if each.startswith(line)]
    assert not first.is_over


def test_a_playout_stops_after_so_many_decisions() -> None:
    assert world("perudo", 3).playout(Random(1), most=4) == 4


def test_policies_choose_for_their_seats() -> None:
    first = world("cambio", 2)

    def keep(view: object, legal: Sequence[str], rng: Random) -> str:
        return "keep" if "keep" in legal else legal[0]

    first.playout(Random(3), (keep, None), until="set")
    assert "seat 0 exchanges" not in "\n".join(first.lines())


def test_a_policy_that_chooses_something_else_is_told() -> None:
    with pytest.raises(ValueError, match="the policy of seat 0 chose 'dance'"):
        world("cambio", 2).playout(Random(1), [lambda *_: "dance"] * 2, until="set")


def test_illegal_moves_change_nothing() -> None:
    first = world("cambio", 3)
    view = first.view()
    with pytest.raises(ValueError, match="cannot play 'dance': its legal moves are keep, exchange"):
        first.play("dance")
    with pytest.raises(ValueError, match="2 moves for 1 seats"):
        first.play("keep", "keep")
    assert first.view() == view


def test_a_world_shows_lines_as_a_seat_may_know_them() -> None:
    game = registry.game("cambio")
    first = World(game, 3, 0, game.start(game.options(), 3, Chance(seed_from_number(1))))
    dealt = [line for line in first.lines(0) if "is dealt" in line]
    assert len(dealt) == 1
    assert dealt[0].startswith("seat 0")
    assert len([line for line in first.lines() if "is dealt" in line]) == 3
