"""A bot that misbehaves on request: `naughty.py MISCHIEF`. See `MISCHIEFS` for what it can do.

It is written from the protocol alone, and uses only the generated stubs of arena. Where it does not misbehave, it
plays the first legal move.
"""

import os
import queue
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import grpc

from referee.v1.play_pb2 import PlayRequest, PlayResponse, Question


class Conversation:
    """The bot's side of one stream."""

    def __init__(
        self,
        *,
        protocols: tuple[int, ...] = (1,),
        games: tuple[str, ...] = (),
        token: str = "",
        name: str = "",
        version: str = "",
    ) -> None:
        self._out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        options = [("grpc.default_authority", "localhost"), ("grpc.max_send_message_length", -1)]
        self._channel = grpc.insecure_channel(os.environ["ARENA_ADDRESS"], options=options)
        hello = PlayRequest()
        hello.hello.protocols.extend(protocols)
        hello.hello.games.extend(games)
        hello.hello.token = token or os.environ["ARENA_TOKEN"]
        hello.hello.name, hello.hello.version = name, version
        self.hello = hello
        self.say(hello)
        play: Any = self._channel.stream_stream("/referee.v1.BotService/Play")
        self._replies = play(iter(self._out.get, None))

    def say(self, request: PlayRequest) -> None:
        """Send a message."""
        self._out.put(request.SerializeToString())

    def raw(self, payload: bytes) -> None:
        """Send bytes."""
        self._out.put(payload)

    def answer(self, number: int, text: str) -> None:
        """Answer one question."""
        request = PlayRequest()
        request.answers.answers.add(question=number, text=text)
        self.say(request)

    def end(self) -> None:
        """End the bot's side of the stream."""
        self._out.put(None)

    def responses(self) -> Iterator[PlayResponse]:
        """Yield the referee's messages until it ends the stream."""
        try:
            for reply in self._replies:
                yield PlayResponse.FromString(reply)
        except grpc.RpcError:
            return

    def questions(self) -> Iterator[Question]:
        """Yield the questions one by one."""
        for response in self.responses():
            yield from response.turns.questions

    def play(self, move: Callable[[Question], str] = lambda question: question.legal[0]) -> None:
        """Answer all questions correctly."""
        for question in self.questions():
            self.answer(question.id, move(question))


def exit_at_once() -> None:
    """Exits before its hello."""
    print("I would rather not", file=sys.stderr)
    sys.exit(3)


def no_hello() -> None:
    """Runs without connecting."""
    time.sleep(3600)


def compute() -> None:
    """Computes without end before it connects."""
    while True:
        pass


def print_first() -> None:
    """Prints megabytes before it connects."""
    while True:
        print("spam " * 100_000)


def fork_first() -> None:
    """Starts processes without end before it connects."""
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def speak_http() -> None:
    """Connects and sends a request of HTTP/1."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
        connection.sendall(b"GET /move HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(3600)


def serve_http() -> None:
    """Opens a socket of the network, as a server does."""
    socket.socket(socket.AF_INET)
    time.sleep(3600)


def only_connect() -> None:
    """Connects and calls nothing."""
    channel = grpc.insecure_channel(os.environ["ARENA_ADDRESS"])
    grpc.channel_ready_future(channel).result()
    time.sleep(3600)


def other_method() -> None:
    """Calls a method that does not exist, with a long path."""
    channel = grpc.insecure_channel(os.environ["ARENA_ADDRESS"], [("grpc.default_authority", "localhost")])
    move: Any = channel.unary_unary("/referee.v1.BotService/Move" + "!" * 100)
    with suppress(grpc.RpcError):
        move(b"")
    time.sleep(3600)


def no_words() -> None:
    """Opens a stream and says nothing."""
    channel = grpc.insecure_channel(os.environ["ARENA_ADDRESS"], [("grpc.default_authority", "localhost")])
    play: Any = channel.stream_stream("/referee.v1.BotService/Play")
    for _ in play(iter(queue.SimpleQueue[bytes]().get, None)):
        pass
    time.sleep(3600)


def crash_at_question() -> None:
    """Exits at the first question."""
    for _ in Conversation().questions():
        print("what a question!", file=sys.stderr, flush=True)
        os._exit(7)


def crash_in_one_match() -> None:
    """Exits whenever it is asked in the match whose bot seed, in hex, is the second argument."""
    bot_seed = bytes.fromhex(sys.argv[2])
    conversation = Conversation()
    matches = set()
    for response in conversation.responses():
        matches |= {start.match for start in response.turns.starts if start.bot_seed == bot_seed}
        for question in response.turns.questions:
            if question.match in matches:
                os._exit(9)
            conversation.answer(question.id, question.legal[0])


def hang() -> None:
    """Never answers."""
    for _ in Conversation().questions():
        time.sleep(3600)


def print_and_hang() -> None:
    """Prints megabytes, with terminal escapes, then hangs."""
    for _ in Conversation().questions():
        print("\x1b[2J" + "spam " * 500_000, flush=True)
        time.sleep(3600)


def chatter() -> None:
    """Sends answers to questions that were not asked."""
    conversation = Conversation()
    for question in conversation.questions():
        for _ in range(20):
            conversation.answer(question.id + 1000, question.legal[0])
            time.sleep(0.05)


def other_protocol() -> None:
    """Offers only unknown protocol versions."""
    Conversation(protocols=(98, 99)).play()


def other_game() -> None:
    """Plays only another game."""
    Conversation(games=("tiddlywinks",)).play()


def wrong_token() -> None:
    """Says hello with a wrong token."""
    Conversation(token="let me in").play()
    sys.exit(4)


def nonsense() -> None:
    """Answers with moves that do not exist."""
    Conversation().play(lambda question: "castle \x1b[31mkingside\u202e <b>now</b>")


def garbage() -> None:
    """Answers with bytes that are not a message."""
    conversation = Conversation()
    for _ in conversation.questions():
        conversation.raw(b"\xff\xff\xff\xff")


def giant() -> None:
    """Answers with a message of 8 MiB."""
    conversation = Conversation()
    for _ in conversation.questions():
        conversation.raw(b"\x0a" * (8 << 20))


def twice() -> None:
    """Answers every question twice, with different moves."""
    conversation = Conversation()
    for question in conversation.questions():
        conversation.answer(question.id, question.legal[0])
        conversation.answer(question.id, question.legal[-1])


def old() -> None:
    """Answers every question, then the one before it again."""
    conversation = Conversation()
    for question in conversation.questions():
        conversation.answer(question.id, question.legal[0])
        conversation.answer(question.id - 1, question.legal[-1])


def flood() -> None:
    """Answers a question that was never asked, as fast as it can."""
    conversation = Conversation()
    for _ in conversation.questions():
        for _ in range(100_000):
            conversation.answer(10**9, "keep")


def hello_again() -> None:
    """Says hello in the middle of a match."""
    conversation = Conversation()
    for _ in conversation.questions():
        conversation.say(conversation.hello)


def end_stream() -> None:
    """Ends its side of the stream at the first question."""
    conversation = Conversation()
    for _ in conversation.questions():
        conversation.end()


def stay() -> None:
    """Plays well, but neither it nor its child exits at the end of the stream or at a signal."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    conversation = Conversation()
    os.posix_spawnp("sleep", ["sleep", "3600"], os.environ)  # before a fork, gRPC may wait 5 s for its threads
    conversation.play()
    time.sleep(3600)


MISCHIEFS: dict[str, Callable[[], None]] = {
    mischief.__name__.replace("_", "-"): mischief
    for mischief in (
        exit_at_once, no_hello, compute, print_first, fork_first, speak_http, serve_http, only_connect, other_method,
        no_words, crash_at_question, crash_in_one_match, hang, print_and_hang, chatter, other_protocol,
        other_game, wrong_token, nonsense, garbage, giant, twice, old, flood, hello_again, end_stream, stay,
    )
}  # fmt: skip


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in MISCHIEFS:
        sys.exit(f"usage: naughty.py {'|'.join(MISCHIEFS)}")
    MISCHIEFS[sys.argv[1]]()
