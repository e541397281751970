"""Definitions of leagues, and of their batches."""

import pytest
from msgspec.structs import replace

from arena.league.plan.definition import LeagueDefinition, LeagueSettings, define_league, unplayable
from arena.plan.schedule import Plan
from arena.values.canonical_json import hash_of_definition
from arena.values.definition import Definition, Entrant, TimeControl
from arena.values.tournament_errors import PlanError
from referee.engine.errors import EngineError
from referee.engine.registry import game

CAMBIO = game("cambio")
SECRET = bytes(range(32))


def field(bots: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"b{place}@1", ("bot",), "", (), "0" * 64, submission=f"b{place}@1") for place in range(bots))


def test_a_definition_is_read_as_it_was_written() -> None:
    settings = LeagueSettings(seats=4, active_per_owner=2)
    definition = define_league(CAMBIO, CAMBIO.options.parse({"chips": "2"}), settings, TimeControl(move_time_ms=50))
    assert LeagueDefinition.from_json(definition.to_json()) == definition
    assert len(hash_of_definition(definition.to_json())) == 64


def test_what_another_version_wrote_is_refused() -> None:
    values = define_league(CAMBIO, CAMBIO.options()).to_json()
    with pytest.raises(PlanError, match="version 9 of the draw"):
        LeagueDefinition.from_json(values | {"version": 9})
    for damage in ({"seats": "four"}, {"time": None}, {"unknown": 1}, {"team_of": 3}):
        with pytest.raises(PlanError, match="cannot read the stored definition of the league"):
            LeagueDefinition.from_json(values | damage)


def test_other_rules_are_refused() -> None:
    definition = define_league(CAMBIO, CAMBIO.options())
    definition.check_rules()
    assert unplayable(definition.to_json()) == ""
    other = replace(definition, behaviour=definition.behaviour + 1)
    with pytest.raises(PlanError, match="close it and create another one"):
        other.check_rules()
    assert unplayable(other.to_json()).startswith("the league plays version 2 of the rules of cambio")
    assert 'there is no game "chess"' in unplayable(replace(definition, game="chess").to_json())
    assert "cannot read the stored definition" in unplayable({})


def test_tables_that_the_game_has_not_are_refused() -> None:
    with pytest.raises(EngineError):
        define_league(CAMBIO, CAMBIO.options(), LeagueSettings(seats=99))


def test_a_batch_plays_its_tables_in_all_rotations_with_one_process_per_entry() -> None:
    league = define_league(CAMBIO, CAMBIO.options(), LeagueSettings(seats=3))
    tables = ((0, 1, 2), (1, 3, 4), (2, 4, 0))
    definition = league.batch(field(5), tables, 4)
    assert Definition.from_json(definition.to_json()) == definition
    plan = Plan.of(definition, SECRET)
    assert (plan.matches, plan.phases, plan.processes) == (3 * 4 * 3, 3, 5)
    matches = list(plan.iter_matches())
    for match in matches:
        assert {player.entrant for player in match.players} == set(tables[match.deal.table])
        assert {player.copy for player in match.players} == {0}
    deals = {match.deal.number: match.deal.table for match in matches}
    assert len(deals) == 12, "no two tables share a deal"
    for phase in plan.iter_phases():
        numbers = [match.deal.number for match in phase.matches]
        assert sorted(numbers) == list(range(12)), "a process meets no deal twice"


def test_a_game_with_teams_has_an_entry_for_each_team() -> None:
    torionfo = game("torionfo")
    league = define_league(torionfo, torionfo.options(), LeagueSettings(seats=4))
    assert (league.table_size, len(league.team_of)) == (2, 4)
    definition = league.batch(field(3), ((0, 1), (1, 2)), 2)
    plan = Plan.of(definition, SECRET)
    assert (plan.matches, plan.phases) == (2 * 2 * 2, 2)
    assert all(len(match.players) == 4 for match in plan.iter_matches())
