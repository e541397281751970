"""The build step of a submission: one command, sandboxed like a bot, except that it may write to its own folder.

It sees the system and the programs of the organiser's PATH, read-only (`build_sandbox`), an empty home in a private
/tmp, and no network unless the organiser grants it, then with the variables that configure package managers. It sees
nothing else of the machine, in particular not the database.

A build with the network is first tried without it, with what our package managers have fetched before: so it fetches
nothing twice, works without a network, and never has the network and our packages, which may be private, together.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os.path import normpath
from pathlib import Path
from select import poll

from arena.packs.build_sandbox import MEMORY_BYTES, PROCESSES, caches, sandboxed
from arena.packs.cache import remove_folder
from arena.packs.errors import BuildError, BuildStopped, BuildTooSlow
from arena.packs.manifest import FILE, PYTHONS, Manifest
from arena.packs.pack import Pack
from referee.process.awake_clock import AwakeClock
from referee.process.bot_process import Output
from referee.process.memory_watch import Excess, MemoryWatch
from referee.sandbox import choose, seccomp
from referee.sandbox.cgroups import Group, Groups
from referee.sandbox.launch import readable_fd

TAIL = 15
"""Last lines of a build's output that are shown if it fails."""

DISK_BYTES = 4 * 1024**3
"""How much free disk space a build may use before it is ended."""
CHECK_SECONDS = 0.4
"""Seconds between two checks of the free disk space, while it prints nothing; its memory may need more."""


@dataclass(frozen=True, slots=True)
class BuildTerms:
    """What a build may do."""

    network: bool = False
    """Whether the build may use the network."""
    seconds: float = 600.0
    """The time limit in seconds."""


@dataclass(frozen=True, slots=True)
class ConfinedStep:
    """A step that runs in the sandbox of builds."""

    title: str
    """What errors call the step, such as `the build (make)`."""
    alternative: str
    """What to do on a machine without the sandbox."""
    variables: Collection[str] = ()
    """The names of more of our environment variables that the step gets with the network."""
    fetched: Mapping[str, str] = field(default_factory=dict)
    """Folders that the step sees, read-only, by their paths below its home."""


def build(manifest: Manifest, folder: Path, terms: BuildTerms) -> str:
    """Run the build step of a manifest in `folder` and return its output, sanitised and truncated.

    Must be called in the main thread: the sandbox ends with the thread that started it.

    Raises BuildError if it fails, exceeds a limit, or cannot be sandboxed.
    """
    if manifest.build_network and not terms.network:
        raise BuildError(
            f"its build ({' '.join(manifest.build)}) needs the network (build_network in {FILE}): "
            "--build-network grants it"
        )
    program, *arguments = manifest.build
    line = [sys.executable if program in PYTHONS else program, *arguments]
    step = ConfinedStep(
        f"the build ({' '.join(manifest.build)})",
        "build the bot yourself and submit the result, with a bot.toml without `build`",
    )
    if not (manifest.build_network and (fetched := caches())):
        return run_confined(line, folder, terms, step)
    untouched = folder.with_name(f"{folder.name}-untouched")
    shutil.copytree(folder, untouched)
    try:
        try:
            return run_confined(line, folder, replace(terms, network=False), replace(step, fetched=fetched))
        except BuildStopped as failure:
            first = failure
        remove_folder(folder)
        untouched.rename(folder)
        try:
            return run_confined(line, folder, terms, step)
        except BuildStopped as failure:
            if _words(first) == _words(failure):
                raise
            raise BuildStopped(
                f"{failure}\n(before that it was tried without the network, with the libraries that this user has "
                f"fetched before:{_words(first)})"
            ) from None
    finally:
        if untouched.exists():
            remove_folder(untouched)


def _words(failure: BuildStopped) -> str:
    """Return what a build that failed said last."""
    return str(failure).partition(":")[2]


def run_confined(line: Sequence[str], folder: Path, terms: BuildTerms, step: ConfinedStep) -> str:
    """Run a command in the sandbox of builds, and return its output, sanitised and truncated.

    Must be called in the main thread.

    Raises BuildError if it fails, exceeds a limit, or cannot be sandboxed.
    """
    confinement = choose("auto")
    if confinement.mode != "bwrap":
        raise BuildError(
            f"{step.title} runs only in a sandbox, and this machine has none for it ({confinement.warning}): "
            f"{step.alternative}"
        )
    output = Output()
    with (
        _limiting(confinement.groups) as group,
        _filtering(group) as filter_fd,
        subprocess.Popen(
            sandboxed(
                line,
                folder,
                network=terms.network,
                variables=step.variables,
                group=group,
                filter_fd=filter_fd,
                fetched=step.fetched,
            ),
            env={"PATH": os.environ.get("PATH", os.defpath)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=() if filter_fd is None else (filter_fd,),
        ) as process,
    ):
        assert process.stdout is not None
        try:
            is_limited = group is not None and group.memory is not None
            watch = None if is_limited else MemoryWatch(process.pid, MEMORY_BYTES, PROCESSES)
            excess = _collect(process.stdout.fileno(), output, folder, terms.seconds, watch)
        finally:
            if process.poll() is None and not _ends_soon(process):
                process.kill()
        is_out_of_memory = group is not None and group.out_of_memory()
    if excess is not None:
        kind, what = excess
        raise kind(f"{step.title} {what}{_tail(output.text())}")
    if is_out_of_memory:
        raise BuildError(f"{step.title} {_too_much(Excess.MEMORY)}{_tail(output.text())}")
    if process.returncode:
        offline = "" if terms.network else ", without a network (--build-network grants access)"
        raise BuildStopped(f"{step.title} exited with code {process.returncode}{offline}{_tail(output.text())}")
    return output.text()


@contextmanager
def _limiting(groups: Groups | None) -> Iterator[Group | None]:
    """Yield the control groups that limit a build as a whole; None where there are none."""
    if groups is None:
        yield None
        return
    group = groups.new(MEMORY_BYTES, PROCESSES)
    try:
        yield group
    finally:
        groups.end(group)


@contextmanager
def _filtering(group: Group | None) -> Iterator[int | None]:
    """Yield the descriptor of a build's system call filter; None where it needs none, as its group counts its memory.

    group: the control groups of the build.
    """
    code = seccomp.for_builds() if group is None or group.memory is None else b""
    if not code:
        yield None
        return
    filter_fd = readable_fd(code)
    try:
        yield filter_fd
    finally:
        os.close(filter_fd)


def check_program_built(manifest: Manifest, content: Pack, printed: str) -> None:
    """Raise BuildError if the build succeeded, but the pack lacks the program of the manifest."""
    program = manifest.command[0]
    if "/" in program and normpath(program) not in {file.path for file in content.files}:
        keep = f" that `keep` names ({', '.join(manifest.keep)})" if manifest.keep else ""
        raise BuildError(f"the build ({' '.join(manifest.build)}) made no {program}{keep}{_tail(printed)}")


def _too_much(excess: Excess) -> str:
    if excess is Excess.MEMORY:
        return f"used more than {MEMORY_BYTES // 1024**2:,} MB of memory"
    return f"had more than {PROCESSES:,} processes and threads"


def _collect(
    descriptor: int, output: Output, folder: Path, seconds: float, watch: MemoryWatch | None
) -> tuple[type[BuildError], str] | None:
    """Collect the build's output until it ends; return the error and the words for the limit it exceeds, if any.

    watch: of its memory; None where control groups limit that.
    """
    least_free = shutil.disk_usage(folder).free - DISK_BYTES
    poller = poll()
    poller.register(descriptor)
    with AwakeClock() as clock:
        deadline = clock.current_time() + seconds
        while (left := clock.deadline_to_sleep_time(deadline)) > 0:
            if shutil.disk_usage(folder).free < least_free:
                return BuildError, f"wrote more than {DISK_BYTES // 1024**2:,} MB"
            if watch is not None and (excess := watch.find_excess()) is not None:
                return BuildError, _too_much(excess)
            pause = CHECK_SECONDS if watch is None else watch.seconds
            if poller.poll(min(left, pause) * 1000):
                data = os.read(descriptor, 65536)
                if not data:
                    return None
                output.add(data)
    return BuildTooSlow, f"took longer than {seconds:g} s"


def _ends_soon(process: "subprocess.Popen[bytes]") -> bool:
    """Wait up to a second for a process that has closed its output; return whether it ended."""
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        return False
    return True


def _tail(printed: str) -> str:
    lines = printed.splitlines()[-TAIL:]
    return ":\n" + "\n".join(f"    {line}" for line in lines) if lines else ""
