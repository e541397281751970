"""The loop of a bot that answers one question after the other."""

from collections.abc import Iterator
from time import perf_counter

from arena.sdk.grpc_call import Call
from arena.sdk.message_codec import Dialogue

_PATIENCE = 0.02
"""Seconds of thinking after which finished answers leave, so that the clock does not run on for them."""


def play(dialogue: Dialogue, address: str) -> None:
    """Answer what comes until the referee ends the call. Raises CallLost, Refused, and whatever the bot raises."""
    call = Call(address)
    call.send(dialogue.hello())
    try:
        for message in call.messages():
            try:
                for answers in _answers(dialogue, message):
                    call.send(answers)
            except Exception:
                if dialogue.pending:  # the questions answered already need not be asked again
                    call.send(dialogue.take())
                    call.finish()
                raise
    finally:
        call.close()


def _answers(dialogue: Dialogue, message: bytes) -> Iterator[bytes]:
    """Yield messages with the answers to the questions in a message of the referee, as they get ready."""
    turns = dialogue.read(message)
    questions = dialogue.questions(turns)
    if dialogue.whole:
        if questions:
            dialogue.put_all(questions, dialogue.ask(questions))
    else:
        choose, put = dialogue.ask, dialogue.put
        due = perf_counter() + _PATIENCE
        for question in questions:
            put(question, choose(question))
            if perf_counter() > due:
                yield dialogue.take()
                due = perf_counter() + _PATIENCE
    if dialogue.pending:
        yield dialogue.take()
    dialogue.close(turns)
