"""Swiss, knockout and ladder, between bots of which the stronger always wins."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations, count
from typing import Any

import pytest

from arena.language.table_words import STAGES
from arena.plan.formats import Format, format_of
from arena.plan.multi_stage import Placing
from arena.plan.schedule import MatchPlan, Plan
from arena.plan.tie_break import draw_lots
from arena.ratings import Result
from arena.values.definition import Definition, Entrant

SECRET = bytes(range(32))


class Event:
    """An event that is played in no time.

    strength: of each bot, the higher wins, equal ones tie.
    """

    def __init__(self, strength: list[int], **kind: Any) -> None:
        names = tuple(Entrant(f"bot{number}", ("true",), "/", (), "") for number in range(len(strength)))
        self.strength = strength
        values: dict[str, Any] = {"game": "cambio", "options": {}, "behaviour": 1, "rounds": 3, "field": names}
        self.definition = Definition(**values | kind)
        self.results: dict[int, Result] = {}
        self.plans: list[Plan] = []

    def course(self) -> Format:
        return format_of(self.definition, SECRET)

    def read(self, numbers: range) -> Iterable[Result]:
        return [self.results[number] for number in numbers if number in self.results]

    def play(self, stages: int = 99) -> Placing | None:
        course = self.course()
        for stage in range(stages):
            plan = course.plan(stage, self.read)
            if plan is None:
                break
            self.plans.append(plan)
            for match in self.matches(plan):
                self.results[match.number] = self.result(match)
        return self.course().placing(self.read)

    def matches(self, plan: Plan) -> list[MatchPlan]:
        return [match for phase in plan.iter_phases() for match in phase.matches]

    def result(self, match: MatchPlan) -> Result:
        seated = [player.entrant for player in match.players]
        ranks = tuple(1 + sum(self.strength[other] > self.strength[bot] for other in seated) for bot in seated)
        return Result(match.deal.number, tuple(f"bot{bot}" for bot in seated), ranks, ranks)

    def tables(self) -> list[list[list[int]]]:
        return [[sorted(table) for table in plan.fixed_tables] for plan in self.plans]


def names(*bots: int) -> list[str]:
    return [f"bot{bot}" for bot in bots]


@pytest.mark.parametrize(
    ("bots", "kind"),
    [
        (7, {"schedule": "swiss", "seats": 2, "stages": 5}),
        (10, {"schedule": "swiss", "seats": 3, "stages": 4}),
        (11, {"schedule": "knockout", "seats": 2}),
        (13, {"schedule": "knockout", "seats": 4}),
        (9, {"schedule": "ladder", "seats": 2, "challengers": 3}),
        (6, {"schedule": "ladder", "seats": 4, "challengers": 2}),
    ],
)
def test_numbers_count_on_and_no_process_meets_a_deal_twice(bots: int, kind: dict[str, Any]) -> None:
    event = Event(list(range(bots)), **kind)
    event.play()
    played = [match for plan in event.plans for match in event.matches(plan)]
    assert sorted(match.number for match in played) == list(range(len(played)))
    assert len(played) <= event.course().matches
    if kind["schedule"] != "ladder":
        assert len(played) == event.course().matches
    phases = [phase for plan in event.plans for phase in plan.iter_phases()]
    assert [phase.id for phase in phases] == list(range(len(phases)))
    for phase in phases:
        met = Counter((player, match.deal.number) for match in phase.matches for player in match.players)
        assert set(met.values()) == {1}
    for before, after in zip(event.plans, event.plans[1:], strict=False):
        assert {deal.number for deal in before.iter_deals()}.isdisjoint(deal.number for deal in after.iter_deals())


def test_a_stage_is_planned_from_results_alone() -> None:
    event = Event([3, 9, 4, 1, 7, 7, 2, 5], schedule="swiss", seats=2, stages=5)
    assert event.play(stages=3) is None, "it is not over"
    again = event.course()
    assert [again.plan(stage, event.read) for stage in range(3)] == event.plans
    late = event.course().plan(3, event.read)
    assert late is not None
    assert late.offset.match == sum(plan.matches for plan in event.plans)


def test_all_tables_of_a_stage_play_the_same_deals() -> None:
    event = Event([1, 2, 3, 4], schedule="swiss", seats=2, stages=1)
    event.play()
    deals = Counter(deal.number for deal in event.plans[0].iter_deals())
    assert deals == {0: 2, 1: 2, 2: 2}


@pytest.mark.parametrize(
    ("bots", "seats", "stages"), [(8, 2, 7), (7, 2, 7), (16, 2, 6), (9, 3, 4), (12, 4, 3), (10, 3, 4)]
)
def test_swiss_pairs_repeat_only_where_they_must_and_byes_are_fair(bots: int, seats: int, stages: int) -> None:
    event = Event([bot * 7 % bots for bot in range(bots)], schedule="swiss", seats=seats, stages=stages)
    event.play()
    met = Counter(pair for stage in event.tables() for table in stage for pair in combinations(table, 2))
    byes = Counter(bot for stage in event.tables() for bot in set(range(bots)) - set(chain.from_iterable(stage)))
    assert max(met.values()) <= (1 if seats == 2 else 2)
    assert max((byes[bot] for bot in range(bots)), default=0) - min(byes[bot] for bot in range(bots)) <= 1


def test_swiss_brings_those_together_who_do_equally_well() -> None:
    event = Event(list(range(16)), schedule="swiss", seats=2, stages=4)
    placing = event.play()
    assert placing is not None
    assert placing[0] == names(15), "four rounds single out the best of sixteen"
    assert "bot0" in placing[-1]
    last = event.tables()[3]
    assert [15] not in last
    assert any(15 in table and min(table) >= 8 for table in last)


def test_knockout_of_two_each() -> None:
    event = Event([9, 8, 7, 6, 5, 4], schedule="knockout", seats=2)
    assert event.play() == [names(0), names(1), names(2, 3), names(4, 5)]
    assert event.tables() == [[[2, 5], [3, 4]], [[0, 3], [1, 2]], [[0, 1]]], "two byes leave four; the best meet last"


def test_the_seed_decides_between_equals_in_a_knockout() -> None:
    assert Event([5, 5, 5, 5], schedule="knockout", seats=2).play() == [names(0), names(1), names(2, 3)]


def test_rules_for_ties_decide_in_a_knockout() -> None:
    class Scored(Event):
        """Ranks tie; bot3 has the highest scores, bot2 the next."""

        def result(self, match: MatchPlan) -> Result:
            return super().result(match)._replace(scores=tuple(player.entrant for player in match.players))

    assert Scored([5] * 4, schedule="knockout", seats=2).play() == [names(3), names(2), names(0, 1)], "as usual"
    by_seed = Scored([5] * 4, schedule="knockout", seats=2, tie_break=("seed",))
    assert by_seed.play() == [names(0), names(1), names(2, 3)]
    by_lot = Scored([5] * 4, schedule="knockout", seats=2, tie_break=("wins", "lot"))
    drawn = draw_lots(4, SECRET)
    placing = by_lot.play()
    assert placing is not None
    assert placing[0] == names(drawn.index(0))
    assert by_lot.play() == placing


def test_rules_for_ties_place_the_bots_of_a_swiss() -> None:
    kind: dict[str, Any] = {"schedule": "swiss", "seats": 2, "stages": 3}
    shared = Event([9, 8, 8, 7, 7, 1], **kind).play()
    told = Event([9, 8, 8, 7, 7, 1], **kind, tie_break=("direct", "seed")).play()
    assert shared is not None
    assert any(len(place) > 1 for place in shared)
    assert told is not None
    assert all(len(place) == 1 for place in told)
    assert [name for (name,) in told] == [name for place in shared for name in sorted(place)]


def test_with_rules_for_ties_a_round_robin_has_places_too() -> None:
    event = Event([3, 5, 5, 1], seats=2, tie_break=("seed",))
    assert event.play(stages=0) is None, "it is not over"
    assert event.play() == [names(1), names(2), names(0), names(3)]
    assert Event([3, 5, 5, 1], seats=2, tie_break=("direct",)).play() == [names(1, 2), names(0), names(3)]
    assert Event([3, 5, 5, 1], seats=2).play() is None


def test_knockout_of_four_each() -> None:
    event = Event(list(range(9)), schedule="knockout", seats=4)
    placing = event.play()
    assert placing is not None
    assert [len(stage) for stage in event.tables()] == [2, 1, 1], "9, 5, and the last four"
    assert placing[0] == names(8)
    assert sorted(chain.from_iterable(placing)) == sorted(names(*range(9)))


def test_a_ladder_finds_the_places_of_new_bots() -> None:
    # bot0 and bot1 are new; the others stand in the order of their numbers.
    event = Event([55, 75, 90, 80, 70, 60, 50, 40], schedule="ladder", seats=2, challengers=2)
    assert event.play() == [[name] for name in names(2, 3, 1, 4, 5, 0, 6, 7)]
    assert len(event.plans) <= 6, "halving a list of six, then of seven"


def test_a_ladder_at_larger_tables_has_the_neighbours_sit_there_too() -> None:
    event = Event([45, 90, 80, 70, 60, 50, 40], schedule="ladder", seats=4, challengers=1)
    placing = event.play()
    assert placing == [[name] for name in names(1, 2, 3, 4, 5, 0, 6)]
    assert all(0 in table and len(set(table)) == 4 for stage in event.tables() for table in stage)


def test_a_tie_goes_below() -> None:
    assert Event([5, 5], schedule="ladder", seats=2, challengers=1).play() == [names(1), names(0)]


def test_what_is_planned_in_one_go_has_one_stage_and_no_placing() -> None:
    event = Event([1, 2, 3], schedule="round-robin", seats=2)
    assert event.play() is None
    assert len(event.plans) == 1
    assert event.course().matches == event.plans[0].matches


def test_every_stage_is_reached_by_counting() -> None:
    event = Event(list(range(5)), schedule="knockout", seats=2)
    event.play()
    course = event.course()
    stages = next(stage for stage in count() if course.plan(stage, event.read) is None)
    assert stages == len(event.plans) == 3


@pytest.mark.parametrize(
    ("bots", "kind", "stages"),
    [
        (5, {"schedule": "swiss", "seats": 2, "stages": 2}, ["Swiss round 1 of 2", "Swiss round 2 of 2"]),
        (2, {"schedule": "knockout", "seats": 2}, ["final"]),
        (3, {"schedule": "knockout", "seats": 2}, ["semi-final", "final"]),
        (9, {"schedule": "knockout", "seats": 2}, ["knockout round 1", "quarter-final", "semi-final", "final"]),
        (16, {"schedule": "knockout", "seats": 2}, ["knockout round 1", "quarter-final", "semi-final", "final"]),
        (8, {"schedule": "knockout", "seats": 4}, ["semi-final", "final"]),
        (4, {"schedule": "ladder", "seats": 2, "challengers": 1}, ["ladder round 1", "ladder round 2"]),
        (4, {"schedule": "round-robin", "seats": 2}, [None]),
    ],
)
def test_stages_have_names(bots: int, kind: dict[str, Any], stages: list[str | None]) -> None:
    event = Event(list(range(bots)), **kind)
    event.play()
    course = event.course()
    names = [course.stage_name(stage, event.read) for stage in range(len(event.plans))]
    assert names == stages
    assert {name.id for name in names if name} <= set(STAGES), "they are translated"


@pytest.mark.parametrize(("stages", "out"), [(1, 1), (2, 3), (3, 4)])
def test_a_knockout_tells_where_bots_were_out(stages: int, out: int) -> None:
    event = Event([5, 4, 3, 2, 1], schedule="knockout", seats=2)
    event.play(stages)
    course = event.course()
    course.placing(event.read)
    names = {"bot4": "quarter-final", "bot3": "semi-final", "bot2": "semi-final", "bot1": "final"}
    assert course.exits == dict(list(names.items())[:out])
