from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.plan.schedule import Plan
from arena.plan.secret import bot_seed, match_seed
from arena.run.work_units import parts, rounds_together, units
from arena.values.definition import Definition
from arena.values.stop_rule import StopRule, parse_sprt

SECRET = bytes(32)


@pytest.mark.parametrize("referees", [1, 2, 3, 4, 7, 64])
@pytest.mark.parametrize("played", [set(), {0, 1, 2, 60, 100}, set(range(0, 300, 6)), set(range(299))])
def test_units_hold_every_match_that_is_not_played_once(referees: int, played: set[int]) -> None:
    plan = Plan(6, 6, 50, 20, SECRET)
    given = list(units(plan, played, referees))
    numbers = [number for unit in given for number in unit.left]
    assert sorted(numbers) == sorted(set(range(300)) - played)
    assert len({unit.number for unit in given}) == len(given)


def test_no_unit_mixes_phases() -> None:
    plan = Plan(6, 6, 500, 200, SECRET)
    for unit in units(plan, set(), 4):
        assert set(unit.left) <= set(plan.match_numbers(unit.number % plan.phases))


@pytest.mark.parametrize(
    ("matches", "phases", "processes", "referees", "expected"),
    [
        (1000, 6, 6, 2, 1),  # comes out even as it is
        (1000, 1, 6, 2, 2),  # one long phase for two referees
        (1000, 2, 6, 4, 2),
        (10, 1, 6, 2, 2),
        (40, 3, 6, 2, 1),  # as many starts again would cost more than the wait
        (1, 1, 6, 2, 1),  # one match cannot be cut
        (1000, 0, 6, 4, 1),
    ],
)
def test_last_phases_are_cut_where_all_end_sooner(
    matches: int, phases: int, processes: int, referees: int, expected: int
) -> None:
    assert parts(matches, phases, processes, referees) == expected


@pytest.mark.parametrize(("referees", "cut"), [(2, []), (4, [4, 5]), (5, [5]), (6, [])])
def test_the_phases_that_do_not_come_out_even_are_cut_and_no_others(referees: int, cut: list[int]) -> None:
    plan = Plan(6, 6, 1000, 1000, SECRET)
    phases = [unit.number % plan.phases for unit in units(plan, set(), referees)]
    assert [phase for phase in range(6) if phases.count(phase) > 1] == cut


def test_the_message_holds_what_a_referee_must_know(cambio: Callable[..., Definition]) -> None:
    definition = cambio("random", "cautious", rounds=2, seats=3)
    [*all_units] = units(Plan.of(definition, SECRET), {1, 4}, 1)
    first = all_units[0]
    message = first.message(definition, SECRET, {1})
    assert (message.id, message.game, message.sandbox) == (0, "cambio", "auto")
    assert message.matches_at_once == definition.matches_at_once
    assert (message.time.move_time_ms, message.time.bank_ms, message.time.strikes) == (1000, 10_000, 3)
    assert (message.time.start_time_ms, message.time.ready_time_ms) == (10_000, 10_000)
    assert {player.bot: player.withdrawn for player in message.players} == {"random": False, "cautious": True}
    assert len(message.players) == len(first.players)
    for order, match in zip(message.matches, first.left.values(), strict=True):
        assert order.match == match.number
        assert order.seed == match_seed(SECRET, match.deal.number, "cambio")
        assert [*order.bot_seeds] == [bot_seed(SECRET, match.number, seat) for seat in range(3)]
        assert [message.players[place].bot for place in order.players] == [
            definition.field[player.entrant].name for player in match.players
        ]


def test_the_files_of_sample_bots_are_no_secret(cambio: Callable[..., Definition], tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("import arena.sdk\n")
    definition = cambio("random", "counter", str(own), rounds=2, seats=3)
    unit = next(units(Plan.of(definition, SECRET), set(), 1))
    message = unit.message(definition, SECRET, set())
    assert {player.bot: player.published for player in message.players} == {
        "random": True,
        "counter": True,
        "own": False,
    }


def test_with_a_test_all_rotations_of_some_rounds_come_before_further_ones() -> None:
    plan = Plan(2, 2, 70, 50, SECRET)
    given = list(units(plan, {0, 3}, 2, together=20))
    assert [sorted({match.deal.round for match in unit.left.values()})[:: len(unit.left)] for unit in given[:4]] == [
        [1], [0], [20], [20],
    ]  # fmt: skip
    numbers = [sorted(unit.left) for unit in given]
    assert sorted(number for unit in numbers for number in unit) == sorted(set(range(140)) - {0, 3})
    assert [(low[0] // 40, low[-1] // 40) for low in numbers[:4]] == [(0, 0), (0, 0), (1, 1), (1, 1)]
    assert len({unit.number for unit in given}) == len(given)
    for unit in given:
        assert set(unit.left) <= set(plan.match_numbers(unit.number % plan.phases))
    assert [sorted(unit.left) for unit in units(plan, set(), 1, together=50)] == [
        [*numbers] for numbers in map(plan.match_numbers, range(4))
    ]


def test_rounds_that_are_played_together(cambio: Callable[..., Definition]) -> None:
    definition = replace(cambio("random", "cautious", rounds=300, seats=2), stop=parse_sprt("elo0=0,elo1=10"))
    assert rounds_together(definition) >= definition.block, "a block is through before its pairs are"
    one_at_a_time = replace(definition, matches_at_once=1)
    assert rounds_together(one_at_a_time) == 8
    slow = replace(definition.field[1], matches_at_once=3)
    assert rounds_together(replace(definition, field=(definition.field[0], slow))) == 24
    assert rounds_together(replace(one_at_a_time, stop=None)) == 0
    assert rounds_together(replace(one_at_a_time, stop=StopRule("separated"))) == 0
