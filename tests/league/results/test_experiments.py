"""Sets of a league that repeat others, or begin from one opening, are one experiment, as in a tournament."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from arena.league.results import experiment_sums
from arena.league.results.experiment_sums import COARSEST, FINEST, SetNumbers
from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_sums import LeagueSums
from arena.ratings.anchor import Anchor
from arena.ratings.experiments import Experiments, LoggedResult
from arena.ratings.ranking import Ranking, fit_ranking
from arena.ratings.repeats import Repeats
from arena.values.result import Result
from arena.values.rows import ResultRow
from tests.league.results.simulated_league import batch

ENTRIES = np.arange(1, 11)
STRENGTHS = np.random.default_rng(3).normal(size=11) / 2


class Batch(NamedTuple):
    """Matches, with the log of each, and the opening of each deal of a table."""

    matches: list[ResultRow]
    logs: list[str]
    openings: dict[tuple[int, int], str]

    @property
    def sets(self) -> dict[tuple[int, int], SetNumbers]:
        played: dict[tuple[int, int], list[tuple[tuple[int, ...], bytes]]] = {}
        for match, log in zip(self.matches, self.logs, strict=True):
            played.setdefault((match.table, match.deal), []).append((match.entrants, log.encode()))
        return {deal: SetNumbers.of(matches, self.openings[deal]) for deal, matches in played.items()}

    def packed(self, *, told: bool = True) -> bytes:
        return LeagueSums.of_matches(self.matches, sets=self.sets if told else None).to_bytes()


def play(seats: int, batches: int, openings: int, noise: float, *, has_book: bool = True) -> Iterator[Batch]:
    """Yield batches of bots that play the same from the same opening, but for a share of the sets."""
    random = np.random.default_rng(seats + openings)
    known: dict[tuple[tuple[int, ...], int], list[ResultRow]] = {}
    for number in range(batches):
        played = Batch([], [], {})
        for table in range(8):
            seated = np.sort(random.choice(ENTRIES, seats, replace=False))
            for deal in range(3):
                opening = int(random.integers(openings))
                repeats = random.random() >= noise
                fresh = [
                    match._replace(table=table, deal=deal) for match in batch(random, seated, STRENGTHS, seats, 1, 1)
                ]
                fresh.sort(key=lambda match: match.entrants)
                matches = known.setdefault((tuple(seated), opening), fresh) if repeats else fresh
                played.openings[table, deal] = f"opening {opening}" if has_book else ""
                for match in matches:
                    played.matches.append(match._replace(table=table, deal=deal))
                    played.logs.append(f"{opening}" if repeats else f"{opening} {number} {table} {deal}")
        yield played


def tournament(batches: Iterable[Batch]) -> Ranking:
    """Return the ranking of a tournament of these matches, anchored by the first entry."""
    logged = [
        LoggedResult(
            Result(
                (number * 100 + match.table) * 100 + match.deal,
                tuple(map(str, match.entrants)),
                match.ranks,
                match.scores,
            ),
            log,
            played.openings[match.table, match.deal],
        )
        for number, played in enumerate(batches)
        for match, log in zip(played.matches, played.logs, strict=True)
    ]
    return fit_ranking(Experiments().tally(logged), anchor=Anchor("1", 0))


def fit_of(packed: Iterable[bytes]) -> LeagueFit:
    fit = LeagueFit()
    for each in packed:
        fit.add(each)
    return fit


@pytest.mark.parametrize("has_book", [True, False])
@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_league_is_rated_as_a_tournament_of_its_matches(seats: int, noise: float, has_book: bool) -> None:
    batches = list(play(seats, 12, 16, noise, has_book=has_book))
    fit, expected = fit_of(played.packed() for played in batches), tournament(batches)
    ratings = fit.fit([1])
    found = ratings.by_entry()
    assert expected.repeats is not None
    assert ratings.repeats is not None
    known = replace(expected.repeats, different=None)
    assert ratings.repeats.notes == known.notes
    assert ratings.repeats.to_json() == known.to_json()
    assert ratings.repeats.shares == pytest.approx(
        {str(entry): expected.repeats.shares.get(str(entry), 1.0) for entry in found}
    )
    assert ratings.deals == 12 * 24
    for row in expected.rows:
        rating = found[int(row.bot)]
        assert rating.experiments == row.deals <= rating.deals
        assert rating.elo == pytest.approx(row.elo, abs=0.01)
        assert rating.ci95 == (None if row.ci95 is None else pytest.approx(row.ci95, rel=1e-4, abs=1e-6))
        assert rating.separated in (row.separated, None)
    numbers = [int(row.bot) for row in expected.rows]
    for better, worse in combinations(range(len(numbers)), 2):
        assert fit.los(numbers[better], numbers[worse]) == pytest.approx(expected.los[better, worse], abs=1e-6)


def test_two_engines_that_repeat_one_pair_of_games_have_no_interval() -> None:
    pair = [ResultRow(0, (1, 2), (0, 0), (1, 2)), ResultRow(0, (2, 1), (0, 0), (1, 1))]
    sets = {(0, 0): SetNumbers.of([((1, 2), b"e4"), ((2, 1), b"d4")], "")}
    packed = LeagueSums.of_matches(pair, sets=sets).to_bytes()
    fit = fit_of([packed] * 50)
    first, second = fit.fit([1]).rows
    assert (first.deals, first.experiments, first.ci95, second.ci95) == (50, 1, None, None)
    assert fit.los(1, 2) is None
    found = fit.fit([1]).repeats
    assert found is not None
    assert found.brief == "49 of 50 pairs repeat others"


def test_pairs_that_all_end_alike_have_the_interval_of_those_that_are_new() -> None:
    def pair(log: str) -> bytes:
        matches = [ResultRow(0, (1, 2), (0, 0), (1, 2)), ResultRow(0, (2, 1), (0, 0), (1, 1))]
        sets = {(0, 0): SetNumbers.of([((1, 2), log.encode()), ((2, 1), b"d4")], "")}
        return LeagueSums.of_matches(matches, sets=sets).to_bytes()

    new = [pair(f"e{number}") for number in range(10)]
    once, often = fit_of(new), fit_of(new * 30)
    for one, other in zip(once.fit([1]).rows, often.fit([1]).rows, strict=True):
        assert (one.elo, one.ci95) == pytest.approx((other.elo, other.ci95))
    assert once.los(1, 2) == pytest.approx(often.los(1, 2)) == pytest.approx(0.969, abs=0.001)


def test_where_chance_deals_sums_are_as_before() -> None:
    (played,) = play(4, 1, 4, 0.3)
    sums = LeagueSums.of_matches(played.matches)
    assert sums.repeats is None
    assert not sums.experiments
    assert fit_of([sums.to_bytes()]).fit([1]).repeats is None


@pytest.mark.parametrize("most", [1 << 16, 60])
def test_sums_of_the_same_sets_are_the_same_in_any_order(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment_sums, "MOST", most)
    parts = [played.packed() for played in play(2, 30, 50, 0.5, has_book=False)]
    whole = LeagueSums()
    for part in parts:
        whole.add(part)
    packed = whole.to_bytes()
    for order in ([*range(30)][::-1], [*np.random.default_rng(1).permutation(30)]):
        halves = LeagueSums(), LeagueSums()
        for place, number in enumerate(order):
            halves[place > 11].add(parts[number])
        merged = LeagueSums()
        for half in halves[::-1]:
            merged.add(half.to_bytes())
        assert merged.to_bytes() == packed
    (sums,) = whole.experiments.values()
    assert (sums.bits, sums.zeros) == ((FINEST, 0) if most > 60 else (COARSEST, sums.zeros))
    assert (sums.zeros > 0) == (most == 60)
    assert len(sums.sets().kind) <= most


def test_many_experiments_are_put_together_and_keep_their_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [played.packed() for played in play(2, 150, 2000, 0.5, has_book=False)]
    exact = fit_of(parts).fit([1])
    monkeypatch.setattr(experiment_sums, "MOST", 300)
    fit = fit_of(parts)
    coarse = fit.fit([1])
    (sums,) = fit.sums.experiments.values()
    assert sums.bits == COARSEST
    assert len(np.unique(sums.experiments().number)) == 256
    ratios = []
    for row in exact.rows:
        other = coarse.by_entry()[row.entry]
        assert other.elo == pytest.approx(row.elo, abs=1e-3)
        assert other.deals == row.deals
        assert other.experiments <= 256 < row.experiments
        if row.ci95:
            assert other.ci95 is not None
            ratios.append(other.ci95 / row.ci95)
    assert np.mean(ratios) == pytest.approx(1, abs=0.05)


def test_of_many_sets_the_share_of_repeats_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [played.packed() for played in play(2, 150, 20, 0.3)]
    exact = fit_of(parts).fit([1]).repeats
    monkeypatch.setattr(experiment_sums, "MOST", 300)
    found = fit_of(parts).fit([1]).repeats
    assert exact is not None
    assert found is not None
    assert found.repeated == pytest.approx(exact.repeated, rel=0.1)
    assert found.notes[0].startswith("About ")
    for entry, share in exact.shares.items():
        assert found.shares[entry] == pytest.approx(share, abs=0.15)


def test_openings_that_are_not_all_told_apart_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment_sums, "MOST", 300)
    fit = fit_of(played.packed() for played in play(2, 150, 100, 1.0))
    found = fit.fit([1]).repeats
    assert found is not None
    assert found.openings == pytest.approx(100, abs=12)
    assert found.notes[-1].startswith("The 3,600 pairs begin from about ")


def test_older_sums_count_each_of_their_deals() -> None:
    older, newer = list(play(2, 8, 16, 0.0))[:4], list(play(2, 8, 16, 0.0))[4:]
    fit = fit_of([*(played.packed(told=False) for played in older), *(played.packed() for played in newer)])
    again = fit_of([fit.sums.to_bytes()])
    rows, same = fit.fit([1]), again.fit([1])
    assert rows == same
    told = fit_of(played.packed() for played in newer).fit([1]).by_entry()
    untold = fit_of(played.packed(told=False) for played in older).fit([1]).by_entry()
    for row in rows.rows:
        parts = [each[row.entry] for each in (told, untold) if row.entry in each]
        assert row.experiments == sum(part.experiments for part in parts)
        assert row.deals == sum(part.deals for part in parts)
    assert isinstance(rows.repeats, Repeats)
    assert rows.repeats.sets == 4 * 24
    assert all(rows.repeats.shares[str(entry)] > each.experiments / each.deals for entry, each in told.items())


def test_experiments_can_be_forgotten() -> None:
    (played,) = play(4, 1, 4, 0.3)
    sums = LeagueSums.of_matches(played.matches, sets=played.sets)
    sums.forget_experiments()
    assert sums.to_bytes() == played.packed(told=False)


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_who_repeats_matches_is_not_suspected(noise: float) -> None:
    """Entry 2 beats entry 1, and loses to entry 3 which entry 1 beats: no flow, but a circle of what may repeat."""

    def pair(batch: int, deal: int, one: int, other: int) -> tuple[list[ResultRow], SetNumbers]:
        matches = [
            ResultRow(0, (one, other), (0, 0), (1, 2), deal),
            ResultRow(0, (other, one), (0, 0), (1, 1) if deal % 3 else (2, 1), deal),
        ]
        log = f"{deal} {batch if noise else ''}".encode()
        return matches, SetNumbers.of([(match.entrants, log) for match in matches], "")

    fit = LeagueFit()
    for number in range(60):
        played = [pair(number, deal, *pairing) for deal, pairing in enumerate([(2, 1), (3, 2), (1, 3)] * 2)]
        matches = [match for each, _ in played for match in each]
        sets = {(deal, 0): numbers for deal, (_, numbers) in enumerate(played)}
        fit.add(LeagueSums.of_matches(matches, sets=sets).to_bytes())
    suspected = {(each.kind, each.one, each.other) for each in fit.audit([])}
    assert bool(suspected) == bool(noise)
