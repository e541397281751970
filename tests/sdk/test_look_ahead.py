"""`question.position`: made of what the bot was told, through the messages of the protocol."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.positions import NoWorld, Position
from arena.sdk import Bot, Match, NoPositions, Question
from arena.sdk.message_codec import MessageCodec
from referee.codec import ViewEncoder
from referee.engine import registry
from referee.v1.play_pb2 import PlayRequest, PlayResponse
from referee.wire import view_type
from tests.positions.observed import observed

GAMES = [game.name for game in registry.installed()[0] if type(game).__module__.startswith("referee.games.")]


class Thinker(Bot[Any]):
    """Looks ahead at some questions, and answers as it is told."""

    wants_positions = True
    wants_events = True

    def __init__(self) -> None:
        self.move = ""
        self.seen: list[tuple[Question[Any], Position | None]] = []
        self.looks = True
        self.ended: Match | None = None

    def choose(self, question: Question[Any]) -> str:
        self.seen.append((question, question.position if self.looks else None))
        return self.move

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self.ended = match


def messages(name: str, number: int, most: int) -> Iterator[tuple[PlayResponse, Any, str]]:
    """Yield the messages to seat 1 in a match, each with what it sees and what it answers."""
    game = registry.game(name)
    options, seats = game.options(), game.recommended
    encoder = ViewEncoder(game)
    for count, shown in enumerate(observed(game, options, seats, 1, number)):
        response = PlayResponse()
        if not count:
            response.turns.starts.add(
                match=1, game=name, behaviour=game.behaviour, seats=seats, seat=1, view_type=view_type(game),
                bot_seed=b"s" * 32,
            )  # fmt: skip
        response.turns.questions.add(
            id=count + 1,
            match=1,
            view=encoder.encode(shown.view),
            legal=shown.legal,
            events=[json.dumps(event) for event in shown.events],
        )
        yield response, shown.view, shown.move
        if count == most:
            return


def answer(codec: MessageCodec, bot: Thinker, response: PlayResponse, move: str) -> None:
    bot.move = move
    for question in codec.questions(codec.read(response.SerializeToString(), lambda message: None)):
        codec.add_answer(question, codec.choose(question))
    codec.take_message()


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_looks_ahead_from_what_it_was_sent(name: str) -> None:
    bot = Thinker()
    codec = MessageCodec(bot, "")
    for number, (response, view, move) in enumerate(messages(name, 2, 12)):
        bot.looks = number % 3 != 1
        bot.move = move
        [question] = codec.questions(codec.read(response.SerializeToString(), lambda message: None))
        if bot.looks:
            position = question.position
            assert [world.view(1) for world in position.worlds(2)] == [view, view]
            assert position.legal == question.legal
        codec.add_answer(question, move)
    assert number > 2


def test_lines_of_the_log_are_texts_all_the_same() -> None:
    bot = Thinker()
    codec = MessageCodec(bot, "")
    response, _, _ = next(messages("cambio", 2, 1))
    response.turns.ends.add(match=1, scores=[1] * 6, ranks=[1] * 6, events=["[21, 7]"])
    turns = codec.read(response.SerializeToString(), lambda message: None)
    [question] = codec.questions(turns)
    assert question.events[0] == "set 1 begins"
    codec.end_matches(turns)
    assert bot.ended is not None
    assert bot.ended.events == ("the discards are shuffled: 7 cards",)


def test_the_referee_is_asked_for_values() -> None:
    hello = PlayRequest.FromString(MessageCodec(Thinker(), "").hello()).hello
    assert (hello.wants_events, hello.wants_values) == (True, True)
    hello = PlayRequest.FromString(MessageCodec(type("Plain", (Bot,), {})(), "").hello()).hello
    assert (hello.wants_events, hello.wants_values) == (False, False)


def test_a_question_that_was_answered_has_no_worlds_any_more() -> None:
    bot = Thinker()
    codec = MessageCodec(bot, "")
    for response, _, move in messages("cambio", 2, 1):
        answer(codec, bot, response, move)
    question, position = bot.seen[-1]
    assert position is not None
    with pytest.raises(NoWorld, match="no question is open"):
        position.world()
    assert question.position is position


def test_without_the_wish_a_position_says_how_to_get_one() -> None:
    codec = MessageCodec(type("Plain", (Bot,), {})(), "")
    response, _, _ = next(messages("cambio", 2, 1))
    [question] = codec.questions(codec.read(response.SerializeToString(), lambda message: None))
    with pytest.raises(NoPositions, match="set wants_positions = True"):
        _ = question.position


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "whist"}, "there are no positions of whist"),
        ({"behaviour": 99}, "the referee plays version 99 of the rules of cambio, but version"),
    ],
)
def test_other_rules_give_no_positions(fields: dict[str, Any], words: str) -> None:
    bot = Thinker()
    codec = MessageCodec(bot, "")
    response, _, move = next(messages("cambio", 2, 1))
    for name, value in fields.items():
        setattr(response.turns.starts[0], name, value)
    with pytest.raises(NoPositions, match=words):
        answer(codec, bot, response, move)


def test_a_process_that_was_not_told_of_the_beginning_has_no_positions() -> None:
    bot = Thinker()
    codec = MessageCodec(bot, "")
    (first, _, _), (response, _, move) = messages("cambio", 2, 1)
    response.turns.starts.extend(first.turns.starts)
    for _ in range(2):
        with pytest.raises(NoPositions, match="was not told of the first part of the match"):
            answer(codec, bot, response, move)
        response.turns.ClearField("starts")


def test_the_question_of_another_game_gives_no_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.positions.position.TRIES", 20)
    (first, _, _), (other, _, _) = next(messages("scopa", 2, 1)), next(messages("cambio", 2, 1))
    view = first.turns.questions[0].view
    for broken in (view, view + b"\xff"):
        response = PlayResponse()
        response.CopyFrom(other)
        response.turns.questions[0].view = broken
        codec = MessageCodec(Thinker(), "")
        [question] = codec.questions(codec.read(response.SerializeToString(), lambda message: None))
        with pytest.raises((NoPositions, NoWorld), match="another match|was told: 20 were dealt in vain"):
            question.position.world()


def test_after_the_match_there_are_no_worlds() -> None:
    bot = Thinker()
    codec = MessageCodec(bot, "")
    response, _, move = next(messages("cambio", 2, 1))
    answer(codec, bot, response, move)
    end = PlayResponse()
    end.turns.ends.add(match=1, scores=[1] * 6, ranks=[1] * 6)
    codec.end_matches(codec.read(end.SerializeToString(), lambda message: None))
    with pytest.raises(NoWorld, match="no question is open: worlds are drawn between a question and its answer"):
        bot.seen[0][0].position.world()


def test_lines_of_the_log_that_are_no_values_give_no_positions() -> None:
    bot = Thinker()
    codec = MessageCodec(bot, "")
    response, _, move = next(messages("cambio", 2, 1))
    response.turns.questions[0].events[0] = "set 1 begins"
    with pytest.raises(
        NoPositions, match="'set 1 begins' is not the array of an event: let Hello.wants_values be true"
    ):
        answer(codec, bot, response, move)


@pytest.mark.parametrize("field", ["again", "charged_us"])
def test_a_process_that_comes_in_after_another_one_failed_goes_on_from_the_log(field: str) -> None:
    """The referee tells it the log from the beginning, and nothing of what the seat was asked and saw before."""
    bot = Thinker()
    codec = MessageCodec(bot, "")
    asked = list(messages("cambio", 2, 6))
    log = [line for response, _, _ in asked[:-1] for line in response.turns.questions[0].events]
    response, view, move = asked[-2]
    response.turns.starts.extend(asked[0][0].turns.starts)
    response.turns.questions[0].events[:] = log
    setattr(response.turns.questions[0], field, 1)
    for response, view, move in asked[-2:]:
        bot.move = move
        [question] = codec.questions(codec.read(response.SerializeToString(), lambda message: None))
        assert [world.view(1) for world in question.position.worlds(3)] == [view] * 3
        codec.add_answer(question, move)


CRASHING = """
import os, sys
from arena.sdk import Bot


class Mine(Bot):
    wants_positions = True
    matches_at_once = 1
    asked = 0

    def choose(self, question):
        self.asked += 1
        crashed = os.path.exists("crashed")
        if self.asked == 4 and not crashed:
            open("crashed", "w").close()
            os._exit(3)
        worlds = question.position.worlds(2)
        assert all(world.legal() == question.legal for world in worlds)
        if crashed and self.asked < 4:
            print("question", self.asked, "again", question.again, "worlds", len(worlds), file=sys.stderr)
        return question.legal[0]


Mine().run()
"""


@pytest.mark.processes
def test_a_bot_looks_ahead_after_a_crash(tmp_path: Path) -> None:
    folder = tmp_path / "crashing"
    folder.mkdir()
    (folder / "mine.py").write_text(CRASHING)
    (folder / "bot.toml").write_text('language = "python"\ncommand = ["python3", "mine.py"]\n')
    words = ["match", "--game", "scopa", str(folder), "random", "--sandbox", "off", "--json"]
    done = CliRunner().invoke(main, [*words, "--db", str(tmp_path / "arena.db")], prog_name="arena")
    assert done.exit_code == 0, done.output
    match = json.loads(done.stdout)
    assert [fault["kind"] for fault in match["faults"]] == ["crash"]
    output = match["seats"][0]["output"]["text"].splitlines()
    assert output == [f"question {number} again False worlds 2" for number in (1, 2, 3)]


@pytest.mark.processes
def test_a_bot_without_the_rules_says_what_to_install(
    tmp_path: Path, write_bot: Any, run_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write_bot(
        'wants_positions = True\n\ndef choose(self, question):\n    return "keep"',
        imports='import sys\nsys.modules["arena.positions"] = None',
    )
    ended = run_bot(bot, {"ARENA_ADDRESS": f"unix:{tmp_path}/nobody", "ARENA_TOKEN": "sesame"})
    assert ended.code == 1
    assert "Mine cannot look ahead: it sets wants_positions, but the rules are not installed" in ended.err
    assert "pip install --find-links dist 'botarena-sdk[positions]'" in ended.err
    assert "Traceback" not in ended.err
