"""Anchors, seats and the crosstable."""

from itertools import permutations
from math import log10

import pytest

from arena.ratings import Result, Tally, fit_ranking
from arena.ratings.anchor import Anchor
from arena.ratings.crosstable import build_crosstable, seat_results
from arena.ratings.crosstable_output import (
    crosstable_csv,
    crosstable_text,
    seats_csv,
    seats_text,
)
from arena.ratings.seat_advantage import seat_advantages
from arena.ratings.source import ResultSource
from arena.values.errors import RatingError

THREE = [
    Result(
        deal, bots, tuple(1 + "abc".index(bot) if deal % 4 else 2 for bot in bots), tuple("cba".index(b) for b in bots)
    )
    for deal, bots in enumerate(list(permutations("abc")) * 2)
]


def test_an_anchor_moves_the_scale_and_its_bars() -> None:
    free, held = fit_ranking(Tally(THREE)), fit_ranking(Tally(THREE), anchor=Anchor("b", 1500))
    middle = next(row.elo for row in free.rows if row.bot == "b")
    assert [row.elo - 1500 for row in held.rows] == pytest.approx([row.elo - middle for row in free.rows])
    bars = {row.bot: row.ci95 for row in held.rows}
    assert bars["b"] == 0
    assert (held.los[0, 1], held.los[1, 2]) == pytest.approx((free.los[0, 1], free.los[1, 2]))
    assert held.notes[0] == "Elo and bars are measured from b, which stands at 1500."


def test_an_anchor_moves_only_who_can_be_compared_with_it() -> None:
    apart = [Result(100 + deal, ("x", "y"), (1, 2) if deal % 3 else (2, 1), (0, 0)) for deal in range(12)]
    free, held = fit_ranking(Tally([*THREE, *apart])), fit_ranking(Tally([*THREE, *apart]), anchor=Anchor("b", 1500))
    elo = [{row.bot: row.elo for row in table.rows} for table in (free, held)]
    assert [elo[1][bot] for bot in "xy"] == pytest.approx([elo[0][bot] for bot in "xy"])
    assert elo[1]["a"] - elo[1]["b"] == pytest.approx(elo[0]["a"] - elo[0]["b"])
    assert elo[1]["b"] == 1500


def test_with_two_bots_the_bar_of_the_other_is_that_of_the_difference() -> None:
    results = [Result(deal, ("a", "b"), (1, 2) if deal % 3 else (2, 1), (0, 0)) for deal in range(30)]
    free, held = fit_ranking(Tally(results)), fit_ranking(Tally(results), anchor=Anchor("b", 0))
    assert held.rows[0].ci95 == pytest.approx(2 * (free.rows[0].ci95 or 0))


@pytest.mark.parametrize(
    ("anchor", "sentence"), [("bb", 'played no match; did you mean "b"'), ("top", "won or lost everything")]
)
def test_an_anchor_must_have_a_strength(anchor: str, sentence: str) -> None:
    results = [*THREE, Result(99, ("top", "a"), (1, 2), (0, 0))]
    with pytest.raises(RatingError, match=sentence):
        fit_ranking(Tally(results), anchor=Anchor(anchor, 0))


def test_the_first_seat_of_two_wins_three_of_four() -> None:
    results = [
        Result(deal, bots, (1, 2) if deal // 2 % 4 else (2, 1), (0, 0))
        for deal, bots in enumerate([("a", "b"), ("b", "a")] * 20)
    ]
    first, second = seat_advantages(ResultSource(lambda: results))
    # Odds of 3 to 1 between two bots of one strength: 400 log10(3) between the seats, half of it each from their mean.
    assert (first.elo, second.elo) == pytest.approx((200 * log10(3), -200 * log10(3)))
    assert first.ci95 == pytest.approx(second.ci95)


def test_what_seats_are_worth_is_refused_where_nothing_is_known() -> None:
    always = [Result(deal, bots, (1, 2), (0, 0)) for deal, bots in enumerate([("a", "b"), ("b", "a")] * 5)]
    with pytest.raises(RatingError, match="not told yet"):
        seat_advantages(ResultSource(lambda: always))
    with pytest.raises(RatingError, match="same number of seats"):
        seat_advantages(ResultSource(lambda: [*THREE, *always]))
    with pytest.raises(RatingError, match="every seat is for itself"):
        seat_advantages(ResultSource(lambda: [Result(0, (("a", "b"), ("c", "d")), (1, 2), (0, 0))]))


def test_the_crosstable() -> None:
    table = build_crosstable(Tally(THREE).totals(), ["a", "b", "c"])
    assert table.meetings.tolist() == [[0, 12, 12], [12, 0, 12], [12, 12, 0]]
    assert table.points[0].tolist() == [0, 10.5, 10.5]  # of twelve meetings three were ties
    assert table.points + table.points.T == pytest.approx(table.meetings)
    assert crosstable_text(table).splitlines() == [
        "   against     1     2     3  meetings",
        "-  -------  ----  ----  ----  --------",
        "1  a           -  87.5  87.5        24",
        "2  b        12.5     -  87.5        24",
        "3  c        12.5  12.5     -        24",
        "Points in % of the bot of the row against that of the column (1 for a better rank, a half for a tie).",
    ]
    assert crosstable_csv(table).splitlines()[:3] == ["bot,opponent,points,meetings", "a,b,10.5,12", "a,c,10.5,12"]


def test_results_by_seat() -> None:
    results = [Result(0, ("a", "b"), (1, 2), (9, 1)), Result(1, ("b", "a"), (1, 1), (4, 4))]
    table = seat_results(Tally(results).totals(), ["a", "b"], scale=2)
    assert table.matches.tolist() == [[1, 1], [1, 1]]
    assert table.place.tolist() == [[1, 1.5], [1.5, 2]]
    assert table.score.tolist() == [[4.5, 2], [2, 0.5]]
    assert seats_text(table, ()).splitlines()[2].split("  ")[0] == "a"
    assert seats_csv(table).splitlines()[1] == "a,0,1,4.5,1.0"


def test_forms_for_documents_and_pages() -> None:
    table = build_crosstable(Tally([Result(0, ("<b>", "x"), (1, 2), (0, 0))]).totals(), ["<b>", "x"])
    assert "&lt;b&gt;" in crosstable_text(table, "html")
    assert "<b>" not in crosstable_text(table, "html")
    assert crosstable_text(table, "markdown").startswith("|")
