"""What a remote bot sends is counted at the gate, too: while it plays no match, no referee sees it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc

from arena.run.remote.bot_relay import GateSession, RefereeStream
from arena.run.remote.certificate import make_certificate
from arena.run.remote.gate import Gate, GateSettings
from arena.run.remote.proxy import Connection
from referee.session.inbox import STRAYS, StrayBudget
from referee.v1.play_pb2 import Answer, Answers, Hello, MatchStart, PlayRequest, Question, Turns


class Stream:
    """The stream of a bot that has sent everything already; after that the bot waits."""

    def __init__(self, messages: Sequence[PlayRequest]) -> None:
        self.unread = [message.SerializeToString() for message in messages]
        self.has_cut = False

    async def read(self) -> Any:
        return self.unread.pop(0) if self.unread else grpc.aio.EOF

    def cut(self) -> None:
        self.has_cut = True


class Referee(RefereeStream):
    """A stream to a referee that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__("unix:/nowhere", "token")
        self.heard: list[int] = []

    async def say(self, message: bytes) -> None:
        self.heard.append(len(PlayRequest.FromString(message).answers.answers))


def message(*questions: int) -> PlayRequest:
    return PlayRequest(answers=Answers(answers=[Answer(question=number) for number in questions]))


async def listen(messages: Sequence[PlayRequest], strays: StrayBudget, referee: Referee | None = None) -> Stream:
    stream = Stream(messages)
    session = GateSession("crow", Hello(), stream, stream.cut, strays)
    if referee is not None:
        session._referees[referee] = asyncio.ensure_future(asyncio.sleep(0))
        turns = Turns(starts=[MatchStart(match=1)], questions=[Question(id=n, match=1) for n in range(1, 11)])
        session._renumbering.renumber_turns(referee, turns)
    await session._listen()
    return stream


def test_a_flood_while_no_match_is_played_is_cut_off_and_so_it_is_after_a_reconnection() -> None:
    strays = StrayBudget()
    for empty in (message(), message(7)):
        stream = asyncio.run(listen([empty] * (STRAYS // 2), strays))
        assert not stream.has_cut
    stream = asyncio.run(listen([message(7)] * 5, strays))
    assert (stream.has_cut, len(stream.unread)) == (True, 4)


def test_a_flood_in_one_message_is_a_fault_for_the_referees() -> None:
    referee = Referee()
    stream = asyncio.run(listen([message(1, *[99] * STRAYS), message(2)], StrayBudget(), referee))
    assert not stream.has_cut, "with one good answer, this is just not too much"
    assert referee.heard == [11, 1]
    referee = Referee()
    stream = asyncio.run(listen([message(1, *[99] * (STRAYS + 1))], StrayBudget(), referee))
    assert stream.has_cut
    assert referee.heard == [11, STRAYS + 1]


def test_a_referee_that_loses_a_bot_and_invites_it_at_once_waits_for_its_next_connection(tmp_path: Path) -> None:
    gate = Gate("localhost:0", make_certificate(tmp_path, "localhost"), list, GateSettings("cambio", 4), print)
    session = GateSession("crow", Hello(), Stream([]), lambda: None)

    async def play() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            gate._invite("crow", "unix:/referee", "second")
            await asyncio.sleep(0)

    async def connect_and_disconnect() -> None:
        gate._loop = asyncio.get_running_loop()
        session._referees[referee := Referee()] = asyncio.ensure_future(play())
        referee.is_answered = True
        await asyncio.sleep(0)
        writer: Any = None
        await gate._run_session(session, Connection("127.0.0.1", writer))
        await gate._proxy.close()

    asyncio.run(connect_and_disconnect())
    assert gate._waiting == {"crow": {"second": "unix:/referee"}}
