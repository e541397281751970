"""The loop of a bot whose `choose` or `choose_all` is a coroutine function: trio runs one task per question."""

from collections.abc import Sequence
from typing import Any

import trio

from arena.sdk.errors import CallLost, Refused
from arena.sdk.grpc_call import GrpcCall, open_call
from arena.sdk.message_codec import MessageCodec
from arena.sdk.question import Question


class _Answering:
    """The tasks of one bot: one listens, one answers each question."""

    def __init__(self, codec: MessageCodec, call: GrpcCall, nursery: trio.Nursery) -> None:
        self._codec = codec
        self._call = call
        self._nursery = nursery
        self._flush_scheduled = False

    async def listen(self) -> None:
        """Start a task for each question until the referee ends the call."""
        codec = self._codec
        self._send(codec.hello())
        messages = self._call.messages()
        while (message := await trio.to_thread.run_sync(next, messages, None, abandon_on_cancel=True)) is not None:
            turns = codec.read(message, self._send)
            questions = codec.questions(turns)
            if not codec.in_batches:
                for question in questions:
                    self._nursery.start_soon(self._answer, question)
            elif questions:
                self._nursery.start_soon(self._answer_all, questions)
            codec.end_matches(turns)

    async def _answer(self, question: Question[Any]) -> None:
        self._codec.add_answer(question, await self._codec.choose(question))
        self._schedule_flush()

    async def _answer_all(self, questions: Sequence[Question[Any]]) -> None:
        self._codec.add_answers(questions, await self._codec.choose(questions))
        self._schedule_flush()

    def _schedule_flush(self) -> None:
        """Send the answers after the tasks that are ready now have run, so that theirs go in the same message."""
        if not self._flush_scheduled:
            self._flush_scheduled = True
            self._nursery.start_soon(self._flush)

    async def _flush(self) -> None:
        await trio.lowlevel.checkpoint()
        self._flush_scheduled = False
        if self._codec.pending:  # or they left with the message that says that the bot is ready for a match
            self._send(self._codec.take_message())

    @trio.lowlevel.enable_ki_protection  # or Ctrl-C could leave locked what the thread that listens needs to end
    def _send(self, message: bytes) -> None:
        self._call.send(message)


async def _play(codec: MessageCodec, call: GrpcCall) -> None:
    failure: CallLost | Refused | None = None
    async with trio.open_nursery() as nursery:
        try:
            await _Answering(codec, call, nursery).listen()
        except (CallLost, Refused) as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure:
        raise failure


def play(codec: MessageCodec, address: str) -> None:
    """Answer questions until the referee ends the call. Raises CallLost, Refused, and whatever the bot raises."""
    call = open_call(address)
    try:
        trio.run(_play, codec, call)
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
    finally:
        call.close()
