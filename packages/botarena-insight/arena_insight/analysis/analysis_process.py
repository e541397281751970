"""A long computation in a process of its own, so that a server keeps its turn."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from arena.bots.check_processes import interrupts_held, take_interrupts
from arena.values.errors import ArenaError
from referee.engine.errors import EngineError

NICENESS = 10
"""How much the process steps back behind others."""


@contextmanager
def analysis_process(
    work: Callable[..., Any], *arguments: Any, started: Callable[[int], None] = lambda _: None
) -> "Iterator[Connection[Any, Any]]":
    """Start a computation, and end it with the block.

    work: a function of a module; it is called with the arguments and a function that it tells what is done, and how
        much there is to do. All of that, and what it returns, is pickled.
    started: is told the id of the process.

    The pipe gives ("progress", done, total) as often as that function is called, then ("result", what `work` returns)
    or ("failed", a sentence); it ends early (EOFError) if the process is killed.
    """
    context = get_context("spawn")
    pipe, far_end = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(far_end, work, arguments), daemon=True)
    with interrupts_held():
        process.start()
    if process.pid is not None:
        started(process.pid)
    far_end.close()
    try:
        yield pipe
    finally:
        process.kill()
        process.join()
        process.close()
        pipe.close()


def _run(pipe: "Connection[Any, Any]", work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    take_interrupts()
    os.nice(NICENESS)
    try:
        result = work(*arguments, lambda done, total: pipe.send(("progress", done, total)))
        pipe.send(("result", result))
    except (ArenaError, EngineError) as error:
        pipe.send(("failed", str(error)))
    except BrokenPipeError:
        return  # nobody waits for it any more
