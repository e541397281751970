"""Write a bot in ten lines of Python.

    bot         Bot: what an author subclasses, and run
    question    Question: what is asked, and notes on the answer
    match       Match: the table, the options, the bot's own chance and memory
    dialogue    protocol messages <-> questions and moves
    blocking    the loop for bots that answer one question after the other
    concurrent  the loop under trio, for coroutines
    call        one gRPC call over HTTP/2, without a socket
    address     where ARENA_ADDRESS points
    quickstart  keeps the start of a bot process cheap

It needs protobuf, and trio only for coroutines; it imports nothing else of arena. docs/bots.md is its manual.
"""

from arena.sdk import quickstart as _quickstart  # noqa: F401  before anything imports protobuf
from arena.sdk.bot import Bot, Move
from arena.sdk.match import Match
from arena.sdk.question import Question

__all__ = ["Bot", "Match", "Move", "Question"]
