"""The loop of a bot that answers one question at a time."""

from collections.abc import Iterator
from time import perf_counter

from arena.sdk.grpc_call import open_call
from arena.sdk.message_codec import MessageCodec
from arena.sdk.pure import Turns

_FLUSH_SECONDS = 0.02
"""Finished answers are sent after this time at the latest, so that their clock stops."""


def play(codec: MessageCodec, address: str) -> None:
    """Answer questions until the referee ends the call. Raises CallLost, Refused, and whatever the bot raises."""
    call = open_call(address)
    call.send(codec.hello())
    try:
        for message in call.messages():
            try:
                for answers in _answers(codec, codec.read(message, call.send)):
                    call.send(answers)
            except Exception:
                if codec.pending:  # or the referee would ask them again
                    call.send(codec.take_message())
                    call.finish()
                raise
    finally:
        call.close()


def _answers(codec: MessageCodec, turns: Turns) -> Iterator[bytes]:
    """Answer the questions in a message of the referee; yield messages with the answers as they become ready."""
    questions = codec.questions(turns)
    if codec.in_batches:
        if questions:
            codec.add_answers(questions, codec.choose(questions))
    else:
        choose, add_answer = codec.choose, codec.add_answer
        flush_at = perf_counter() + _FLUSH_SECONDS
        for question in questions:
            add_answer(question, choose(question))
            if perf_counter() > flush_at:
                yield codec.take_message()
                flush_at = perf_counter() + _FLUSH_SECONDS
    if codec.pending:
        yield codec.take_message()
    codec.end_matches(turns)
