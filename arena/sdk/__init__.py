"""Write a bot in ten lines of Python.

    bot            Bot: the class that an author subclasses
    question       Question: the view, the legal moves, a note with the answer
    asking         ask: asks a bot a recorded question, for its author's tests
    profiling      counts where a bot spends its time, for `arena profile`
    recorded_question  RecordedQuestion, load_question: such a question and its file
    look_ahead     LookAhead: what positions are made of, for bots that look ahead
    question_turns the same as protocol messages
    match          Match: the table, the options, the bot's own random numbers and memory
    blocking       the loop of a bot that answers one question at a time
    concurrent     the loop of a bot that answers in coroutines, under trio
    message_codec  protocol messages to questions, and moves to protocol messages
    pure           reads turns and writes answers by the protobuf library
    native         the same in C, where it was compiled
    grpc_call      the bot's end of its gRPC call: opens one of two kinds
    direct_call    a call without threads, on the core of gRPC
    stub_call      a call by grpcio's public API
    grpc_options   what both tell gRPC
    errors         refused by the referee, connection lost, unknown view, bad question, no answer
    lazy_import    defers slow imports: a bot starts in two thirds of the time
    light_protobuf imports the protobuf library without the parts that bots do not use

It needs grpcio and protobuf, trio only for coroutines, and nothing else of arena. docs/bots.md is its manual.
"""

from typing import TYPE_CHECKING, Any

import arena.sdk.light_protobuf  # noqa: F401 - before any module of messages
from arena.sdk.bot import Bot, Move
from arena.sdk.match import Match
from arena.sdk.question import Question

if TYPE_CHECKING:
    from arena.sdk.asking import Answer, ask
    from arena.sdk.errors import BadQuestion, NoAnswer, NoPositions
    from arena.sdk.recorded_question import RecordedQuestion, load_question

_LATER = {
    "Answer": "asking",
    "BadQuestion": "errors",
    "NoAnswer": "errors",
    "NoPositions": "errors",
    "RecordedQuestion": "recorded_question",
    "ask": "asking",
    "load_question": "recorded_question",
}
"""Names that few bots need, with their modules: imported on first use, as a bot must start quickly."""

__all__ = [
    "Answer",
    "BadQuestion",
    "Bot",
    "Match",
    "Move",
    "NoAnswer",
    "NoPositions",
    "Question",
    "RecordedQuestion",
    "ask",
    "load_question",
]


if not TYPE_CHECKING:  # or type checkers would let any name pass

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"arena.sdk.{_LATER[name]}"), name)
