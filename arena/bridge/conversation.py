"""Translate the referee's messages to lines of JSON, and the bot's lines to messages."""

import sys
from threading import Lock
from typing import Any

from arena.bridge.bot_lines import (
    AnswerLine,
    BadLine,
    ReadyLine,
    json_line,
    read_answer,
    read_hello,
)
from arena.bridge.json_messages import json_value
from arena.sdk.match import Match
from arena.sdk.message_codec import PROTOCOLS, truncated_text
from referee.v1.play_pb2 import MatchEnd, MatchStart, PlayRequest, PlayResponse, Question, Refusal, Turns


class BotConversation:
    """The state of one bot's stream. One thread calls `lines_of`, another may call `hello` and `answers`.

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
        return request.SerializeToString()

    def answers(self, lines: list[bytes]) -> bytes:
        """Return the message for some lines with answers; empty if all are blank. Raises BadLine."""
        request = PlayRequest()
        for line in lines:
            self._line_number += 1
            if line.strip():
                try:
                    parsed = read_answer(line)
                    if isinstance(parsed, ReadyLine):
                        self._ready(parsed, request)
                    else:
                        self._answer(parsed, request)
                except BadLine as wrong:
                    raise BadLine(f"line {self._line_number}: {wrong}") from None
        return request.SerializeToString()

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
        if parsed.move in legal:
            answer.index = list(legal).index(str(parsed.move))
        elif isinstance(parsed.move, int) and 0 <= parsed.move < len(legal):
            answer.index = parsed.move
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
        if parsed.say:
            answer.say = truncated_text(parsed.say)

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
        return b"".join(self._turns(response.turns)) if kind == "turns" else b""

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
                **({"ready": True, "ready_time_ms": start.ready_time_ms} if start.ready_question else {}),
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
