import random
from math import log10

import numpy as np
import pytest
from scipy.special import stdtrit

from arena.ratings import Ranking, Result, Tally, fit_ranking


def duel(deals: int, won: int, bots: tuple[str, str] = ("a", "b")) -> list[Result]:
    """Return one match per deal, of which the first bot wins `won`."""
    return [
        Result(deal, bots, (1, 2) if deal < won else (2, 1), (3, 1) if deal < won else (0, 4)) for deal in range(deals)
    ]


def rows(table: Ranking) -> dict[str, tuple[int, float, str]]:
    return {row.bot: (row.rank, round(row.elo, 2), row.bound) for row in table.rows}


def test_two_bots_in_closed_form() -> None:
    table = fit_ranking(Tally(duel(40, 30)))
    a, b = table.rows
    assert (a.bot, b.bot) == ("a", "b")
    assert a.elo - b.elo == pytest.approx(400 * log10(30 / 10), abs=1e-5)
    assert a.elo == pytest.approx(-b.elo)
    error = (40 / 39 * (30 * 0.25**2 + 10 * 0.75**2)) ** 0.5 / (40 * 0.75 * 0.25)
    assert a.ci95 == b.ci95 == pytest.approx(400 / np.log(10) * error / 2 * stdtrit(39, 0.975))
    assert a.score == pytest.approx(30 * 3 / 40)
    assert a.score_ci95 == pytest.approx(stdtrit(39, 0.975) * (40 / 39 * (30 * 0.75**2 + 10 * 2.25**2)) ** 0.5 / 40)
    assert (a.expected_place, b.expected_place) == (1.25, 1.75)
    assert (a.matches, a.deals, table.deals, table.matches, table.seats) == (40, 40, 40, 40, 2)
    assert b.separated is True
    assert table.notes == ()


def test_ties_are_half_a_win_to_both() -> None:
    tied = [Result(deal, ("a", "b"), (1, 1), (0, 0)) for deal in range(20, 40)]
    table = fit_ranking(Tally(duel(20, 15) + tied))
    assert table.rows[0].elo - table.rows[1].elo == pytest.approx(400 * log10(25 / 15), abs=1e-5)


def test_a_fixed_field_to_the_last_digit_shown() -> None:
    order = ("1234", "2134", "1324", "3124", "1243", "4312", "2341", "1423", "2143", "1132", "1224", "4231")
    results = [
        Result(deal, ("ann", "bob", "cat", "dan"), tuple(map(int, ranks)), tuple(10 - int(rank) for rank in ranks))
        for deal, ranks in enumerate(order)
    ]
    table = fit_ranking(Tally(results))
    shown = [(row.rank, row.bot, round(row.elo, 3), round(row.ci95 or 0, 3), row.separated) for row in table.rows]
    assert shown == [
        (1, "ann", 101.926, 152.533, None),
        (2, "bob", 61.758, 119.719, False),
        (3, "cat", -69.807, 126.251, False),
        (4, "dan", -93.877, 148.897, False),
    ]
    assert np.round(table.los[0, 1:], 4).tolist() == [0.6658, 0.9334, 0.9292]


def test_the_order_of_matches_and_the_names_seats_change_nothing() -> None:
    draw = random.Random(5)
    results = []
    for number in range(300):
        bots = tuple(draw.sample("abcdef", 4))
        results.append(Result(number // 4, bots, tuple(draw.choices((1, 2, 3, 4), k=4)), (0, 1, 2, 3)))
    table = fit_ranking(Tally(results))
    draw.shuffle(results)
    mixed = []
    for deal, teams, ranks, scores in results:
        seats = draw.sample(range(4), 4)
        shuffled = tuple(teams[seat] for seat in seats), tuple(ranks[seat] for seat in seats)
        mixed.append(Result(deal, *shuffled, tuple(scores[seat] for seat in seats)))
    other = fit_ranking(Tally(mixed))
    assert table.rows == other.rows
    assert np.array_equal(table.los, other.los, equal_nan=True)


def test_better_and_worse_make_one() -> None:
    draw = random.Random(2)
    table = fit_ranking(
        Tally(Result(deal, ("a", "b", "c"), tuple(draw.sample((1, 2, 3), 3)), (0, 0, 0)) for deal in range(30))
    )
    assert np.isnan(np.diag(table.los)).all()
    off = ~np.eye(3, dtype=bool)
    assert (table.los + table.los.T)[off] == pytest.approx(np.ones(6))


def test_rows_are_separated_where_the_interval_of_their_difference_leaves_out_zero() -> None:
    table = fit_ranking(Tally(duel(40, 26) + duel(40, 35, ("b", "c"))))
    assert [row.separated for row in table.rows] == [None, False, True]
    assert table.los[0, 1] < 0.975 < table.los[1, 2]


@pytest.mark.parametrize("deals", [1, 9])
def test_under_ten_deals_there_are_no_bars_and_a_sentence(deals: int) -> None:
    results = [result for deal in range(deals) for result in (duel(1, 1)[0], duel(1, 0)[0])]
    table = fit_ranking(Tally(result._replace(deal=number // 2) for number, result in enumerate(results)))
    assert [(row.ci95, row.score_ci95, row.separated) for row in table.rows] == [(None, None, None)] * 2
    assert np.isnan(table.los).all()
    assert table.notes == ("No error bars: fewer than 10 deals cannot show how far luck carries.",)


def test_one_bot_with_too_few_deals_is_named() -> None:
    table = fit_ranking(Tally(duel(20, 9) + duel(6, 3, ("b", "new"))))
    assert {row.bot: row.ci95 is None for row in table.rows} == {"a": False, "b": False, "new": True}
    assert table.notes == ("No error bars for new: fewer than 10 deals cannot show how far luck carries.",)


def test_who_won_everything_has_a_lower_end_only() -> None:
    table = fit_ranking(Tally([*duel(40, 20, ("b", "c")), *duel(30, 30), *duel(30, 30, ("a", "c"))]))
    # 30 wins and the one tie more against each of two bots of Elo 0.
    assert rows(table) == {"a": (1, round(400 * log10(30.5 / 0.5), 2), ">"), "b": (2, 0.0, ""), "c": (2, 0.0, "")}
    assert table.rows[0].ci95 is None
    assert table.rows[1].ci95 is not None
    assert 0.99 < table.los[0, 1] < 1
    assert 'Elo marked ">" or "<"' in table.notes[0]


def test_ten_wins_in_ten_deals_separate_and_more_are_surer() -> None:
    sure = [fit_ranking(Tally(duel(deals, deals))).los[0, 1] for deals in (10, 100, 1000)]
    assert 0.975 < sure[0] < sure[1] < sure[2] < 1


def test_bots_above_the_same_bot_that_never_met_are_not_told_apart() -> None:
    table = fit_ranking(Tally(duel(20, 20, ("a", "c")) + duel(200, 200, ("b", "c"))))
    order = [row.bot for row in table.rows]
    assert np.isnan(table.los[order.index("a"), order.index("b")])
    assert table.los[order.index("a"), order.index("c")] > 0.97


def test_bots_that_never_met_are_ranked_apart() -> None:
    table = fit_ranking(Tally([*duel(20, 12, ("x", "y")), *duel(20, 12), *duel(20, 9, ("b", "c"))]))
    assert [(row.group, row.rank, row.bot) for row in table.rows] == [
        (0, 1, "a"), (0, 2, "c"), (0, 3, "b"), (1, 1, "x"), (1, 2, "y"),
    ]  # fmt: skip
    assert sum(row.elo for row in table.rows[:3]) == pytest.approx(0, abs=1e-5)
    assert np.isnan(table.los[:3, 3:]).all()
    assert table.rows[3].separated is None
    assert "2 groups" in table.notes[0]


def test_one_bot_alone() -> None:
    table = fit_ranking(Tally([Result(deal, ("a", "a"), (1, 2), (5, 2)) for deal in range(12)]))
    assert rows(table) == {"a": (1, 0.0, "")}
    assert (table.rows[0].score, table.rows[0].ci95, table.rows[0].score_ci95, table.rows[0].matches) == (
        3.5,
        None,
        None,
        12,
    )
    assert table.notes == ("a met no other bot, so there is nothing to compare it with.",)


def test_no_matches() -> None:
    table = fit_ranking(Tally())
    assert table.rows == ()
    assert table.los.shape == (0, 0)
    assert table.notes == ("There are no matches to rate.",)


def test_one_program_under_two_names_ties_exactly_over_all_rotations() -> None:
    results = [Result(deal, bots, (1, 2), (1, 0)) for deal in range(20) for bots in (("a", "b"), ("b", "a"))]
    table = fit_ranking(Tally(results))
    assert rows(table) == {"a": (1, 0.0, ""), "b": (1, 0.0, "")}
    assert table.rows[1].separated is False
    assert table.los[0, 1] == 0.5


def test_places_of_smaller_tables_are_stretched_onto_the_largest() -> None:
    results = [Result(0, ("a", "b", "c"), (1, 2, 3), (0, 0, 0)), Result(1, ("c", "a"), (1, 2), (0, 0))]
    table = fit_ranking(Tally(results))
    assert {row.bot: row.expected_place for row in table.rows} == {"a": 2.0, "b": 2.0, "c": 2.0}
    assert table.seats == 3


def test_a_bot_that_plays_whole_teams_is_rated_as_one_that_plays_alone() -> None:
    draw = random.Random(6)
    met = [(draw.sample("abcd", 2), tuple(draw.sample((1, 2), 2))) for _ in range(60)]
    alone = [Result(deal, tuple(bots), ranks, (1, 0)) for deal, (bots, ranks) in enumerate(met)]
    whole = [Result(deal, tuple((bot, bot) for bot in bots), ranks, (1, 0)) for deal, (bots, ranks) in enumerate(met)]
    one, other = fit_ranking(Tally(whole)), fit_ranking(Tally(alone))
    assert one.rows == other.rows
    assert np.array_equal(one.los, other.los, equal_nan=True)


def test_partners_have_their_part_in_a_result() -> None:
    pairings = (("a", "b"), ("c", "d"), 18), (("a", "c"), ("b", "d"), 18), (("a", "d"), ("b", "c"), 12)
    results = [
        Result(number * 24 + match, (one, other), (1, 2) if match < won else (2, 1), (0, 0))
        for number, (one, other, won) in enumerate(pairings)
        for match in range(24)
    ]
    table = fit_ranking(Tally(results))
    elo = {row.bot: row.elo for row in table.rows}
    # 18 of 24 are odds of 3 to 1, which is half of a's and b's lead on c and d; 12 of 24 are even odds.
    lead = 2 * 400 * log10(3)
    assert elo["a"] + elo["b"] - elo["c"] - elo["d"] == pytest.approx(lead, abs=1e-4)
    assert elo["a"] + elo["c"] - elo["b"] - elo["d"] == pytest.approx(lead, abs=1e-4)
    assert elo["a"] + elo["d"] == pytest.approx(elo["b"] + elo["c"], abs=1e-4)
    assert table.rows[0].ci95 is not None
    assert [row.matches for row in table.rows] == [72] * 4


def test_partners_who_were_never_apart_are_not_told_apart() -> None:
    results = [Result(deal, (("a", "b"), ("c", "d")), (1, 2) if deal % 3 else (2, 1), (0, 0)) for deal in range(30)]
    table = fit_ranking(Tally(results))
    assert {row.bot: (row.bound, row.ci95) for row in table.rows} == dict.fromkeys("abcd", ("~", None))
    assert [row.elo for row in table.rows] == pytest.approx([200 * log10(2)] * 2 + [-200 * log10(2)] * 2, abs=1e-4)
    assert np.isnan(table.los).all()
    assert "more matches" in table.notes[-1]
