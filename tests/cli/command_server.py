"""Runs commands of arena, each in a process that is forked after all imports, with standard streams that fail.

The modules of arena are imported as where the standard streams are closed; then none may want them.

Reads a JSON object per line: words, folder, and streams ("closed" or "full"). Answers each with the exit code, what
the command said on stderr (of "full"), and the traceback of an error that escaped.
"""

import atexit
import json
import os
import sys
import threading
import traceback
from functools import partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from arena.cli import main

NAMES = ("stdin", "stdout", "stderr")
FAILED_FLUSH = 120
"""The exit code of Python where what was printed cannot be written as it ends."""


def import_everything() -> None:
    """Import the modules of arena without standard streams."""
    streams = {name: getattr(sys, name) for name in NAMES}
    for name in NAMES:
        setattr(sys, name, None)
    import_module("tests.preloaded")
    for name, stream in streams.items():
        setattr(sys, name, stream)


def close_streams() -> None:
    """Do as Python does where it is started with closed streams."""
    for number, name in enumerate(NAMES):
        os.close(number)
        setattr(sys, name, None)
        setattr(sys, f"__{name}__", None)


def fill_stdout(errors: Path) -> None:
    """Make standard output a full disk, and standard error a file."""
    for number, path in enumerate((os.devnull, "/dev/full", str(errors))):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
        stream = os.fdopen(number, "w" if number else "r", closefd=False)
        setattr(sys, NAMES[number], stream)
        setattr(sys, f"__{NAMES[number]}__", stream)


def write_traceback(file: Path, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write the traceback of an error that escaped to a file."""
    file.write_text("".join(traceback.format_exception(kind, error, trace)))


def run(words: list[str]) -> NoReturn:
    """Run a command, and end the process as Python does, but for taking its modules apart: that takes the longest."""
    code: object = 0
    try:
        main(words, prog_name="arena")
    except SystemExit as error:
        code = error.code
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        code = FAILED_FLUSH
    os._exit(code if isinstance(code, int) else int(code is not None))


def serve() -> list[str] | None:
    """Answer requests; return the words of a command in the process that is to run it."""
    for line in sys.stdin:
        request = json.loads(line)
        errors, escaped = (Path(request["folder"], f"{request['streams']}.{end}") for end in ("stderr", "traceback"))
        pid = os.fork()
        if not pid:
            os.chdir(request["folder"])
            sys.excepthook = partial(write_traceback, escaped)
            if request["streams"] == "closed":
                close_streams()
            else:
                fill_stdout(errors)
            return list(request["words"])
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        said, found = (file.read_text() if file.exists() else "" for file in (errors, escaped))
        print(json.dumps({"code": code, "stderr": said, "traceback": found}), flush=True)
    return None


if __name__ == "__main__":
    import_everything()
    if (words := serve()) is not None:
        run(words)
