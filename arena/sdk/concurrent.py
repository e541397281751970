"""The loop of a bot whose `choose` or `choose_all` is a coroutine: trio, all open questions at the same time."""

from collections.abc import Sequence
from typing import Any

import trio

from arena.sdk.bot import Refused
from arena.sdk.grpc_call import Call, CallLost
from arena.sdk.message_codec import Dialogue
from arena.sdk.question import Question


class _Play:
    """One bot at work."""

    def __init__(self, dialogue: Dialogue, call: Call, nursery: trio.Nursery) -> None:
        self._dialogue = dialogue
        self._call = call
        self._nursery = nursery
        self._leaving = False

    async def listen(self) -> None:
        """Start a task for each question until the referee ends the call."""
        dialogue = self._dialogue
        self._call.send(dialogue.hello())
        messages = self._call.messages()
        while (message := await trio.to_thread.run_sync(next, messages, None, abandon_on_cancel=True)) is not None:
            turns = dialogue.read(message)
            questions = dialogue.questions(turns)
            if not dialogue.whole:
                for question in questions:
                    self._nursery.start_soon(self._answer, question)
            elif questions:
                self._nursery.start_soon(self._answer_all, questions)
            dialogue.close(turns)

    async def _answer(self, question: Question[Any]) -> None:
        self._dialogue.put(question, await self._dialogue.ask(question))
        self._leave_soon()

    async def _answer_all(self, questions: Sequence[Question[Any]]) -> None:
        self._dialogue.put_all(questions, await self._dialogue.ask(questions))
        self._leave_soon()

    def _leave_soon(self) -> None:
        """Send what is answered after the tasks that are ready now have answered too: one message for all."""
        if not self._leaving:
            self._leaving = True
            self._nursery.start_soon(self._leave)

    async def _leave(self) -> None:
        await trio.lowlevel.checkpoint()
        self._leaving = False
        self._call.send(self._dialogue.take())


async def _play(dialogue: Dialogue, call: Call) -> None:
    failure: CallLost | Refused | None = None
    async with trio.open_nursery() as nursery:
        try:
            await _Play(dialogue, call, nursery).listen()
        except (CallLost, Refused) as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure:
        raise failure


def play(dialogue: Dialogue, address: str) -> None:
    """Answer what comes until the referee ends the call. Raises CallLost, Refused, and whatever the bot raises."""
    call = Call(address)
    try:
        trio.run(_play, dialogue, call)
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise
    finally:
        call.close()
