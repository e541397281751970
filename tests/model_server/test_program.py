"""The program that a bot starts: it ends with its bot, and survives nothing else than requests."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.model_server.framing import framed, read_frame
from referee.v1.model_pb2 import EvaluateRequest, ModelError, ModelRequest, ModelResponse, WorldsRequest
from tests.model_server.told import ToldSeat

pytestmark = pytest.mark.processes

COMMAND = [sys.executable, "-I", "-m", "arena.model_server"]
FOREVER = ModelRequest(evaluate=EvaluateRequest(match=1, time_ms=3_600_000))


@pytest.fixture
def server() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(COMMAND, stdin=-1, stdout=-1, stderr=-1, bufsize=0) as process:
        yield process
        process.kill()


def write(server: "subprocess.Popen[bytes]", *requests: ModelRequest) -> None:
    assert server.stdin is not None
    server.stdin.write(b"".join(framed(request.SerializeToString()) for request in requests))


def read(server: "subprocess.Popen[bytes]") -> ModelResponse:
    assert server.stdout is not None
    message = read_frame(server.stdout.read)
    assert message is not None, "the server has ended"
    return ModelResponse.FromString(message)


def told() -> ModelRequest:
    return ModelRequest(turns=ToldSeat("perudo").turns)


def evaluating(server: "subprocess.Popen[bytes]") -> None:
    """Have the server search without an end."""
    write(server, told(), ModelRequest(worlds=WorldsRequest(match=1, count=1)), FOREVER)
    assert len(read(server).worlds.worlds) == 1


def test_it_answers_all_that_was_asked_before_its_input_ended(server: "subprocess.Popen[bytes]") -> None:
    worlds = ModelRequest(worlds=WorldsRequest(match=1, count=2))
    write(server, told(), worlds, ModelRequest(worlds=WorldsRequest(match=5, count=2)), worlds)
    assert server.stdin is not None
    server.stdin.close()
    first, error, second = (read(server) for _ in range(3))
    assert [world.world for world in (*first.worlds.worlds, *second.worlds.worlds)] == [1, 2, 3, 4]
    assert error.error.reason == ModelError.REASON_MATCH
    assert server.wait(10) == 0


def test_it_ends_in_mid_search_as_soon_as_nobody_can_read_its_answer(server: "subprocess.Popen[bytes]") -> None:
    evaluating(server)
    assert server.stdout is not None
    server.stdout.close()
    assert server.wait(10) == 0


def test_it_ends_with_a_bot_that_is_killed_in_mid_search() -> None:
    script = (
        "import os, subprocess, sys\n"
        f"server = subprocess.Popen({COMMAND!r}, stdin=-1, stdout=-1)\n"
        "server.stdin.write(sys.stdin.buffer.read()); server.stdin.flush()\n"
        "server.stdout.read(1)\n"
        "print(server.pid, flush=True)\n"
        "server.wait()\n"
    )
    requests = told(), ModelRequest(worlds=WorldsRequest(match=1, count=1)), FOREVER
    with subprocess.Popen([sys.executable, "-c", script], stdin=-1, stdout=-1) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        bot.stdin.write(b"".join(framed(request.SerializeToString()) for request in requests))
        bot.stdin.close()
        descriptor = os.pidfd_open(int(bot.stdout.readline()))
        bot.kill()
    try:
        import select

        assert select.select([descriptor], [], [], 10)[0], "the server has outlived its bot"
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("flood", "says"),
    [
        (b"\xff" * 100_000, "the length of a message is no varint"),
        (b'{"type":"evaluate"}\n' * 50_000, "a message is no ModelRequest"),
        (
            b"\xff\xff\xff\x7f" + b"x" * 100_000,
            "a message of 268,435,455 bytes is announced, at most 16,777,216 are read",
        ),
    ],
)
def test_something_else_than_requests_ends_it_with_a_sentence(
    server: "subprocess.Popen[bytes]", flood: bytes, says: str
) -> None:
    try:
        output, errors = server.communicate(flood, timeout=20)
    except BrokenPipeError:
        output, errors = server.communicate(timeout=20)
    assert (server.returncode, output) == (1, b"")
    assert f"the model server ends: {says}" in errors.decode()


def test_a_flood_of_requests_takes_no_memory(server: "subprocess.Popen[bytes]") -> None:
    write(server, told())
    flood = framed(ModelRequest(worlds=WorldsRequest(match=1, count=1_000_000)).SerializeToString()) * 100
    status = Path(f"/proc/{server.pid}/status")
    assert server.stdin is not None

    def peak() -> int:
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1])

    def answered() -> None:
        server.stdin.write(flood)  # type: ignore[union-attr]
        for _ in range(100):
            assert read(server).error.reason == ModelError.REASON_LIMIT

    answered()
    before = peak()
    for _ in range(20):
        answered()
    assert peak() < before + 2000


def test_what_others_print_does_not_come_between_its_answers(tmp_path: Path) -> None:
    script = (
        "import sys; sys.argv = ['x']\n"
        "from arena.model_server import __main__, model\n"
        "def noisy(*_): print('noise', flush=True)\n"
        "model.Model.tell = noisy\n"
        "sys.exit(__main__.main())\n"
    )
    request = framed(told().SerializeToString()) + framed(b"")
    done = subprocess.run([sys.executable, "-c", script], input=request, capture_output=True, timeout=30, check=True)
    assert done.stderr == b"noise\n"
    assert b"noise" not in done.stdout


def test_a_bot_learns_that_its_server_was_killed(server: "subprocess.Popen[bytes]") -> None:
    evaluating(server)
    server.send_signal(signal.SIGKILL)
    assert server.stdout is not None
    assert read_frame(server.stdout.read) is None
    assert server.wait(10) == -signal.SIGKILL
