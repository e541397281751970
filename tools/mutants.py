"""Plant mistakes in a copy of the tree, one after the other, and tell which of them no test notices: `make mutants`.

    python -m tools.mutants [AREA...] [--jobs N] [--check]

`tools/mutants.toml` lists them by area: a file, the text of a part of a line that stands in it once, what stands there
instead, and the tests that must fail. A mistake that survives means that a test is missing. The exit code is 0 if all
are noticed, 1 if one survives, and 2 if the list is out of date: whoever moves code or tests changes the list as well.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

ROOT = Path(__file__).parent.parent
LIST = ROOT / "tools" / "mutants.toml"
LEFT_OUT = (".git", ".venv*", "build", "dist", "node_modules", "target", ".mypy_cache", ".ruff_cache", ".hypothesis")
PATIENCE = 300
"""Seconds after which tests that hang are ended, and have noticed the mistake."""

TESTS_FAILED, TIMED_OUT = 1, 124
"""Exit codes of pytest and of `timeout`; another one but 0 says that the tests could not run."""


class BadList(Exception):
    """The list cannot be used; the text says why."""


@dataclass(frozen=True)
class Mutant:
    """A mistake that is planted in the sources; tests must find it."""

    area: str
    """Where it belongs: "rules", "referee", "store", "league" or "server"."""

    file: str
    """Where it is planted, from the root of the tree."""

    old: str
    """A part of a line, which stands in the file once."""

    new: str
    """What takes its place."""

    tests: tuple[str, ...]
    """Files of tests, or single ones, as pytest names them; one of them must fail."""

    def __str__(self) -> str:
        """Return it in a line."""
        return f"{self.area}: {self.file}: {self.old.strip()} -> {self.new.strip()}"

    def planted(self, root: Path) -> str:
        """Return the text of its file with the mistake. Raises BadList if the list is out of date."""
        path = root / self.file
        if not path.is_file():
            raise BadList(f"{self}: there is no such file; name the one to which the code has moved")
        text = path.read_text()
        if (count := text.count(self.old)) != 1:
            raise BadList(f"{self}: the old text stands there {count} times, and not once; bring the list up to date")
        if "\n" in self.old + self.new or self.old == self.new:
            raise BadList(f"{self}: a mistake changes one line")
        for test in self.tests:
            file, _, name = test.partition("::")
            text_of_test = f"def {name.partition('[')[0]}(" if name else "def test_"
            if not (root / file).is_file() or text_of_test not in (root / file).read_text():
                raise BadList(f"{self}: there are no tests {test}; name those that are there")
        return text.replace(self.old, self.new)


def mutants(areas: Sequence[str] = (), path: Path = LIST) -> list[Mutant]:
    """Return the mistakes of some areas, or all. Raises BadList if the list has no such area, or an area no mistake."""
    content: dict[str, list[dict[str, Any]]] = tomllib.loads(path.read_text())
    if unknown := [area for area in areas if area not in content]:
        raise BadList(f"there is no area {unknown[0]}; the areas are: {', '.join(content)}")
    return [
        Mutant(area, mutant["file"], mutant["old"], mutant["new"], tuple(mutant["tests"]))
        for area, listed in content.items()
        if area in areas or not areas
        for mutant in listed
    ]


def check(listed: Sequence[Mutant], root: Path = ROOT) -> None:
    """Raise BadList, with a line for each mistake that cannot be planted in a tree."""
    wrong = []
    for mutant in listed:
        try:
            mutant.planted(root)
        except BadList as error:
            wrong.append(str(error))
    if wrong:
        raise BadList("\n".join(wrong))


class Tree:
    """A copy of a tree, in which tests run with a mistake."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.root = folder
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)

    def test(self, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run tests until the first one fails; all that they started has ended thereafter, or after PATIENCE."""
        words = ["timeout", str(PATIENCE), sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        words += ["-m", "not toolchain and not slow", *tests]  # those that start processes, too
        # What the tests start is to come from the copy, too. No bytecode: that of a mistake must not outlive it.
        env = os.environ | {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(words, cwd=self.root, env=env, capture_output=True, text=True)

    def check(self, tests: Sequence[str]) -> None:
        """Raise BadList unless tests pass without a mistake: otherwise they would notice anything."""
        done = self.test(tests)
        if done.returncode:
            raise BadList(f"{' '.join(tests)}: they fail without a mistake, too:\n{_end(done)}")

    def noticed_by(self, mutant: Mutant) -> str:
        """Return which test notices a mistake; "" if none does. Raises BadList if they cannot run with it."""
        path = self.root / mutant.file
        sound = path.read_text()
        path.write_text(mutant.planted(self.root))
        try:
            done = self.test(mutant.tests)
        finally:
            path.write_text(sound)
        if done.returncode not in (0, TESTS_FAILED, TIMED_OUT):
            raise BadList(f"{mutant}: the tests cannot run with it:\n{_end(done)}")
        if done.returncode == TIMED_OUT:
            return "one that hangs"
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        return failed[1] if failed else ""


def _end(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout[-3000:] + done.stderr[-2000:]


def run(listed: Sequence[Mutant], jobs: int, root: Path = ROOT) -> list[Mutant]:
    """Plant mistakes, each in one of `jobs` copies of a tree; return those that survive. Raises BadList."""
    check(listed, root)
    with TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        trees = SimpleQueue[Tree]()
        for number in range(jobs):
            trees.put(Tree(root, Path(folder, str(number))))

        def passes(tests: tuple[str, ...]) -> None:
            with _taken(trees) as tree:
                tree.check(tests)

        def notices(mutant: Mutant) -> bool:
            with _taken(trees) as tree:
                began = monotonic()
                test = tree.noticed_by(mutant)
            told = f"noticed by {test}" if test else "SURVIVES"
            print(f"{monotonic() - began:5.1f} s  {mutant}  {told}", flush=True)
            return bool(test)

        try:
            list(pool.map(passes, dict.fromkeys(mutant.tests for mutant in listed)))
            return [mutant for mutant, noticed in zip(listed, pool.map(notices, listed), strict=True) if not noticed]
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _taken(trees: "SimpleQueue[Tree]") -> Iterator[Tree]:
    tree = trees.get()
    try:
        yield tree
    finally:
        trees.put(tree)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Plant mistakes in a copy of the tree, and tell which survive.")
    parser.add_argument("areas", nargs="*", metavar="AREA", help="of the list; default: all")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="copies; default: one per core")
    parser.add_argument("--check", action="store_true", help="only check that the list is current")
    given = parser.parse_args(words)
    began = monotonic()
    try:
        listed = mutants(given.areas)
        if given.check:
            check(listed)
            print(f"all {len(listed)} mistakes can be planted")
            return 0
        survivors = run(listed, given.jobs)
    except BadList as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{len(listed) - len(survivors)} of {len(listed)} are noticed, in {monotonic() - began:.0f} s")
    for mutant in survivors:
        print(f"survives {mutant}, with {' '.join(mutant.tests)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
