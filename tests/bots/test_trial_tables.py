import pytest

from arena.bots.trial_tables import edge_tables, typical_tables
from referee.engine.registry import game, names


@pytest.mark.parametrize("name", names())
def test_every_match_of_a_check_can_be_played(name: str) -> None:
    rules = game(name)
    for tables in (typical_tables(rules, 7), *edge_tables(rules)):
        for trial in tables.matches:
            rules.check(trial.options, trial.seats)
            assert 0 <= trial.seat < trial.seats


@pytest.mark.parametrize("name", names())
def test_the_edges_and_all_presets_are_among_them(name: str) -> None:
    rules = game(name)
    tables = edge_tables(rules)
    assert {trial.seats for trial in tables[0].matches} == {rules.seats[0], rules.most_seats(rules.options())}
    assert len(tables) == len(rules.presets)


def test_the_bot_sits_everywhere_and_meets_no_deal_twice() -> None:
    rules = game("cambio")
    matches = typical_tables(rules, 12).matches
    assert [trial.seat for trial in matches] == [*range(6), *range(6)]
    seeds = [trial.seed for tables in (typical_tables(rules, 12), *edge_tables(rules)) for trial in tables.matches]
    assert len(set(seeds)) == len(seeds)
