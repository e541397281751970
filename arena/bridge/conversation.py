"""Translate the referee's messages to lines of JSON, and the bot's lines to messages."""

import sys
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from arena.bridge.bot_lines import (
    AnswerLine,
    BadLine,
    ReadyLine,
    RequestLine,
    json_line,
    read_answer,
    read_hello,
)
from arena.bridge.json_messages import json_value
from arena.sdk.match import Match
from arena.sdk.message_codec import PROTOCOLS, truncated_say, truncated_text
from referee.v1.model_pb2 import ModelRequest
from referee.v1.play_pb2 import MatchEnd, MatchStart, PlayRequest, PlayResponse, Question, Refusal, Turns

if TYPE_CHECKING:
    from arena.model_server.model import Model


class BotConversation:
    """The state of one bot's stream. One thread calls `lines_of`, another may call `hello` and `read`.

    Questions are renumbered from 1, so that every language can represent their numbers.

    refused: why the referee refused the hello; empty if it did not.
    """

    def __init__(self, token: str) -> None:
        self.refused = ""
        self._token = token
        self._wants_events = False
        self._whole = False
        self._matches: dict[int, Match] = {}
        self._questions = 0
        self._open: dict[int, Question] = {}
        self._ready_questions: dict[int, int] = {}
        self._lock = Lock()
        self._line_number = 0
        self._model: Model | None = None
        self._model_lock = Lock()

    # From the bot

    def hello(self, line: bytes) -> bytes:
        """Return the hello message for the bot's first line. Raises BadLine."""
        parsed = read_hello(line)
        self._line_number = 1
        self._wants_events, self._whole = parsed.wants_events, parsed.whole_batches
        request = PlayRequest()
        hello = request.hello
        hello.protocols.extend(PROTOCOLS)
        hello.token = self._token
        hello.name = truncated_text(parsed.name)
        hello.version = truncated_text(parsed.version)
        hello.games.extend(truncated_text(game) for game in parsed.games)
        hello.matches_at_once = parsed.matches_at_once
        hello.wants_events = parsed.wants_events
        hello.whole_batches = parsed.whole_batches
        hello.wants_ready = parsed.wants_ready
        hello.wants_schema = True
        if parsed.wants_positions:
            from arena.model_server.model import Model  # takes 0.1 s, which no clock charges before the hello

            self._model = Model()
            hello.wants_events = hello.wants_values = True
        return request.SerializeToString()

    def read(self, lines: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield what follows from lines of the bot: a message for the referee, or else a line for the bot.

        One of the two is empty. Answers before a request leave before it is fulfilled.

        Raises BadLine.
        """
        request = PlayRequest()
        for line in lines:
            self._line_number += 1
            if line.strip():
                try:
                    parsed = read_answer(line)
                    if isinstance(parsed, ReadyLine):
                        self._ready(parsed, request)
                    elif isinstance(parsed, RequestLine):
                        if message := self._taken(request):
                            yield message, b""
                        yield b"", self._looked_ahead(parsed)
                    else:
                        self._answer(parsed, request)
                except BadLine as wrong:
                    raise BadLine(f"line {self._line_number}: {wrong}") from None
        if message := self._taken(request):
            yield message, b""

    def _taken(self, request: PlayRequest) -> bytes:
        """Return the message with the answers so far, and begin the next one; empty if there are none."""
        if self._model is not None:
            with self._model_lock:
                self._model.take_answers(request.answers)
        message = request.SerializeToString()
        request.Clear()
        return message

    def _looked_ahead(self, parsed: RequestLine) -> bytes:
        """Return the line with the response to a request."""
        from arena.bridge.model_messages import model_request, response_values

        if self._model is None:
            raise BadLine(f'a line "{parsed.kind}" needs "wants_positions":true in the hello')
        request = model_request(parsed.kind, parsed.values)
        with self._model_lock:
            response = self._model.reply(request) if isinstance(request, ModelRequest) else request
        assert response is not None
        return json_line(response_values(response, lambda match, view: self._matches[match].parse(view)))

    def _ready(self, parsed: ReadyLine, request: PlayRequest) -> None:
        with self._lock:
            number = self._ready_questions.pop(parsed.match, 0)
        answer = request.answers.answers.add()
        if number:  # otherwise the referee counts and drops it, as all answers to what was not asked
            answer.question = number
            answer.index = 0

    def _answer(self, parsed: AnswerLine, request: PlayRequest) -> None:
        with self._lock:
            number = next(iter(self._open), 0) if parsed.question is None else parsed.question
            question = self._open.pop(number, None)
        answer = request.answers.answers.add()
        if question is None:
            return  # the question number stays 0, which is never open: the referee counts and drops such answers
        answer.question = question.id
        legal = question.legal
        match, say = self._matches[question.match], parsed.say
        if parsed.move in legal:
            answer.index = list(legal).index(str(parsed.move))
        elif isinstance(parsed.move, int) and 0 <= parsed.move < len(legal):
            answer.index = parsed.move
        elif isinstance(parsed.move, str) and parsed.move and match.text_move in legal:
            answer.index, say = list(legal).index(match.text_move), parsed.move
        else:
            if isinstance(parsed.move, str):
                answer.text = truncated_text(parsed.move)
            choices = ", ".join(f'"{move}"' for move in legal)
            print(
                f"line {self._line_number}: the answer to question {number} is {parsed.move!a:.200}, not a legal move: "
                f"answer with one of {choices}, or its index from 0 to {len(legal) - 1}",
                file=sys.stderr,
                flush=True,
            )
        if parsed.note:
            answer.note = truncated_text(parsed.note)
        if say:
            answer.say = truncated_say(say, match)

    # To the bot

    def lines_of(self, message: bytes) -> bytes:
        """Return the lines for a message of the referee."""
        response = PlayResponse.FromString(message)
        kind = response.WhichOneof("message")
        if kind == "welcome":
            welcome = response.welcome
            return json_line(
                {"type": "welcome", "protocol": welcome.protocol, "matches_at_once": welcome.matches_at_once}
            )
        if kind == "refusal":
            refusal = response.refusal
            self.refused = refusal.sentence
            reason = Refusal.Reason.Name(refusal.reason)
            return json_line({"type": "refusal", "reason": reason, "sentence": refusal.sentence})
        return b"".join(self._turns(self._told(response.turns))) if kind == "turns" else b""

    def _told(self, turns: Turns) -> Turns:
        """Pass turns on to the model of a bot that looks ahead; return them with the lines of the log."""
        if self._model is None:
            return turns
        with self._model_lock:
            if not self._wants_events:
                self._model.tell(turns)
                return turns
            response = self._model.reply(ModelRequest(lines=turns))
        assert response is not None
        return response.lines

    def _turns(self, turns: Turns) -> list[bytes]:
        lines = [self._start(start) for start in turns.starts]
        if self._whole and turns.questions:
            lines.append(json_line({"type": "batch", "questions": len(turns.questions)}))
        lines += [self._question(question) for question in turns.questions]
        lines += [self._end(end) for end in turns.ends]
        return lines

    def _start(self, start: MatchStart) -> bytes:
        self._matches[start.match] = Match(start)
        if start.ready_question:
            with self._lock:
                self._ready_questions[start.match] = start.ready_question
        return json_line(
            {
                "type": "start",
                "match": start.match,
                "game": start.game,
                "behaviour": start.behaviour,
                "seats": start.seats,
                "seat": start.seat,
                "move_time_ms": start.move_time_ms,
                "bank_ms": start.bank_ms,
                **({"fischer": True} if start.fischer else {}),
                **(
                    {"clocks": [clock._asdict() for clock in self._matches[start.match].clocks]} if start.clocks else {}
                ),
                **({"ready": True, "ready_time_ms": start.ready_time_ms} if start.ready_question else {}),
                **({"text_move": start.text_move, "text_limit": start.text_limit} if start.text_move else {}),
                "bot_seed": start.bot_seed.hex(),
                "view_type": start.view_type,
                "names": list(start.names),
                "options": dict(start.options),
            }
        )

    def _question(self, question: Question) -> bytes:
        with self._lock:
            self._questions += 1  # not `question.id`: JSON numbers hold 53 bits in most languages
            self._open[self._questions] = question
        values: dict[str, Any] = {
            "type": "question",
            "question": self._questions,
            "match": question.match,
            "again": question.again,
            "bank_ms": question.bank_ms,
            "charged_us": question.charged_us,
            "legal": list(question.legal),
        }
        if self._wants_events:
            values["events"] = list(question.events)
        values["view"] = json_value(self._matches[question.match].parse(question.view))
        return json_line(values)

    def _end(self, end: MatchEnd) -> bytes:
        self._matches.pop(end.match, None)
        with self._lock:
            self._ready_questions.pop(end.match, None)
            for number in [number for number, question in self._open.items() if question.match == end.match]:
                del self._open[number]
        values: dict[str, Any] = {
            "type": "end", "match": end.match, "scores": list(end.scores), "ranks": list(end.ranks)
        }  # fmt: skip
        if self._wants_events:
            values["events"] = list(end.events)
        return json_line(values)
