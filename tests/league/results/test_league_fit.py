"""The fit of a league is the fit of all its matches at once."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.results.league_sums import LeagueSums
from arena.ratings import Tally, fit_ranking
from arena.ratings.anchor import Anchor
from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import ELO_PER_NAT, half_widths
from arena.ratings.solver import solve
from arena.ratings.sparse_information import SparseInformation
from arena.store.engine.errors import StoreError
from arena.values.errors import RatingError
from arena.values.rows import ResultRow
from tests.league.results.simulated_league import add_to, batch

STRENGTHS = np.random.default_rng(8).normal(size=41)


def played(seats: int, batches: int = 12, entries: int = 24) -> tuple[list[list[ResultRow]], Tally]:
    """Return batches of a league in which the last entries come late, and a tally of their matches."""
    random = np.random.default_rng(seats)
    matches, tally = [], Tally()
    for number in range(batches):
        known = np.arange(1, entries + 1 if 2 * number > batches else entries - 4)
        matches.append(batch(random, random.choice(known, 10, replace=False), STRENGTHS, seats))
        add_to(tally, matches[-1], number)
    return matches, tally


def fit_of(batches: list[list[ResultRow]]) -> LeagueFit:
    fit = LeagueFit()
    for matches in batches:
        fit.add(LeagueSums.of_matches(matches).to_bytes())
    return fit


def widths_to_mean(tally: Tally, anchors: list[int]) -> dict[int, float]:
    """Return the half-widths of the intervals of the differences to the mean of the anchors, from `solve`."""
    totals = tally.totals()
    solution, bots = solve(totals), [int(bot) for bot in totals.lineup.bots]
    relative = np.eye(len(bots))
    relative[:, [bots.index(anchor) for anchor in anchors]] -= 1 / len(anchors)
    variances = np.diag(relative @ solution.covariance @ relative.T)
    return dict(zip(bots, (half_widths(variances, solution.deals) * ELO_PER_NAT).tolist(), strict=True))


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_it_is_the_fit_of_all_matches(seats: int) -> None:
    batches, tally = played(seats)
    fit = LeagueFit()
    for matches in batches:
        fit.add(LeagueSums.of_matches(matches).to_bytes())
        fit.fit([1, 2, 3], intervals=False)  # so that the next one starts from here
    expected = fit_ranking(tally)
    elo = {int(row.bot): row.elo for row in expected.rows}
    zero = np.mean([elo[anchor] for anchor in (1, 2, 3)])
    ratings = fit.fit([3, 1, 2])
    widths = widths_to_mean(tally, [1, 2, 3])
    assert ratings.zero == (1, 2, 3)
    assert (ratings.deals, ratings.matches) == (expected.deals, expected.matches)
    assert (ratings.interval_method, ratings.interval_error) == ("exact", 0.0)
    assert [row.entry for row in ratings.rows] == [int(row.bot) for row in expected.rows]
    for row, other in zip(ratings.rows, expected.rows, strict=True):
        assert row.elo == pytest.approx(other.elo - zero, abs=0.01)
        assert row.ci95 == (None if other.ci95 is None else pytest.approx(widths[row.entry], rel=1e-4))
        assert (row.bound, row.deals, row.totals.matches) == (other.bound, other.deals, other.matches)
        assert row.comparisons == (seats - 1) * row.totals.matches
        # Places follow from points where an entry holds one seat.
        place = 1 + (row.comparisons - row.points) / row.totals.seats
        assert place == pytest.approx(other.expected_place)


@pytest.mark.parametrize("seats", [2, 4])
def test_relative_to_one_anchor_it_is_the_anchored_ranking(seats: int) -> None:
    batches, tally = played(seats)
    fit = fit_of(batches)
    ratings, expected = fit.fit([7]), fit_ranking(tally, anchor=Anchor("7", 0))
    for row, other in zip(ratings.rows, expected.rows, strict=True):
        assert row.entry == int(other.bot)
        assert row.elo == pytest.approx(other.elo, abs=0.01)
        assert row.ci95 == (None if other.ci95 is None else pytest.approx(other.ci95, rel=1e-4, abs=1e-6))
    numbers = [int(row.bot) for row in expected.rows]
    for better, worse in combinations(range(0, len(numbers), 3), 2):
        los = fit.los(numbers[better], numbers[worse])
        assert los == pytest.approx(expected.los[better, worse], abs=1e-6)
        assert fit.los(numbers[worse], numbers[better]) == pytest.approx(1 - los if los else None, abs=1e-9)


@pytest.mark.parametrize("seats", [2, 4])
def test_neighbours_are_separated_as_in_a_ranking(seats: int) -> None:
    batches, tally = played(seats, batches=30)
    fit, expected = fit_of(batches), fit_ranking(tally, anchor=Anchor("7", 0))
    separated = {int(row.bot): row.separated for row in expected.rows}
    rows = fit.fit([7]).rows
    assert [row.above for row in rows] == [None, *(row.entry for row in rows[:-1])]
    assert [row.separated for row in rows] == [separated[row.entry] for row in rows]
    assert {True, False} <= {row.separated for row in rows}

    active = [row.entry for row in rows if row.entry % 3]
    some = fit.fit([7], active=active).by_entry()
    bots = [int(row.bot) for row in expected.rows]
    for above, entry in pairwise(active):
        los = expected.los[bots.index(above), bots.index(entry)]
        assert (some[entry].above, some[entry].separated) == (above, los > 0.975)
    assert {some[row.entry].above for row in rows if row.entry not in active} == {None}


def test_whether_neighbours_are_separated_is_estimated_like_intervals() -> None:
    batches, _ = played(4, batches=30)
    exact = fit_of(batches).fit([1, 2]).by_entry()
    fit = fit_of(batches[:-1])
    fit.fit([1, 2])
    fit.add(LeagueSums.of_matches(batches[-1]).to_bytes())
    for ratings in (fit.fit([1, 2], intervals=False), fit_of(batches).fit([1, 2], exact_up_to=3)):
        rows = ratings.by_entry()
        assert [row.above for row in ratings.rows] == [exact[row.entry].above for row in ratings.rows]
        agree = sum(rows[entry].separated is exact[entry].separated for entry in rows)
        assert agree >= 0.9 * len(rows)


def test_who_has_no_interval_is_not_compared() -> None:
    fit = fit_of([duel(1, 2, 30, 14), duel(2, 3, 30, 0), duel(1, 4, 5, 2)])
    rows = fit.fit([1]).by_entry()
    assert rows[3].bound
    assert rows[3].separated is rows[4].separated is None


def test_batches_count_alike_in_any_order_and_added_at_once() -> None:
    batches, _ = played(4)
    forwards, backwards, merged = fit_of(batches), fit_of(batches[::-1]), LeagueFit()
    merged.add(forwards.sums.to_bytes())
    expected = forwards.fit([1])
    for fit in (backwards, merged):
        for row, other in zip(fit.fit([1]).rows, expected.rows, strict=True):
            assert (row.entry, row.totals) == (other.entry, other.totals)
            assert row.elo == pytest.approx(other.elo, abs=1e-4)
            assert row.ci95 == pytest.approx(other.ci95, rel=1e-6)


def test_a_fit_starts_from_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []
    solve_system = SparseInformation.solve

    def counting(self: SparseInformation, right: Floats, tolerance: float) -> Floats:
        solved.append(len(right))
        return solve_system(self, right, tolerance)

    monkeypatch.setattr(SparseInformation, "solve", counting)
    batches, _ = played(4, batches=60)
    fit = fit_of(batches[:-1])
    fit.fit([1])
    cold = len(solved)
    fit.add(LeagueSums.of_matches(batches[-1]).to_bytes())
    fit.fit([1])
    assert len(solved) - cold < cold
    fit.fit([1])
    assert fit.los(1, 2) is not None
    assert len(solved) - cold <= cold  # nothing was fitted again


def test_large_fields_have_sampled_intervals() -> None:
    batches, _ = played(4, batches=30, entries=40)
    exact = fit_of(batches).fit([1, 2]).by_entry()
    ratings = fit_of(batches).fit([1, 2], exact_up_to=39)
    assert ratings.interval_method == "sampled"
    assert ratings.interval_error is not None
    assert 0 < ratings.interval_error < 0.05
    errors = relative_errors(ratings, exact)
    assert np.sqrt((errors**2).mean()) < 2 * ratings.interval_error
    assert fit_of(batches).fit([1, 2], exact_up_to=39) == ratings  # samples do not differ from run to run


def test_between_intervals_they_are_estimated() -> None:
    batches, _ = played(4, batches=30)
    fit = fit_of(batches[:20])
    never_computed = fit.fit([1, 2], intervals=False)
    assert (never_computed.interval_method, never_computed.interval_error) == ("local", None)
    assert np.abs(relative_errors(never_computed, fit.fit([1, 2]).by_entry())).max() < 0.2
    for matches in batches[20:]:
        fit.add(LeagueSums.of_matches(matches).to_bytes())
    # An entry that could not be compared has no last interval that would tell of its next.
    fit.add(LeagueSums.of_matches(duel(500, 501, 30, 14)).to_bytes())
    fit.fit([1, 2])
    fit.add(LeagueSums.of_matches(duel(500, 1, 30, 14)).to_bytes())
    estimated = fit.fit([1, 2], intervals=False)
    computed = fit.fit([1, 2]).by_entry()
    assert np.sort(np.abs(relative_errors(estimated, computed)))[-3] < 0.01
    for entry in (500, 501):  # known through each other only, and through one table
        width, exact = estimated.by_entry()[entry].ci95, computed[entry].ci95
        assert width is not None
        assert width == pytest.approx(exact, rel=0.4)


def relative_errors(ratings: LeagueRatings, exact: dict[int, EntryRating]) -> Floats:
    """Return the errors of the widths of all intervals that there are."""
    widths = [(row.ci95, exact[row.entry].ci95) for row in ratings.rows]
    return np.array([width / other - 1 for width, other in widths if width and other])


def test_sampled_intervals_hold_where_only_neighbours_meet() -> None:
    random = np.random.default_rng(2)
    neighbours = [
        batch(random, np.arange(entry, entry + 3), np.zeros(103), 3, tables=1, deals=10) for entry in range(1, 100)
    ]
    fit = LeagueFit()
    for matches in neighbours:
        fit.add(LeagueSums.of_matches(matches).to_bytes())
    ratings, exact = fit.fit([1], exact_up_to=0), fit.fit([1]).by_entry()
    assert ratings.interval_error is not None
    assert ratings.interval_error < 0.025
    errors = relative_errors(ratings, exact)
    assert np.sqrt((errors**2).mean()) < 2 * ratings.interval_error
    local = relative_errors(fit_of(neighbours).fit([1], intervals=False), exact)
    assert local.mean() < -0.5  # which shows how far the doubt adds up


def duel(one: int, other: int, deals: int, wins: int, table: int = 0) -> list[ResultRow]:
    """Return deals in which one entry wins the first `wins` and loses the others."""
    return [ResultRow(deal, (one, other), (1, 0), (1, 2) if deal < wins else (2, 1), table) for deal in range(deals)]


def test_one_way_results_have_bounds_and_no_interval() -> None:
    fit = fit_of([duel(1, 2, 30, 15), duel(1, 3, 30, 30, 1), duel(2, 4, 30, 0, 2), duel(5, 6, 30, 10, 3)])
    tally = Tally()
    for number, matches in enumerate((duel(1, 2, 30, 15), duel(1, 3, 30, 30), duel(2, 4, 30, 0), duel(5, 6, 30, 10))):
        add_to(tally, matches, number)
    expected = {int(row.bot): row for row in fit_ranking(tally).rows}
    ratings = fit.fit([1, 2]).by_entry()
    bounds = {entry: row.bound for entry, row in ratings.items()}
    assert bounds == {1: "", 2: "", 3: "<", 4: ">", 5: "~", 6: "~"}
    assert {entry for entry, row in ratings.items() if row.ci95 is None} == {3, 4, 5, 6}
    for entry in (1, 2, 3, 4):
        assert ratings[entry].elo == pytest.approx(expected[entry].elo, abs=0.01)
    assert ratings[5].elo - ratings[6].elo == pytest.approx(expected[5].elo - expected[6].elo, abs=0.01)
    ranking = fit_ranking(tally)
    names = [int(row.bot) for row in ranking.rows]
    for one in range(1, 7):
        for other in range(1, 7):
            los, same = fit.los(one, other), ranking.los[names.index(one), names.index(other)]
            assert los is None if np.isnan(same) else los == pytest.approx(same, abs=1e-6)
    assert fit.los(1, 2) == 0.5
    assert fit.los(1, 5) is None


def test_deals_that_all_end_alike_have_the_interval_of_independent_games() -> None:
    """Ten pairs of games that end 1.5 : 0.5: the interval of the one that is no anchor is that of 20 games."""
    pairs = [
        ResultRow(deal, seated, (0, 0), ranks)
        for deal in range(10)
        for seated, ranks in (((1, 2), (1, 2)), ((2, 1), (1, 1)))
    ]
    fit = fit_of([pairs])
    one, other = sorted(fit.fit([1]).rows, key=lambda row: row.entry)
    student = 2.2621572
    assert other.ci95 == pytest.approx(ELO_PER_NAT * student * (20 * 0.75 * 0.25) ** -0.5, rel=1e-6)
    assert other.elo == pytest.approx(-190.85, abs=0.01)
    assert other.separated is False
    assert fit.los(1, 2) == pytest.approx(0.969, abs=0.001)
    assert one.ci95 == 0


def test_few_deals_have_no_interval() -> None:
    ratings = fit_of([duel(1, 2, 30, 15), duel(1, 3, 9, 5, 1), duel(1, 4, 10, 5, 2)]).fit([1, 2]).by_entry()
    assert {entry for entry, row in ratings.items() if row.ci95 is None} == {3}
    assert fit_of([duel(1, 2, 9, 5)]).los(1, 2) is None


def test_zero_is_measured_by_the_anchors_that_can_be_compared() -> None:
    batches = [duel(1, 2, 20, 10), duel(2, 3, 20, 12, 1), duel(4, 1, 20, 0, 2)]
    assert fit_of(batches).fit([1, 3, 4, 99]).zero == (1, 3)
    assert fit_of([*batches, duel(4, 1, 20, 5, 3)]).fit([1, 3, 4, 99]).zero == (1, 3, 4)
    assert fit_of(batches[::2]).fit([4, 1]).zero == (1,)  # of two single ones that with more entries
    nobody = fit_of(batches).fit([99])
    assert nobody.zero == ()
    assert {(row.bound, row.ci95) for row in nobody.rows} == {("~", None)}
    with pytest.raises(RatingError, match="name at least one entry"):
        fit_of(batches).fit([])


def test_nothing_is_known_of_nobody() -> None:
    assert LeagueFit().fit([1]).rows == ()
    with pytest.raises(RatingError, match="entry 1 has no rating: it played no match"):
        LeagueFit().los(1, 2)
    fit = LeagueFit()
    with pytest.raises(StoreError):
        fit.add(b"nothing")
    assert fit.fit([1]).rows == ()


@pytest.mark.parametrize("seed", range(12))
def test_few_and_lopsided_results_are_read_as_in_a_ranking(seed: int) -> None:
    random = np.random.default_rng(seed)
    fit, tally = LeagueFit(), Tally()
    for number in range(int(random.integers(3, 9))):
        strengths = random.normal(size=13) * 4
        matches = batch(random, np.arange(1, 13), strengths, int(random.integers(2, 4)), tables=2, deals=11)
        fit.add(LeagueSums.of_matches(matches).to_bytes())
        add_to(tally, matches, number)
    expected = fit_ranking(tally)
    group = {int(row.bot): row.group for row in expected.rows}
    elo = {int(row.bot): row.elo for row in expected.rows}
    ratings = fit.fit([int(expected.rows[0].bot)]).by_entry()
    for one, other in combinations(elo, 2):
        los = expected.los[list(elo).index(one), list(elo).index(other)]
        found = fit.los(one, other)
        assert found is None if np.isnan(los) else found == pytest.approx(los, abs=1e-6)
        if group[one] == group[other]:
            assert ratings[one].elo - ratings[other].elo == pytest.approx(elo[one] - elo[other], abs=0.01)
        else:
            assert "~" in (ratings[one].bound, ratings[other].bound)


def test_a_long_chain_of_lopsided_results_is_fitted() -> None:
    fit, tally = LeagueFit(), Tally()
    for entry in range(1, 40):
        matches = duel(entry, entry + 1, 2000 if entry % 3 else 20, 1999 if entry % 3 else 3)
        fit.add(LeagueSums.of_matches(matches).to_bytes())
        add_to(tally, matches, entry)
    ratings = fit.fit([1]).by_entry()
    for row in fit_ranking(tally, anchor=Anchor("1", 0)).rows:
        assert ratings[int(row.bot)].elo == pytest.approx(row.elo, abs=0.01)
        assert ratings[int(row.bot)].ci95 == pytest.approx(row.ci95, rel=1e-3)
