"""What a model answers, to what it was told and nothing else."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from arena.model_server import model as module
from arena.model_server.failure import LIMIT, MATCH, MOVE, POLICY, REQUEST, WORLD, Failure
from arena.model_server.matches import ToldMatch
from arena.model_server.model import Model
from arena.model_server.policies import make_policies
from arena.model_server.worlds import MOST_WORLDS
from arena.positions import Position
from arena.search import Observers
from referee.engine import registry
from referee.engine.events import history
from referee.v1.model_pb2 import (
    CopyRequest,
    DropRequest,
    EvaluateRequest,
    Evaluation,
    ModelError,
    ModelRequest,
    ModelResponse,
    PlayoutsRequest,
    SearchRequest,
    Step,
    StepsRequest,
    ViewRequest,
    World,
    WorldsRequest,
)
from referee.v1.play_pb2 import Turns
from tests.model_server.told import ToldSeat


class Bot:
    """A bot that passes on to a model what it is told."""

    def __init__(self, game: str = "perudo", **seat: Any) -> None:
        self.seat = ToldSeat(game, **seat)
        self.clock = 100.0
        self.model = Model(clock=lambda: self.clock)
        self.tell(self.seat.turns)

    def tell(self, turns: Turns) -> None:
        assert self.model.reply(ModelRequest(turns=turns)) is None

    def answer(self, move: str) -> None:
        assert self.model.reply(ModelRequest(answers=self.seat.answer(move))) is None
        self.tell(self.seat.turns)

    def ask(self, **request: Any) -> ModelResponse:
        response = self.model.reply(ModelRequest(**request))
        assert response is not None
        return response

    def worlds(self, count: int = 1, match: int = 1) -> list[World]:
        response = self.ask(worlds=WorldsRequest(match=match, count=count))
        assert not response.HasField("error"), response.error.sentence
        return list(response.worlds.worlds)

    def fails(self, reason: ModelError.Reason.ValueType, says: str, **request: Any) -> None:
        """Check that a request fails so."""
        response = self.ask(**request)
        assert response.WhichOneof("message") == "error", response
        assert says in response.error.sentence
        assert response.error.reason == reason


def test_worlds_look_to_the_seat_as_its_question_does() -> None:
    bot = Bot(seats=4, seat=2)
    [question] = bot.seat.turns.questions
    worlds = bot.worlds(4)
    assert [world.world for world in worlds] == [1, 2, 3, 4]
    for world in worlds:
        [asked] = world.asked
        assert (asked.seat, list(asked.legal)) == (2, list(question.legal))
        view = bot.ask(view=ViewRequest(world=world.world)).view
        assert (view.view, list(view.lines), view.match) == (question.view, [], 1)
    others = {bot.ask(view=ViewRequest(world=world.world, seat=1)).view.view for world in worlds}
    assert len(others) > 1, "the dice of another seat differ from world to world"


def test_moves_are_played_in_a_world_or_in_a_copy_of_it() -> None:
    bot = Bot(game="cambio")
    bot.worlds()
    steps = [Step(world=1, moves=["keep"], copy=True), Step(world=1, moves=["exchange"])]
    copy, played = bot.ask(steps=StepsRequest(steps=steps)).worlds.worlds
    assert (copy.world, played.world) == (2, 1)
    told = {number: list(bot.ask(view=ViewRequest(world=number, seat=0)).view.lines) for number in (1, 2)}
    assert told[1][0].startswith("seat 0 asks seat 1")
    assert told[2][0] == "seat 0 keeps"


def test_a_step_that_fails_changes_nothing() -> None:
    bot = Bot(game="cambio")
    bot.worlds()
    before = bot.ask(view=ViewRequest(world=1)).view
    good, bad = Step(world=1, moves=["keep"]), Step(world=1, moves=["dance"], copy=True)
    bot.fails(
        MOVE,
        "world 1: seat 1 cannot play 'dance': its legal moves are ",
        steps=StepsRequest(steps=[good, bad]),
    )
    bot.fails(MOVE, "world 1: 0 moves for 1 seats", steps=StepsRequest(steps=[Step(world=1)]))
    assert bot.ask(view=ViewRequest(world=1)).view == before
    assert bot.ask(drop=DropRequest()).dropped.kept == 1


def test_worlds_are_copied_and_dropped() -> None:
    bot = Bot()
    bot.worlds(2)
    assert [world.world for world in bot.ask(copy=CopyRequest(worlds=[2, 2])).worlds.worlds] == [3, 4]
    assert bot.ask(drop=DropRequest(worlds=[1, 3, 99])).dropped.kept == 2
    bot.fails(WORLD, "world 3 is not kept any more", view=ViewRequest(world=3))
    bot.fails(WORLD, "there is no world 99", copy=CopyRequest(worlds=[2, 99]))
    bot.fails(REQUEST, "there is no seat 7: the seats are 0 to 2", view=ViewRequest(world=2, seat=7))
    assert bot.ask(drop=DropRequest()).dropped.kept == 2


def test_worlds_end_with_their_question_and_their_match() -> None:
    bot = Bot()
    bot.worlds(2)
    bot.answer(bot.seat.legal[-1])
    bot.fails(WORLD, "world 2 is not kept any more", view=ViewRequest(world=2))
    assert [world.world for world in bot.worlds()] == [3]
    end = Turns()
    end.ends.add(match=1)
    bot.tell(end)
    bot.fails(WORLD, "its match over", view=ViewRequest(world=3))
    bot.fails(MATCH, "match 1 is not under way: it has ended", evaluate=EvaluateRequest(match=1))


def test_between_an_answer_and_the_next_question_there_are_no_worlds() -> None:
    bot = Bot()
    assert bot.model.reply(ModelRequest(answers=bot.seat.answer(bot.seat.legal[0]))) is None
    bot.fails(MATCH, "match 1 has no open question", worlds=WorldsRequest(match=1, count=1))


def test_no_more_worlds_are_kept_than_documented() -> None:
    bot = Bot()
    bot.fails(
        LIMIT,
        "1,000,000 more worlds are asked for, and 0 are kept: 4,096 may be kept at a time; ask for fewer",
        worlds=WorldsRequest(match=1, count=1_000_000),
    )
    bot.fails(REQUEST, "let count be 1 or more", worlds=WorldsRequest(match=1))
    bot.worlds()
    bot.ask(copy=CopyRequest(worlds=[1] * (MOST_WORLDS - 1)))
    for request in (
        {"copy": CopyRequest(worlds=[1])},
        {"worlds": WorldsRequest(match=1, count=1)},
        {"steps": StepsRequest(steps=[Step(world=1, moves=[bot.seat.legal[0]], copy=True)])},
    ):
        bot.fails(LIMIT, "1 more worlds are asked for, and 4,096 are kept", **request)
    steps = [Step(world=1)] * (module.MOST_STEPS + 1)
    bot.fails(LIMIT, "100,001 steps are asked for", steps=StepsRequest(steps=steps))


def test_playouts_leave_their_worlds_as_they_are() -> None:
    bot = Bot(game="cambio", chips=1)
    bot.worlds(2)
    before = bot.ask(view=ViewRequest(world=2)).view
    response = bot.ask(playouts=PlayoutsRequest(worlds=[1, 2], count=5)).playouts
    assert len(response.playouts) == 10
    assert response.decisions > 10
    for playout in response.playouts:
        assert len(playout.scores) == 3
        assert min(playout.ranks) == 1
    assert bot.ask(view=ViewRequest(world=2)).view == before
    short = bot.ask(playouts=PlayoutsRequest(worlds=[1], most=1, policy="counter")).playouts
    assert (len(short.playouts), short.decisions) == (1, 1)


def test_a_policy_plays_better_than_chance() -> None:
    bot = Bot(game="cucu", seats=2)
    bot.worlds()
    lengths = {
        policy: bot.ask(playouts=PlayoutsRequest(worlds=[1], count=40, policy=policy)).playouts.decisions
        for policy in ("random", "reckoner")
    }
    assert lengths["random"] != lengths["reckoner"]


@pytest.mark.parametrize(
    ("request_", "reason", "says"),
    [
        (PlayoutsRequest(worlds=[1], policy="owl"), POLICY, "no policy 'owl' plays perudo: choose one of "),
        (PlayoutsRequest(worlds=[1], policy="hoarder"), POLICY, "no policy 'hoarder' plays perudo"),
        (PlayoutsRequest(worlds=[1], policy="searcher"), POLICY, "no policy 'searcher' plays perudo"),
        (PlayoutsRequest(worlds=[1], until="tomorrow"), REQUEST, 'playouts cannot end at "tomorrow"'),
        (PlayoutsRequest(worlds=[1, 1], count=50_001), LIMIT, "100,002 playouts are asked for"),
        (PlayoutsRequest(worlds=[1, 5]), WORLD, "there is no world 5"),
    ],
)  # fmt: skip
def test_playouts_that_cannot_be(request_: PlayoutsRequest, reason: ModelError.Reason.ValueType, says: str) -> None:
    bot = Bot()
    bot.worlds()
    bot.fails(reason, says, playouts=request_)


def test_every_legal_move_is_evaluated_the_best_first() -> None:
    bot = Bot(game="scopa", seats=2)
    found = bot.ask(evaluate=EvaluateRequest(match=1, worlds=30)).evaluation
    assert sorted(value.move for value in found.moves) == sorted(bot.seat.legal)
    assert found.best == found.moves[0].move
    assert found.moves[0].mean == max(value.mean for value in found.moves)
    assert found.moves[0].playouts == found.worlds == 30
    assert found.reason == "worlds"
    assert found.note.startswith(f"{found.best} 0.")
    assert all(0 < value.error < 0.2 for value in found.moves)


@pytest.mark.parametrize("observers", ["", "every", "own"])
def test_a_question_is_searched_by_a_tree(observers: str) -> None:
    bot = Bot(game="scopa", seats=2)
    request = SearchRequest(match=1, worlds=60, observers=observers)
    found = bot.ask(search=request).evaluation
    assert sorted(value.move for value in found.moves) == sorted(bot.seat.legal)
    assert found.best == found.moves[0].move
    assert (found.worlds, found.playouts, found.reason) == (60, 60, "worlds")
    assert found.moves[0].playouts == max(value.playouts for value in found.moves)
    assert found.note.startswith(f"{found.best} 0.")
    assert bot.ask(drop=DropRequest()).dropped.kept == 0


def test_a_search_is_told_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def search(position: Position, **how: Any) -> Any:
        asked.append(how)
        raise Failure(REQUEST, "enough")

    monkeypatch.setattr(module, "search", search)
    bot = Bot()
    bot.fails(REQUEST, "enough", search=SearchRequest(match=1))
    bot.fails(REQUEST, "enough", search=SearchRequest(match=1, time_ms=70, most_nodes=9, observers="own"))
    usual, limited = asked
    assert (usual["most_nodes"], usual["observers"], usual["worlds"]) == (50_000, Observers.EVERY, None)
    assert 0.9 < usual["seconds"].seconds < 1
    assert (limited["most_nodes"], limited["observers"], limited["seconds"].most) == (9, "own", 0.07)


@pytest.mark.parametrize(
    ("request_", "reason", "says"),
    [
        (SearchRequest(match=1, observers="all"), REQUEST, 'observers "all" are not known: they are "every" or "own"'),
        (SearchRequest(match=1, most_nodes=200_001), LIMIT, "200,001 nodes are asked for, a tree may have 200,000"),
        (SearchRequest(match=1, policy="owl"), POLICY, "no policy 'owl' plays perudo: choose one of "),
        (SearchRequest(match=5), MATCH, "match 5 is not under way"),
    ],
)
def test_searches_that_cannot_be(request_: SearchRequest, reason: ModelError.Reason.ValueType, says: str) -> None:
    Bot().fails(reason, says, search=request_)


def test_by_default_evaluations_have_the_base_policy_and_playouts_are_random(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []

    def make(name: str, *rest: Any) -> Any:
        names.append(name)
        return make_policies(name, *rest)

    monkeypatch.setattr(module, "make_policies", make)
    bot = Bot(game="cambio", chips=1)
    bot.worlds()
    bot.ask(evaluate=EvaluateRequest(match=1, worlds=1))
    bot.ask(search=SearchRequest(match=1, worlds=1))
    bot.ask(playouts=PlayoutsRequest(worlds=[1]))
    assert names == ["base", "base", "random"]


def test_the_same_telling_gives_the_same_evaluation() -> None:
    def played() -> Evaluation:
        bot = Bot(game="scopa", seats=2)
        bot.worlds(3)
        bot.answer(bot.seat.legal[0])
        bot.ask(evaluate=EvaluateRequest(match=1, worlds=20))
        return bot.ask(search=SearchRequest(match=1, worlds=20)).evaluation

    assert played() == played()


def test_an_evaluation_ends_with_its_time() -> None:
    found = Bot(game="scopa", seats=2).ask(evaluate=EvaluateRequest(match=1, time_ms=1)).evaluation
    assert found.worlds >= 1
    assert found.reason in ("time", "decided")


def test_without_limits_an_evaluation_has_the_time_of_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed: list[Any] = []

    def evaluate(position: Position, *, seconds: Any, **rest: Any) -> Any:
        allowed.append(seconds)
        raise Failure(REQUEST, "enough")

    monkeypatch.setattr(module, "evaluate", evaluate)
    bot = Bot()
    bot.clock += 0.3
    bot.fails(REQUEST, "enough", evaluate=EvaluateRequest(match=1))
    bot.clock += 1000
    bot.fails(REQUEST, "enough", evaluate=EvaluateRequest(match=1))
    bot.fails(REQUEST, "enough", evaluate=EvaluateRequest(match=1, time_ms=40))
    bot.fails(REQUEST, "enough", evaluate=EvaluateRequest(match=1, worlds=7))
    early, late, timed, counted = allowed
    assert 0.6 < early.seconds < 0.7
    assert early.most > early.seconds, "a share of the bank"
    assert (late.seconds, late.most) == (0, 0)
    assert timed.most == 0.04
    assert counted is None


def test_a_policy_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def throws(view: Any, legal: Sequence[str], rng: Random) -> str:
        raise RuntimeError("a mistake on purpose")

    monkeypatch.setattr(module, "make_policies", lambda *_: [throws] * 3)
    bot = Bot()
    bot.worlds()
    bot.fails(POLICY, "raised RuntimeError in ", evaluate=EvaluateRequest(match=1, worlds=2))
    bot.fails(POLICY, "raised RuntimeError in ", search=SearchRequest(match=1, worlds=2))
    bot.fails(POLICY, "a mistake on purpose", playouts=PlayoutsRequest(worlds=[1]))


def test_lines_are_told_in_words() -> None:
    bot = Bot(game="cambio", chips=1)
    seat = ToldSeat("cambio", seat=1, match=2, seed=4)
    told = bot.ask(lines=seat.turns).lines
    wanted = history(registry.game("cambio").lines, seat.state.events, 1)
    assert list(told.questions[0].events) == wanted
    assert told.questions[0].view == seat.turns.questions[0].view
    assert bot.worlds(match=2)
    end = Turns()
    end.ends.add(match=2, events=["[0, 2, 7]"])
    end.ends.add(match=77, events=["[0, 2, 7]"])
    lines = [list(part.events) for part in bot.ask(lines=end).lines.ends]
    assert lines == [history(registry.game("cambio").lines, [(0, 2, 7)]), ["[0, 2, 7]"]]


def test_other_rules_are_told_when_somebody_asks() -> None:
    for name, value, says in (
        ("game", "chess of tomorrow", 'there is no game "chess of tomorrow"'),
        ("behaviour", 99, "the referee plays version 99 of the rules of perudo, but version "),
        ("options", {"dice": "many"}, "there are no positions of perudo: "),
    ):
        seat = ToldSeat("perudo")
        start = seat.turns.starts[0]
        if name == "options":
            start.options["dice"] = "many"
        else:
            setattr(start, name, value)
        bot = Bot(match=9)
        bot.tell(seat.turns)
        bot.fails(MATCH, says, worlds=WorldsRequest(match=1, count=1))
        assert bot.worlds(match=9), "the other matches go on"


def test_what_the_referee_played_for_the_seat_is_in_its_worlds() -> None:
    bot = Bot()
    default = bot.seat.state.default(0)
    bot.seat.answer(default)
    bot.tell(bot.seat.turns)
    assert list(bot.worlds()[0].asked[0].legal) == list(bot.seat.legal), "it gave no answer at all"
    bot = Bot()
    answers = bot.seat.answer(default)
    answers.answers[0].text = "dance"
    assert bot.model.reply(ModelRequest(answers=answers)) is None
    bot.tell(bot.seat.turns)
    assert list(bot.worlds()[0].asked[0].legal) == list(bot.seat.legal), "its answer was not legal"


def test_what_an_earlier_process_was_told_is_not_known() -> None:
    bot = Bot(match=9)
    seat = ToldSeat("perudo")
    seat.answer(seat.legal[0])
    seat.turns.starts.append(seat.start)
    bot.tell(seat.turns)
    request = WorldsRequest(match=1, count=1)
    bot.fails(MATCH, "this process of the bot was not told of the first part of the match", worlds=request)


@pytest.mark.parametrize("answers", [0, 3])
def test_a_process_that_comes_in_after_another_one_failed_goes_on_from_the_log(answers: int) -> None:
    bot = Bot(match=9)
    seat = ToldSeat("perudo")
    log = list(seat.turns.questions[0].events)
    for _ in range(answers):
        seat.answer(seat.legal[0])
        log += seat.turns.questions[0].events
    del seat.turns.starts[:]
    seat.turns.starts.append(seat.start)
    seat.turns.questions[0].events[:] = log
    seat.turns.questions[0].again = True
    bot.seat = seat
    bot.tell(seat.turns)
    for _ in range(2):
        for world in bot.worlds(3):
            assert list(world.asked[0].legal) == list(seat.legal)
            assert bot.ask(view=ViewRequest(world=world.world)).view.view == seat.turns.questions[0].view
        bot.answer(seat.legal[0])


def test_the_question_of_another_game_has_no_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.positions.position.TRIES", 20)
    for name in ("view", "broken view"):
        bot = Bot(match=9)
        seat, other = ToldSeat("perudo"), ToldSeat("cambio")
        [question] = seat.turns.questions
        question.view = other.turns.questions[0].view + (b"\xff" if name == "broken view" else b"")
        bot.tell(seat.turns)
        response = bot.ask(worlds=WorldsRequest(match=1, count=1))
        assert response.error.reason in (ModelError.REASON_MATCH, ModelError.REASON_NO_WORLD)
        assert (
            "was told: 20 were dealt in vain" in response.error.sentence or "another match" in response.error.sentence
        )
        assert bot.worlds(match=9), "the other matches go on"


def test_events_must_be_values() -> None:
    bot = Bot(match=9)
    seat = ToldSeat("perudo")
    seat.turns.questions[0].events[0] = "round 1 begins"
    bot.tell(seat.turns)
    bot.fails(MATCH, "let Hello.wants_values be true", worlds=WorldsRequest(match=1, count=1))


def test_a_request_without_content_is_refused() -> None:
    Bot().fails(REQUEST, "a request has no content that is known here")


def test_a_horizon_is_measured_once_for_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[object] = []
    known = ToldMatch.horizon

    def horizon(*words: Any) -> Any:
        measured.append(known(*words))
        return measured[-1]

    monkeypatch.setattr(ToldMatch, "horizon", horizon)
    bot = Bot(game="scopa", seats=2)
    for _ in range(2):
        bot.ask(evaluate=EvaluateRequest(match=1, worlds=1))
        bot.answer(bot.seat.legal[0])
    assert len(measured) == 2
    assert measured[0] is measured[1]


def test_what_an_evaluation_learns_is_a_policy_of_evaluations_alone() -> None:
    bot = Bot(game="scopa", seats=2)
    assert bot.ask(evaluate=EvaluateRequest(match=1, worlds=20, policy="learnt")).evaluation.worlds == 20
    bot.worlds()
    bot.fails(POLICY, '"learnt" is what an evaluation learns', playouts=PlayoutsRequest(worlds=[1], policy="learnt"))
