import random

import pytest

from arena.ratings import Result, Tally
from arena.ratings.integer_columns import pack_columns


def test_points_are_counted_per_deal_and_pair() -> None:
    totals = Tally(
        [
            Result(7, ("b", "a", "c"), (1, 2, 2), (9, 4, 4)),
            Result(7, ("a", "b", "c"), (1, 2, 3), (5, 3, 1)),
            Result(2, ("c", "b"), (1, 2), (1, 0)),
        ]
    ).totals()
    assert totals.lineup.bots == ("a", "b", "c")
    pairs = totals.pairs
    rows = zip(pairs.deal, pairs.first, pairs.second, pairs.points, pairs.count, strict=True)
    assert [tuple(map(int, row)) for row in rows] == [
        (2, 1, 2, 0, 1),
        (7, 0, 1, 2, 2),
        (7, 0, 2, 3, 2),
        (7, 1, 2, 4, 2),
    ]
    sittings = totals.sittings
    held = zip(sittings.deal, sittings.bot, sittings.count, sittings.score, strict=True)
    assert [tuple(map(int, row)) for row in held] == [
        (2, 1, 1, 0),
        (2, 2, 1, 1),
        (7, 0, 2, 9),
        (7, 1, 2, 12),
        (7, 2, 2, 5),
    ]
    assert totals.matches.tolist() == [2, 3, 3]
    assert totals.played == 3


def test_seats_that_tie_share_the_mean_of_their_places() -> None:
    places = Tally([Result(0, ("a", "b", "c", "d"), (1, 2, 2, 4), (0, 0, 0, 0))]).totals().places
    assert (places.place / 2).tolist() == [1, 2.5, 2.5, 4]
    assert places.size.tolist() == [4, 4, 4, 4]


def test_only_the_order_of_ranks_counts() -> None:
    dense = Tally([Result(0, ("a", "b", "c", "d"), (1, 2, 2, 3), (0, 0, 0, 0))]).totals()
    assert (dense.places.place / 2).tolist() == [1, 2.5, 2.5, 4]


def test_copies_of_one_bot_are_not_compared_with_each_other() -> None:
    totals = Tally([Result(0, ("a", "b", "a"), (1, 2, 3), (2, 1, 0))]).totals()
    assert (totals.pairs.points.tolist(), totals.pairs.count.tolist()) == ([2], [2])
    assert totals.sittings.count.tolist() == [2, 1]
    assert totals.matches.tolist() == [1, 1]


def test_a_team_is_compared_once_and_counts_for_each_member() -> None:
    totals = Tally([Result(3, (("b", "c"), ("a", "b")), (1, 2), (10, 4)), Result(3, ("d", ("c", "a")), (1, 1), (6, 6))])
    sums = totals.totals()
    assert sums.lineup.bots == ("a", "b", "c", "d")
    assert sums.lineup.shares.toarray().tolist() == [
        [0.5, 0.5, 0, 0],
        [0.5, 0, 0.5, 0],
        [0, 0.5, 0.5, 0],
        [0, 0, 0, 1],
    ]
    pairs = sums.pairs
    assert (pairs.first.tolist(), pairs.second.tolist()) == ([0, 1], [2, 3])
    assert (pairs.points.tolist(), pairs.count.tolist()) == ([0, 1], [1, 1])
    assert sums.sittings.bot.tolist() == [0, 1, 2, 3]
    assert sums.sittings.count.tolist() == [2, 2, 2, 1]
    assert sums.sittings.score.tolist() == [10, 14, 16, 6]
    assert (sums.places.place / 2).tolist() == [3.5, 3, 2.5, 1.5]
    assert sums.matches.tolist() == [2, 1, 2, 1]


@pytest.mark.parametrize(
    ("team", "same"), [(("a", "a"), "a"), (("b", "a"), ("a", "b")), (("a", "b", "a", "b"), ("b", "a"))]
)
def test_teams_in_which_all_have_the_same_share_are_one(team: tuple[str, ...], same: str | tuple[str, ...]) -> None:
    sums = Tally([Result(0, (team, "c"), (1, 2), (1, 0)), Result(0, ("c", same), (2, 1), (0, 1))]).totals()
    assert (sums.pairs.points.tolist(), sums.pairs.count.tolist()) == ([4], [2])
    assert not len(Tally([Result(0, (team, same), (1, 2), (1, 0))]).totals().pairs.deal)


def test_the_order_of_matches_changes_nothing_across_blocks() -> None:
    draw = random.Random(1)
    results = []
    for number in range(40_000):
        seats = draw.choice((2, 3))
        bots = tuple(draw.sample("abcdef", seats))
        ranks = tuple(draw.choices((1, 2, 3), k=seats))
        results.append(Result(number % 50, bots, ranks, ranks))
    one = Tally(results).totals()
    draw.shuffle(results)
    other = Tally(results).totals()
    assert one.lineup.bots == other.lineup.bots
    for part in ("pairs", "sittings", "places"):
        for column in type(getattr(one, part)).__slots__:
            assert (getattr(getattr(one, part), column) == getattr(getattr(other, part), column)).all()
    assert one.pairs.count.sum() == sum(1 if len(result.teams) == 2 else 3 for result in results)


def test_adding_goes_on_after_totals() -> None:
    tally = Tally([Result(0, ("a", "b"), (1, 2), (1, 0))])
    tally.totals()
    tally.add(Result(0, ("b", "a"), (1, 2), (1, 0)))
    assert tally.totals().pairs.count.tolist() == [2]
    assert tally.totals().pairs.points.tolist() == [2]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (Result(0, ("a",), (1,), (0,)), "two teams or more"),
        (Result(0, ("a", "b"), (1,), (0, 0)), "2 teams, 1 ranks, 2 scores"),
        (Result(0, ("a", "b"), (1, 2), (0,)), "2 teams, 2 ranks, 1 scores"),
        (Result(0, ("a", ()), (1, 2), (0, 0)), "a team has at least one bot"),
        (Result(-1, ("a", "b"), (1, 2), (0, 0)), "not -1"),
        (Result(2**31, ("a", "b"), (1, 2), (0, 0)), "not 2147483648"),
    ],
)
def test_what_is_no_result_is_refused(result: Result, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Tally([result]).totals()


def test_another_tally_is_taken_in_with_other_names_and_deals() -> None:
    matches = [Result(7, ("b", "a", "c"), (1, 2, 2), (9, 4, 4)), Result(2, ("c", ("a", "b")), (1, 2), (1, 0))]
    names = {"a": "z", "b": "y", "c": "a"}
    other = Tally(matches)
    assert other.deals() == [2, 7]
    merged = Tally([Result(5, ("a", "z"), (1, 2), (3, 2))])
    merged.merge(other, names, [5, 1])
    expected = Tally(
        [
            Result(5, ("a", "z"), (1, 2), (3, 2)),
            Result(1, ("y", "z", "a"), (1, 2, 2), (9, 4, 4)),
            Result(5, ("a", ("z", "y")), (1, 2), (1, 0)),
        ]
    )
    assert pack_columns(*merged.state()) == pack_columns(*expected.state())
    assert merged.deals() == [1, 5]
