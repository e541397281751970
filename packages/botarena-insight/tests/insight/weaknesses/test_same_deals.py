"""Results on the same deals, of sittings that were made up."""

import pytest
from arena_insight.weaknesses.contest import Contest, Place, Sitting, mean_by_deal
from arena_insight.weaknesses.differences import ChoiceComparison
from arena_insight.weaknesses.report import WeaknessReport, report_weaknesses
from arena_insight.weaknesses.same_deals import compare_deals
from arena_insight.weaknesses.sentences import headlines

NAMES = {0: "owl", 1: "crow", 2: "wren"}


def sitting(match: int, deal: int, bot: int, score: float, rival: int, points: float, **more: object) -> Sitting:
    """A seat 0 at a table of two, against `rival`."""
    place = Place((bytes([deal]), 2), 0)
    values = {"decisions": 10, "faults": {}, "forfeit": False} | more
    return Sitting(match, deal, place, bot, score, points, ((rival, points),), **values)  # type: ignore[arg-type]


def contest(**elo: float) -> Contest:
    """The owl loses deal 1, wins deal 2 as the crow does, and times out in deal 3."""
    ratings = {number: elo[name] for number, name in NAMES.items() if name in elo}
    return Contest(
        "cambio",
        NAMES,
        ratings,
        0,
        [
            sitting(1, 1, 0, 3, 1, 0.0),
            sitting(2, 1, 1, 8, 0, 1.0),
            sitting(3, 1, 2, 6, 0, 0.5),
            sitting(4, 2, 0, 9, 1, 1.0),
            sitting(5, 2, 1, 9, 0, 1.0),
            sitting(6, 3, 0, 0, 2, 0.0, faults={"timeout": 2}, forfeit=True),
            sitting(7, 3, 1, 5, 2, 1.0),
            sitting(8, 4, 0, 5, 2, 0.5),
        ],
    )


def test_each_deal_is_compared_with_what_others_made_of_the_same_seat() -> None:
    deals = compare_deals(contest(owl=0, crow=200, wren=-100))
    assert (deals.sittings, deals.compared) == (4, 3)
    assert [(each.sitting.match, each.best.match, each.others, each.difference) for each in deals.worst] == [
        (6, 7, 1, -1.0),
        (1, 2, 2, -0.75),
    ]
    assert deals.worst[1].others_score == 7
    assert deals.difference is not None
    assert deals.difference.mean == pytest.approx(-1.75 / 3)
    assert deals.without_faults is not None
    assert deals.without_faults.mean == pytest.approx(-0.75 / 2)
    (fault,) = deals.faults
    assert (fault.kind, fault.faults, fault.sittings, fault.forfeits) == ("timeout", 2, 1, 1)
    assert fault.difference is not None
    assert fault.difference.mean == -1


def test_opponents_come_with_the_points_that_ratings_predict() -> None:
    deals = compare_deals(contest(owl=0, crow=400, wren=-400))
    wren, crow = deals.opponents
    assert (wren.bot, wren.matches, wren.points) == (2, 2, 0.25)
    assert wren.expected == pytest.approx(10 / 11)
    assert crow.expected == pytest.approx(1 / 11)
    assert crow.beyond is not None
    assert crow.beyond.mean == pytest.approx(0.5 - 1 / 11)
    unrated = compare_deals(contest()).opponents
    assert all(each.expected is None and each.beyond is None for each in unrated)


def test_better_bots_are_those_rated_higher_and_of_the_best_all_others() -> None:
    middle, best = contest(owl=0, crow=1, wren=-1), contest(owl=5, crow=1, wren=-1)
    assert (middle.better, middle.is_best) == (frozenset({1}), False)
    assert (best.better, best.is_best) == (frozenset({1, 2}), True)
    assert middle.shortfall(middle.own[0]) == 1.0
    assert best.shortfall(best.own[0]) == 0.75
    assert middle.shortfall(middle.own[3]) is None


def test_a_bot_without_matches_or_rivals_gets_a_sentence() -> None:
    nobody = Contest("cambio", NAMES, {}, 0, [])
    report = report_weaknesses(nobody, lambda _: (), 100)
    assert list(headlines(report)) == ["owl has played no match that counts yet."]
    alone = Contest("cambio", NAMES, {}, 0, [sitting(1, 1, 0, 3, 1, 0.0)])
    assert "each deal was played once" in " ".join(headlines(report_weaknesses(alone, lambda _: (), 100)))


def test_intervals_take_deals_as_the_unit() -> None:
    deals = [(bytes([number]), 2) for number in range(8)]
    values = list(zip(deals, (0.0, 1.0) * 4, strict=True))
    once, often = mean_by_deal(values), mean_by_deal(values * 5)
    assert once == often
    # Student's t with 7 degrees of freedom, 2.365, times the standard error of eight values, 0.18898.
    assert once.ci95 == pytest.approx(2.364624 * 0.188982, rel=1e-5)
    assert mean_by_deal([]).mean == 0


def test_few_deals_and_deals_that_are_all_alike_have_no_interval() -> None:
    deals = [(bytes([number]), 2) for number in range(20)]
    assert mean_by_deal(zip(deals[:7], (0.0, 1.0) * 4, strict=False)).ci95 is None
    assert mean_by_deal((deal, 0.3) for deal in deals).ci95 is None


def test_a_fault_in_seats_that_nobody_else_held_has_no_cost() -> None:
    alone = Contest("cambio", NAMES, {}, 0, [sitting(1, 1, 0, 3, 1, 0.0, faults={"crash": 1})])
    (fault,) = compare_deals(alone).faults
    assert (fault.faults, fault.sittings, fault.difference) == (1, 1, None)


def test_too_few_decisions_are_no_finding() -> None:
    few = ChoiceComparison((), 0, 3, 4, 1, 0)
    report = WeaknessReport(contest(owl=0, crow=1), few, compare_deals(contest(owl=0, crow=1)))
    assert "Too few decisions, or deals, to compare its choices with those of better bots: 3 and 4 decisions." in list(
        headlines(report)
    )
