from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from arena.plan.schedule import Plan
from arena.ratings import Result, Tally
from arena.ratings.sprt import DealScores, Sprt
from arena.results.early_stopping import (
    ACCEPTED,
    REJECTED,
    SEPARATED,
    StopMonitor,
)
from arena.values.errors import RatingError
from arena.values.rows import VerdictRow
from arena.values.stop_rule import LOOK, StopRule, parse_sprt
from arena.values.tournament_errors import PlanError

PLAN = Plan(bots=2, seats=2, rounds=95, block=20, secret=bytes(32))
"""Blocks of 40 matches, the last of 30."""


class Played:
    """Results of a tournament in which the first bot wins with some chance; what was read is noted."""

    def __init__(self, chance: float, plan: Plan = PLAN) -> None:
        random = Random(1)
        self.ranks = [(1, 2) if random.random() < chance else (2, 1) for _ in range(plan.matches)]
        self.read: list[range] = []

    def all(self) -> Iterable[Result]:
        return self(range(len(self.ranks)))

    def __call__(self, numbers: range) -> Iterable[Result]:
        self.read.append(numbers)
        return [Result(number // 2, ("a", "b"), self.ranks[number], (0, 0)) for number in numbers]


def stopping(played: Played, rule: StopRule) -> StopMonitor:
    return StopMonitor(rule, ["a", "b"], PLAN, played)


def test_blocks_are_looked_at_whole_and_in_order() -> None:
    played = Played(0.5)
    decider = stopping(played, StopRule("sprt", 0, 10))
    assert not decider.add(range(40, 80)), "the second block waits for the first"
    assert decider.evaluate() is None
    assert played.read == []
    assert not decider.add(range(39))
    assert decider.add([39])
    assert decider.evaluate() is None
    assert played.read == [range(40), range(40, 80)]
    assert decider.status.startswith("LLR ")
    assert decider.status.endswith(" (-2.94 to 2.94)")


@pytest.mark.parametrize(("chance", "code", "word"), [(0.9, ACCEPTED, "H1"), (0.1, REJECTED, "H0")])
def test_a_test_ends_with_the_block_that_settles_it(chance: float, code: int, word: str) -> None:
    decider = stopping(Played(chance), StopRule("sprt", 0, 100))
    decider.add(range(PLAN.matches))
    verdict = decider.evaluate()
    assert verdict is not None
    assert (verdict.rounds, verdict.matches, verdict.code) == (20, 40, code)
    bound = {"H1": "above +0", "H0": "below +100"}[word]
    assert verdict.sentence.startswith(f"{word} accepted, a is {bound} Elo against b: LLR ")
    assert not decider.add([]), "a verdict stands"
    assert decider.evaluate() is verdict


def test_the_verdict_does_not_depend_on_the_order_of_the_matches() -> None:
    verdicts = set[VerdictRow | None]()
    for seed in range(5):
        decider = stopping(Played(0.62), StopRule("sprt", 0, 60))
        numbers = list(range(PLAN.matches))
        Random(seed).shuffle(numbers)
        for number in numbers:
            if decider.add([number]):
                decider.evaluate()
        verdicts.add(decider.verdict)
    assert len(verdicts) == 1


@pytest.mark.parametrize("chance", [0.5, 0.56, 0.62, 0.9])
@pytest.mark.parametrize(
    "rule", [StopRule("sprt", 0, 60), StopRule("separated"), StopRule("separated", control="pairwise")]
)
def test_many_blocks_are_taken_from_sums(rule: StopRule, chance: float) -> None:
    plan = replace(PLAN, rounds=400)
    played = Played(chance, plan)
    slow = StopMonitor(rule, ["a", "b"], plan, played)
    fast = StopMonitor(rule, ["a", "b"], plan, played, lambda: Tally(played(range(plan.matches))))
    for numbers in (range(20), range(20, 610), range(610, 650), range(650, 800)):
        for decider in (slow, fast):
            decider.add(numbers)
            played.read.clear()
            decider.evaluate()
            if decider is fast:
                assert len(played.read) <= 4
        assert (slow.verdict, slow.status, slow.estimate) == (fast.verdict, fast.status, fast.estimate)
    assert fast.verdict is not None or chance < 0.6


def test_a_block_that_is_not_complete_is_not_taken_from_sums() -> None:
    played = Played(0.9)
    decider = StopMonitor(
        StopRule("sprt", 0, 5), ["a", "b"], replace(PLAN, block=5), played, lambda: Tally(played.all())
    )
    decider.add(range(75))
    assert decider.evaluate() is None
    seven = StopMonitor(StopRule("sprt", 0, 5), ["a", "b"], replace(PLAN, block=5), played)
    seven.add(range(70))
    seven.evaluate()
    assert decider.status == seven.status


def test_a_ranking_ends_once_neighbours_are_told_apart() -> None:
    decider = stopping(Played(0.9), StopRule("separated"))
    decider.add(range(PLAN.matches))
    verdict = decider.evaluate()
    assert verdict is not None
    assert (verdict.rounds, verdict.code, decider.status) == (20, SEPARATED, "1 of 1 neighbours told apart")
    even = stopping(Played(0.5), StopRule("separated"))
    even.add(range(PLAN.matches))
    assert even.evaluate() is None
    assert even.status == "0 of 1 neighbours told apart"


def test_the_separation_of_all_pairs_and_tests_needs_more_than_that_of_one() -> None:
    """Between 1.96 and 3.2 standard errors: enough for one pair at one test, too little for a rule that may go on."""
    verdicts = []
    for control in ("pairwise", "familywise"):
        decider = stopping(Played(0.68), StopRule("separated", control=control))
        decider.add(range(40))
        verdicts.append(decider.evaluate())
    assert verdicts[0] is not None
    assert verdicts[0].sentence.startswith("every two neighbours of the ranking are told apart (")
    assert verdicts[1] is None
    decider = stopping(Played(0.9), StopRule("separated"))
    decider.add(range(40))
    verdict = decider.evaluate()
    assert verdict is not None
    assert "with 95 % confidence over all pairs and tests" in verdict.sentence


def test_a_decided_test_estimates_the_difference() -> None:
    """A loss by 240 Elo is one, whatever hypothesis is accepted."""
    decider = stopping(Played(0.2), StopRule("sprt", 0, 100))
    assert decider.estimate is None
    decider.add(range(PLAN.matches))
    verdict = decider.evaluate()
    assert verdict is not None
    assert verdict.sentence.startswith("H0 accepted, a is below +100 Elo against b")
    estimate = decider.estimate
    assert estimate is not None
    assert -700 < estimate.low < estimate.elo < estimate.high < -50


def test_a_test_as_users_write_it() -> None:
    assert parse_sprt("elo0=-3, elo1=3.5") == StopRule("sprt", -3, 3.5, look=LOOK)
    assert parse_sprt("elo0=0,elo1=10,alpha=0.01,beta=0.1") == StopRule("sprt", 0, 10, 0.01, 0.1, look=LOOK)
    rule = parse_sprt("elo0=0,elo1=10,model=normalized,look=20")
    assert rule == StopRule("sprt", 0, 10, model="normalized", look=20)
    assert StopRule.from_json(rule.to_json()) == rule
    stored = StopRule("sprt", 0, 10)
    assert list(stored.to_json()) == ["kind", "elo0", "elo1", "alpha", "beta"], "definitions of tests keep their hash"
    assert StopRule.from_json(stored.to_json()) == stored
    for separated in (StopRule("separated"), StopRule("separated", control="pairwise")):
        assert StopRule.from_json(separated.to_json()) == separated


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("elo0=0", "a test needs elo1"),
        ("", '"" is not a parameter of a test'),
        ("elo0=0,elo1=1,gamma=3", '"gamma=3" is not a parameter of a test'),
        ("elo0=0,elo0=1,elo1=3", '"elo0=1" is not a parameter of a test'),
        ("elo0=zero,elo1=3", 'elo0 is a number, not "zero"'),
        ("elo0=0,elo1=3,model=bayesian", 'model is one of logistic, normalized, not "bayesian"'),
        ("elo0=0,elo1=3,look=-1", 'look is a whole number, 0 or more, not "-1"'),
        ("elo0=0,elo1=3,look=few", 'look is a whole number, 0 or more, not "few"'),
        ("kind=separated,elo0=0,elo1=3", '"kind=separated" is not a parameter of a test'),
    ],
)
def test_a_test_that_cannot_be_read(text: str, sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        parse_sprt(text)


def test_a_test_that_can_never_end() -> None:
    with pytest.raises(RatingError, match="elo1 must be greater"):
        parse_sprt("elo0=5,elo1=5")


def test_the_looks_of_a_test() -> None:
    rule = parse_sprt("elo0=0,elo1=5")
    assert rule.looks(30, 250) == [8, 16, 24, 30]
    looks = rule.looks(100_000, 250)
    assert looks[:51] == list(range(8, 416, 8))
    assert all(later <= max(one + LOOK, one * 1.02) for one, later in pairwise(looks))
    assert len(looks) < 350
    assert StopRule("sprt", 0, 5).looks(600, 250) == [250, 500, 600], "a test that was stored before looks after blocks"


@pytest.mark.parametrize("chance", [0.85, 0.7, 0.5])
def test_a_test_looks_before_a_block_is_over(chance: float) -> None:
    """The verdict is that of the first look at which the ratio is beyond a bound, whatever came in which order."""
    plan, rule = replace(PLAN, rounds=200, block=250), parse_sprt("elo0=0,elo1=100")
    played = Played(chance, plan)
    scores = [(played.ranks[2 * deal][1] + played.ranks[2 * deal + 1][1] - 2) / 2 for deal in range(plan.rounds)]
    sprt = Sprt(0, 100)
    first = next(
        look for look in rule.looks(200, 250) if sprt.verdict(DealScores.of(Counter(scores[:look]))) or look == 200
    )
    numbers = list(range(plan.matches))
    Random(4).shuffle(numbers)
    for sums in (None, lambda: Tally(played.all())):
        monitor = StopMonitor(rule, ["a", "b"], plan, played, sums)
        for at in range(0, plan.matches, 7):
            if monitor.add(numbers[at : at + 7]):
                monitor.evaluate()
        assert (monitor.verdict.rounds if monitor.verdict else plan.rounds) == first
    assert first < 60 or chance == 0.5


def test_a_test_in_normalised_elo() -> None:
    rule = parse_sprt("elo0=0,elo1=100,model=normalized")
    monitor = StopMonitor(rule, ["a", "b"], PLAN, Played(0.9))
    monitor.add(range(PLAN.matches))
    verdict = monitor.evaluate()
    assert verdict is not None
    assert verdict.sentence.startswith("H1 accepted, a is above +0 nElo against b: LLR ")
