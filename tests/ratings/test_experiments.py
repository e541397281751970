"""Matches that repeat others, or begin as others did, are one experiment."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from arena.ratings.experiments import Experiments, LoggedResult
from arena.ratings.ranking import Ranking, fit_ranking
from arena.ratings.ranking_output import ranking_text
from arena.ratings.solver import solve
from arena.ratings.sprt import Sprt, deal_scores
from arena.ratings.tally import Tally
from arena.server.tournaments.ranking import ranking as ranking_page
from arena.values.result import Result
from bench.research.repeated_matches import Pairs, coverage, wrong_verdicts

WON, DRAWN, LOST = (1, 2), (1, 1), (2, 1)


def pair(deal: int, log: str, ranks: tuple[int, int] = DRAWN, opening: str = "") -> Iterator[LoggedResult]:
    """Yield a pair of games that the first bot does not lose as White, and ends with some ranks as Black."""
    for teams, result in ((("A", "B"), WON), (("B", "A"), ranks)):
        yield LoggedResult(Result(deal, teams, result, (0, 0)), f"{log} {teams}", opening)


def ranking(*pairs: Iterator[LoggedResult]) -> Ranking:
    return fit_ranking(Experiments().tally(match for games in pairs for match in games))


def test_pairs_that_repeat_others_are_one_experiment_and_told() -> None:
    table = ranking(*(pair(deal, f"log {deal % 6}") for deal in range(24)))
    assert (table.deals, table.matches, table.rows[0].deals) == (6, 48, 6)
    assert table.experiments == "6 experiments"
    assert table.repeats is not None
    assert table.repeats.to_json() == {"sets": 24, "repeated": 18, "openings": 0, "different": 12}
    assert table.notes == (
        "18 of 24 pairs repeat others, move for move: bars and likelihoods take a pair and its repeats for one "
        "experiment.",
        "No error bars: fewer than 10 deals cannot show how far luck carries.",
    )
    assert np.isnan(table.los[0, 1])
    assert table.rows[1].separated is None


def test_a_hundred_copies_of_one_pair_prove_nothing_and_two_hundred_logs_do() -> None:
    assert ranking(*(pair(deal, "log") for deal in range(100))).rows[0].ci95 is None
    assert ranking(*(pair(deal, f"log {deal}") for deal in range(200))).superior.any()


def test_bars_with_repeats_are_those_without() -> None:
    games = [(f"log {number}", DRAWN if number % 3 else WON) for number in range(20)]
    once = ranking(*(pair(deal, *game) for deal, game in enumerate(games)))
    thrice = ranking(*(pair(deal, *game) for deal, game in enumerate(games * 3)))
    for one, three in zip(once.rows, thrice.rows, strict=True):
        assert (three.elo, three.ci95, three.score_ci95, three.deals) == pytest.approx(
            (one.elo, one.ci95, one.score_ci95, one.deals)
        )
    assert thrice.los == pytest.approx(once.los, nan_ok=True)


def test_where_all_end_alike_repeats_are_no_independent_comparisons() -> None:
    once = ranking(*(pair(deal, f"log {deal}") for deal in range(20)))
    thrice = ranking(*(pair(deal, f"log {deal % 20}") for deal in range(60)))
    assert thrice.rows[0].ci95 == pytest.approx(once.rows[0].ci95)
    assert thrice.rows[0].ci95 is not None


def test_pairs_of_one_opening_are_one_experiment_whatever_their_logs() -> None:
    ranks = (WON, DRAWN, LOST, DRAWN)
    matches = [
        match for deal in range(48) for match in pair(deal, f"log {deal}", ranks[deal % 12 % 4], f"opening {deal % 12}")
    ]
    table = fit_ranking(Experiments().tally(matches))
    by_hand = fit_ranking(Tally(result._replace(deal=result.deal % 12) for result, _, _ in matches))
    assert [row.ci95 for row in table.rows] == [row.ci95 for row in by_hand.rows]
    assert table.deals == 12
    assert table.notes[0].startswith("The 48 pairs begin from 12 openings, and all 96 matches are different: ")
    by_pair = fit_ranking(Tally(result for result, _, _ in matches))
    assert [row.ci95_by_set for row in table.rows] == [row.ci95 for row in by_pair.rows]
    assert table.by_set == "± by pair"
    head, _, first, *_ = ranking_text(table).splitlines()
    assert "± by opening  ± by pair" in head
    assert f"{by_pair.rows[0].ci95:.1f}" in first
    page = str(ranking_page(table, {}))
    assert "± by pair" in page
    assert f"{by_pair.rows[0].ci95:.1f}</td>" in page


def test_pairs_that_repeat_others_are_one_by_set_too() -> None:
    """Ten pairs from each of twelve openings, of which five repeat others move for move."""
    ranks = (WON, DRAWN, LOST)
    matches = [
        match
        for deal in range(120)
        for match in pair(deal, f"log {deal % 60}", ranks[deal % 60 % 3], f"opening {deal % 12}")
    ]
    table = fit_ranking(Experiments().tally(matches))
    by_hand = fit_ranking(Tally(result._replace(deal=result.deal % 60) for result, _, _ in matches))
    assert [row.ci95_by_set for row in table.rows] == [row.ci95 for row in by_hand.rows]
    assert "60 of 120 pairs repeat others" in table.notes[0]
    assert "begin from 12 openings, and 120 of 240 matches are different: " in table.notes[1]


def test_openings_that_do_not_come_again_need_no_second_bar() -> None:
    matches = [match for deal in range(12) for match in pair(deal, f"log {deal}", WON, f"opening {deal}")]
    table = fit_ranking(Experiments().tally(matches))
    assert (table.by_set, {row.ci95_by_set for row in table.rows}) == ("", {None})
    assert "The 12 pairs begin from 12 openings, and all 24 matches are different." in table.notes


def test_only_the_same_line_up_in_the_same_seats_with_known_logs_repeats() -> None:
    def matches() -> Iterator[LoggedResult]:
        yield LoggedResult(Result(0, ("A", "B"), WON, (0, 0)), "log")
        yield LoggedResult(Result(1, ("B", "A"), WON, (0, 0)), "log")
        yield LoggedResult(Result(2, ("A", "C"), WON, (0, 0)), "log")
        yield LoggedResult(Result(3, ("A", "B"), WON, (0, 0)), None)
        yield LoggedResult(Result(4, ("A", "B"), WON, (0, 0)), None)
        yield LoggedResult(Result(5, ("A", "B"), WON, (0, 0)), "log")

    experiments = Experiments()
    assert [result.deal for result in experiments.add(matches())] == [0, 1, 2, 3, 4, 0]
    assert experiments.repeats.to_json() == {"sets": 6, "repeated": 1, "openings": 0}


def test_repeats_are_found_over_several_blocks() -> None:
    experiments = Experiments()
    first = list(experiments.add(pair(0, "log")))
    again = list(experiments.add(pair(7, "log")))
    assert {result.deal for result in (*first, *again)} == {0}


def test_a_sequential_test_takes_repeats_for_one_experiment() -> None:
    def verdict(logs: int) -> str:
        tally = Experiments().tally(match for deal in range(40) for match in pair(deal, f"log {deal % logs}"))
        totals = tally.totals()
        return Sprt(0, 50).verdict(deal_scores(totals.lineup, totals.pairs, "A", "B"))

    assert [verdict(40), verdict(15), verdict(1)] == ["H1", "", ""]


def test_naive_covariances_grow_by_the_share_of_repeats() -> None:
    tally = Experiments().tally(match for deal in range(40) for match in pair(deal, f"log {deal % 10}"))
    totals = tally.totals()
    assert totals.repeats is not None
    assert totals.repeats.shares == {"A": 0.25, "B": 0.25}
    naive = solve(totals).naive
    assert totals.repeats.inflate(naive, totals.lineup.bots) == pytest.approx(4 * naive)
    assert replace(totals.repeats, shares={}).inflate(naive, totals.lineup.bots) == pytest.approx(naive)


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_bars_hold_the_truth_beyond_a_book_of_few_openings(noise: float) -> None:
    found = coverage(Pairs(openings=20, pairs=100, noise=noise), 100, np.random.default_rng(1))
    assert 0.9 <= found.shown <= 0.99
    assert found.plain < 0.85


def test_tests_of_equal_bots_are_not_ended_by_repeats() -> None:
    found = wrong_verdicts(Pairs(openings=15, pairs=150, noise=0.0), 40, np.random.default_rng(1))
    assert found.shown <= 0.1
    assert found.plain >= 0.2
