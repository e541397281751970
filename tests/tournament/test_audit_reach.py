import numpy as np
import pytest

from arena.plan.audit_reach import audit_reach, reach_text
from arena.ratings.collusion import MIN_DEALS


def everybody_meets(bots: int, matches: int) -> np.ndarray:
    return matches * (1 - np.eye(bots, dtype=np.int64))


def test_pairs_that_meet_seldom_are_not_tested() -> None:
    reach = audit_reach(everybody_meets(80, 6), 6, 20, {})
    assert reach is not None
    assert (reach.pairs, reach.tested, reach.common_deals, reach.visible) == (3160, 0, 1, None)
    assert reach.rounds == 20 * MIN_DEALS
    assert "so an audit can test no pair; most can be tested from 400 rounds on" in reach_text(reach)


def test_bots_of_one_author_count_as_a_group() -> None:
    authors = {bot: f"a{bot // 5}" for bot in range(40)} | {40: "b", 41: "b"}
    reach = audit_reach(everybody_meets(80, 6), 6, 20, authors)
    assert reach is not None
    assert reach.groups == 8, "five bots are ten pairs; two bots are no group"
    assert reach_text(reach).endswith("; the bots of 8 authors are also tested together")


def test_more_deals_show_smaller_effects() -> None:
    found = [audit_reach(everybody_meets(8, matches), 4, 100, {}) for matches in (400, 1600)]
    visible = [reach.visible for reach in found if reach is not None]
    assert visible[0] is not None
    assert visible[1] == pytest.approx(visible[0] / 2)
    # 100 deals: each with variance (0.3 + 0.7 / 4) / 4, of which 7 other bots leave 3/4; 28 pairs, two effects each.
    assert visible[0] == pytest.approx((3.751 + 0.842) * (0.475 / 4 / 100 / 0.75) ** 0.5, rel=1e-3)
    assert found[0] is not None
    assert "tests 28 of 28 pairs" in reach_text(found[0])


def test_two_bots_cannot_be_audited() -> None:
    assert audit_reach(everybody_meets(2, 100), 2, 100, {}) is None
    assert audit_reach(everybody_meets(5, 0), 2, 100, {}) is None
