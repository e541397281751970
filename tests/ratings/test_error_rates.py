"""Equal bots are called unequal as seldom as promised (seeded: the numbers never change)."""

import numpy as np
import pytest
from click.testing import CliRunner

from arena.results.early_stopping import SEPARATED
from arena.values.stop_rule import StopRule
from bench.research.audit_simulation import tournament
from bench.research.error_rates import false_claims, main, percentage, play


def test_tables_of_equal_bots() -> None:
    draw = np.random.default_rng(2)
    found = false_claims(tournament(8, 4, 60, draw, elo=np.zeros(8)) for _ in range(60))
    assert found.los > 20, "28 pairs, 2.5 % each way"
    assert found.adjusted <= 6, "more than 6 of 60 are a chance of 3 %"
    assert found.neighbours <= 6


@pytest.mark.slow
def test_a_tournament_of_equal_bots_goes_on() -> None:
    stops = {
        control: [play(StopRule("separated", control=control), np.zeros(2), 2, 40, 8, seed) for seed in range(40)]
        for control in ("familywise", "pairwise")
    }
    ended = {control: sum(stop.code == SEPARATED for stop in found) for control, found in stops.items()}
    assert ended["familywise"] <= 2
    assert ended["pairwise"] >= 4
    assert not any(stop.is_right for found in stops.values() for stop in found)


def test_bots_far_apart_are_separated_in_their_order() -> None:
    found = play(StopRule("separated"), np.array([150.0, 0.0, -150.0]), 3, 40, 8, 1)
    assert (found.code, found.is_right) == (SEPARATED, True)


def test_a_share_has_an_exact_interval() -> None:
    assert percentage(5, 100) == "5.0 (1.6-11.3)"
    assert percentage(0, 100) == "0.0 (0.0-3.6)"
    assert percentage(100, 100) == "100.0 (96.4-100.0)"


def test_the_long_run_takes_a_number_of_tournaments() -> None:
    assert CliRunner().invoke(main, ["0"]).exit_code == 2
