"""What is done for one bot, and takes as long as its author likes, is done beside the loop that serves all."""

import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
import trio

from referee import sandbox
from referee.connection.endpoints import Endpoints
from referee.connection.grpc_server import GrpcServers
from referee.process import background
from referee.process.background import background_threads, in_background
from referee.process.bot_process import BotProcess, Output
from referee.process.cpu_fairness import RefereeCpu
from referee.sandbox.cgroups import Group, Groups
from referee.sandbox.copies import Copies
from referee.session.local_session import Program


def program(folder: Path) -> Program:
    return Program(["/bin/true"], str(folder), 1.0, 1 << 28, sandbox.Confinement("rlimits"))


def test_what_a_program_is_shown_is_found_once_and_not_by_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    view = sandbox.view

    def recording(*arguments: object) -> sandbox.View:
        threads.append(threading.get_ident())
        return view(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(sandbox, "view", recording)

    async def look() -> None:
        limiter = trio.CapacityLimiter(1)
        one = program(tmp_path)
        assert await one.view(limiter) is await one.view(limiter)

    trio.run(look)
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


def test_a_folder_that_cannot_be_shown_is_tried_once_and_refused_for_each_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[object] = []

    def refusing(*arguments: object) -> sandbox.View:
        tries.append(arguments)
        raise OSError(7, "in its folder lies too much")

    monkeypatch.setattr(sandbox, "view", refusing)

    async def look() -> None:
        one = program(tmp_path)
        for _ in range(2):
            with pytest.raises(OSError, match="lies too much"):
                await one.view(trio.CapacityLimiter(1))

    trio.run(look)
    assert len(tries) == 1


def test_a_bot_is_ended_beside_the_loop_even_where_that_is_cancelled() -> None:
    threads: list[int] = []

    class Slow(Group):
        def kill(self) -> None:
            threads.append(threading.get_ident())

    group = Slow((), None)
    popen = subprocess.Popen(["/bin/true"], stdout=subprocess.PIPE, start_new_session=True)
    process = BotProcess(popen, Output(), None, sandbox.Launch([], {}, _groups=Groups([]), _group=group))

    async def end() -> None:
        with trio.CancelScope() as scope:
            scope.cancel()
            await process.close(trio.CapacityLimiter(1))

    trio.run(end)
    popen.wait()
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


def test_threads_in_the_background_do_not_count_as_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "FORGOTTEN_FROM", 2)

    async def work() -> tuple[set[str], set[str]]:
        limiter = trio.CapacityLimiter(1)
        thread = await in_background(lambda: str(threading.get_native_id()), limiter)
        assert thread in background_threads
        cpu = RefereeCpu()
        cpu.measure()
        counted = {task for _, task in cpu._accounting._files}
        background_threads.update({"ended", "long ago"})
        await in_background(partial(sys.intern, "x"), limiter)
        return {thread}, counted

    thread, counted = trio.run(work)
    assert str(threading.get_native_id()) in counted
    assert not thread & counted
    assert background_threads <= set(os.listdir("/proc/self/task")) | thread
    background_threads.clear()


def test_deep_folders_are_not_copied(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    deep = tmp_path
    for _ in range(201):
        deep = deep / "d"
        deep.mkdir()
    copies = Copies()
    with pytest.raises(PermissionError, match="too large to be copied"):
        copies.readable(str(tmp_path))
    deep.rmdir()
    copy = copies.readable(str(tmp_path))
    assert os.path.isdir(copy + "/d" * 200)
    copies.close()


def test_who_waited_for_a_thread_while_the_servers_stopped_is_cancelled() -> None:
    async def open_late() -> None:
        grpc = GrpcServers()
        endpoints = Endpoints(grpc)
        started, release = trio.Event(), threading.Event()
        outcomes: list[str] = []

        async def wait_and_open() -> None:
            started.set()
            await in_background(partial(release.wait, 60), trio.CapacityLimiter(1))
            try:
                (await endpoints.open()).close()
            except BaseException as error:
                outcomes.append(type(error).__name__)
                raise

        async with trio.open_nursery() as nursery:
            await nursery.start(grpc.run)
            nursery.start_soon(wait_and_open)
            await started.wait()
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                while not grpc.has_ended:
                    await trio.lowlevel.checkpoint()
            release.set()
        endpoints.close()
        assert outcomes == ["Cancelled"]

    trio.run(open_late)
