from arena.checking.check import Terms
from arena.checking.examination import Examination
from arena.checking.rival import Duel
from arena.tournament.field import enter, samples
from referee.engine.registry import game


def test_what_surely_beats_is_a_matter_of_likelihood() -> None:
    assert Duel(0.951, "").won
    assert not Duel(0.95, "").won
    assert not Duel(float("nan"), "").won


def test_a_bot_with_sense_beats_random_and_random_does_not() -> None:
    examine = Examination(Terms((game("coch"),), matches=2), print, "random", rounds=30)
    sense, chance = enter(["tactician", "random"], samples("coch"))
    good, bad = examine(sense), examine(chance)
    assert good.passed
    assert good.steps[-1].title == "beats random at coch"
    assert bad.why.startswith("beats random at coch: in ")
    assert bad.why.endswith("%")
