from random import Random

import numpy as np
import pytest

from arena.league.results.experiment_sums import SetNumbers
from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_sums import EntryTotals, LeagueSums
from arena.ratings import Tally, fit_ranking
from arena.ratings.anchor import Anchor
from arena.ratings.integer_columns import pack_columns
from arena.results.team_results import team_result
from arena.store.engine.errors import StoreError
from arena.values.errors import RatingError
from arena.values.rows import EffortRow, ResultRow
from tests.league.results.simulated_league import batch

ENTRIES = np.array([3, 4, 7, 8, 10, 300, 70_000, 70_001])


def some_matches(seats: int = 4, seed: int = 1, tables: int = 8) -> list[ResultRow]:
    random = np.random.default_rng(seed)
    return batch(random, ENTRIES, np.arange(70_002) % 5 / 5, seats, tables)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_same_matches_in_any_order_give_the_same_bytes(seats: int) -> None:
    matches = some_matches(seats)
    packed = LeagueSums.of_matches(matches).to_bytes()
    for seed in range(3):
        Random(seed).shuffle(matches)
        assert LeagueSums.of_matches(matches).to_bytes() == packed
    assert LeagueSums.of_matches(matches[1:]).to_bytes() != packed


def test_parts_make_up_the_whole() -> None:
    matches = [match for seats in (2, 4) for match in some_matches(seats)]
    matches = [match._replace(table=match.table + 8 * len(match.entrants)) for match in matches]
    parts = [
        LeagueSums.of_matches([match for match in matches if match.table % 3 == part]).to_bytes() for part in range(3)
    ]
    for order in ((0, 1, 2), (2, 0, 1)):
        merged = LeagueSums()
        for part in order:
            merged.add(parts[part])
        assert merged.to_bytes() == LeagueSums.of_matches(matches).to_bytes()
    empty = LeagueSums()
    empty.add(LeagueSums().to_bytes())
    assert empty.to_bytes() == LeagueSums.of_matches([]).to_bytes()


def test_times_to_get_ready_are_added_up() -> None:
    sums = LeagueSums()
    for ready_us in ({1: 5, 2: 7}, {1: 11}, {}):
        sums.add(LeagueSums.of_matches([], ready_us=ready_us).to_bytes())
    assert sums.ready_us == {1: 16, 2: 7}


def test_a_table_takes_less_than_300_bytes() -> None:
    random = np.random.default_rng(2)
    matches = batch(random, np.arange(5000, 5012), np.zeros(5012), 6, tables=32, deals=25)
    assert len(LeagueSums.of_matches(matches).to_bytes()) < 32 * 300


def test_totals_are_those_of_the_matches() -> None:
    matches = [
        ResultRow(0, (5, 9, 5), (4, -2, 1), (1, 3, 2)),
        ResultRow(1, (9, 5, 2), (7, 0, 0), (1, 2, 2)),
    ]
    efforts = {5: EffortRow(3, 30, 1_000), 9: EffortRow(2, 21, 5 * 10**12)}
    faults = {9: {"timeout": 2, "crash": 1}}
    packed = LeagueSums.of_matches(matches, efforts=efforts, faults=faults).to_bytes()
    sums = LeagueSums()
    sums.add(packed)
    sums.add(LeagueSums.of_matches(matches[:1], faults={9: {"crash": 4}}).to_bytes())
    assert sums.played == 3
    assert sums.totals() == {
        2: EntryTotals(1, 1, 0, 0, 0),
        5: EntryTotals(3, 5, 10, 30, 1_000),
        9: EntryTotals(3, 3, 3, 21, 5 * 10**12),
    }
    assert sums.faults == {9: {"timeout": 2, "crash": 5}}


def test_damaged_sums_are_refused_with_a_sentence() -> None:
    packed = LeagueSums.of_matches(some_matches(tables=1)).to_bytes()
    for place in range(len(packed)):
        damaged = bytearray(packed)
        damaged[place] ^= 1
        with pytest.raises(StoreError, match="damaged: add them up again from its matches"):
            LeagueSums().add(bytes(damaged))
    for shorter in (b"", packed[:-1], packed[8:]):
        with pytest.raises(StoreError, match="damaged"):
            LeagueSums().add(shorter)


def test_sums_of_another_version_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.league.results.league_sums.VERSION", 3)
    matches = some_matches()
    sets = {(match.table, match.deal): SetNumbers(1, 1) for match in matches}
    newer = LeagueSums.of_matches(matches, sets=sets).to_bytes()
    monkeypatch.undo()
    with pytest.raises(StoreError, match="are of version 3, and this arena reads up to 2: install the version"):
        LeagueSums().add(newer)
    assert pack_columns({}, []) not in newer


def test_teams_are_rated_as_in_tournaments() -> None:
    random = Random(3)
    matches, tally = [], Tally()
    team_of = (0, 1, 0, 1)
    for deal in range(40):
        one, other = random.sample((1, 2, 30), 2)
        for rotation in range(2):
            seated = (one, other) if rotation else (other, one)
            score = round(random.gauss(seated[0] - seated[1], 30))
            rank = 1 if score > 0 else 2
            ranks = [rank, 3 - rank, rank, 3 - rank]
            if deal == 7:
                ranks[2] = 4  # forfeited: the team is last with it
            match = ResultRow(
                deal, (*seated, *seated), (score, -score, score, -score), (*ranks[:3], ranks[3]), one + other
            )
            matches.append(match)
            tally.add(team_result(match, list(map(str, range(31))), team_of))
    fit = LeagueFit()
    fit.add(LeagueSums.of_matches(matches, team_of=team_of).to_bytes())
    ratings = fit.fit([2]).by_entry()
    for expected in fit_ranking(tally, anchor=Anchor("2", 0)).rows:
        rating = ratings[int(expected.bot)]
        assert rating.elo == pytest.approx(expected.elo, abs=0.01)
        assert rating.ci95 == pytest.approx(expected.ci95, rel=0.01)
        assert (rating.deals, rating.totals.matches) == (expected.deals, expected.matches)
        assert rating.totals.score / rating.totals.seats == pytest.approx(expected.score)


def test_partners_of_different_entries_are_refused() -> None:
    match = ResultRow(0, (1, 2, 3, 2), (1, 0, 1, 0), (1, 3, 1, 3))
    with pytest.raises(RatingError, match="entries 1 and 3 are partners, but in a league one entry plays all seats"):
        LeagueSums.of_matches([match], team_of=(0, 1, 0, 1))


def test_what_is_no_match_is_refused() -> None:
    with pytest.raises(ValueError, match="one rank and one score each"):
        LeagueSums.of_matches([ResultRow(0, (1, 2), (1, 0), (1,))])
