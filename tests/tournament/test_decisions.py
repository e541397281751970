"""Withdrawals, late entries and void matches: what they do to the schedule, whatever kind it is of."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace

from arena.plan.decisions import Decisions
from arena.plan.formats import Format, format_of
from arena.plan.multi_stage import Placing
from arena.plan.open_sets import sets_of_bot, void_matches
from arena.plan.packed_numbers import unpack_numbers
from arena.plan.schedule import MatchPlan, Plan
from arena.ratings import Result
from arena.values.definition import Definition, Entrant
from arena.values.rows import DecisionRow
from arena.values.tournament_errors import PlanError

SECRET = bytes(range(32))


def entrant(number: int) -> Entrant:
    return Entrant(f"bot{number}", ("true",), "/", (), "")


class Event:
    """An event that is played in no time, the bot with the higher number always better; its log is written here."""

    def __init__(self, bots: int, **kind: Any) -> None:
        field = tuple(entrant(number) for number in range(bots))
        values: dict[str, Any] = {"game": "cambio", "options": {}, "behaviour": 1, "rounds": 2, "field": field}
        self.definition = Definition(**values | kind)
        self.log: list[DecisionRow] = []
        self.matches: dict[int, MatchPlan] = {}

    def act(self, kind: str, **details: Any) -> None:
        self.log.append(DecisionRow(len(self.log) + 1, "", "me", kind, details, "", ""))

    def withdraw(self, place: int, remaining: str = "drop", results: str = "keep") -> None:
        """Withdraw a bot, and void what was played of its open sets."""
        if remaining == "forfeit":
            self.act("withdraw", place=place, remaining=remaining, results=results)
            return
        sets = sets_of_bot(place, self.course(), self.decisions(), self.read)
        void = void_matches(sets, self.decisions().unreplayed | self.matches.keys())
        self.act("withdraw", place=place, remaining=remaining, results=results, void=void)
        entry = len(self.log)
        for number in sorted(self.matches.keys() & set(chain.from_iterable(unpack_numbers(void)))):
            del self.matches[number]
            self.act("void", match=number, replay=False, withdrawal=entry)

    def enter(self) -> None:
        place = len(self.decisions().field)
        self.act("enter", place=place, bot=entrant(place).to_json())

    def decisions(self) -> Decisions:
        return Decisions.of(self.definition, self.log)

    def course(self) -> Format:
        decisions = self.decisions()
        return format_of(decisions.apply(self.definition), SECRET, decisions)

    def read(self, numbers: range) -> Iterable[Result]:
        return [self.result(self.matches[number]) for number in numbers if number in self.matches]

    def result(self, match: MatchPlan) -> Result:
        seated = [player.entrant for player in match.players]
        ranks = tuple(1 + sum(other > bot for other in seated) for bot in seated)
        return Result(match.deal.number, tuple(f"bot{bot}" for bot in seated), ranks, ranks)

    def begin(self, leg: int) -> None:
        if leg >= self.decisions().next_leg:
            self.act("leg", leg=leg)

    def play(self, stage: int) -> Plan | None:
        """Play all of a stage that is to be played, leg by leg; None where there is no such stage."""
        plan = self.course().plan(stage, self.read)
        if plan is None:
            return None
        skipped = self.decisions().skipped(plan)
        for match in plan.iter_matches():
            self.begin(self.course().leg_of(stage, match.deal.round))
            if match.number not in skipped:
                self.matches.setdefault(match.number, match)
        return plan

    def placing(self) -> Placing | None:
        return self.course().placing(self.read)

    def check(self) -> None:
        """Check that what was played is what the schedule says now, and that no number lies beyond it."""
        course, planned = self.course(), {}
        for stage in range(99):
            plan = course.plan(stage, self.read)
            if plan is None:
                break
            for match in plan.iter_matches():
                assert match.number not in planned
                planned[match.number] = match
            results = self.read(range(max(self.matches) + 1))
            if course.is_multi_stage and not self.decisions().is_complete(plan, results):
                break
        assert all(planned[number] == match for number, match in self.matches.items())
        rounds = self.decisions().rounds or self.definition.rounds
        assert max(planned) < format_of(replace(self.definition, rounds=rounds), SECRET).matches


def seated(matches: Iterable[MatchPlan]) -> Counter[int]:
    return Counter(player.entrant for match in matches for player in match.players)


@pytest.mark.parametrize(
    "kind",
    [
        {"seats": 2, "block": 2, "rounds": 8},
        {"seats": 3, "block": 2, "rounds": 8},
        {"seats": 2, "block": 3, "rounds": 8, "schedule": "gauntlet", "challengers": 2},
        {"seats": 4, "block": 2, "rounds": 8, "teams": "mixed", "team_of": (0, 1, 0, 1)},
    ],
)
def test_a_bot_that_is_withdrawn_is_drawn_no_more_from_the_next_block_on(kind: dict[str, Any]) -> None:
    event = Event(7, **kind)
    block = event.definition.block
    first = event.course().plan(0, event.read)
    assert first is not None
    under_way = [match for match in first.iter_matches() if match.deal.round < block]
    event.begin(0)
    for match in under_way[: len(under_way) // 2]:
        event.matches[match.number] = match
    event.withdraw(3)
    for stage in range(2):
        plan = event.play(stage)
        assert plan is not None
        event.check()
    later = [match for match in event.matches.values() if match.deal.round >= block]
    assert seated(later).keys() == {0, 1, 2, 4, 5, 6}
    assert {match.deal.round for match in later} == set(range(block, 8))
    assert not any(3 in seated([match]) for match in under_way[len(under_way) // 2 :] if match.number in event.matches)
    assert event.play(2) is None
    met = Counter((match.rotation, match.deal.number, player) for match in later for player in match.players)
    assert kind.get("schedule") == "gauntlet" or set(met.values()) == {1}


def whole_sets(event: Event) -> None:
    """Check that every deal that was played was played in all rotations, and every bot held every seat as often."""
    held = Counter(
        (player.entrant, seat) for match in event.matches.values() for seat, player in enumerate(match.players)
    )
    for bot in range(len(event.decisions().field)):
        assert len({held[bot, seat] for seat in range(event.definition.seats)}) == 1
    no_deal_twice = Counter((m.rotation, m.deal.number, player) for m in event.matches.values() for player in m.players)
    assert set(no_deal_twice.values()) <= {1}


@pytest.mark.parametrize("bots", [6, 7])
@pytest.mark.parametrize(
    "kind",
    [
        {"seats": 2},
        {"seats": 3},
        {"seats": 6},
        {"seats": 8},
        {"seats": 4, "teams": "mixed", "team_of": (0, 1, 0, 1)},
        {"seats": 4, "team_of": (0, 1, 0, 1)},
        {"seats": 3, "same_author": "apart"},
    ],
)
def test_sets_that_a_withdrawn_bot_has_not_finished_are_void(bots: int, kind: dict[str, Any]) -> None:
    event = Event(bots, rounds=60, **{"block": 60} | kind)
    first = event.course().plan(0, event.read)
    assert first is not None
    event.begin(0)
    planned = {match.number: match for match in first.iter_matches()}
    for number, match in planned.items():  # a third of the rounds is complete, and a third has begun
        if match.deal.round < 20 or (match.deal.round < 40 and match.rotation < first.rotations // 2):
            event.matches[number] = match
    event.withdraw(3)
    event.play(0)
    event.check()
    whole_sets(event)
    counting = {n: match for n, match in planned.items() if match.deal.round < 20 or 3 not in seated([match])}
    assert event.matches == counting, "complete sets stay, open ones are void, and nothing else has changed"
    assert set(chain.from_iterable(event.decisions().void)) == planned.keys() - counting.keys()

    for number in [number for number, match in event.matches.items() if match.deal.round > 55 and match.rotation]:
        del event.matches[number]
    event.withdraw(4)  # and once more, when all is played but the last matches
    event.play(0)
    event.check()
    whole_sets(event)


def test_a_set_of_which_a_match_is_not_to_be_played_again_is_complete_without_it() -> None:
    event = Event(5, seats=3, rounds=4, block=4)
    first = event.course().plan(0, event.read)
    assert first is not None
    event.begin(0)
    of_bot, other = [match for match in first.iter_matches() if 3 in seated([match]) and match.rotation == 0][:2]
    event.matches = {match.number: match for match in first.iter_matches() if match.deal in (of_bot.deal, other.deal)}
    for number, replay in ((of_bot.number, False), (other.number, True)):
        del event.matches[number]
        event.act("void", match=number, replay=replay)
    event.withdraw(3)
    assert event.matches.keys() == {of_bot.number + 1, of_bot.number + 2}


@pytest.mark.parametrize("kind", [{"seats": 2}, {"seats": 3}, {"seats": 3, "schedule": "gauntlet", "challengers": 2}])
@pytest.mark.parametrize("block", [4, 9, 99])
def test_rounds_that_are_added_are_played_by_who_is_left_and_change_nothing_before(
    kind: dict[str, Any], block: int
) -> None:
    event = Event(7, rounds=9, block=block, **kind)
    first = event.course().plan(0, event.read)
    assert first is not None
    event.begin(0)
    event.matches = {m.number: m for m in first.iter_matches() if m.deal.round < min(block, 9) and m.rotation == 0}
    event.withdraw(4)
    for stage in range(2):
        event.play(stage)
    event.withdraw(3)  # when all is played
    before = dict(event.matches)
    event.act("extend", rounds=20, matches=len(before) * 20 // 9)
    for stage in range(3):
        event.play(stage)
    event.check()
    whole_sets(event)
    assert event.matches.items() >= before.items()
    further = [match for number, match in event.matches.items() if number not in before]
    assert {match.deal.round for match in further} <= set(range(9, 20))
    assert seated(further).keys() == {0, 1, 2, 5, 6}
    if block == 9:  # elsewhere they begin in a block in which a bot was withdrawn, and its sets are void there
        assert {match.deal.round for match in further} == set(range(9, 20))


@pytest.mark.parametrize("gone", [0, 4])
def test_in_a_gauntlet_all_challengers_keep_or_lose_the_sets_of_an_opponent_together(gone: int) -> None:
    event = Event(8, seats=3, rounds=30, block=30, schedule="gauntlet", challengers=2)
    first = event.course().plan(0, event.read)
    assert first is not None
    event.begin(0)
    planned = {match.number: match for match in first.iter_matches()}
    for number, match in planned.items():  # ten rounds, and then only the sets of the first challenger
        if match.deal.round < 10 or (match.deal.round < 20 and match.deal.table == 0):
            event.matches[number] = match
    event.withdraw(gone)
    event.play(0)
    event.check()
    whole_sets(event)
    complete = 20 if gone == 0 else 10  # the rounds of which the sets of the bot stay
    expected = {n: m for n, m in planned.items() if m.deal.round < complete or gone not in seated([m])}
    assert event.matches == expected


@pytest.mark.parametrize("schedule", ["swiss", "knockout"])
@pytest.mark.parametrize("seats", [2, 4])
def test_in_a_stage_the_rest_of_a_table_keeps_its_complete_sets(schedule: str, seats: int) -> None:
    stages = {"stages": 3} if schedule == "swiss" else {}
    event = Event(8, seats=seats, rounds=6, schedule=schedule, **stages)
    first = event.course().plan(0, event.read)
    assert first is not None
    event.begin(0)
    planned = {match.number: match for match in first.iter_matches()}
    event.matches = {n: match for n, match in planned.items() if match.deal.round < 2 or match.rotation == 0}
    event.withdraw(7)
    for stage in range(4):
        if event.play(stage) is None:
            break
        event.check()
    whole_sets(event)
    assert event.placing() is not None
    of_stage = {number: match for number, match in event.matches.items() if number < first.matches}
    assert of_stage == {n: match for n, match in planned.items() if match.deal.round < 2 or 7 not in seated([match])}


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("redraw", {"sets": [[0, 3]]}),
        ("withdraw", {"place": 1, "remaining": "drop", "results": "keep"}),
    ],
)
def test_a_log_in_which_others_played_what_a_withdrawn_bot_left_open_is_refused(
    kind: str, details: dict[str, Any]
) -> None:
    event = Event(4, seats=2)
    event.begin(0)
    event.act(kind, **details)
    with pytest.raises(
        PlanError, match=r"^entry 2 of the tournament's log is of an earlier arena, in which other bots"
    ):
        event.decisions()


def test_late_entrants_share_the_rounds_that_are_left() -> None:
    event = Event(6, seats=2, block=5, rounds=40)
    event.begin(0)
    event.enter()
    event.begin(1)
    event.enter()
    for stage in range(3):
        assert event.play(stage) is not None
        event.check()
    assert event.play(3) is None
    assert len(event.matches) == format_of(event.definition, SECRET).matches == 40 * 3 * 2
    by_leg = [
        seated(match for match in event.matches.values() if match.deal.round in rounds)
        for rounds in (range(5), range(5, 10), range(10, 40))
    ]
    assert [set(leg) for leg in by_leg] == [set(range(6)), set(range(7)), set(range(8))]
    assert max(by_leg[2].values()) - min(by_leg[2].values()) <= 2, "one deal, in both rotations"


@pytest.mark.parametrize("bots", [2, 3])
def test_where_nobody_is_left_to_be_compared_it_is_over(bots: int) -> None:
    event = Event(bots, seats=2, block=1, rounds=5)
    event.begin(0)
    for place in range(bots - 1):
        event.withdraw(place)
    assert event.play(0) is not None
    assert event.play(1) is None
    assert not event.matches


@pytest.mark.parametrize(("bots", "seats"), [(8, 2), (9, 2), (9, 3), (12, 4)])
def test_a_swiss_goes_on_with_who_is_there(bots: int, seats: int) -> None:
    event = Event(bots, seats=seats, schedule="swiss", stages=6)
    tables = bots // seats
    played = []
    for stage in range(6):
        if stage == 2:
            event.withdraw(bots - 1)
        if stage == 3:
            event.enter()
            event.enter()
        plan = event.play(stage)
        assert plan is not None
        event.check()
        played.append(set(chain.from_iterable(plan.fixed_tables)))
        assert len(plan.fixed_tables) <= tables
    assert bots - 1 in played[1]
    assert all(bots - 1 not in stage for stage in played[2:])
    assert bots in set.union(*played[3:])
    assert bots not in set.union(*played[:3])
    placing = event.placing()
    assert placing is not None
    assert len(list(chain.from_iterable(placing))) == bots + 2
    assert "bot7" in chain.from_iterable(placing)


def test_who_is_withdrawn_during_a_stage_plays_it_no_further() -> None:
    event = Event(4, seats=2, schedule="swiss", stages=3)
    plan = event.course().plan(0, event.read)
    assert plan is not None
    event.begin(0)
    event.withdraw(2, results="omit")
    assert event.placing() is None, "the others have not played yet"
    event.play(0)
    assert seated(event.matches.values()).keys() < {0, 1, 3}
    event.check()
    for stage in (1, 2):
        event.play(stage)
        event.check()
    placing = event.placing()
    assert placing is not None
    assert "bot2" not in chain.from_iterable(placing)


@pytest.mark.parametrize(("bots", "seats"), [(8, 2), (7, 2), (11, 3), (13, 4)])
@pytest.mark.parametrize("when", ["before", "during"])
def test_a_knockout_goes_on_without_who_is_withdrawn(bots: int, seats: int, when: str) -> None:
    event = Event(bots, seats=seats, schedule="knockout")
    best = bots - 1
    event.play(0)
    if when == "during":
        event.begin(1)
    event.withdraw(best)
    for stage in range(1, 9):
        if event.play(stage) is None:
            break
        event.check()
    placing = event.placing()
    assert placing is not None
    assert sorted(chain.from_iterable(placing)) == sorted(f"bot{number}" for number in range(bots))
    assert f"bot{best}" not in placing[0]


@pytest.mark.parametrize(("gone", "second"), [((0, 1), "final"), ((0, 3), "semi-final")])
def test_stages_of_a_knockout_are_named_by_who_is_left(gone: tuple[int, ...], second: str) -> None:
    event = Event(5, seats=2, schedule="knockout")
    event.play(0)  # bot 3 is out
    for bot in gone:
        event.withdraw(bot)
    event.play(1)
    assert [event.course().stage_name(stage, event.read) for stage in range(2)] == ["quarter-final", second]


def test_a_knockout_ends_where_nobody_is_left_to_meet() -> None:
    event = Event(4, seats=4, schedule="knockout")
    event.withdraw(0)
    assert event.play(0) is None
    assert event.placing() == [["bot1", "bot2", "bot3"], ["bot0"]]


@pytest.mark.parametrize("gone", range(9))
@pytest.mark.parametrize("seats", [2, 3])
def test_a_ladder_goes_on_without_who_is_withdrawn(gone: int, seats: int) -> None:
    event = Event(9, seats=seats, schedule="ladder", challengers=3)
    event.play(0)
    event.play(1)
    event.withdraw(gone)
    for stage in range(2, 20):
        if event.play(stage) is None:
            break
        event.check()
    placing = event.placing()
    assert placing is not None
    assert {name for (name,) in placing} == {f"bot{number}" for number in range(9) if number != gone}


def opponents(event: Event, bot: int) -> list[int]:
    """Return whom a bot met on a ladder of two, in this order; after all stages that are left."""
    for stage in range(20):
        if event.play(stage) is None:
            break
    seated = [[player.entrant for player in event.matches[number].players] for number in sorted(event.matches)]
    return [other for table in seated if bot in table for other in table if other != bot]


@pytest.mark.parametrize("gone", [1, 2])
def test_a_challenger_is_placed_on_where_another_one_leaves_that_waits(gone: int) -> None:
    events = [Event(9, seats=2, schedule="ladder", challengers=3) for _ in range(2)]
    for event in events:
        event.play(0)
    events[0].withdraw(gone)
    met = [[other for other in opponents(event, 0) if other > 2] for event in events]
    assert met[0] == met[1]


def test_the_next_challenger_begins_in_the_middle_of_the_whole_list() -> None:
    event = Event(9, seats=2, schedule="ladder", challengers=3)
    event.play(0)
    event.withdraw(0)
    assert opponents(event, 1)[0] == 6, "the fourth of 3 to 8"


def test_what_is_void_and_not_played_again_is_not_missing() -> None:
    event = Event(4, seats=2, schedule="swiss", stages=1)
    event.play(0)
    del event.matches[1]
    assert event.placing() is None
    event.act("void", match=1, replay=False)
    assert event.placing() is not None
    event.act("void", match=2, replay=True)
    del event.matches[2]
    assert event.placing() is None, "this one is to be played again"


def test_the_log_is_read() -> None:
    event = Event(3, seats=2)
    event.act("pause")
    assert event.decisions().pause is not None
    event.act("resume")
    assert event.decisions().pause is None
    event.withdraw(0, remaining="forfeit")
    event.withdraw(1, results="omit")
    event.enter()
    decisions = event.decisions()
    assert sorted(decisions.withdrawn) == [0, 1]
    assert (list(decisions.dropped), list(decisions.omitted)) == ([1], ["bot1"])
    assert decisions.participants(0) == (0, 2, 3)
    assert [bot.name for bot in decisions.field] == ["bot0", "bot1", "bot2", "bot3"]
    assert not decisions.affects_running_matches(4)
    assert decisions.affects_running_matches(3)


@pytest.mark.parametrize("kind", ["extend", "void"])
def test_what_changes_the_plan_affects_running_matches(kind: str) -> None:
    event = Event(3, seats=2)
    event.act(kind)
    assert event.decisions().affects_running_matches(0)


def test_complete_sets_of_a_gauntlet_stay_after_a_challenger_and_then_an_opponent_leave() -> None:
    event = Event(6, seats=2, schedule="gauntlet", challengers=2, rounds=8)
    plan = event.course().plan(0, event.read)
    assert plan is not None
    event.begin(0)
    matches = list(plan.iter_matches())
    first_opponent = next(player.entrant for player in matches[0].players if player.entrant > 1)
    whole = [match for match in matches if match.deal.round == 0 and all(each.entrant != 0 for each in match.players)]
    for match in whole:
        event.matches[match.number] = match
    event.withdraw(0)
    event.withdraw(first_opponent)
    assert all(event.matches.get(match.number) == match for match in whole)
    event.play(0)
    event.check()
