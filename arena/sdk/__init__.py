"""Write a bot in ten lines of Python.

    bot            Bot: the class that an author subclasses
    question       Question: the view, the legal moves, a note with the answer
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
    errors         refused by the referee, connection lost, unknown view
    lazy_import    defers slow imports: a bot starts in two thirds of the time
    light_protobuf imports the protobuf library without the parts that bots do not use

It needs grpcio and protobuf, trio only for coroutines, and nothing else of arena. docs/bots.md is its manual.
"""

import arena.sdk.light_protobuf  # noqa: F401 - before any module of messages
from arena.sdk.bot import Bot, Move
from arena.sdk.match import Match
from arena.sdk.question import Question

__all__ = ["Bot", "Match", "Move", "Question"]
