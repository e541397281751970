"""The audit of a league: whom it names, and that it names nobody else."""

from collections.abc import Callable

import numpy as np
import pytest

from arena.league.results.audit import MIN_EXCESS, SIGNIFICANCE, find_suspicions
from arena.league.results.deal_kinds import DealKinds
from arena.league.results.flags import Suspicion, flags_by_entry, forfeit_flags, sentence
from arena.league.results.league_sums import LeagueSums
from arena.ratings.keyed_sums import Floats, Ints

STRENGTHS = np.concatenate(([0.0], np.linspace(-1, 1, 16)))
ENTRIES = np.arange(1, 17)
ANCHORS = (1, 2, 3)
DEALS = 25

Change = Callable[[np.random.Generator, list[int], Floats], None]
"""Changes in place by how much each entry (last axis) of a table does well in each match of each deal."""


def play(seed: int, seats: int, tables: int, *changes: Change) -> DealKinds:
    """Return the sums of tables drawn at random, every deal in every rotation, with luck that comes with the deal."""
    random, kinds = np.random.default_rng(seed), DealKinds(seats)
    for _ in range(tables):
        seated: Ints = np.sort(random.choice(ENTRIES, seats, replace=False)).astype(np.int64)
        luck = random.gumbel(size=(DEALS, 1, seats)) + 2 * random.gumbel(size=(DEALS, seats, seats))
        form = np.round(4 * (STRENGTHS[seated] + luck / 2))  # there are ties
        for change in changes:
            change(random, seated.tolist(), form)
        firsts, seconds = kinds.pairs
        points = (1 + np.sign(form[..., firsts] - form[..., seconds])).sum(axis=1).astype(np.int64)
        own: Ints = np.zeros((DEALS, seats), np.int64)
        for pair, (first, second) in enumerate(zip(firsts.tolist(), seconds.tolist(), strict=True)):
            own[:, first] += points[:, pair]
            own[:, second] += 2 * seats - points[:, pair]
        one, other = kinds.squares
        key = np.concatenate((seated, np.full(len(firsts), seats)))
        sums = np.concatenate(([DEALS], points.sum(axis=0), (own[:, one] * own[:, other]).sum(axis=0)))
        kinds.add(key[None], sums[None])
    return kinds


def audited(kinds: DealKinds, anchors: tuple[int, ...] = ANCHORS) -> tuple[Suspicion, ...]:
    sums = LeagueSums()
    sums.loose[kinds.size] = kinds
    return find_suspicions(sums, anchors)


def dumping(giver: int, taker: int, share: float) -> Change:
    """Have one entry let another pass it in a share of their matches."""

    def change(random: np.random.Generator, seated: list[int], form: Floats) -> None:
        if {giver, taker} <= set(seated):
            one, other = form[..., seated.index(giver)], form[..., seated.index(taker)]
            passes = (one > other) & (random.random(one.shape) < share)
            one[passes], other[passes] = other[passes], one[passes]

    return change


def helping(pair: tuple[int, int], share: float) -> Change:
    """Have two entries beat everybody else in a share of the matches in which both sit."""

    def change(random: np.random.Generator, seated: list[int], form: Floats) -> None:
        if set(pair) <= set(seated):
            helped = random.random(form.shape[:2]) < share
            for entry in pair:
                form[..., seated.index(entry)] += 1000 * helped

    return change


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_honest_entries_are_never_named(seats: int) -> None:
    for seed in range(5):
        assert audited(play(seed, seats, 400)) == ()


@pytest.mark.parametrize("seats", [2, 4])
def test_who_gives_points_to_another_is_named_with_it_alone(seats: int) -> None:
    kinds = play(3, seats, 2500 // seats, dumping(9, 10, 0.9))
    [found] = audited(kinds)
    assert (found.kind, found.one, found.other) == ("flow", 9, 10)
    sat = (kinds.entries == 9).any(axis=1) & (kinds.entries == 10).any(axis=1)
    assert found.deals == kinds.deals[sat].sum()
    assert found.excess >= MIN_EXCESS
    assert found.p_value < SIGNIFICANCE


def test_who_helps_another_against_the_others_is_named_with_it_alone() -> None:
    [found] = audited(play(4, 4, 600, helping((7, 12), 0.6)))
    assert (found.kind, found.one, found.other) == ("together", 7, 12)


def test_two_pairs_are_found_one_after_the_other() -> None:
    found = audited(play(4, 4, 600, helping((7, 12), 0.6), helping((5, 9), 0.6)))
    assert {(each.kind, each.one, each.other) for each in found} == {("together", 7, 12), ("together", 5, 9)}


def test_sample_bots_are_nobodys_accomplices() -> None:
    kinds = play(3, 2, 1000, dumping(2, 10, 0.9))
    assert audited(kinds) == ()
    assert audited(kinds, ()) != ()


def test_few_deals_and_small_effects_name_nobody() -> None:
    assert audited(play(3, 4, 20, dumping(9, 10, 1.0))) == ()
    assert audited(play(3, 4, 1000, dumping(9, 10, 0.1))) == ()
    assert find_suspicions(LeagueSums(), ()) == ()
    assert audited(DealKinds(4)) == ()


def test_only_many_forfeits_are_named() -> None:
    assert forfeit_flags(9, 100) == forfeit_flags(10, 1001) == forfeit_flags(0, 0) == []
    [flag] = forfeit_flags(10, 1000)
    assert sentence(flag, {}) == "forfeited 10 of its matches (1.0 %)"


def test_both_of_a_pair_are_named() -> None:
    flags = flags_by_entry([Suspicion("flow", 4, 5, 1200, 0.123, 1e-5), Suspicion("together", 5, 6, 800, 0.11, 1e-4)])
    names = {4: "a/owl@1", 5: "b/fox@2", 6: "c/hen@1"}
    said = {entry: [sentence(flag, names) for flag in each] for entry, each in flags.items()}
    more = "12 points of 100 more than the ratings predict, in 1,200 deals"
    together = "took 11 points of 100 more from the others at their tables than the ratings predict, in 800 deals"
    assert said == {
        4: [f"lost to b/fox@2 {more}"],
        5: [f"took from a/owl@1 {more}", f"and c/hen@1 {together}"],
        6: [f"and b/fox@2 {together}"],
    }
