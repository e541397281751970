"""Audits find bots that collude and leave honest ones alone (seeded: the numbers never change)."""

from collections.abc import Iterator

import numpy as np
import pytest
from click.testing import CliRunner

from arena.ratings import Result, Tally
from arena.ratings.collusion import MIN_DEALS, SIGNIFICANCE, deal_stride, find_suspicions
from bench.research.audit_simulation import (
    Plot,
    alarms,
    main,
    tournament,
)
from bench.research.interval_coverage import mixed_tournament

GUILTY = frozenset(("bot0", "bot1"))


@pytest.mark.parametrize(
    ("bots", "size", "deals"), [(3, 3, 60), (4, 4, 60), (6, 4, 80), pytest.param(15, 15, 20, marks=pytest.mark.slow)]
)
def test_honest_bots_are_accused_in_one_of_a_hundred_audits(bots: int, size: int, deals: int) -> None:
    draw = np.random.default_rng(1)
    assert alarms(tournament(bots, size, deals, draw) for _ in range(60)).honest <= 1 / 60


def test_teams_with_changing_partners_are_looked_at_too() -> None:
    draw = np.random.default_rng(1)
    suspicions = find_suspicions(Tally(mixed_tournament(6, 200, draw)))
    assert len(suspicions) == 15
    assert {suspicion.kind for suspicion in suspicions} == {"flow"}
    assert not any(suspicion.stands_out for suspicion in suspicions)


@pytest.mark.parametrize(
    ("plot", "bots", "size"), [(Plot("flow", 0.6), 4, 4), (Plot("flow", 0.6), 7, 5), (Plot("together", 150), 6, 4)]
)
def test_who_colludes_is_found_and_nobody_else(plot: Plot, bots: int, size: int) -> None:
    draw = np.random.default_rng(1)
    for _ in range(5):
        suspicions = find_suspicions(Tally(tournament(bots, size, 300, draw, plot)))
        first, *others = (suspicion for suspicion in suspicions if suspicion.stands_out)
        assert first.kind == plot.kind
        assert {first.one, first.other} == GUILTY
        assert first.p_value < SIGNIFICANCE
        assert first.excess - first.ci95 > 0
        assert all(suspicion.excess < first.excess / 2 for suspicion in others)  # echoes, if there are any
    if plot.kind == "flow":
        assert (first.one, first.other) == ("bot0", "bot1")  # who lets the other pass, and who passes
        assert 0.05 < first.excess < 0.45
    else:
        assert 75 < first.elo < 225


def test_three_bots_are_suspected_together_as_nothing_tells_them_apart() -> None:
    draw = np.random.default_rng(1)
    suspicions = find_suspicions(Tally(tournament(3, 3, 400, draw, Plot("flow", 0.8))))
    assert [suspicion.stands_out for suspicion in suspicions] == [True] * 3
    assert {(suspicion.one, suspicion.other) for suspicion in suspicions} == {
        ("bot0", "bot1"),
        ("bot1", "bot2"),
        ("bot2", "bot0"),
    }


def circle(deals: int) -> Iterator[Result]:
    """Yield matches of two in which a always beats b, b beats c, and c beats a."""
    for deal in range(deals):
        for pair in (("a", "b"), ("b", "c"), ("c", "a")):
            yield Result(deal, pair, (1, 2), (1, 0))


def test_of_too_few_bots_or_deals_nothing_is_told() -> None:
    assert find_suspicions(Tally()) == ()
    draw = np.random.default_rng(1)
    assert find_suspicions(Tally(tournament(2, 2, 50, draw))) == ()
    assert find_suspicions(Tally(tournament(4, 4, MIN_DEALS - 1, draw))) == ()
    assert find_suspicions(Tally(circle(50))) == ()  # the deals show no spread at all, and so no error


def test_bots_that_win_or_lose_everything_are_no_obstacle() -> None:
    draw = np.random.default_rng(1)
    better = [
        result._replace(teams=(*result.teams, "hero"), ranks=(*(rank + 1 for rank in result.ranks), 1), scores=(0,) * 5)
        for result in tournament(4, 4, 60, draw)
    ]
    suspicions = find_suspicions(Tally(better))
    assert not any(suspicion.stands_out for suspicion in suspicions)
    assert sum("hero" not in (suspicion.one, suspicion.other) for suspicion in suspicions) == 6


def test_of_a_very_large_tournament_a_part_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    tally = Tally(tournament(6, 4, 400, draw, Plot("flow", 0.9)))
    assert deal_stride(tally.totals()) == 1
    all_deals = find_suspicions(tally)
    monkeypatch.setattr("arena.ratings.collusion.MAX_ENTRIES", 5000)
    assert deal_stride(tally.totals()) == 4
    sampled = find_suspicions(tally)
    assert {sampled[0].one, sampled[0].other} == {all_deals[0].one, all_deals[0].other} == GUILTY
    assert sampled[0].stands_out
    assert sampled[0].deals * 3 < all_deals[0].deals < sampled[0].deals * 5


def test_numbers_agree_with_each_other() -> None:
    draw = np.random.default_rng(1)
    results = list(tournament(6, 4, 80, draw))
    for suspicion in find_suspicions(Tally(results)):
        met = [result for result in results if {suspicion.one, suspicion.other} <= set(result.teams)]
        assert suspicion.deals == len({result.deal for result in met})
        if suspicion.kind == "flow":
            assert suspicion.comparisons == len(met)
            won = sum(dict(zip(r.teams, r.ranks, strict=True))[suspicion.other] < _rank(r, suspicion.one) for r in met)
            assert suspicion.points == pytest.approx(won / len(met))
            assert suspicion.excess > 0
        else:
            assert suspicion.comparisons == 4 * len(met)
        assert (suspicion.excess > 0) == (suspicion.elo > 0)


def _rank(result: Result, bot: str) -> int:
    return result.ranks[result.teams.index(bot)]


def test_the_long_run_prints_a_line_per_case() -> None:
    shown = CliRunner().invoke(main, ["1"])
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == 25
    assert CliRunner().invoke(main, ["0"]).exit_code == 2


AUTHORS = {f"bot{number}": f"author{number // 4}" for number in range(24)}
GROUP = frozenset(f"bot{number}" for number in range(4))


def test_bots_of_an_author_that_meet_too_seldom_are_tested_together() -> None:
    """24 bots at tables of 6: two of them meet in 9 deals on average, and four of an author in 52 by pairs."""
    draw = np.random.default_rng(3)
    results = list(tournament(24, 6, 160, draw, Plot("group", 300, 4)))
    assert not [each for each in find_suspicions(Tally(results)) if each.stands_out]
    first, *others = find_suspicions(Tally(results), AUTHORS)
    assert first.stands_out
    assert (first.kind, first.one, first.other) == ("group", "author0", "")
    assert set(first.members) == GROUP
    assert first.excess > 0.05
    assert not any(each.stands_out for each in others)
    assert {each.kind for each in others} >= {"group", "group flow"}


def test_honest_authors_are_left_alone() -> None:
    draw = np.random.default_rng(4)
    found = alarms((tournament(24, 6, 100, draw) for _ in range(20)), frozenset(), AUTHORS)
    assert found.honest <= 1 / 20


def test_points_that_go_to_one_bot_of_an_author_are_seen() -> None:
    """Three bots of one author, of which the first lets the second pass."""
    draw = np.random.default_rng(1)
    results = list(tournament(8, 4, 400, draw, Plot("flow", 0.7)))
    suspicions = find_suspicions(Tally(results), {"bot0": "me", "bot1": "me", "bot2": "me"})
    assert suspicions[0].stands_out
    assert (suspicions[0].one, suspicions[0].other) == ("bot0", "bot1")
    grouped = [each for each in suspicions if each.kind == "group flow"]
    assert {frozenset((each.one, each.other)) for each in grouped} == {
        frozenset(("me", bot)) for bot in ("bot0", "bot1", "bot2")
    }


def test_two_bots_of_an_author_are_a_pair_and_no_group() -> None:
    draw = np.random.default_rng(1)
    results = list(tournament(6, 4, 100, draw))
    plain = find_suspicions(Tally(results))
    assert find_suspicions(Tally(results), {"bot0": "me", "bot1": "me", "bot2": "", "bot3": ""}) == plain
