"""A bot that answers, and gives the referee as much other work as it may: `burden.py BURDEN`; see `BURDENS`."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from referee.v1.play_pb2 import PlayRequest
from sample_bots.naughty.naughty import Conversation

USELESS = 990
"""Useless messages beside an answer: few enough for one answer not to end the bot."""


def quiet() -> None:
    """Does nothing beside its answers."""
    Conversation().play()


def messages() -> None:
    """Sends as many useless messages with its first answer as one may, and then with each as many as it forgives."""
    conversation = Conversation()
    for count, question in enumerate(conversation.questions()):
        for _ in range(USELESS if count == 0 else 2):
            conversation.raw(b"")
        conversation.answer(question.id, question.legal[0])


def large_messages() -> None:
    """Pads its first five answers to the largest message that is taken."""
    conversation = Conversation()
    for count, question in enumerate(conversation.questions()):
        if count >= 5:
            conversation.answer(question.id, question.legal[0])
            continue
        request = PlayRequest()
        request.answers.answers.add(question=question.id, text=question.legal[0])
        # A field that nobody knows, of 180 KiB.
        conversation.raw(request.SerializeToString() + b"\xfa\x7f" + varint(180 << 10) + b"x" * (180 << 10))


def notes() -> None:
    """Sends the longest note, of characters that are all escaped, with each answer."""
    conversation = Conversation()
    for question in conversation.questions():
        request = PlayRequest()
        request.answers.answers.add(question=question.id, text=question.legal[0], note="\x1b\n" * 512)
        conversation.say(request)


def output() -> None:
    """Prints 64 KiB that are all escaped before each answer."""
    conversation = Conversation()
    for question in conversation.questions():
        os.write(2, b"\xff\n" * (32 << 10))
        conversation.answer(question.id, question.legal[0])


def crash() -> None:
    """Prints much and ends at the first question."""
    for _ in Conversation().questions():
        os.write(2, b"\x1b\n" * (32 << 10))
        os._exit(7)


def files() -> None:
    """Leaves 10,000 files in its /tmp, then ends at its tenth question."""
    for number in range(10_000):
        Path(f"/tmp/{number}").touch()
    conversation = Conversation()
    for count, question in enumerate(conversation.questions()):
        if count == 9:
            os._exit(7)
        conversation.answer(question.id, question.legal[0])


def processes() -> None:
    """Starts 200 processes, then ends at its tenth question."""
    for _ in range(200):
        os.posix_spawnp("sleep", ["sleep", "3600"], os.environ)
    conversation = Conversation()
    for count, question in enumerate(conversation.questions()):
        if count == 9:
            os._exit(7)
        conversation.answer(question.id, question.legal[0])


def varint(number: int) -> bytes:
    """Return a number as protobuf writes it."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


BURDENS: dict[str, Callable[[], None]] = {
    burden.__name__.replace("_", "-"): burden
    for burden in (quiet, messages, large_messages, notes, output, crash, files, processes)
}


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in BURDENS:
        sys.exit(f"usage: burden.py {'|'.join(BURDENS)}")
    BURDENS[sys.argv[1]]()
