"""What is known of matches under way, and to whom."""

import json
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from arena.league.run.batch_play import BatchPlay
from arena.league.run.live_matches import KEPT_SECONDS, MOST, SHOWN_SECONDS, LiveMatches
from arena.plan.schedule import Deal, MatchPlan
from arena.plan.seating import Player
from arena.plan.secret import match_seed
from arena.run.hosting import Hosting
from arena.run.work_units import WorkUnit
from arena.values.definition import Definition
from referee.engine.record import unpack_answers
from referee.games.cambio import CAMBIO
from referee.v1.work_pb2 import WorkResponse
from tests import played

LEAGUE = 7


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Work:
    definition: Any = field(default_factory=lambda: _definition())
    hosting: Hosting = field(default_factory=Hosting)
    secret: bytes = played.SECRET


@dataclass
class Row:
    league: int = LEAGUE
    number: int = 3
    attempt: int = 1


@dataclass
class Play:
    """A batch of two rotations: matches 0 and 1 have deal 0, 2 and 3 deal 1."""

    row: Row = field(default_factory=Row)
    work: Work = field(default_factory=Work)
    over: set[int] = field(default_factory=set)

    def plays_last(self, deal: int) -> bool:
        return len(self.over & {2 * deal, 2 * deal + 1}) == 1

    def as_play(self) -> BatchPlay:
        return cast("BatchPlay", self)


def _definition(**values: Any) -> Any:
    event = played.tournament(CAMBIO)
    if values:
        event = played.planned(event, field=[values, {}, {}, {}])
    return Definition.read(json.loads(event.definition_text))


def unit(rotation: int = 0, deals: int = 2) -> WorkUnit:
    players = tuple(Player(bot, 0) for bot in range(4))
    plans = [MatchPlan(2 * deal + rotation, Deal(deal, deal, 0, players), rotation, players) for deal in range(deals)]
    return WorkUnit(rotation, {plan.number: plan for plan in plans})


def response(
    *matches: int, answers: bytes = b"\0\1", ends: int | None = None, records: tuple[int, ...] = ()
) -> WorkResponse:
    said = WorkResponse()
    for match in matches:
        said.under_way.add(match=match, answers=answers)
    for match in records:
        said.records.add(match=match)
    if ends is not None:
        said.ends.add(phase=ends)
    return said


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(clock: Clock) -> LiveMatches:
    made = LiveMatches(clock=clock)
    made.want(1000)
    return made


def note(live: LiveMatches, play: Play, said: WorkResponse, rotation: int = 0) -> None:
    live.note(play.as_play(), said, {rotation: unit(rotation)})


def test_a_match_under_way_has_what_its_record_will_have(live: LiveMatches) -> None:
    said = response(2)
    said.under_way[0].says.add(seat=1, ply=1, text="hello")
    note(live, Play(), said)
    [match] = live.of(LEAGUE)
    assert (match.key, match.is_over, match.is_last) == ((3, 1, 2), False, False)
    row = match.row
    assert (row.deal, row.rotation, row.seed) == (1, 0, match_seed(played.SECRET, 1, "cambio"))
    assert (row.answers, [seat.entrant for seat in row.seats]) == (b"\0\1", [0, 1, 2, 3])
    assert [(say.seat, say.text) for say in row.says] == [(1, "hello")]
    assert not live.of(LEAGUE + 1)


def test_nothing_is_kept_while_nobody_watches(clock: Clock) -> None:
    live = LiveMatches(clock=clock)
    note(live, Play(), response(0))
    assert not live.of(LEAGUE)
    live.want(5)
    note(live, Play(), response(0))
    assert live.of(LEAGUE)
    clock.now += 6
    assert not live.is_wanted
    live.tidy()
    assert live.of(LEAGUE), "referees do not tell it again yet"
    clock.now += KEPT_SECONDS
    live.tidy()
    assert not live.of(LEAGUE)


def test_bots_that_could_read_a_page_are_not_shown(live: LiveMatches) -> None:
    note(live, Play(work=Work(hosting=Hosting(trusted=True))), response(0))
    assert not live.of(LEAGUE), "a bot that is not confined"
    for grant in ("network", "device:/dev/null"):
        note(live, Play(work=Work(definition=_definition(grants=[grant]))), response(0))
        assert not live.of(LEAGUE), grant


def test_a_deal_is_settled_with_its_last_match(live: LiveMatches) -> None:
    play = Play()
    note(live, play, response(0, 2))
    assert [match.is_last for match in live.of(LEAGUE)] == [False, False]
    play.over = {1}  # the other rotation of deal 0 was played meanwhile
    note(live, play, response(0, 2, answers=b"\0\1\0"))
    assert [match.is_last for match in live.of(LEAGUE)] == [True, False]


def test_moves_are_shown_as_much_later_as_the_organiser_says(clock: Clock) -> None:
    live = LiveMatches(30.0, clock)
    live.want(1000)
    for length in (2, 5, 9):
        note(live, Play(), response(0, answers=bytes(length)))
        clock.now += 20
    lengths = []
    for _ in range(4):
        lengths += [len(unpack_answers(match.row.answers)) for match in live.of(LEAGUE)]
        clock.now += 10
    assert lengths == [5, 9, 9, 9]
    assert LiveMatches(30.0, clock).of(LEAGUE) == []


def test_a_match_is_shown_to_its_end_and_a_little_longer(live: LiveMatches, clock: Clock) -> None:
    play = Play()
    note(live, play, response(0))
    row = played.match(CAMBIO, 0, notes=True)
    live.end(play.as_play(), [row])
    [match] = live.of(LEAGUE)
    assert match.is_over
    assert match.row.seats == row.seats
    assert not match.row.notes, "notes are the owner's"
    live.tidy()
    assert live.of(LEAGUE)
    clock.now += SHOWN_SECONDS + 1
    live.tidy()
    assert not live.of(LEAGUE)


def test_the_end_of_a_match_that_nobody_saw_is_not_kept(live: LiveMatches) -> None:
    live.end(Play().as_play(), [played.match(CAMBIO, 0)])
    assert not live.of(LEAGUE)


def test_a_batch_that_comes_to_nothing_and_void_matches_are_forgotten(live: LiveMatches) -> None:
    play = Play()
    note(live, play, response(0, 2))
    note(live, play, response(ends=0, records=(2,)))
    assert [match.row.number for match in live.of(LEAGUE)] == [2], "match 0 was void"
    live.drop(play.as_play())
    assert not live.of(LEAGUE)


def test_a_report_of_a_match_that_is_not_assigned_is_dropped_and_few_are_kept(live: LiveMatches) -> None:
    note(live, Play(), response(99))
    assert not live.of(LEAGUE)
    many = unit(deals=2 * MOST)
    live.note(Play().as_play(), response(*many.left), {0: many})
    assert len(live.of(LEAGUE)) == MOST
