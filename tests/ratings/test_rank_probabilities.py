import csv
import io

import numpy as np
import pytest

from arena.ratings import Result, Tally, fit_ranking
from arena.ratings.rank_probabilities import (
    probabilities_csv,
    probabilities_json,
    probabilities_text,
    rank_probabilities,
)
from bench.research.interval_coverage import tournament


def played(players: int, deals: int = 40) -> Tally:
    return Tally(tournament(players, deals, rotate=True, random=np.random.default_rng(3)))


def test_of_two_bots_it_is_the_los() -> None:
    table = fit_ranking(Tally(Result(deal, ("a", "b"), (1, 2) if deal % 3 else (2, 1), (0, 0)) for deal in range(12)))
    first, second = rank_probabilities(table)
    assert 0.5 < table.los[0, 1] < 0.999
    assert first.first == pytest.approx(table.los[0, 1], abs=0.01)
    assert second.first == pytest.approx(1 - table.los[0, 1], abs=0.01)


def test_the_whole_field_is_drawn_together_and_from_a_fixed_seed() -> None:
    table = fit_ranking(played(6))
    probabilities = rank_probabilities(table)
    assert rank_probabilities(table) == probabilities
    assert sum(bot.first or 0 for bot in probabilities) == pytest.approx(1)
    assert sum(bot.podium or 0 for bot in probabilities) == pytest.approx(3)
    assert [bot.bot for bot in probabilities] == [row.bot for row in table.rows]
    for place, bot in enumerate(probabilities, 1):
        assert bot.best is not None
        assert bot.worst is not None
        assert bot.best <= place <= bot.worst
    # No bot is first more often than it is better than any one other.
    assert all((probabilities[bot].first or 0) <= np.delete(table.los[bot], bot).min() + 0.01 for bot in range(6))


def test_about_right_it_is_how_often_the_best_bot_is_first() -> None:
    """Of many tournaments of equal bots, each is given its third of the probability, however luck fell."""
    draw = np.random.default_rng(7)
    sure = []
    for _ in range(40):
        ranks = np.argsort(draw.random((20, 3)), axis=1) + 1
        table = fit_ranking(
            Tally(Result(deal, ("a", "b", "c"), tuple(row), (0, 0, 0)) for deal, row in enumerate(ranks.tolist()))
        )
        by_bot = {bot.bot: bot.first or 0 for bot in rank_probabilities(table)}
        sure.append(by_bot["a"])
    assert np.mean(sure) == pytest.approx(1 / 3, abs=0.12)
    assert np.mean(np.array(sure) > 0.95) <= 0.05


def test_bots_that_are_equal_share_it() -> None:
    results = [Result(deal, ("a", "b"), (1, 1), (0, 0)) for deal in range(20)]
    assert [bot.first for bot in rank_probabilities(fit_ranking(Tally(results)))] == [pytest.approx(0.5, abs=0.02)] * 2


def test_who_won_everything_is_first_and_of_too_few_deals_nothing_is_told() -> None:
    results = [Result(deal, ("a", "b"), (1, 2), (1, 0)) for deal in range(50)]
    first, second = rank_probabilities(fit_ranking(Tally(results)))
    assert (first.bot, first.best, first.worst) == ("a", 1, 1)
    assert first.first == pytest.approx(1, abs=0.01)
    assert second.first == pytest.approx(0, abs=0.01)
    assert [bot.first for bot in rank_probabilities(fit_ranking(Tally(results[:5])))] == [None, None]


def test_a_bot_of_few_deals_is_left_out() -> None:
    results = [Result(deal, ("a", "b"), (1, 2) if deal % 9 else (2, 1), (0, 0)) for deal in range(90)]
    late = [Result(deal, ("b", "c"), (1 + deal % 2, 2 - deal % 2), (0, 0)) for deal in range(4)]
    probabilities = {bot.bot: bot for bot in rank_probabilities(fit_ranking(Tally([*results, *late])))}
    assert probabilities["a"].first == pytest.approx(1, abs=0.01)
    assert probabilities["b"].first == pytest.approx(0, abs=0.01)
    assert (probabilities["c"].first, probabilities["c"].best) == (None, None)


def test_groups_that_never_met_have_a_best_each() -> None:
    pairs = (("a", "b"), ("c", "d"))
    results = [Result(deal, pair, (1 + deal % 2, 2 - deal % 2), (1, 0)) for deal in range(40) for pair in pairs]
    probabilities = rank_probabilities(fit_ranking(Tally(results)))
    assert [bot.first for bot in probabilities] == [pytest.approx(0.5, abs=0.02)] * 4


def test_the_forms() -> None:
    table = fit_ranking(played(4))
    probabilities = rank_probabilities(table)
    text = probabilities_text(probabilities).splitlines()
    assert text[0].split() == ["rank", "bot", "Elo", "first", "first", "3", "places"]
    assert len(text) == 7
    assert "| " in probabilities_text(probabilities, "markdown")
    assert [entry["bot"] for entry in probabilities_json(probabilities)] == [row.bot for row in table.rows]
    assert len(list(csv.reader(io.StringIO(probabilities_csv(probabilities))))) == 5
    few = probabilities_text(rank_probabilities(fit_ranking(played(3, deals=4))))
    assert "?: fewer than 10 deals" in few
    assert probabilities_text(rank_probabilities(fit_ranking(Tally()))) == "There are no matches to rate."
