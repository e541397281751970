"""One conversation: what the referee says in messages as lines, what the bot says in lines as messages."""

import sys
from threading import Lock
from typing import Any

from arena.bridge.bot_lines import (
    Answer,
    BadLine,
    read_answer,
    read_hello,
    written,
)
from arena.bridge.json_messages import value
from arena.sdk.match import Match
from arena.sdk.message_codec import PROTOCOLS, truncated_text
from referee.v1.play_pb2 import MatchEnd, MatchStart, PlayRequest, PlayResponse, Question, Refusal, Turns


class Talk:
    """What one bot and its referee have said so far. One thread calls `told`, another may call `hello` and `said`.

    The bot is told numbers of questions that count from 1, which every language can hold.

    refused: why the referee refused the hello; empty where it did not.
    """

    def __init__(self, token: str) -> None:
        self.refused = ""
        self._token = token
        self._wants_events = False
        self._whole = False
        self._matches: dict[int, Match] = {}
        self._questions = 0
        self._open: dict[int, Question] = {}
        self._lock = Lock()
        self._said = 0

    # What the bot says

    def hello(self, line: bytes) -> bytes:
        """Return the message of the bot's first line. Raises BadLine."""
        told = read_hello(line)
        self._said = 1
        self._wants_events, self._whole = told.wants_events, told.whole_batches
        request = PlayRequest()
        hello = request.hello
        hello.protocols.extend(PROTOCOLS)
        hello.token = self._token
        hello.name = truncated_text(told.name)
        hello.version = truncated_text(told.version)
        hello.games.extend(truncated_text(game) for game in told.games)
        hello.matches_at_once = told.matches_at_once
        hello.wants_events = told.wants_events
        hello.whole_batches = told.whole_batches
        hello.wants_schema = True
        return request.SerializeToString()

    def said(self, lines: list[bytes]) -> bytes:
        """Return the message of some lines with answers; nothing where all are blank. Raises BadLine."""
        request = PlayRequest()
        for line in lines:
            self._said += 1
            if line.strip():
                try:
                    self._answer(read_answer(line), request)
                except BadLine as wrong:
                    raise BadLine(f"line {self._said}: {wrong}") from None
        return request.SerializeToString()

    def _answer(self, told: Answer, request: PlayRequest) -> None:
        with self._lock:
            number = next(iter(self._open), 0) if told.question is None else told.question
            question = self._open.pop(number, None)
        answer = request.answers.answers.add()
        if question is None:
            return  # its question is 0, which is never open: the referee counts such answers, and drops them
        answer.question = question.id
        legal = question.legal
        if told.move in legal:
            answer.index = list(legal).index(str(told.move))
        elif isinstance(told.move, int) and 0 <= told.move < len(legal):
            answer.index = told.move
        else:
            if isinstance(told.move, str):
                answer.text = truncated_text(told.move)
            choices = ", ".join(f'"{move}"' for move in legal)
            print(
                f"line {self._said}: the answer to question {number} is {told.move!a:.200}, which is no legal move: "
                f"answer with one of {choices}, or its index from 0 to {len(legal) - 1}",
                file=sys.stderr,
                flush=True,
            )
        if told.note:
            answer.note = truncated_text(told.note)
        if told.say:
            answer.say = truncated_text(told.say)

    # What the bot is told

    def told(self, message: bytes) -> bytes:
        """Return the lines of a message of the referee."""
        response = PlayResponse.FromString(message)
        kind = response.WhichOneof("message")
        if kind == "welcome":
            welcome = response.welcome
            return written(
                {"type": "welcome", "protocol": welcome.protocol, "matches_at_once": welcome.matches_at_once}
            )
        if kind == "refusal":
            refusal = response.refusal
            self.refused = refusal.sentence
            reason = Refusal.Reason.Name(refusal.reason)
            return written({"type": "refusal", "reason": reason, "sentence": refusal.sentence})
        return b"".join(self._turns(response.turns)) if kind == "turns" else b""

    def _turns(self, turns: Turns) -> list[bytes]:
        lines = [self._start(start) for start in turns.starts]
        if self._whole and turns.questions:
            lines.append(written({"type": "batch", "questions": len(turns.questions)}))
        lines += [self._question(question) for question in turns.questions]
        lines += [self._end(end) for end in turns.ends]
        return lines

    def _start(self, start: MatchStart) -> bytes:
        self._matches[start.match] = Match(start)
        return written(
            {
                "type": "start",
                "match": start.match,
                "game": start.game,
                "behaviour": start.behaviour,
                "seats": start.seats,
                "seat": start.seat,
                "move_time_ms": start.move_time_ms,
                "bank_ms": start.bank_ms,
                "bot_seed": start.bot_seed.hex(),
                "view_type": start.view_type,
                "names": list(start.names),
                "options": dict(start.options),
            }
        )

    def _question(self, question: Question) -> bytes:
        with self._lock:
            self._questions += 1
            self._open[self._questions] = question
        told: dict[str, Any] = {
            "type": "question",
            "question": self._questions,
            "match": question.match,
            "again": question.again,
            "bank_ms": question.bank_ms,
            "charged_us": question.charged_us,
            "legal": list(question.legal),
        }
        if self._wants_events:
            told["events"] = list(question.events)
        told["view"] = value(self._matches[question.match].parse(question.view))
        return written(told)

    def _end(self, end: MatchEnd) -> bytes:
        self._matches.pop(end.match, None)
        with self._lock:
            for number in [number for number, question in self._open.items() if question.match == end.match]:
                del self._open[number]
        told: dict[str, Any] = {
            "type": "end", "match": end.match, "scores": list(end.scores), "ranks": list(end.ranks)
        }  # fmt: skip
        if self._wants_events:
            told["events"] = list(end.events)
        return written(told)
