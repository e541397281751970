from random import Random

import pytest

from arena.bench import rules_benchmark
from arena.bench.figures import Sampling
from arena.bench.protocol import BenchTable
from arena.bench.rules_benchmark import RulesBenchmark
from referee.engine.registry import game, names


@pytest.mark.parametrize("name", names())
def test_every_game_can_be_measured(name: str) -> None:
    found = game(name)
    made = RulesBenchmark(found, found.options(), found.recommended, deals=2)
    assert made.apply() == made.decisions == sum(match.decisions for match in made.matches) > 0
    assert made.play(Random(1)) == made.play_with_views(Random(1)) > 0


def test_positions_are_all_questions_of_a_match(table: BenchTable) -> None:
    made = RulesBenchmark(table.game, table.options, table.seats, deals=1)
    (match,) = made.matches
    asked = [state.asked for state in made.positions(match)]
    assert len(asked) == len(match.steps)
    assert all(asked)


def test_the_figures_of_rules_and_views(table: BenchTable, sampling: Sampling) -> None:
    made = RulesBenchmark(table.game, table.options, table.seats, deals=2)
    figures = [*rules_benchmark.measure(made, sampling), *rules_benchmark.measure_views(made, sampling)]
    assert [(figure.name, figure.unit, len(figure.runs)) for figure in figures] == [
        ("engine.rules", "decisions/s", 2),
        ("engine.random", "decisions/s", 2),
        ("engine.views", "decisions/s", 2),
        ("engine.copies", "copies/s", 2),
        ("views.encode", "µs/view", 2),
        ("views.bytes", "bytes", 1),
    ]
    assert all(min(figure.runs) > 0 for figure in figures)
    assert [len(figure.ratios) for figure in figures] == [2, 2, 2, 0, 2, 0]
    rules = figures[0]
    assert rules.cpu == tuple(1e6 / rate for rate in rules.runs)
