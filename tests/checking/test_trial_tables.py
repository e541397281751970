import pytest

from arena.checking.trial_tables import odd, usual
from referee.engine.registry import game, names


@pytest.mark.parametrize("name", names())
def test_every_match_of_a_check_can_be_played(name: str) -> None:
    rules = game(name)
    for tables in (usual(rules, 7), *odd(rules)):
        for sitting in tables.sittings:
            rules.check(tables.options, sitting.seats)
            assert 0 <= sitting.seat < sitting.seats


@pytest.mark.parametrize("name", names())
def test_the_edges_and_all_presets_are_among_them(name: str) -> None:
    rules = game(name)
    tables = odd(rules)
    assert {sitting.seats for sitting in tables[0].sittings} == {rules.seats[0], rules.most_seats(rules.options())}
    assert len(tables) == len(rules.presets)


def test_the_bot_sits_everywhere_and_meets_no_deal_twice() -> None:
    rules = game("cambio")
    sittings = usual(rules, 12).sittings
    assert [sitting.seat for sitting in sittings] == [*range(6), *range(6)]
    seeds = [sitting.seed for tables in (usual(rules, 12), *odd(rules)) for sitting in tables.sittings]
    assert len(set(seeds)) == len(seeds)
