"""The program that a bot starts: it answers requests from standard input until that ends.

It ends with its bot: what is written to a pipe that nobody reads has no reader, also in the middle of a long search.
"""

import os
import select
import sys
from threading import Thread

from google.protobuf.message import DecodeError

from arena.model_server.framing import BadFrame, framed, read_frame
from arena.model_server.model import Model
from referee.v1.model_pb2 import ModelRequest


def serve(requests: int, responses: int) -> int:
    """Answer requests until they end; return the exit code, 1 where something else than requests came.

    requests, responses: descriptors to read from and to write to.
    """
    Thread(target=_end_without_reader, args=[responses], daemon=True).start()
    model = Model()
    try:
        with open(requests, "rb", closefd=False) as file:
            while (message := read_frame(file.read)) is not None:
                response = model.reply(ModelRequest.FromString(message))
                if response is not None:
                    _write(responses, framed(response.SerializeToString()))
    except BadFrame as error:
        return _fail(str(error))
    except DecodeError:
        return _fail("a message is no ModelRequest of referee/v1/model.proto: does something else write to its input?")
    except BrokenPipeError:
        return 0
    return 0


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _end_without_reader(descriptor: int) -> None:
    """End the process as soon as nobody can read what it writes."""
    poll = select.poll()
    poll.register(descriptor, 0)  # an error or the end of the other side is told all the same
    while not any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll()):
        pass
    os._exit(0)


def _fail(sentence: str) -> int:
    print(f"the model server ends: {sentence}", file=sys.stderr, flush=True)
    return 1
