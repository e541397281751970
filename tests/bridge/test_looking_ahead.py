"""Bots that look ahead in lines of JSON."""

import json
from typing import Any

import pytest

from arena.bridge.bot_lines import BadLine
from arena.bridge.conversation import BotConversation
from referee.v1.play_pb2 import PlayRequest, PlayResponse
from tests.model_server.told import ToldSeat


class Bot:
    """A bot that speaks lines of JSON, in a match of Cambio."""

    def __init__(self, **wishes: object) -> None:
        self.talk = BotConversation("sesame")
        hello = {"type": "hello", "wants_positions": True, **wishes}
        self.hello = PlayRequest.FromString(self.talk.hello(json.dumps(hello).encode())).hello
        self.seat = ToldSeat("cambio", seat=1)
        self.told = self.hear()

    def hear(self) -> list[dict[str, Any]]:
        lines = self.talk.lines_of(PlayResponse(turns=self.seat.turns).SerializeToString())
        return [json.loads(line) for line in lines.splitlines()]

    def write(self, *lines: dict[str, Any]) -> list[tuple[bytes, Any]]:
        """Return what follows from lines: messages, and the values of lines."""
        return [
            (message, json.loads(line) if line else None)
            for message, line in self.talk.read([json.dumps(line).encode() for line in lines])
        ]

    def ask(self, type: str, **values: Any) -> dict[str, Any]:
        [(message, reply)] = self.write({"type": type, **values})
        assert not message
        assert isinstance(reply, dict)
        return reply


def test_a_line_has_the_moves_evaluated() -> None:
    bot = Bot()
    assert bot.hello.wants_events
    assert bot.hello.wants_values
    found = bot.ask("evaluate", match=1, worlds=20, policy="counter")
    assert list(found) == ["type", "moves", "best", "worlds", "playouts", "reason", "note"]
    assert {value["move"] for value in found["moves"]} == {"keep", "exchange"}
    assert found["type"] == "evaluation"
    assert found["best"] == found["moves"][0]["move"]
    assert found["moves"][0]["mean"] > 0


def test_a_line_has_the_moves_searched() -> None:
    found = Bot().ask("search", match=1, worlds=20, observers="own", most_nodes=50)
    assert {value["move"] for value in found["moves"]} == {"keep", "exchange"}
    assert (found["type"], found["best"]) == ("evaluation", found["moves"][0]["move"])
    assert 1 < found["worlds"] <= 20  # fewer where the other move cannot catch up


def test_lines_play_in_worlds() -> None:
    bot = Bot()
    first, _ = bot.ask("worlds", match=1, count=2)["worlds"]
    assert (first["world"], first["asked"]) == (1, [{"seat": 1, "legal": ["keep", "exchange"]}])
    [played] = bot.ask("steps", steps=[{"world": 2, "moves": ["keep"]}])["worlds"]
    assert played["asked"][0]["seat"] != 1
    assert bot.ask("view", world=2, seat=1)["lines"][0] == "seat 1 keeps"
    assert bot.ask("view", world=1)["view"] == bot.told[-1]["view"]
    assert bot.ask("copy", worlds=[2])["worlds"][0]["world"] == 3
    assert len(bot.ask("playouts", worlds=[1, 3], count=4, until="round")["playouts"]) == 8
    assert bot.ask("drop", worlds=[1, 2]) == {"type": "dropped", "kept": 1}


def test_an_error_is_a_line_that_says_what_to_do() -> None:
    bot = Bot()
    for line, reason, says in (
        ({"type": "worlds", "match": 1, "count": 10**6}, "REASON_LIMIT", "ask for fewer"),
        ({"type": "worlds", "match": 1, "count": 10**12}, "REASON_REQUEST", 'the line "worlds" is malformed: '),
        ({"type": "worlds", "match": 3, "count": 1}, "REASON_MATCH", "match 3 is not under way"),
        ({"type": "evaluate", "match": 1, "wolds": 5}, "REASON_REQUEST", 'has no field named "wolds"'),
        ({"type": "evaluate", "match": "one"}, "REASON_REQUEST", 'the line "evaluate" is malformed: '),
        ({"type": "steps", "steps": 5}, "REASON_REQUEST", 'the line "steps" is malformed: '),
        ({"type": "evaluate", "match": 1, "policy": "owl"}, "REASON_POLICY", "choose one of "),
    ):
        [(_, reply)] = bot.write(line)
        assert reply["type"] == "error"
        assert reply["reason"] == reason
        assert says in reply["sentence"]
    assert bot.ask("worlds", match=1, count=1)["type"] == "worlds", "the match goes on"


def test_answers_before_a_request_leave_before_it_is_fulfilled() -> None:
    bot = Bot()
    first, second = bot.write({"type": "answer", "move": "keep"}, {"type": "evaluate", "match": 1})
    assert PlayRequest.FromString(first[0]).answers.answers[0].index == 0
    assert second[1]["sentence"].startswith("match 1 has no open question")


def test_the_model_is_told_of_answers_and_of_the_next_question() -> None:
    bot = Bot()
    [(message, _)] = bot.write({"type": "answer", "move": "exchange"})
    assert PlayRequest.FromString(message).answers.answers[0].index == 1
    bot.seat.answer("exchange")
    [question] = bot.hear()
    [world] = bot.ask("worlds", match=1, count=1)["worlds"]
    assert world["asked"][0]["legal"] == question["legal"]


def test_events_are_lines_of_the_log_all_the_same() -> None:
    assert "events" not in Bot().told[-1]
    events = Bot(wants_events=True).told[-1]["events"]
    assert events[0] == "set 1 begins"
    assert any(line.startswith("seat 1 is dealt ") for line in events)


def test_who_has_not_said_so_cannot_look_ahead() -> None:
    bot = Bot(wants_positions=False)
    assert not bot.hello.wants_events
    with pytest.raises(BadLine, match='line 2: a line "evaluate" needs "wants_positions":true in the hello'):
        bot.write({"type": "evaluate", "match": 1})
