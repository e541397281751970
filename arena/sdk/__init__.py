"""Write a bot in ten lines of Python.

    bot            Bot: what an author subclasses, and run
    question       Question: what is asked, and notes on the answer
    match          Match: the table, the options, the bot's own chance and memory
    message_codec  protocol messages <-> questions and moves
    blocking       the loop for bots that answer one question after the other
    concurrent     the loop under trio, for coroutines
    grpc_call      the bot's end of its gRPC call
    lazy_import    modules that a bot names and does not use, for a start in two thirds of the time

It needs grpcio and protobuf, trio only for coroutines, and nothing else of arena. docs/bots.md is its manual.
"""

from arena.sdk.bot import Bot, Move
from arena.sdk.match import Match
from arena.sdk.question import Question

__all__ = ["Bot", "Match", "Move", "Question"]
