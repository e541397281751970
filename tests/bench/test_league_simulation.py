"""Simulated leagues are rated as real ones, and matchmaking beats random tables in them (seeded)."""

from statistics import fmean

import numpy as np
import pytest
from scipy.sparse import csr_array

from arena.ratings.bradley_terry import fit_strengths
from bench.research.league_experiments import Curve, begin, established, newcomers, two_months
from bench.research.league_simulation import matches_ratio, mean_curve
from bench.research.simulated_league import error_of_order


@pytest.mark.parametrize("seats", [2, 4])
def test_strengths_are_those_of_the_joint_fit(seats: int) -> None:
    league = begin(12, seats, 150.0, 200, (1,))
    first, second = np.triu_indices(12, 1)
    rows = np.zeros((len(first), 12))
    rows[np.arange(len(first)), first], rows[np.arange(len(first)), second] = 1, -1
    points, counts = league.points[first, second], (league.points + league.points.T)[first, second]
    joint = fit_strengths(csr_array(rows), points, counts, np.full((12, 12), 1 / 12))
    assert league.strengths == pytest.approx(joint, abs=2e-3)
    assert counts.sum() == league.matches * seats * (seats - 1) / 2


def test_intervals_hold_the_truth() -> None:
    held = []
    for seed in range(10):
        league = begin(20, 4, 150.0, 100, (seed,))
        error = league.strengths * 400 / np.log(10) - (league.elo - league.elo.mean())
        held += (np.abs(error) < league.ci95()).tolist()
    assert 0.91 < fmean(held) < 0.98


def test_an_error_of_order_counts_the_elo_of_pairs_in_the_wrong_order() -> None:
    elo, strengths = np.array([100.0, 70.0, 0.0]), np.array([0.5, 0.7, -1.0])
    assert error_of_order(elo, strengths).tolist() == [15.0, 15.0, 0.0]
    assert error_of_order(elo, elo).tolist() == [0.0, 0.0, 0.0]


def test_matches_to_an_error_follow_a_power_of_all_matches() -> None:
    curve = Curve([100.0, 300.0, 700.0], [1.0, 0.5, 0.25], start=100.0)
    assert curve.matches_to(0.5) == pytest.approx(300)
    assert curve.matches_to(0.125) == pytest.approx(1500)
    assert matches_ratio(Curve([100.0, 150.0], [0.5, 0.25]), curve) == pytest.approx((100 / 300 * 150 / 700) ** 0.5)


def test_matchmaking_needs_fewer_matches_than_random_tables() -> None:
    runs = [established(8, 2, 200.0, 800, 1, (seed,)) for seed in range(20)]
    random, matched = (mean_curve([run[way] for run in runs]) for way in (0, 1))
    assert matched.errors[-1] < random.errors[3] / 2
    assert matches_ratio(matched, random) < 0.8
    assert matched.matches[-1] == random.matches[3]


def test_newcomers_are_placed_in_a_tenth_of_the_matches_of_random_tables() -> None:
    runs = [newcomers(60, 4, 200.0, 4, (seed,)) for seed in range(3)]
    matches, error = fmean(run.matches for run in runs), fmean(run.error for run in runs)
    assert matches < 0.1 * mean_curve([run.random for run in runs]).matches_to(error)
    assert all(20 <= run.deals <= 100 for run in runs)


def test_nobody_starves_while_newcomers_arrive() -> None:
    months = two_months(12, 4, 200.0, 3, 1, (1,), days=12)
    assert months.fewest_slow >= 100
    assert months.fewest >= 100
    assert months.cpu < months.random_cpu
